// The names on the map, from the page's lists.

/** Labels of countries, regions and cities, with the zooms at which they show. */
function labelsOf({ labels }) {
  const made = [];
  const add = (kind, columns, zoomOf, orderOf) => {
    let [longitude, latitude] = [0, 0];
    columns.names.forEach((text, i) => {
      longitude += columns.longitudes[i];
      latitude += columns.latitudes[i];
      const label = { kind, text, x: mercatorX(longitude / 1e3), y: mercatorY(latitude / 1e3) };
      Object.assign(label, zoomOf(i), { order: orderOf(i) });
      made.push(label);
    });
  };
  add("country", labels.countries, (i) => ({ zoom: labels.countries.zooms[i], last: 7.5 }),
    (i) => labels.countries.zooms[i]);
  add("region", labels.regions, (i) => ({ zoom: labels.regions.zooms[i], last: 10.5 }),
    (i) => 40 + labels.regions.zooms[i]);
  const { cities } = labels;
  add("city", cities, (i) => {
    const people = 10 ** (cities.sizes[i] / 10);
    return { zoom: zoomOfCity(people), last: 99, people };
  }, (i) => 30 - cities.sizes[i] / 10);
  for (const label of made) {
    if (label.kind !== "city") continue;
    if (label.people >= 2e6) label.kind = "metropolis";
    else if (label.people < 1e5) label.kind = "town";
  }
  return made;
}

/** The lowest zoom at which a city of some people is named. */
function zoomOfCity(people) {
  const steps = [
    [8e6, 3], [4e6, 3.6], [1.5e6, 4.4], [7e5, 5.2], [3e5, 6], [1.5e5, 7], [6e4, 8], [2.5e4, 9],
    [1e4, 10], [4e3, 11],
  ];
  for (const [least, zoom] of steps) if (people >= least) return zoom;
  return 12;
}
