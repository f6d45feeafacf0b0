// What a click shows: place, visits, first and last time.

/** The card next to a clicked place. */
class Details {
  constructor() {
    this.node = element("details");
    addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  close() {
    const hasFocus = this.node.contains(document.activeElement);
    this.node.hidden = true;
    this.position = this.question = null;
    if (hasFocus) element("map").focus();
  }

  /** Begins a question that the next one, or closing the card, ends. */
  ask() {
    return (this.question = {});
  }

  /** Whether the answer to a question is still wanted. */
  awaits(question) {
    return this.question === question;
  }

  focus() {
    if (!this.node.hidden) this.node.focus();
  }

  /** Shows a card at a position of the world. */
  show({ title, subtitle, rows, x, y }) {
    const close = made("button", undefined, "close");
    close.setAttribute("aria-label", "Close");
    close.innerHTML = icon("close", 14);
    close.addEventListener("click", () => this.close());
    const list = made("dl");
    for (const [name, value] of rows) list.append(made("dt", name), made("dd", value));
    this.node.setAttribute("aria-label", title);
    this.node.replaceChildren(made("h2", title), made("p", subtitle), list, close);
    this.node.hidden = false;
    this.position = [x, y];
  }

  /** Keeps the card next to its position. */
  place(view) {
    if (!this.position) return;
    const [x, y] = view.toScreen(...this.position);
    const { offsetWidth: width, offsetHeight: height } = this.node;
    const left = x + width + 24 > view.width ? x - width - 14 : x + 14;
    const top = Math.max(8, Math.min(view.height - height - 8, y - height / 2));
    this.node.style.left = `${Math.round(left)}px`;
    this.node.style.top = `${Math.round(top)}px`;
  }
}
