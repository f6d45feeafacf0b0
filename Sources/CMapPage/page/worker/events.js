// What each day adds to the pixels of a tile, so that any day can be shown by adding up to it.

/** The pixels along each side of a tile. */
const TILE = 512;

/** One day's shares while they are added up; all 0 between two days. */
const scratch = new Float32Array(TILE * TILE);

/** The rows of pixels that a row of cells covers, and how much of the height of each. */
class PixelRows {
  constructor(cells, z, y) {
    this.step = cells.step;
    this.sines = new Float64Array(TILE + 1);
    for (let row = 0; row <= TILE; row++) {
      this.sines[row] = sineOfY((y * TILE + row) / (TILE * 2 ** z));
    }
    this.row = -1;
    this.heights = new Float64Array(TILE);
  }

  /** Finds the rows of pixels of a row of cells: `count` of them from `first` southwards. */
  find(row) {
    if (row === this.row) return;
    this.row = row;
    this.count = 0;
    const { sines } = this;
    const south = Math.sin(((Math.min(row * this.step, 180) - 90) * Math.PI) / 180);
    const north = Math.sin(((Math.min((row + 1) * this.step, 180) - 90) * Math.PI) / 180);
    // The row of pixels in which the northern edge lies.
    let [low, high] = [0, TILE];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sines[middle + 1] < north) high = middle;
      else low = middle + 1;
    }
    this.first = low;
    for (let p = low; p < TILE && sines[p] > south; p++) {
      const height = Math.min(north, sines[p]) - Math.max(south, sines[p + 1]);
      if (height <= 0) break;
      this.heights[this.count++] = height / (sines[p] - sines[p + 1]);
    }
  }
}

/**
 * The explored share that each day adds to each pixel of a tile.
 *
 * Shares are of a pixel's area on the sphere, as in `TileRenderer`: its width in longitude times
 * its height in the sine of latitude.
 */
class TileEvents {
  constructor(cells, z, x, y) {
    this.days = [];
    this.starts = [];
    this.count = 0;
    this.pixels = new Uint32Array(1024);
    this.weights = new Float32Array(1024);
    const groups = TileEvents.groups(cells, z, x, y);
    if (groups.length) this.fill(cells, groups, z, x, y);
    this.starts.push(this.count);
  }

  /** The groups of runs in the tile by day: each is its day · 2^32 + its number. */
  static groups(cells, z, x, y) {
    const side = 1 / 2 ** z;
    let [groups, count] = [new Float64Array(256), 0];
    cells.forEachSquare(
      longitudeOfX(x * side), longitudeOfX((x + 1) * side),
      latitudeOfY((y + 1) * side), latitudeOfY(y * side),
      (square) => {
        const end = cells.firstGroup[square + 1];
        for (let group = cells.firstGroup[square]; group < end; group++) {
          if (count === groups.length) {
            const longer = new Float64Array(4 * count);
            longer.set(groups);
            groups = longer;
          }
          groups[count++] = cells.groupDay[group] * 4294967296 + group;
        }
      });
    return groups.subarray(0, count).sort();
  }

  fill(cells, groups, z, x, y) {
    const world = TILE * 2 ** z;
    const perColumn = (cells.step / 360) * world;
    const rows = new PixelRows(cells, z, y);
    const touched = new Uint32Array(TILE * TILE);
    const { runRow, runFrom, runTo, groupSquare, keys, columns } = cells;
    const left = x * TILE;
    let [at, today, count] = [0, -1, 0];
    const flush = () => {
      if (count) this.flush(today, touched, count);
      count = 0;
    };
    for (; at < groups.length; at++) {
      const day = Math.floor(groups[at] / 4294967296);
      const group = groups[at] - day * 4294967296;
      if (day !== today) {
        flush();
        today = day;
      }
      const key = keys[groupSquare[group]];
      const squareRow = Math.floor(key / columns);
      const base = (key - squareRow * columns) * 64 * perColumn - left;
      const endRun = cells.firstRun[group + 1];
      for (let run = cells.firstRun[group]; run < endRun; run++) {
        const west = Math.max(0, base + runFrom[run] * perColumn);
        const east = Math.min(TILE, base + runTo[run] * perColumn);
        if (west >= east) continue;
        rows.find(squareRow * 64 + runRow[run]);
        const [first, last] = [Math.floor(west), Math.ceil(east) - 1];
        for (let i = 0; i < rows.count; i++) {
          const height = rows.heights[i];
          const line = (rows.first + i) * TILE;
          for (let p = first; p <= last; p++) {
            // The width of the run in this pixel: 1 but at its ends.
            const width = (p === last ? east : p + 1) - (p === first ? west : p);
            if (scratch[line + p] === 0) touched[count++] = line + p;
            scratch[line + p] += height * width;
          }
        }
      }
    }
    flush();
  }

  /** Moves a day's pixels from the scratch image to the list. */
  flush(day, touched, count) {
    const needed = this.count + count;
    if (needed > this.pixels.length) {
      const room = Math.max(needed, 2 * this.pixels.length);
      const [pixels, weights] = [new Uint32Array(room), new Float32Array(room)];
      pixels.set(this.pixels);
      weights.set(this.weights);
      [this.pixels, this.weights] = [pixels, weights];
    }
    this.days.push(day);
    this.starts.push(this.count);
    for (let i = 0; i < count; i++) {
      const pixel = touched[i];
      this.pixels[this.count] = pixel;
      this.weights[this.count++] = scratch[pixel];
      scratch[pixel] = 0;
    }
  }

  /** True if nothing in the tile is ever explored. */
  get isEmpty() {
    return this.days.length === 0;
  }

  /** Bytes of memory. */
  get size() {
    return this.pixels.byteLength + this.weights.byteLength + 16 * this.days.length;
  }

  /** The number of days up to and including a day. */
  daysUpTo(day) {
    let [low, high] = [0, this.days.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.days[middle] <= day) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Adds the shares of the days between two indexes of `days` to an image. */
  addShares(from, to, shares) {
    const end = this.starts[to];
    for (let i = this.starts[from]; i < end; i++) shares[this.pixels[i]] += this.weights[i];
  }
}
