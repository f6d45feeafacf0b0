// The panel: numbers, and lists of countries, regions and cities that fly there.

/** The panel at the left. */
class Panel {
  /** @param onPlace called with a place to fly to. */
  constructor(page, lists, onPlace) {
    this.page = page;
    this.lists = lists;
    this.onPlace = onPlace;
    this.writeNumbers();
    this.writeNotes();
    element("fold").innerHTML = icon("up");
    element("fold").addEventListener("click", () => this.fold(!this.isFolded));
    if (matchMedia("(max-width: 720px), (max-height: 480px)").matches) this.fold(true);
  }

  get isFolded() {
    return element("panel").classList.contains("folded");
  }

  fold(isFolded) {
    element("panel").classList.toggle("folded", isFolded);
    element("fold").setAttribute("aria-expanded", String(!isFolded));
    this.writeNumbers();
  }

  writeNumbers() {
    const { stats } = this.page;
    const share = Words.percent(stats.landPercentage);
    element("summary").textContent =
      `${Words.area(stats.areaSquareKilometers)} explored${share ? `, ${share} of all land` : ""}`;
    const numbers = [
      ["Countries", stats.countries], ["Regions", stats.regions], ["Cities", stats.cities],
      ["Visited regions", stats.visitedRegions], ["Visits", stats.visits], ["Cells", stats.cells],
    ];
    const node = element("numbers");
    // Long counts are shortened where the panel is too narrow for them.
    for (const limit of [1e7, 1e6, 1e4]) {
      node.replaceChildren(
        ...numbers.map(([name, value]) => {
          const entry = made("div");
          entry.append(made("dt", name), made("dd", Words.shortCount(value, limit)));
          entry.title = Words.count(value);
          return entry;
        }));
      if (node.scrollWidth <= node.clientWidth) break;
    }
  }

  writeNotes() {
    element("notes").textContent = this.page.notes.join(" ");
  }

  makeTabs() {
    const tabs = [["country", "Countries"], ["region", "Regions"], ["city", "Cities"]];
    this.buttons = tabs.map(([level, title]) => {
      const button = made("button", title);
      button.setAttribute("role", "tab");
      button.id = `tab-${level}`;
      button.setAttribute("aria-controls", "places");
      button.addEventListener("click", () => this.choose(level));
      button.addEventListener("keydown", (event) => this.move(event, level));
      button.dataset.level = level;
      return button;
    });
    element("tabs").replaceChildren(...this.buttons);
    this.choose("country");
  }

  move(event, level) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const index = this.buttons.findIndex((one) => one.dataset.level === level);
    const next = this.buttons[(index + step + this.buttons.length) % this.buttons.length];
    this.choose(next.dataset.level);
    next.focus();
    event.preventDefault();
  }

  /** Shows the numbers and lists after a change, where the list is scrolled to. */
  renew(lists) {
    this.lists = lists;
    this.writeNumbers();
    this.writeNotes();
    const [list, more] = [element("list"), element("more")];
    const top = more.scrollTop;
    const name = list.contains(document.activeElement)
      && document.activeElement.querySelector(".name")?.textContent;
    this.choose(this.level);
    more.scrollTop = top;
    // The place that was focused may be elsewhere in the list.
    const names = [...list.querySelectorAll("button .name")].map((one) => one.textContent);
    if (name) list.querySelectorAll("button")[names.indexOf(name)]?.focus();
  }

  choose(level) {
    this.level = level;
    for (const button of this.buttons) {
      const isChosen = button.dataset.level === level;
      button.setAttribute("aria-selected", String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
    }
    const [list, panel, more] = [element("list"), element("places"), element("more")];
    panel.setAttribute("aria-labelledby", `tab-${level}`);
    const places = this.lists[level];
    const most = Math.max(...places.map((one) => one.area), 1e-9);
    const shown = places.slice(0, 300);
    list.replaceChildren(...shown.map((place) => this.entry(place, most)));
    if (!places.length) list.append(made("li", "No place yet.", "empty"));
    if (places.length > shown.length) {
      const text = `and ${Words.count(places.length - shown.length)} more: use the search.`;
      list.append(made("li", text, "empty"));
    }
    // The list begins just below the tabs.
    const top = panel.offsetTop - more.offsetTop - element("tabs").offsetHeight;
    more.scrollTop = Math.min(more.scrollTop, top);
  }

  entry(place, most) {
    const item = made("li");
    const button = made("button");
    const percentage = Words.percent(place.percentage);
    const times = place.firstDay
      ? place.firstDay === place.lastDay
        ? Words.day(place.firstDay)
        : `${Words.day(place.firstDay)} – ${Words.day(place.lastDay)}`
      : "";
    const bar = made("span", undefined, "bar");
    const fill = made("i");
    const share = place.percentage === null ? place.area / most : place.percentage / 100;
    // As long as the share, so that half a bar is half of the place. What is above zero is at least
    // as wide as `min-width` in the style.
    fill.style.width = `${(100 * Math.min(1, share)).toFixed(2)}%`;
    if (share > 0) bar.append(fill);
    button.append(
      made("span", place.name, "name"), made("span", Words.area(place.area), "value"),
      made("small", [place.within, times].filter(Boolean).join(" · ")),
      made("small", percentage, "value"), bar);
    button.addEventListener("click", () => this.onPlace(place));
    item.append(button);
    return item;
  }
}
