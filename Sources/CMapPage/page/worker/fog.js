// Fog: the colors of a tile's explored shares.

/** The byte of a share: 0 if nothing and 255 if all is explored, 1 to 254 between. */
function byteOfShare(share) {
  if (share < 1e-6) return 0;
  if (share > 1 - 1e-5) return 255;
  return Math.max(1, Math.min(254, Math.round(share * 255)));
}

/**
 * How clear a pixel of a share is shown, 0 to 1.
 *
 * A trail of 300 m covers a hundredth of a pixel of the world. So far away any explored pixel is
 * lifted enough to be seen; near, where cells are larger than pixels, the share itself is shown.
 */
function clearness(byte, z) {
  if (byte === 0) return 0;
  const share = byte / 255;
  const near = nearness(z);
  const far = 0.6 + 0.4 * Math.pow(share, 0.4);
  return far + (share - far) * near;
}

/** 0 where the world is small, 1 where cells are about as large as pixels. */
const nearness = (z) => Math.max(0, Math.min(1, (z - 4) / 7));

/** The 256 colors of shares at a zoom, as little-endian RGBA words. */
class FogColors {
  constructor(theme, z) {
    this.table = FogColors.between(theme.fog, theme.explored, z);
    this.recent = FogColors.between(theme.fog, theme.recent, z);
  }

  static between(fog, clear, z) {
    const table = new Uint32Array(256);
    // The tint is stronger where explored ground is a thin line.
    const tint = Math.max(clear[3], 0.95 + (clear[3] - 0.95) * nearness(z));
    for (let byte = 0; byte < 256; byte++) {
      const share = clearness(byte, z);
      // Mixed as premultiplied colors, so that a faint tint does not gray.
      const alpha = fog[3] + (tint - fog[3]) * share;
      const mix = (i) => {
        const value = fog[i] * fog[3] * (1 - share) + clear[i] * tint * share;
        return alpha > 0 ? Math.round(value / alpha) : 0;
      };
      const a = Math.round(alpha * 255);
      table[byte] = ((a << 24) | (mix(2) << 16) | (mix(1) << 8) | mix(0)) >>> 0;
    }
    return table;
  }
}

/** One tile's shares up to a day, moved forward in time as cheaply as days are added. */
class FogTile {
  constructor(events) {
    this.events = events;
    this.shares = null;
    this.upTo = 0;
  }

  /** Brings the shares to an index of days. */
  moveTo(index) {
    if (!this.shares) this.shares = new Float32Array(TILE * TILE);
    if (index < this.upTo) {
      this.shares.fill(0);
      this.upTo = 0;
    }
    this.events.addShares(this.upTo, index, this.shares);
    this.upTo = index;
  }

  /** Frees the image of shares, which is made again when it is needed. */
  rest() {
    this.shares = null;
    this.upTo = 0;
  }

  /**
   * Writes the colors at a day to an image.
   *
   * @param since the day after which explored pixels count as recent; null for none.
   */
  paint(day, since, colors, image) {
    const end = this.events.daysUpTo(day);
    this.moveTo(end);
    const { shares } = this;
    const { table, recent } = colors;
    image.fill(table[0]);
    const { pixels, starts } = this.events;
    if (starts[end] < shares.length) {
      for (let i = 0; i < starts[end]; i++) {
        image[pixels[i]] = table[byteOfShare(shares[pixels[i]])];
      }
    } else {
      for (let i = 0; i < shares.length; i++) {
        if (shares[i] !== 0) image[i] = table[byteOfShare(shares[i])];
      }
    }
    if (since === null) return;
    const start = this.events.daysUpTo(since);
    for (let i = starts[start]; i < starts[end]; i++) {
      const pixel = pixels[i];
      image[pixel] = recent[byteOfShare(shares[pixel])];
    }
  }
}
