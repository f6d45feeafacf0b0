// The tiles on the screen: asks the workers for them and keeps what they drew.

/** Images of tiles, the most recently used ones. */
class TileCache {
  constructor(most) {
    this.most = most;
    this.images = new Map();
  }

  get(key) {
    const entry = this.images.get(key);
    if (entry) {
      this.images.delete(key);
      this.images.set(key, entry);
    }
    return entry;
  }

  set(key, entry) {
    const old = this.images.get(key);
    if (old) {
      old.bitmap.close();
      this.images.delete(key);
    }
    this.images.set(key, entry);
    for (const [oldest, other] of this.images) {
      if (this.images.size <= this.most) break;
      other.bitmap.close();
      this.images.delete(oldest);
    }
  }
}

/** Draws the tiles of a view. */
class TileLayer {
  /** @param onChange called when a tile was drawn. */
  constructor(onChange) {
    this.onChange = onChange;
    this.cache = new TileCache(260);
    // Requests by their number, and the version that each tile was asked for last.
    this.asked = new Map();
    this.pending = new Map();
    // The tiles of the last frame.
    this.shown = [];
    this.version = 0;
    this.time = { day: Infinity, since: null };
    this.workers = [];
    this.isReady = false;
    this.answers = new Map();
    this.counter = 0;
  }

  /** Starts the workers; resolves with the days of the cells once all can draw. */
  start(source, { cells, basemap, theme }) {
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const count = Math.max(2, Math.min(4, (navigator.hardwareConcurrency || 2) - 1));
    const parts = {};
    return new Promise((resolve, reject) => {
      for (let i = 0; i < count; i++) {
        const worker = new Worker(url);
        worker.onerror = (event) => reject(new Error(event.message));
        worker.onmessage = ({ data }) => {
          if (data.kind === "tile") this.receive(data);
          else if (data.kind === "day") this.answers.get(data.id)?.(data.day);
          else if (data.kind === "part") {
            Object.assign(parts, data.part);
            for (const other of this.workers) {
              if (other.worker !== worker) other.worker.postMessage(data);
            }
            if (!parts.cells || !parts.base) return;
            if (this.isReady) this.version++;
            this.isReady = true;
            resolve(parts.cells);
            this.onChange();
          }
        };
        this.workers.push({ worker });
        const part = i === 0 ? { cells } : i === 1 ? { basemap } : {};
        worker.postMessage({ kind: "start", theme, ...part });
      }
    });
  }

  /** Replaces the cells and redraws all tiles. */
  reload(cells) {
    this.workers[0].worker.postMessage({ kind: "cells", cells });
  }

  /** Redraws all tiles in the colors of another theme. */
  setTheme(theme) {
    this.version++;
    for (const { worker } of this.workers) worker.postMessage({ kind: "theme", theme });
    this.onChange();
  }

  /** Shows the map as it was at the end of a day; `since` marks what is recent. */
  setTime(day, since) {
    if (this.time.day === day && this.time.since === since) return;
    this.time = { day, since };
    this.version++;
    // Asked for at once: a frame later is 17 ms later.
    this.ask(this.shown);
    this.onChange();
  }

  /** The day on which a position was explored; null if it was not. */
  dayAt(longitude, latitude) {
    const id = ++this.counter;
    if (!this.isReady) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.answers.set(id, (day) => {
        this.answers.delete(id);
        resolve(day);
      });
      this.workers[0].worker.postMessage({ kind: "day", id, longitude, latitude });
    });
  }

  receive({ id, bitmap }) {
    const request = this.asked.get(id);
    this.asked.delete(id);
    if (!request) {
      bitmap.close();
      return;
    }
    if (this.pending.get(request.key) === request.version) this.pending.delete(request.key);
    this.cache.set(request.key, { bitmap, version: request.version });
    this.onChange();
  }

  /** The zoom of the tiles of a view: a tile has 512 device pixels at its own zoom. */
  static level(view) {
    return Math.max(0, Math.min(17, Math.round(view.zoom - 1 + Math.log2(view.ratio))));
  }

  /** Draws the view; returns whether every tile is there as it should be. */
  draw(context, view) {
    const level = TileLayer.level(view);
    const count = 2 ** level;
    const world = view.scale * view.ratio;
    const size = world / count;
    const isExact = Math.abs(size - 512) < 1e-6;
    const originX = (view.width / 2) * view.ratio - view.x * world;
    const originY = (view.height / 2) * view.ratio - view.y * world;
    const place = (value) => (isExact ? Math.round(value) : value);
    const firstColumn = Math.floor(-originX / size);
    const lastColumn = Math.floor((view.canvas.width - 1 - originX) / size);
    const firstRow = Math.max(0, Math.floor(-originY / size));
    const lastRow = Math.min(count - 1, Math.floor((view.canvas.height - 1 - originY) / size));
    const [left, top] = [place(originX), place(originY)];
    const wanted = [];
    this.shown = [];
    let isComplete = true;
    context.imageSmoothingEnabled = !isExact;
    for (let row = firstRow; row <= lastRow; row++) {
      for (let column = firstColumn; column <= lastColumn; column++) {
        const x = ((column % count) + count) % count;
        const key = `${level}/${x}/${row}`;
        const entry = this.cache.get(key);
        // Edges are shared, so that no seam shows between scaled tiles.
        const x0 = isExact ? left + column * 512 : Math.round(left + column * size);
        const y0 = isExact ? top + row * 512 : Math.round(top + row * size);
        const x1 = isExact ? x0 + 512 : Math.round(left + (column + 1) * size);
        const y1 = isExact ? y0 + 512 : Math.round(top + (row + 1) * size);
        if (entry) context.drawImage(entry.bitmap, x0, y0, x1 - x0, y1 - y0);
        else this.drawAncestor(context, level, x, row, x0, y0, x1 - x0, y1 - y0);
        const dx = x0 + size / 2 - view.canvas.width / 2;
        const dy = y0 + size / 2 - view.canvas.height / 2;
        const tile = { key, z: level, x, y: row, distance: dx * dx + dy * dy };
        this.shown.push(tile);
        if (!entry || entry.version !== this.version) {
          isComplete = false;
          wanted.push(tile);
        }
      }
    }
    this.ask(wanted);
    return isComplete;
  }

  /** Draws the part of a coarser tile while its own is not there. */
  drawAncestor(context, level, x, y, left, top, width, height) {
    for (let up = 1; up <= Math.min(level, 6); up++) {
      const entry = this.cache.get(`${level - up}/${x >> up}/${y >> up}`);
      if (!entry) continue;
      const part = 512 / 2 ** up;
      const [u, v] = [(x & (2 ** up - 1)) * part, (y & (2 ** up - 1)) * part];
      context.imageSmoothingEnabled = true;
      context.drawImage(entry.bitmap, u, v, part, part, left, top, width, height);
      return;
    }
  }

  /** Asks for tiles, the nearest to the center first. */
  ask(wanted) {
    if (!this.isReady) return;
    if (wanted.every((one) => this.pending.get(one.key) === this.version)) return;
    this.pending = new Map(wanted.map((one) => [one.key, this.version]));
    wanted.sort((one, other) => other.distance - one.distance);
    const lists = this.workers.map(() => []);
    for (const one of wanted) {
      const id = ++this.counter;
      this.asked.set(id, { key: one.key, version: this.version });
      // The same worker for a tile each time: it keeps what it knows of it.
      const list = lists[(one.x + one.y) % lists.length];
      list.push({ id, z: one.z, x: one.x, y: one.y, ...this.time });
    }
    this.workers.forEach(({ worker }, i) => worker.postMessage({ kind: "tiles", tiles: lists[i] }));
    // Requests that were replaced are never answered.
    if (this.asked.size > 2000) {
      for (const id of [...this.asked.keys()].slice(0, 1000)) this.asked.delete(id);
    }
  }
}
