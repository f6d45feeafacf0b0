// The base map: Natural Earth's land, lakes, rivers and borders in chunks of 11.25°.

const CHUNK = 11.25;
const LAYERS = ["land", "lakes", "rivers", "countryBorders", "regionBorders"];

/** The shapes of the base map (docs/formats/geodata.md, basemap.bin). */
class BaseMap {
  /** @param layers the shapes that `read` made, perhaps in another worker. */
  constructor(layers) {
    Object.assign(this, layers);
  }

  static read(bytes) {
    const reader = new ByteReader(bytes);
    const version = reader.varint();
    if (version !== 1) throw new Error(`base map of version ${version}`);
    const base = new BaseMap({});
    for (const name of LAYERS) base[name] = BaseMap.layer(reader);
    return base;
  }

  /** Chunk number → shapes, each { rank, points } with points as x, y of Web Mercator. */
  static layer(reader) {
    const chunks = new Map();
    let number = 0;
    for (let left = reader.varint(); left > 0; left--) {
      number += reader.varint();
      const [column, row] = [number % 32, Math.floor(number / 32)];
      const shapes = [];
      for (let count = reader.varint(); count > 0; count--) {
        const rank = reader.byte();
        const points = new Float32Array(2 * reader.varint());
        let [x, y] = [0, 0];
        for (let i = 0; i < points.length; i += 2) {
          x += reader.signed();
          y += reader.signed();
          // Relative to the chunk, so that 32 bits are exact enough.
          points[i] = mercatorX(column * CHUNK - 180 + x / 1000);
          const latitude = Math.max(-85.06, Math.min(85.06, row * CHUNK - 90 + y / 1000));
          points[i + 1] = mercatorY(latitude);
        }
        shapes.push({ rank, points });
      }
      chunks.set(number, shapes);
    }
    return chunks;
  }

  /** Draws a tile. */
  draw(context, z, x, y, theme) {
    const scale = TILE * 2 ** z;
    const view = { scale, left: x * TILE, top: y * TILE, zoom: z + 1 };
    const chunks = BaseMap.chunks(z, x, y);
    context.fillStyle = theme.water;
    context.fillRect(0, 0, TILE, TILE);
    context.lineJoin = "round";
    const fill = (layer, color) => {
      context.fillStyle = color;
      context.beginPath();
      this.trace(context, this[layer], chunks, view, true);
      context.fill("nonzero");
    };
    const stroke = (layer, color, width, dash = []) => {
      context.strokeStyle = color;
      context.lineWidth = width;
      context.setLineDash(dash);
      context.beginPath();
      this.trace(context, this[layer], chunks, view, false);
      context.stroke();
    };
    fill("land", theme.land);
    if (z >= 3) stroke("rivers", theme.water, z < 6 ? 0.8 : 1.3);
    fill("lakes", theme.water);
    if (z >= 3) stroke("regionBorders", theme.regionBorder, 0.8, z < 6 ? [] : [4, 3]);
    stroke("countryBorders", theme.border, z < 3 ? 0.7 : 1.2);
    context.setLineDash([]);
  }

  /** The chunks that a tile touches. */
  static chunks(z, x, y) {
    const side = 1 / 2 ** z;
    const clamp = (value, most) => Math.max(0, Math.min(most, Math.floor(value)));
    const west = clamp((longitudeOfX(x * side) + 180) / CHUNK, 31);
    const east = clamp((longitudeOfX((x + 1) * side) + 180) / CHUNK, 31);
    const north = clamp((latitudeOfY(y * side) + 90) / CHUNK, 15);
    const south = clamp((latitudeOfY((y + 1) * side) + 90) / CHUNK, 15);
    const chunks = [];
    for (let row = y === 2 ** z - 1 ? 0 : south; row <= north; row++) {
      for (let column = west; column <= east; column++) chunks.push(row * 32 + column);
    }
    return chunks;
  }

  /** Adds the shapes of some chunks to the context's path; points closer than 0.6 pixels merge. */
  trace(context, layer, chunks, view, isClosed) {
    for (const number of chunks) {
      for (const { rank, points } of layer.get(number) || []) {
        if (rank > view.zoom) continue;
        let [lastX, lastY] = [1e9, 1e9];
        const end = points.length - 2;
        for (let i = 0; i <= end; i += 2) {
          const px = points[i] * view.scale - view.left;
          const py = points[i + 1] * view.scale - view.top;
          const [dx, dy] = [px - lastX, py - lastY];
          if (i > 0 && i < end && dx * dx + dy * dy < 0.36) continue;
          if (i === 0) context.moveTo(px, py);
          else context.lineTo(px, py);
          [lastX, lastY] = [px, py];
        }
        if (isClosed) context.closePath();
      }
    }
  }
}
