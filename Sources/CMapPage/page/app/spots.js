// Spots: dots where an explored area is too small to be seen from afar.

/** The zoom from which on a walk is long enough to be seen. */
const SPOTS_END = 7;
/** Regions whose squares of so many CSS pixels touch are one area. */
const SPOT_SPACING = 8;
/** The largest width and height of an area that gets a dot, in CSS pixels. */
const SPOT_EXTENT = 6;

/**
 * The areas of the visited regions that are smaller than a dot, at each zoom.
 *
 * A walk of a few kilometers is less than a pixel of the world. A trail that can be seen as a line
 * gets no dots.
 */
class Spots {
  constructor(regions) {
    this.regions = regions;
    this.byZoom = new Map();
  }

  /** The areas at a whole zoom: their center, and the minute of their first visit. */
  areas(zoom) {
    if (!this.byZoom.has(zoom)) this.byZoom.set(zoom, Spots.find(this.regions, zoom));
    return this.byZoom.get(zoom);
  }

  static find(regions, zoom) {
    const scale = (256 * 2 ** zoom) / SPOT_SPACING;
    const columns = Math.ceil(scale);
    const squares = new Map();
    for (let i = 0; i < regions.count; i++) {
      const [x, y] = [regions.xs[i], regions.ys[i]];
      const key = Math.floor(y * scale) * columns + Math.floor(x * scale);
      const region = { x, y, count: 1, start: regions.starts[i], box: [x, y, x, y] };
      const square = squares.get(key);
      if (square) Spots.join(square, region);
      else squares.set(key, region);
    }
    const areas = [];
    for (const key of squares.keys()) {
      const area = Spots.take(key, squares, columns);
      if (area && Math.max(area.box[2] - area.box[0], area.box[3] - area.box[1]) * scale
        * SPOT_SPACING <= SPOT_EXTENT) {
        areas.push({ x: area.x / area.count, y: area.y / area.count, start: area.start });
      }
    }
    return areas;
  }

  /** Adds the regions of one area to another. */
  static join(area, one) {
    // Across ±180° the other side is a world away.
    const shift = Math.round(area.x / area.count - one.x / one.count);
    area.x += one.x + shift * one.count;
    area.y += one.y;
    area.count += one.count;
    area.start = Math.min(area.start, one.start);
    const [box, other] = [area.box, one.box];
    box[0] = Math.min(box[0], other[0] + shift);
    box[1] = Math.min(box[1], other[1]);
    box[2] = Math.max(box[2], other[2] + shift);
    box[3] = Math.max(box[3], other[3]);
  }

  /** Takes a square and all that it is connected with; null if it was taken before. */
  static take(first, squares, columns) {
    let area = null;
    const waiting = [first];
    while (waiting.length) {
      const key = waiting.pop();
      const one = squares.get(key);
      if (!one || one.isTaken) continue;
      one.isTaken = true;
      if (area) Spots.join(area, one);
      else area = one;
      const column = key % columns;
      for (const down of [-columns, 0, columns]) {
        for (const right of [columns - 1, 0, 1]) {
          waiting.push(key - column + ((column + right) % columns) + down);
        }
      }
    }
    return area;
  }

  /** Draws a dot for each area; not those that were explored after a day. */
  draw(context, view, colors, day) {
    if (view.zoom >= SPOTS_END) return;
    const end = minuteAfter(day);
    const { ratio } = view;
    const radius = 3 * ratio;
    context.fillStyle = colors.primary;
    context.strokeStyle = colors.labelHalo;
    context.lineWidth = 1.5 * ratio;
    const reach = view.width + 9;
    for (const { x, y, start } of this.areas(Math.floor(view.zoom))) {
      const top = view.height / 2 + (y - view.y) * view.scale;
      if (start >= end || top < -9 || top > view.height + 9) continue;
      // From afar the world is seen more than once.
      let left = view.width / 2 + (x - view.x) * view.scale;
      left -= Math.floor((left + 9) / view.scale) * view.scale;
      for (; left < reach; left += view.scale) {
        context.beginPath();
        context.arc(left * ratio, top * ratio, radius, 0, 2 * Math.PI);
        context.stroke();
        context.fill();
      }
    }
  }
}
