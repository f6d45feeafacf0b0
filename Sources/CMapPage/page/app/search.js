// The search for places: those on the map and those in the lists.

/** The search field. */
class Search {
  /**
   * @param source returns the places, [{ name, within, weight, … }], when they are first needed.
   * @param onPlace called with the chosen place.
   */
  constructor(source, onPlace) {
    this.source = source;
    this.onPlace = onPlace;
    this.field = element("search");
    [this.list, this.status] = [element("found"), element("unfound")];
    this.found = [];
    this.chosen = -1;
    this.field.addEventListener("input", () => this.look());
    this.field.addEventListener("focus", () => this.field.value && this.look());
    this.field.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    this.field.addEventListener("keydown", (event) => this.key(event));
  }

  /** Places whose name, or a word of it, begins with the text: visited ones first, then large. */
  matches(text) {
    const wanted = Words.folded(text.trim());
    if (!wanted) return [];
    this.places ??= this.source().map((one) => ({ ...one, folded: Words.folded(one.name) }));
    const found = [];
    for (const place of this.places) {
      const at = place.folded.indexOf(wanted);
      if (at < 0 || (at > 0 && !/[\s\-'’(/]/.test(place.folded[at - 1]))) continue;
      const isWhole = place.folded.length === wanted.length;
      found.push({ place, score: (isWhole ? 2 : at === 0 ? 1 : 0) * 100 + place.weight });
    }
    found.sort((one, other) => other.score - one.score);
    const seen = new Set();
    return found
      .map(({ place }) => place)
      .filter((place) => {
        const key = `${place.name}\n${place.within}`;
        return !seen.has(key) && seen.add(key);
      })
      .slice(0, 8);
  }

  /** Asks for the places again when they are needed next. */
  renew() {
    this.places = undefined;
  }

  look() {
    this.found = this.matches(this.field.value);
    this.chosen = this.found.length ? 0 : -1;
    this.write();
  }

  write() {
    const isOpen = this.found.length > 0;
    const isUnfound = !isOpen && this.field.value.trim() !== "";
    this.status.textContent = isUnfound ? "No place found." : "";
    this.list.hidden = !isOpen;
    this.field.setAttribute("aria-expanded", String(isOpen));
    const items = this.found.map((place, i) => {
      const item = made("li", place.name);
      item.append(made("small", place.within));
      item.id = `found-${i}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", String(i === this.chosen));
      item.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        this.choose(place);
      });
      return item;
    });
    this.list.replaceChildren(...items);
    items[this.chosen]?.scrollIntoView({ block: "nearest" });
    const active = this.chosen < 0 ? "" : `found-${this.chosen}`;
    this.field.setAttribute("aria-activedescendant", active);
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.found.length) {
      this.chosen = (this.chosen + step + this.found.length) % this.found.length;
      this.write();
    } else if (event.key === "Enter" && this.found[this.chosen]) {
      this.choose(this.found[this.chosen]);
    } else if (event.key === "Escape") {
      this.close();
    } else {
      return;
    }
    event.preventDefault();
  }

  choose(place) {
    this.field.value = place.name;
    this.close();
    this.onPlace(place);
  }

  close() {
    this.list.hidden = true;
    this.status.textContent = "";
    this.field.setAttribute("aria-expanded", "false");
    this.field.setAttribute("aria-activedescendant", "");
  }
}
