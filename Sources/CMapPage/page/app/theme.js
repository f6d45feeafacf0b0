// Schemes and themes: light, dark or as the system has it, in several colors.

/** A color `#rrggbb` or `#rrggbbaa` as red, green, blue (0 to 255) and alpha (0 to 1). */
function parts(color) {
  const byte = (i) => parseInt(color.slice(i, i + 2), 16);
  return [byte(1), byte(3), byte(5), color.length > 7 ? byte(7) / 255 : 1];
}

/** A color with another alpha. */
const faded = (color, alpha) => {
  const [red, green, blue] = parts(color);
  return `rgba(${red},${green},${blue},${alpha})`;
};

/** What is remembered between visits of this page; nothing where the browser forbids it. */
const memory = {
  get(key) {
    try {
      return localStorage.getItem(`roqua.${key}`);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(`roqua.${key}`, value);
    } catch {
      // Private windows have no storage: the choice lasts as long as the page.
    }
  },
};

/** The chosen scheme and theme. */
class Themes {
  constructor(page, onChange) {
    this.all = page.themes;
    this.onChange = onChange;
    this.system = matchMedia("(prefers-color-scheme: dark)");
    this.system.addEventListener("change", () => this.scheme === "system" && this.apply());
    const known = (name) => this.all.some((one) => one.name === name);
    const theme = memory.get("theme");
    const scheme = memory.get("scheme");
    this.theme = theme && known(theme) ? theme : page.theme;
    this.scheme = ["light", "dark", "system"].includes(scheme) ? scheme : page.scheme;
    this.apply();
  }

  choose(change) {
    Object.assign(this, change);
    memory.set("theme", this.theme);
    memory.set("scheme", this.scheme);
    this.apply();
  }

  get isDark() {
    return this.scheme === "dark" || (this.scheme === "system" && this.system.matches);
  }

  tokens(name) {
    const theme = this.all.find((one) => one.name === name) || this.all[0];
    return this.isDark ? theme.dark : theme.light;
  }

  apply() {
    const tokens = this.tokens(this.theme);
    const style = document.documentElement.style;
    for (const [name, color] of Object.entries(tokens)) {
      const hyphened = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      style.setProperty(`--${hyphened}`, color);
    }
    style.colorScheme = this.isDark ? "dark" : "light";
    this.map = Themes.mapColors(tokens, this.isDark);
    this.onChange?.(this.map);
  }

  /** The colors that the map is drawn with. */
  static mapColors(tokens, isDark) {
    const [red, green, blue] = parts(tokens.primary);
    const [water, fog] = [parts(tokens.water), parts(tokens.fog)];
    const outside = [0, 1, 2].map((i) => Math.round(water[i] * (1 - fog[3]) + fog[i] * fog[3]));
    return {
      outside: `rgb(${outside})`,
      land: tokens.land, water: tokens.water, border: tokens.border, label: tokens.label,
      track: tokens.track, primary: tokens.primary,
      regionBorder: faded(tokens.border, 0.55),
      secondaryLabel: faded(tokens.label, 0.82),
      labelHalo: faded(isDark ? tokens.water : tokens.background, 0.75),
      fog: parts(tokens.fog), explored: parts(tokens.explored),
      recent: [red, green, blue, 0.85],
    };
  }
}
