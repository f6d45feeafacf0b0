// Pan, pinch, wheel and keyboard.

/** How long a click waits for a second one, in milliseconds. */
const DOUBLE_CLICK_TIME = 250;

/** Moves a view as people ask. */
class Gestures {
  /**
   * @param onMove called after a move that people made.
   * @param onClick called with the place of a click or tap that is not half of a double one.
   * @param onChoose called when the center is chosen with the keyboard.
   * @param onDoubleClick called with the change of the zoom and the place of a double click.
   */
  constructor(canvas, view, { onMove, onClick, onChoose, onDoubleClick, onFlight }) {
    Object.assign(this, { canvas, view, onMove, onClick, onChoose, onDoubleClick, onFlight });
    this.pointers = new Map();
    this.drift = null;
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.drag(event));
    for (const kind of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(kind, (event) => this.release(event));
    }
    canvas.addEventListener("wheel", (event) => this.turn(event), { passive: false });
    canvas.addEventListener("dblclick", (event) => {
      event.preventDefault();
      clearTimeout(this.waiting);
      this.onDoubleClick(event.shiftKey ? -1 : 1, event.offsetX, event.offsetY);
    });
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  press(event) {
    clearTimeout(this.waiting);
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
    this.pointers.set(event.pointerId, { left: event.offsetX, top: event.offsetY });
    this.drift = null;
    this.speed = [0, 0];
    const hasMoved = this.pointers.size > 1;
    this.start = { left: event.offsetX, top: event.offsetY, hasMoved };
    this.last = event.timeStamp;
  }

  drag(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) return;
    const before = this.middle();
    pointer.left = event.offsetX;
    pointer.top = event.offsetY;
    const after = this.middle();
    const [dx, dy] = [after.left - before.left, after.top - before.top];
    const moved = Math.hypot(event.offsetX - this.start.left, event.offsetY - this.start.top);
    if (moved > 4) this.start.hasMoved = true;
    if (!this.start.hasMoved) return;
    this.view.moveBy(dx, dy);
    if (before.spread > 0 && after.spread > 0) {
      this.view.zoomBy(Math.log2(after.spread / before.spread), after.left, after.top);
    }
    const passed = Math.max(1, event.timeStamp - this.last);
    this.last = event.timeStamp;
    const smooth = (old, distance) => 0.6 * old + (0.4 * distance) / passed;
    this.speed = [smooth(this.speed[0], dx), smooth(this.speed[1], dy)];
    this.onMove();
  }

  release(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.pointers.size > 0) return;
    if (!this.start.hasMoved && event.type === "pointerup") {
      // The map may move meanwhile.
      const place = this.view.toWorld(event.offsetX, event.offsetY);
      const click = () => this.onClick(...this.view.toScreen(...place));
      this.waiting = setTimeout(click, DOUBLE_CLICK_TIME);
    } else if (event.timeStamp - this.last < 60 && !reducesMotion()) {
      if (Math.hypot(...this.speed) > 0.2) this.drift = [...this.speed];
      this.onMove();
    }
  }

  /** The middle of the pointers and how far apart they are. */
  middle() {
    const all = [...this.pointers.values()];
    const left = all.reduce((sum, one) => sum + one.left, 0) / all.length;
    const top = all.reduce((sum, one) => sum + one.top, 0) / all.length;
    if (all.length < 2) return { left, top, spread: 0 };
    const spread = Math.hypot(all[0].left - all[1].left, all[0].top - all[1].top);
    return { left, top, spread };
  }

  turn(event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 24 : event.deltaMode === 2 ? 400 : 1;
    const change = Math.max(-1, Math.min(1, (-event.deltaY * unit) / (event.ctrlKey ? 60 : 240)));
    this.drift = null;
    this.view.zoomBy(change, event.offsetX, event.offsetY);
    this.onMove();
  }

  key(event) {
    const step = event.shiftKey ? 240 : 80;
    const moves = {
      ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step],
    };
    if (moves[event.key]) this.onFlight({ move: moves[event.key] });
    else if (event.key === "+" || event.key === "=") this.onFlight({ by: 1 });
    else if (event.key === "-" || event.key === "_") this.onFlight({ by: -1 });
    else if (event.key === "Enter") this.onChoose();
    else if (event.key === "0" || event.key === "Home") this.onFlight({ home: true });
    else return;
    event.preventDefault();
  }

  /** Lets the map slide on after a throw; returns whether it still moves. */
  slide(passed) {
    if (!this.drift) return false;
    this.view.moveBy(this.drift[0] * passed, this.drift[1] * passed);
    const slower = Math.exp(-passed / 180);
    this.drift = [this.drift[0] * slower, this.drift[1] * slower];
    if (Math.hypot(...this.drift) < 0.02) this.drift = null;
    return true;
  }
}

/** Whether people asked their system for less motion. */
const reducesMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
