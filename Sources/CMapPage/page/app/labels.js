// Names on the map: countries, regions and cities, the most important first.

/** Drawn names, kept as images: outlined text is slow to draw. */
class LabelSprites {
  constructor() {
    this.clear();
  }

  clear() {
    this.images = new Map();
  }

  get(text, style, ratio) {
    const key = `${style.id}\n${text}`;
    let sprite = this.images.get(key);
    if (!sprite) {
      sprite = LabelSprites.make(text, style, ratio);
      if (this.images.size > 3000) this.images.clear();
      this.images.set(key, sprite);
    }
    return sprite;
  }

  static make(text, style, ratio) {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d");
    const shown = style.isUpper ? text.toLocaleUpperCase() : text;
    const prepare = () => {
      context.font = style.font;
      if ("letterSpacing" in context) context.letterSpacing = style.spacing || "0px";
      context.textBaseline = "middle";
      context.lineJoin = "round";
    };
    prepare();
    const width = Math.ceil(context.measureText(shown).width) + 8;
    const height = style.size + 8;
    canvas.width = Math.ceil(width * ratio);
    canvas.height = Math.ceil(height * ratio);
    context.scale(ratio, ratio);
    prepare();
    context.lineWidth = 3;
    context.strokeStyle = style.halo;
    context.strokeText(shown, 4, height / 2);
    context.fillStyle = style.color;
    context.fillText(shown, 4, height / 2);
    return { canvas, width, height };
  }
}

/** Chooses and draws the names of a view. */
class LabelLayer {
  constructor(labels) {
    this.renew(labels);
    this.sprites = new LabelSprites();
  }

  /** Shows other names. */
  renew(labels) {
    // In the order in which they take their place.
    this.labels = labels.sort((one, other) => one.order - other.order);
  }

  setTheme(theme, ratio) {
    this.ratio = ratio;
    const family = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', sans-serif";
    const style = (id, weight, size, color, more = {}) => ({
      id, size, color, halo: theme.labelHalo, font: `${weight} ${size}px ${family}`, ...more,
    });
    this.styles = {
      country: style("country", 600, 13, theme.label, { isUpper: true, spacing: "1.5px" }),
      region: style("region", 500, 11, theme.secondaryLabel, { isUpper: true, spacing: "1px" }),
      metropolis: style("metropolis", 600, 15, theme.label),
      city: style("city", 500, 13, theme.label),
      town: style("town", 400, 12, theme.secondaryLabel),
    };
    this.dot = theme.label;
    this.halo = theme.labelHalo;
    this.sprites.clear();
  }

  draw(context, view) {
    const { ratio } = view;
    if (ratio !== this.ratio) {
      this.ratio = ratio;
      this.sprites.clear();
    }
    const cells = new Map();
    const zoom = view.zoom;
    const margin = 120;
    let drawn = 0;
    for (const label of this.labels) {
      if (label.zoom > zoom || label.last < zoom) continue;
      const [x, y] = view.toScreen(label.x, label.y);
      if (x < -margin || x > view.width + margin) continue;
      if (y < -margin || y > view.height + margin) continue;
      const sprite = this.sprites.get(label.text, this.styles[label.kind], ratio);
      const isPoint = label.kind !== "country" && label.kind !== "region";
      const left = isPoint ? x + 3 : x - sprite.width / 2;
      const top = y - sprite.height / 2;
      if (!LabelLayer.take(cells, left - 4, top, sprite.width + 8, sprite.height)) continue;
      if (isPoint) {
        context.beginPath();
        context.arc(x * ratio, y * ratio, 2.4 * ratio, 0, 2 * Math.PI);
        context.fillStyle = this.dot;
        context.strokeStyle = this.halo;
        context.lineWidth = 1.5 * ratio;
        context.stroke();
        context.fill();
      }
      context.drawImage(sprite.canvas, Math.round(left * ratio), Math.round(top * ratio));
      if (++drawn > 160) break;
    }
  }

  /** Takes a box of the screen; false if another name is there. */
  static take(cells, left, top, width, height) {
    const size = 64;
    const box = [left, top, left + width, top + height];
    const keys = [];
    for (let row = Math.floor(top / size); row <= Math.floor(box[3] / size); row++) {
      for (let column = Math.floor(left / size); column <= Math.floor(box[2] / size); column++) {
        const key = row * 4096 + column;
        for (const other of cells.get(key) || []) {
          if (box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]) {
            return false;
          }
        }
        keys.push(key);
      }
    }
    for (const key of keys) {
      if (!cells.has(key)) cells.set(key, []);
      cells.get(key).push(box);
    }
    return true;
  }
}
