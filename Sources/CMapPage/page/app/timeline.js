// The time machine: a slider by day, with play and marks of months and years.

/** How long a play from the first day to the last one takes, in milliseconds. */
const PLAY_TIME = 24000;

/** The bar at the bottom of the page. */
class Timeline {
  /**
   * @param days the days with newly explored area, ascending; 0 is no day.
   * @param areas the square kilometers explored on each.
   * @param onTime called with the day to show and the one after which area is recent.
   */
  constructor({ days, areas, precision }, onTime) {
    this.precision = precision;
    this.onTime = onTime;
    this.days = days.filter((day) => day > 0);
    this.areas = areas.slice(days.length - this.days.length);
    this.undated = days[0] === 0 ? areas[0] : 0;
    this.isUsed = this.days.length > 1 && precision !== "none";
    element("time").hidden = !this.isUsed;
    if (!this.isUsed) return;
    // A period is drawn by its first day; the last one ends the slider.
    this.first = this.days[0] - 1;
    this.last = this.days[this.days.length - 1];
    this.day = this.last;
    this.playing = null;
    let sum = this.undated;
    this.sums = this.areas.map((area) => (sum += area));
    this.slider = element("day");
    this.slider.max = this.last - this.first;
    this.slider.value = this.slider.max;
    this.slider.addEventListener("input", () => {
      this.stop();
      this.show(this.first + Number(this.slider.value));
    });
    element("play").innerHTML = icon("play", 20);
    element("play").addEventListener("click", () => (this.playing ? this.stop() : this.play()));
    this.drawMarks();
    this.write();
  }

  get isAtEnd() {
    return this.day >= this.last;
  }

  /** The number of days with new area up to the day. */
  index() {
    let [low, high] = [0, this.days.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.days[middle] <= this.day) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  show(day) {
    this.day = Math.max(this.first, Math.min(this.last, day));
    this.slider.value = this.day - this.first;
    this.write();
    const recent = Math.max(30, Math.round((this.last - this.first) / 60));
    if (this.isAtEnd) this.onTime(Infinity, null);
    else this.onTime(this.day, this.day - recent);
  }

  write() {
    const count = this.index();
    const area = Words.area(count ? this.sums[count - 1] : this.undated);
    const text = Words.day(this.day, this.precision);
    element("date").replaceChildren(text, made("small", area));
    this.slider.setAttribute("aria-valuetext", `${text}: ${area} explored`);
    this.drawGrowth();
  }

  play() {
    if (this.isAtEnd) this.show(this.first);
    this.playing = { since: performance.now(), from: this.day };
    this.setPlay("pause", "Pause");
    this.wake?.();
  }

  stop() {
    if (!this.playing) return;
    this.playing = null;
    this.setPlay("play", "Play");
  }

  setPlay(name, label) {
    element("play").innerHTML = icon(name, 20);
    element("play").setAttribute("aria-label", label);
  }

  /** Goes on playing; returns whether it still does. */
  step(now) {
    if (!this.playing) return false;
    const span = this.last - this.first;
    const passed = (now - this.playing.since) / PLAY_TIME;
    const day = Math.floor(this.playing.from + passed * span);
    if (day !== this.day) this.show(day);
    if (this.isAtEnd) this.stop();
    return true;
  }

  /** Marks of years, or of months in a short history. */
  drawMarks() {
    const marks = element("marks");
    marks.replaceChildren();
    const span = this.last - this.first;
    const [start, end] = [dateOfDay(this.first), dateOfDay(this.last)];
    const years = end.getUTCFullYear() - start.getUTCFullYear() + 1;
    const place = (day) => `${(100 * (day - this.first)) / span}%`;
    const label = (day, text, isMinor) => {
      const at = (day - this.first) / span;
      if (at < 0.03 || at > 0.97) return;
      const node = made("span", text, isMinor ? "minor" : "");
      node.style.left = place(day);
      marks.append(node);
    };
    const every = Math.max(1, Math.ceil(years / 10));
    for (let year = start.getUTCFullYear(); year <= end.getUTCFullYear(); year++) {
      for (let month = 0; month < 12; month++) {
        const day = dayOfDate(year, month);
        if (day < this.first || day > this.last || (month > 0 && years > 12)) continue;
        const tick = made("i", undefined, month ? "month" : "");
        tick.style.left = place(day);
        marks.append(tick);
        if (month === 0 && year % every === 0) label(day, String(year), (year / every) % 2 === 1);
        else if (month > 0 && years < 3) {
          const options = { month: "short", timeZone: "UTC" };
          const name = dateOfDay(day).toLocaleDateString("en-GB", options);
          if (month % 2 === 0 || span < 200) label(day, name, month % 4 !== 0);
        }
      }
    }
  }

  /** Draws the newly explored area of each span of time as bars. */
  drawGrowth() {
    const canvas = element("growth");
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!width) return;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    const count = Math.max(12, Math.min(this.last - this.first, Math.floor(width / 4)));
    const bars = new Float64Array(count);
    const span = this.last - this.first;
    this.days.forEach((day, i) => {
      bars[Math.min(count - 1, Math.floor(((day - this.first) / span) * count))] += this.areas[i];
    });
    // Square roots, so that one long journey does not flatten all walks.
    const most = Math.sqrt(Math.max(...bars));
    const style = getComputedStyle(document.documentElement);
    const shown = (this.day - this.first) / span;
    for (let i = 0; i < count; i++) {
      if (!bars[i]) continue;
      const high = Math.max(1.5, (height - 2) * (Math.sqrt(bars[i]) / most));
      const isShown = i / count <= shown;
      context.fillStyle = style.getPropertyValue(isShown ? "--primary" : "--secondary-text");
      context.globalAlpha = isShown ? 1 : 0.35;
      context.fillRect((i * width) / count, height - high, Math.max(1, width / count - 1), high);
    }
  }
}
