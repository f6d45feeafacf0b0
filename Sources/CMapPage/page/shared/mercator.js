// Web Mercator: the world is a square of side 1, x from 180° W, y from 85.0511° N.
// Source: Snyder, Map Projections: A Working Manual (1987), equations 7-1, 7-2 and 7-4.

const mercatorX = (longitude) => longitude / 360 + 0.5;

const mercatorY = (latitude) => {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
};

const longitudeOfX = (x) => (x - 0.5) * 360;

const latitudeOfY = (y) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

/** The sine of the latitude: sin φ = tanh(π (1 - 2 y)). */
const sineOfY = (y) => Math.tanh(Math.PI * (1 - 2 * y));
