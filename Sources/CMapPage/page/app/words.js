// Numbers and days as people read them.

/** Days are counted so that day 719528 is 1970-01-01; 0 is no day. */
const DAY_OF_1970 = 719528;
const dateOfDay = (day) => new Date((day - DAY_OF_1970) * 86400000);
const dayOfDate = (year, month, day = 1) => Date.UTC(year, month, day) / 86400000 + DAY_OF_1970;

const Words = {
  units: "metric",

  count: (value) => value.toLocaleString("en"),

  /** A count, from a limit on with a letter for its thousands: 9,999,999 or 12.3M. */
  shortCount: (value, limit = 1e7) => value < limit ? Words.count(value)
    : value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 }),

  area(squareKilometers) {
    const isMetric = Words.units === "metric";
    const value = isMetric ? squareKilometers : squareKilometers / 2.589988110336;
    const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
    const text = value.toLocaleString("en", {
      minimumFractionDigits: digits, maximumFractionDigits: digits,
    });
    return `${text} ${isMetric ? "km²" : "sq mi"}`;
  },

  /** As in the tool: two significant digits, one after the point from 10 on, 100 only for all. */
  percent(value) {
    if (value === null || value === undefined) return "";
    if (value === 0 || value === 100) return `${value} %`;
    const most = Math.min(value, 99.9);
    const digits = (one) =>
      one >= 10 ? 1 : Math.min(20, Math.max(1, 1 - Math.floor(Math.log10(one))));
    // Rounding may add a digit: 0.0999 is 0.10.
    const rounded = Number(Words.fixed(most, digits(most))) || most;
    return `${Words.fixed(most, Math.min(digits(most), digits(rounded)))} %`;
  },

  /** Some digits after the point; of two numbers equally near, the even one, as in the tool. */
  fixed(value, digits) {
    const long = value.toFixed(digits + 25);
    const low = long.slice(0, -25);
    const isEven = "02468".includes(low[low.length - 1]);
    return isEven && /^50+$/.test(long.slice(-25)) ? low : value.toFixed(digits);
  },

  day(day, precision = "day") {
    if (!day) return "no date";
    const options = { timeZone: "UTC", year: "numeric" };
    if (precision !== "year") options.month = "short";
    if (precision === "day") options.day = "numeric";
    return dateOfDay(day).toLocaleDateString("en-GB", options);
  },

  /** A time in minutes since 1970, by the clock of the map. */
  minute(minutes) {
    return new Date(minutes * 60000).toLocaleString("en-GB", {
      timeZone: "UTC", year: "numeric", month: "short", day: "numeric", hour: "2-digit",
      minute: "2-digit",
    });
  },

  plural: (count, one, many = `${one}s`) => `${Words.count(count)} ${count === 1 ? one : many}`,

  /** A text for comparing: lower case, no accents. */
  folded: (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase(),
};
