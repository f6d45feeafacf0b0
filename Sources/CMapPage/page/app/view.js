// What part of the world the map shows.

const LOWEST_ZOOM = 0;
const HIGHEST_ZOOM = 18;

/** The map's center and zoom. A zoom of z shows the world 256 · 2^z CSS pixels wide. */
class View {
  constructor(canvas) {
    this.canvas = canvas;
    [this.x, this.y, this.zoom] = [0.5, 0.5, 1];
    this.resize();
  }

  /** Takes the size of the canvas's box. */
  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    this.ratio = ratio;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    const [width, height] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    this.clamp();
  }

  /** CSS pixels around the world. */
  get scale() {
    return 256 * 2 ** this.zoom;
  }

  /** Keeps the zoom in range and the map filled from north to south. */
  clamp() {
    const fills = Math.log2(Math.max(this.height, 256) / 256);
    this.lowest = Math.max(LOWEST_ZOOM, Math.min(fills, 3));
    this.zoom = Math.max(this.lowest, Math.min(HIGHEST_ZOOM, this.zoom));
    const half = this.height / 2 / this.scale;
    this.y = half >= 0.5 ? 0.5 : Math.max(half, Math.min(1 - half, this.y));
    this.x -= Math.floor(this.x);
  }

  /** The place on the screen of a position of the world, nearest to the center. */
  toScreen(x, y) {
    let east = x - this.x;
    east -= Math.round(east);
    return [this.width / 2 + east * this.scale, this.height / 2 + (y - this.y) * this.scale];
  }

  /** The position of the world of a place on the screen. */
  toWorld(left, top) {
    const x = this.x + (left - this.width / 2) / this.scale;
    return [x - Math.floor(x), this.y + (top - this.height / 2) / this.scale];
  }

  moveBy(left, top) {
    this.x -= left / this.scale;
    this.y -= top / this.scale;
    this.clamp();
  }

  /** Changes the zoom and keeps the position under a place on the screen. */
  zoomBy(change, left = this.width / 2, top = this.height / 2) {
    const before = this.toWorld(left, top);
    this.zoom += change;
    this.clamp();
    const after = this.toWorld(left, top);
    let east = before[0] - after[0];
    east -= Math.round(east);
    this.x += east;
    this.y += before[1] - after[1];
    this.clamp();
  }

  /** The center and zoom that show a box in degrees; it crosses ±180° if west > east. */
  fitting([south, west, north, east], inset, most = 15) {
    const [left, right] = [mercatorX(west), mercatorX(east) + (west > east ? 1 : 0)];
    const limit = 85.05;
    const top = mercatorY(Math.min(north, limit));
    const bottom = mercatorY(Math.max(south, -limit));
    const width = Math.max(64, this.width - inset.left - inset.right);
    const height = Math.max(64, this.height - inset.top - inset.bottom);
    const zoom = Math.min(
      most,
      Math.log2(width / 256 / Math.max(right - left, 1e-9)),
      Math.log2(height / 256 / Math.max(bottom - top, 1e-9)));
    const scale = 256 * 2 ** Math.max(this.lowest, zoom);
    return {
      x: (left + right) / 2 - (inset.left - inset.right) / 2 / scale,
      y: (top + bottom) / 2 - (inset.top - inset.bottom) / 2 / scale,
      zoom: Math.max(this.lowest, zoom),
    };
  }
}
