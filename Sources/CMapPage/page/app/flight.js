// Flights from one view to another.

/**
 * A flight along the path that looks shortest: it zooms out, moves and zooms in.
 *
 * Source: van Wijk and Nuij, Smooth and efficient zooming and panning (2003), equations 9 to 12.
 */
class Flight {
  constructor(view, target) {
    this.view = view;
    this.from = { x: view.x, y: view.y, zoom: view.zoom };
    this.to = target;
    let east = target.x - view.x;
    east -= Math.round(east);
    this.dx = east;
    this.dy = target.y - view.y;
    const rho = 1.4;
    const [w0, w1] = [1, 2 ** (view.zoom - target.zoom)];
    const u1 = Math.hypot(this.dx, this.dy) * view.scale / Math.max(view.width, view.height);
    this.path = Flight.path(w0, w1, u1, rho);
    this.time = reducesMotion() ? 0 : Math.max(280, Math.min(2200, this.path.length * 520));
    this.start = null;
  }

  static path(w0, w1, u1, rho) {
    if (u1 < 1e-6) {
      const sign = w1 < w0 ? -1 : 1;
      const length = Math.abs(Math.log(w1 / w0)) / rho;
      const width = (s) => w0 * Math.exp(sign * rho * s);
      return { length, at: (s) => ({ share: s / (length || 1), width: width(s) }) };
    }
    const square = rho * rho;
    const b = (w, sign) =>
      (w1 * w1 - w0 * w0 + sign * square * square * u1 * u1) / (2 * w * square * u1);
    const r = (value) => Math.log(Math.sqrt(value * value + 1) - value);
    const [r0, r1] = [r(b(w0, 1)), r(b(w1, -1))];
    const length = (r1 - r0) / rho;
    const at = (s) => {
      const u = (w0 / square) * (Math.cosh(r0) * Math.tanh(rho * s + r0) - Math.sinh(r0));
      return { share: u / u1, width: (w0 * Math.cosh(r0)) / Math.cosh(rho * s + r0) };
    };
    return { length, at };
  }

  /** Moves the view; returns whether the flight goes on. */
  step(now) {
    if (this.start === null) this.start = now;
    const passed = this.time ? Math.min(1, (now - this.start) / this.time) : 1;
    const eased = passed < 0.5 ? 2 * passed * passed : 1 - 2 * (1 - passed) * (1 - passed);
    const { view, from, to } = this;
    if (passed >= 1) {
      [view.x, view.y, view.zoom] = [to.x, to.y, to.zoom];
    } else {
      const { share, width } = this.path.at(this.path.length * eased);
      [view.x, view.y] = [from.x + this.dx * share, from.y + this.dy * share];
      view.zoom = from.zoom - Math.log2(width);
    }
    view.clamp();
    return passed < 1;
  }
}
