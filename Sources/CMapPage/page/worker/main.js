// The worker: answers requests for tiles.

const state = { cells: null, base: null, theme: null, colors: new Map() };
const fogs = new Map();
const bases = new Map();
const MOST_FOG_BYTES = 160e6;
const MOST_BASES = 96;
let fogBytes = 0;

const fogCanvas = new OffscreenCanvas(TILE, TILE);
const fogContext = fogCanvas.getContext("2d");
const fogImage = fogContext.createImageData(TILE, TILE);
const fogWords = new Uint32Array(fogImage.data.buffer);

/** The fog of a tile; the least recently used ones are forgotten. */
function fogOf(key, z, x, y) {
  let fog = fogs.get(key);
  if (fog) {
    fogs.delete(key);
  } else {
    fog = new FogTile(new TileEvents(state.cells, z, x, y));
    fogBytes += fog.events.size + (fog.events.isEmpty ? 0 : 4 * TILE * TILE);
  }
  fogs.set(key, fog);
  for (const [oldest, other] of fogs) {
    if (fogBytes <= MOST_FOG_BYTES || oldest === key) break;
    fogBytes -= other.events.size + (other.events.isEmpty ? 0 : 4 * TILE * TILE);
    fogs.delete(oldest);
  }
  return fog;
}

/** Forgets all fog: the cells have changed. */
function forgetFog() {
  fogs.clear();
  fogBytes = 0;
}

/** The base map of a tile, drawn once for each theme. */
function baseOf(key, z, x, y) {
  let canvas = bases.get(key);
  if (canvas) {
    bases.delete(key);
  } else {
    canvas = new OffscreenCanvas(TILE, TILE);
    state.base.draw(canvas.getContext("2d"), z, x, y, state.theme);
  }
  bases.set(key, canvas);
  if (bases.size > MOST_BASES) bases.delete(bases.keys().next().value);
  return canvas;
}

/** Draws a tile at a day. */
function drawn({ z, x, y, day, since }) {
  const key = `${z}/${x}/${y}`;
  const canvas = new OffscreenCanvas(TILE, TILE);
  const context = canvas.getContext("2d");
  context.drawImage(baseOf(key, z, x, y), 0, 0);
  const fog = fogOf(key, z, x, y);
  if (!state.colors.has(z)) state.colors.set(z, new FogColors(state.theme, z));
  if (fog.events.isEmpty) {
    const [red, green, blue, alpha] = state.theme.fog;
    context.fillStyle = `rgba(${red},${green},${blue},${alpha})`;
    context.fillRect(0, 0, TILE, TILE);
  } else {
    fog.paint(day, since, state.colors.get(z), fogWords);
    fogContext.putImageData(fogImage, 0, 0);
    context.drawImage(fogCanvas, 0, 0);
  }
  return canvas.transferToImageBitmap();
}

/** Requests not answered yet, the most urgent last. */
let waiting = [];
let isBusy = false;

// Lets newer messages in between two tiles; a timer would wait four milliseconds each time.
const turn = new MessageChannel();
turn.port1.onmessage = answerNext;

function answerNext() {
  const request = waiting.pop();
  if (!request) {
    isBusy = false;
    return;
  }
  const bitmap = drawn(request);
  postMessage({ kind: "tile", id: request.id, bitmap }, [bitmap]);
  turn.port2.postMessage(null);
}

onmessage = async ({ data }) => {
  switch (data.kind) {
    case "start":
      // Each worker reads one part and the page passes it on to the others.
      state.theme = data.theme;
      if (data.cells) {
        state.cells = Cells.read(await inflated(data.cells));
        postMessage({ kind: "part", part: { cells: { ...state.cells } } });
      }
      if (data.basemap) {
        state.base = BaseMap.read(await inflated(data.basemap));
        postMessage({ kind: "part", part: { base: { ...state.base } } });
      }
      break;
    case "cells":
      // The cells of a newer state; the page passes them on like those at the start.
      state.cells = Cells.read(await inflated(data.cells));
      forgetFog();
      postMessage({ kind: "part", part: { cells: { ...state.cells } } });
      break;
    case "part":
      if (data.part.cells) {
        state.cells = new Cells(data.part.cells);
        forgetFog();
      }
      if (data.part.base) state.base = new BaseMap(data.part.base);
      break;
    case "theme":
      state.theme = data.theme;
      state.colors.clear();
      bases.clear();
      break;
    case "tiles":
      // Replaces what was asked before: what is not asked again is out of sight.
      waiting = data.tiles;
      if (!isBusy) {
        isBusy = true;
        answerNext();
      }
      break;
    case "day": {
      const day = state.cells.dayAt(data.longitude, data.latitude);
      postMessage({ kind: "day", id: data.id, day });
      break;
    }
  }
};
