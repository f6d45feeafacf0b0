// The menus of layers and colors.

/** A menu that a button opens; Escape and a press elsewhere close it. */
class Menu {
  constructor(button, node) {
    [this.button, this.node] = [element(button), element(node)];
    this.button.addEventListener("click", () => this.toggle(this.node.hidden));
    addEventListener("pointerdown", (event) => {
      const isInside = this.node.contains(event.target) || this.button.contains(event.target);
      if (!isInside) this.toggle(false);
    });
    addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.node.hidden) return;
      this.toggle(false);
      this.button.focus();
    });
  }

  toggle(isOpen) {
    this.node.hidden = !isOpen;
    this.button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) this.node.querySelector("input")?.focus();
  }
}

/** One choice of a menu. */
function choice(kind, group, text, isChosen, onChange) {
  const label = made("label");
  const input = made("input");
  input.type = kind;
  input.name = group;
  input.checked = isChosen;
  input.addEventListener("change", () => onChange(input.checked));
  label.append(input, made("span", text));
  return label;
}

/** Fills the menu of schemes and themes. */
function fillColorMenu(themes) {
  const node = element("colormenu");
  const schemes = [["system", "Like the system"], ["light", "Light"], ["dark", "Dark"]];
  const rows = [made("h2", "Appearance")];
  for (const [scheme, title] of schemes) {
    const isChosen = themes.scheme === scheme;
    rows.push(choice("radio", "scheme", title, isChosen, () => themes.choose({ scheme })));
  }
  rows.push(made("h2", "Theme"));
  for (const { name, title, light, dark } of themes.all) {
    const isChosen = themes.theme === name;
    const row = choice("radio", "theme", title, isChosen, () => themes.choose({ theme: name }));
    const swatch = made("span", undefined, "swatch");
    for (const color of [light.primary, light.land, dark.primary, dark.land]) {
      const part = made("i");
      part.style.background = color;
      swatch.append(part);
    }
    row.append(swatch);
    rows.push(row);
  }
  node.replaceChildren(...rows);
}

/** Fills the menu of layers. */
function fillLayerMenu(layers, onChange) {
  const rows = [made("h2", "Show")];
  for (const layer of layers) {
    rows.push(choice("checkbox", "layer", layer.title, layer.isShown, (isShown) => {
      layer.isShown = isShown;
      onChange();
    }));
  }
  element("layermenu").replaceChildren(...rows);
}
