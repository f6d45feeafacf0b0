// The page: reads its data, starts the workers and draws frames when something changed.

const page = JSON.parse(element("page").textContent);
Words.units = page.units;

/** The map and everything around it. */
class App {
  constructor() {
    this.canvas = element("map");
    this.context = this.canvas.getContext("2d", { alpha: false });
    this.view = new View(this.canvas);
    this.layers = [{ name: "labels", title: "Names", isShown: true }];
    this.tiles = new TileLayer(() => this.wake());
    this.details = new Details();
    this.themes = new Themes(page, (colors) => this.recolor(colors));
    this.gestures = new Gestures(this.canvas, this.view, {
      onMove: () => {
        this.flight = null;
        this.wake();
      },
      onClick: (left, top) => this.click(left, top),
      onChoose: () => this.chooseCenter(),
      onDoubleClick: (by, left, top) => {
        this.details.close();
        this.fly({ by, left, top });
      },
      onFlight: (flight) => this.fly(flight),
    });
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    for (const [id, name] of Object.entries({ closer: "plus", farther: "minus", home: "globe",
      layers: "layers", colors: "drop" })) element(id).innerHTML = icon(name);
    element("closer").addEventListener("click", () => this.fly({ by: 1 }));
    element("farther").addEventListener("click", () => this.fly({ by: -1 }));
    element("home").addEventListener("click", () => this.fly({ home: true }));
    new Menu("layers", "layermenu");
    new Menu("colors", "colormenu");
    fillColorMenu(this.themes);
    element("credits").textContent = page.credits;
    this.lastFrame = 0;
    this.frames = 0;
    this.picture = new Promise((resolve) => (this.onPicture = resolve));
  }

  /** Reads the data, nearest to what is seen first. */
  async start() {
    this.look(this.homeView());
    const started = this.tiles.start(element("worker").textContent, {
      cells: element("cells").textContent, basemap: element("basemap").textContent,
      theme: this.themes.map,
    });
    this.lists = JSON.parse(new TextDecoder().decode(await inflated(element("lists").textContent)));
    this.labels = new LabelLayer(labelsOf(this.lists));
    this.labels.setTheme(this.themes.map, this.view.ratio);
    this.panel = new Panel(page, this.lists, (place) => this.fly({ place }));
    this.look(this.homeView());
    this.search = new Search(() => this.searchable(), (place) => this.fly({ place }));
    const { days, areas } = await started;
    this.timeline = new Timeline({ days, areas, precision: page.precision },
      (day, since) => this.tiles.setTime(day, since));
    this.timeline.wake = () => this.wake();
    this.look(this.homeView());
    this.wake();
    await this.picture;
    // Not needed for the first picture.
    this.panel.makeTabs();
    this.takeRegions(await inflated(element("regions").textContent));
    this.tracks = new Tracks(await inflated(element("tracks").textContent));
    this.makeLayers();
    this.wake();
  }

  /** Shows other lists and visited regions, compressed as in the page, once it has started. */
  async renew(lists, regions) {
    this.lists = JSON.parse(new TextDecoder().decode(await inflated(lists)));
    this.takeRegions(await inflated(regions));
    this.labels.renew(labelsOf(this.lists));
    this.search.renew();
    this.panel.renew(this.lists);
    this.wake();
  }

  takeRegions(bytes) {
    this.regions = new VisitedRegions(bytes);
    this.spots = new Spots(this.regions);
  }

  makeLayers() {
    this.layers.push({ name: "spots", title: "Dots for small areas", isShown: true });
    this.layers.push({ name: "regions", title: "Visited regions", isShown: false });
    if (this.tracks.lines.length) {
      this.layers.push({ name: "tracks", title: "Tracks", isShown: true });
    }
    fillLayerMenu(this.layers, () => this.wake());
  }

  isShown(name) {
    return this.layers.some((one) => one.name === name && one.isShown);
  }

  /** Places to search: those in the lists come first, then those on the map by size. */
  searchable() {
    const places = [];
    for (const level of ["country", "region", "city"]) {
      const bonus = { country: 60, region: 40, city: 50 }[level];
      for (const place of this.lists[level]) places.push({ ...place, weight: bonus });
    }
    const weights = { country: 30, region: 20 };
    for (const label of this.labels.labels) {
      // A large city comes before a region of its name.
      const weight = weights[label.kind] ?? 12 + 2 * Math.log10(label.people || 1);
      const within = { country: "country", region: "region" }[label.kind] ?? "city";
      places.push({ name: label.text, within, weight, x: label.x, y: label.y, kind: label.kind });
    }
    return places;
  }

  /** How much of the map the panel and the time machine cover. */
  inset() {
    const isNarrow = matchMedia("(max-width: 720px), (max-height: 480px)").matches;
    const top = isNarrow ? 84 : 24;
    return { left: isNarrow ? 24 : 356, right: isNarrow ? 24 : 72, top, bottom: 120 };
  }

  homeView() {
    const box = page.bounds || [-58, -170, 75, 170];
    return this.view.fitting(box, this.inset(), 14);
  }

  look(place) {
    Object.assign(this.view, place);
    this.view.clamp();
  }

  resize() {
    this.view.resize();
    this.panel?.writeNumbers();
    this.wake();
    this.timeline?.isUsed && this.timeline.drawGrowth();
    this.draw(performance.now());
  }

  /** Flies to a place, home, or a step closer or farther. */
  fly({ by, left, top, move, home, place }) {
    const { view } = this;
    let target = { x: view.x, y: view.y, zoom: view.zoom };
    if (by) {
      const copy = Object.assign(Object.create(View.prototype), view, this.flight?.to);
      copy.zoom = Math.round(copy.zoom + by);
      const change = copy.zoom - (this.flight?.to ?? view).zoom;
      copy.zoom -= change;
      copy.zoomBy(change, left, top);
      target = { x: copy.x, y: copy.y, zoom: copy.zoom };
    } else if (move) {
      const scale = view.scale;
      const from = this.flight?.to ?? view;
      target = { x: from.x - move[0] / scale, y: from.y - move[1] / scale, zoom: from.zoom };
    } else if (home) {
      target = this.homeView();
    } else if (place.box) {
      target = view.fitting(place.box, this.inset(), 14);
    } else {
      const zoom = { country: 5, region: 7 }[place.kind] ?? 12;
      const inset = this.inset();
      const scale = 256 * 2 ** zoom;
      target = {
        x: place.x - (inset.left - inset.right) / 2 / scale,
        y: place.y - (inset.top - inset.bottom) / 2 / scale, zoom,
      };
    }
    this.flight = new Flight(view, target);
    this.wake();
  }

  /** Shows what is known of a place on the screen. */
  async click(left, top) {
    const { view } = this;
    const question = this.details.ask();
    const [x, y] = view.toWorld(left, top);
    const index = view.zoom < 5 ? -1 : this.regions?.nearest(view, left, top, 14) ?? -1;
    if (index >= 0) {
      const { regions } = this;
      const name = this.lists.places[regions.places[index]] || ["No place", ""];
      const rows = [["Visits", Words.count(regions.visits[index])]];
      if (regions.starts[index]) {
        rows.push(["First", Words.minute(regions.starts[index] - ZERO_MINUTE)]);
        rows.push(["Last", Words.minute(regions.ends[index] - ZERO_MINUTE)]);
      }
      this.details.show({
        title: name[0], subtitle: name[1], rows, x: regions.xs[index], y: regions.ys[index],
      });
    } else {
      const [longitude, latitude] = [longitudeOfX(x), latitudeOfY(y)];
      const day = await this.tiles.dayAt(longitude, latitude);
      if (!this.details.awaits(question)) return;
      const near = this.nearestCity(x, y);
      const rows = [["Explored", day === null ? "not yet" : Words.day(day, page.precision)]];
      const text = `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`;
      this.details.show({ title: near || text, subtitle: near ? text : "", rows, x, y });
    }
    this.wake();
  }

  /** Shows what is known of the center, and moves the focus there. */
  async chooseCenter() {
    await this.click(this.view.width / 2, this.view.height / 2);
    this.details.focus();
  }

  /** The name of the city label nearest to a position, within 40 km: "near Kyiv". */
  nearestCity(x, y) {
    const circumference = 40075 * Math.cos((latitudeOfY(y) * Math.PI) / 180);
    let [best, least] = [null, 40];
    for (const label of this.labels.labels) {
      if (label.kind === "country" || label.kind === "region") continue;
      const distance = Math.hypot(label.x - x, label.y - y) * circumference;
      if (distance < least) [best, least] = [label, distance];
    }
    return best && (least < 3 ? best.text : `Near ${best.text}`);
  }

  /** Fades from the old colors to the new ones over half a second. */
  recolor(colors) {
    if (!this.tiles.workers.length) return;
    const old = made("canvas");
    old.id = "fade";
    [old.width, old.height] = [this.canvas.width, this.canvas.height];
    old.getContext("2d").drawImage(this.canvas, 0, 0);
    element("fade")?.remove();
    element("stage").append(old);
    this.labels?.setTheme(colors, this.view.ratio);
    this.tiles.setTheme(colors);
    this.timeline?.isUsed && this.timeline.drawGrowth();
    this.fading = old;
  }

  /** Asks for a frame. */
  wake() {
    if (this.isAwake) return;
    this.isAwake = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  frame(now) {
    this.isAwake = false;
    const passed = Math.min(64, now - this.lastFrame);
    this.lastFrame = now;
    let goesOn = this.gestures.slide(passed);
    if (this.flight) {
      if (this.flight.step(now)) goesOn = true;
      else this.flight = null;
    }
    // A day is shown before the next one is asked for.
    if (this.timeline?.playing && (this.isComplete || now - this.lastStep > 120)) {
      this.timeline.step(now);
      this.lastStep = now;
    }
    if (this.timeline?.playing) goesOn = true;
    this.draw(now);
    if (goesOn) this.wake();
  }

  draw() {
    const { context, view, canvas } = this;
    context.fillStyle = this.themes.map.outside;
    context.fillRect(0, 0, canvas.width, canvas.height);
    this.isComplete = this.tiles.draw(context, view) && this.labels !== undefined;
    const { day } = this.tiles.time;
    if (this.isShown("spots")) this.spots.draw(context, view, this.themes.map, day);
    if (this.isShown("tracks")) this.tracks.draw(context, view, this.themes.map.track, day);
    if (this.isShown("regions")) this.regions.draw(context, view, this.themes.map.track, day);
    if (this.isShown("labels")) this.labels?.draw(context, view);
    this.details.place(view);
    this.frames++;
    if (this.isComplete) {
      if (!this.firstPicture) {
        this.firstPicture = performance.now();
        this.onPicture();
      }
      if (this.fading) {
        const old = this.fading;
        this.fading = null;
        requestAnimationFrame(() => (old.style.opacity = "0"));
        setTimeout(() => old.remove(), 600);
      }
    }
  }
}

const app = new App();
/** For tests and for people who look inside. */
window.roqua = app;
/** Settled when everything has been read. */
app.started = app.start();
app.started.catch((error) => {
  element("failure").hidden = false;
  element("failure").textContent = `The map cannot be shown: ${error.message}`;
});
