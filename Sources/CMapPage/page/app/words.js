// Numbers and days as people read them.

/** Days are counted so that day 719528 is 1970-01-01; 0 is no day. */
const DAY_OF_1970 = 719528;
const dateOfDay = (day) => new Date((day - DAY_OF_1970) * 86400000);
const dayOfDate = (year, month, day = 1) => Date.UTC(year, month, day) / 86400000 + DAY_OF_1970;

const Words = {
  units: "metric",

  count: (value) => value.toLocaleString("en"),

  /** A count in at most nine characters: 9,999,999 or 12.3M. */
  shortCount: (value) => value < 1e7 ? Words.count(value)
    : value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 }),

  area(squareKilometers) {
    const isMetric = Words.units === "metric";
    const value = isMetric ? squareKilometers : squareKilometers / 2.589988110336;
    const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
    const text = value.toLocaleString("en", {
      minimumFractionDigits: digits, maximumFractionDigits: digits,
    });
    return `${text} ${isMetric ? "km²" : "mi²"}`;
  },

  /** Two significant digits, as in the tool. */
  percent(value) {
    if (value === null || value === undefined) return "";
    if (value === 0) return "0 %";
    if (value >= 99.95) return "100 %";
    const digits = Math.max(0, Math.min(12, 1 - Math.floor(Math.log10(value))));
    return `${value.toFixed(digits)} %`;
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
