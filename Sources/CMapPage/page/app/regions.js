// Visited regions and tracks: what is drawn above the fog on request, and what a click finds.

/** The visited regions of the page, by columns of `PageRegions`. */
class VisitedRegions {
  constructor(bytes) {
    const reader = new ByteReader(bytes);
    this.count = bytes.length ? reader.varint() : 0;
    const column = (read) => Array.from({ length: this.count }, read);
    let sum = 0;
    const rising = () => (sum += reader.signed());
    this.latitudes = column(rising);
    sum = 0;
    this.longitudes = column(rising);
    this.visits = column(() => reader.varint());
    this.starts = column(() => reader.varint());
    this.ends = this.starts.map((start) => {
      const length = reader.varint();
      return start ? start + length : 0;
    });
    this.places = column(() => reader.varint());
    this.xs = Float64Array.from(this.longitudes, (one) => mercatorX(one / 1e5));
    this.ys = Float64Array.from(this.latitudes, (one) => mercatorY(one / 1e5));
  }

  /** The index of the region nearest to a place on the screen, within some pixels; -1 if none. */
  nearest(view, left, top, reach) {
    let [best, least] = [-1, reach * reach];
    for (let i = 0; i < this.count; i++) {
      const [x, y] = view.toScreen(this.xs[i], this.ys[i]);
      const square = (x - left) ** 2 + (y - top) ** 2;
      if (square < least) [best, least] = [i, square];
    }
    return best;
  }

  /** Draws the regions as dots, larger with more visits; not those after a day. */
  draw(context, view, color, day) {
    const end = minuteAfter(day);
    const radius = view.zoom < 8 ? 1.6 : view.zoom < 12 ? 2.4 : 3.6;
    context.fillStyle = color;
    context.globalAlpha = 0.85;
    context.beginPath();
    const { ratio } = view;
    for (let i = 0; i < this.count; i++) {
      const [x, y] = view.toScreen(this.xs[i], this.ys[i]);
      if (x < -9 || y < -9 || x > view.width + 9 || y > view.height + 9) continue;
      if (this.starts[i] >= end) continue;
      const size = radius * ratio * (1 + Math.min(1.6, Math.log10(this.visits[i] || 1)));
      context.moveTo(x * ratio + size, y * ratio);
      context.arc(x * ratio, y * ratio, size, 0, 2 * Math.PI);
    }
    context.fill();
    context.globalAlpha = 1;
  }
}

/** Minutes are counted from this one, so that 0 is no time: 0001-01-01 in minutes before 1970. */
const ZERO_MINUTE = 1035593280;

/** The minute after a day. */
const minuteAfter = (day) =>
  day === Infinity ? Infinity : (day - DAY_OF_1970 + 1) * 1440 + ZERO_MINUTE;

/** The tracks of the page, by `PageTracks`: lines with the day on which each began. */
class Tracks {
  constructor(bytes) {
    this.lines = [];
    const reader = new ByteReader(bytes);
    for (let left = bytes.length ? reader.varint() : 0; left > 0; left--) {
      const day = reader.varint();
      const points = new Float64Array(2 * reader.varint());
      let [latitude, longitude] = [0, 0];
      const box = [2, 2, -1, -1];
      for (let i = 0; i < points.length; i += 2) {
        latitude += reader.signed();
        longitude += reader.signed();
        const x = mercatorX(longitude / 1e5);
        const y = mercatorY(latitude / 1e5);
        [points[i], points[i + 1]] = [x, y];
        box[0] = Math.min(box[0], x);
        box[1] = Math.min(box[1], y);
        box[2] = Math.max(box[2], x);
        box[3] = Math.max(box[3], y);
      }
      this.lines.push({ day, points, box });
    }
  }

  draw(context, view, color, day) {
    const { ratio, scale } = view;
    context.strokeStyle = color;
    context.lineWidth = (view.zoom < 9 ? 1.1 : 2) * ratio;
    context.lineJoin = "round";
    context.beginPath();
    for (const line of this.lines) {
      if (line.day > day) continue;
      // One copy of the world: the one nearest to the center.
      const shift = Math.round(view.x - (line.box[0] + line.box[2]) / 2);
      const place = (x, y) => [
        (view.width / 2 + (x + shift - view.x) * scale) * ratio,
        (view.height / 2 + (y - view.y) * scale) * ratio,
      ];
      const [left, top] = place(line.box[0], line.box[1]);
      const [right, bottom] = place(line.box[2], line.box[3]);
      const { width, height } = view.canvas;
      if (right < 0 || bottom < 0 || left > width || top > height) continue;
      let [lastX, lastY] = [1e9, 1e9];
      for (let i = 0; i < line.points.length; i += 2) {
        const [x, y] = place(line.points[i], line.points[i + 1]);
        if (i > 0 && Math.abs(x - lastX) + Math.abs(y - lastY) < 1.5) continue;
        if (i === 0) context.moveTo(x, y);
        else context.lineTo(x, y);
        [lastX, lastY] = [x, y];
      }
    }
    context.stroke();
  }
}
