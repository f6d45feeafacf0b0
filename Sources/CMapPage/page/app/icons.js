// Icons, drawn for this page.

const ICONS = {
  plus: '<path d="M9 3v12M3 9h12"/>',
  minus: '<path d="M3 9h12"/>',
  globe: '<circle cx="9" cy="9" r="6.5"/>'
    + '<path d="M2.5 9h13M9 2.5c4 4 4 9 0 13M9 2.5c-4 4-4 9 0 13"/>',
  layers: '<path d="M9 2.5 2.5 6 9 9.5 15.5 6zM2.5 9.6 9 13.1l6.5-3.5M2.5 12.9 9 16.4l6.5-3.5"/>',
  drop: '<path d="M9 2.2C6 6 4 8.2 4 11a5 5 0 0 0 10 0c0-2.800-2-5-5-8.800z"/>',
  play: '<path d="M6 3.500v11l9-5.500z"/>',
  pause: '<path d="M5.500 3.500v11M12.500 3.500v11" stroke-width="3.500"/>',
  up: '<path d="m4 11.500 5-5 5 5"/>',
  close: '<path d="m5 5 8 8M13 5l-8 8"/>',
};

const icon = (name, size = 18) =>
  `<svg width="${size}" height="${size}" viewBox="0 0 18 18" aria-hidden="true">`
  + `${ICONS[name]}</svg>`;

const element = (id) => document.getElementById(id);

/** Makes an element with a text. */
function made(tag, text, name) {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (name) node.className = name;
  return node;
}
