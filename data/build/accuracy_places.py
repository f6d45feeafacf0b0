"""Measures how often the geocoder returns the wrong region or city.

    venv/bin/pip install netCDF4==1.7.5.1.post1
    venv/bin/python accuracy_places.py --cache CACHE --tool ../../.build/release/roqua

- regions: the Digital Chart of the World's states of eight large countries (Debian gmt-dcw, an
  independent source), each identified by the region in which most of its people live; points
  uniform by area, and by population. Excludes Andhra Pradesh, because Telangana has been separated
  from it since the chart was drawn
- cores: the inner half of the disc of every city of 300,000 people or more that the old list of
  feature codes does not call a section: there the answer must be the city, or a larger one whose
  disc contains the point nearer its center
- suburbs: places of 20,000-200,000 people within 25 km of a city of at least 500,000, that the old
  list has as separate places; tested at the center and 1 km off it
"""

import math

import netCDF4
import numpy as np
import shapely

from accuracy import ChartOfTheWorld, locate, moved
from measured_tool import ask, parse
from places import DENSITY, DISC_LIMIT_KILOMETERS, Places

REDRAWN = {"INAP"}
KILOMETERS_PER_DEGREE = 111.195


def states(path):
    """(name, polygon) of the chart's states: AR, AU, BR, CA, CN, IN, RU, US."""
    data = netCDF4.Dataset(path)
    for variable in sorted(data.variables):
        if variable.endswith("_lon") and len(variable) > 6:
            x, gap = ChartOfTheWorld._unpacked(data.variables[variable])
            y, _ = ChartOfTheWorld._unpacked(data.variables[variable[:-3] + "lat"])
            starts = np.flatnonzero(gap)
            rings = [np.column_stack([x[a:b], y[a:b]])
                     for a, b in zip(starts + 1, np.append(starts[1:], len(x)))]
            polygons = [shapely.make_valid(shapely.Polygon(ring)) for ring in rings
                        if len(ring) > 3]
            for turn in (0, -360):  # the chart counts western longitudes from 180 to 360 degrees
                yield variable[:-4], shapely.transform(shapely.union_all(polygons),
                                                       lambda p: p + [turn, 0])


def regions(sources, places, tool, random):
    names, polygons = zip(*states(sources.chart_of_the_world))
    state_at = locate(np.array(polygons), names)
    home = state_at(places.longitude, places.latitude)
    region_names = np.array(
        [places.admin1_names.get(key, "") for key in places.admin1_keys])[places.admin1]
    region = {}
    for state in sorted(set(names) - REDRAWN):
        inside = home == state
        found, index = np.unique(region_names[inside & (places.country == state[:2])],
                                 return_inverse=True)
        weights = np.bincount(index, places.population[inside & (places.country == state[:2])] + 1)
        if len(found):
            region[state] = found[weights.argmax()]
    weights = np.maximum(places.population, 1) / np.maximum(places.population, 1).sum()
    chosen = random.choice(len(weights), 300_000, p=weights)
    people = moved(places.longitude[chosen], places.latitude[chosen],
                   random.uniform(0, 10, len(chosen)), random.uniform(0, 2 * np.pi, len(chosen)))
    globe = (random.uniform(-180, 180, 800_000),
             np.degrees(np.arcsin(random.uniform(-1, 1, 800_000))))
    for kind, (x, y) in (("area", globe), ("population", people)):
        state = state_at(x, y)
        known = np.isin(state, list(region))
        x, y, state = x[known], y[known], state[known]
        answers = ask(tool, x, y, "countryCode", "region")
        asked = [(region[s], answer[1]) for s, answer in zip(state, answers) if answer[0] == s[:2]]
        wrong = np.mean([expected != answer for expected, answer in asked])
        print(f"regions, {kind}: {100 * wrong:.2f} % of {len(asked):,} wrong", flush=True)


class Cities:
    """Distances between places, in kilometers on a plane."""

    def __init__(self, places, tool):
        self.places, self.tool = places, tool
        self.names = np.array([city["name"] for city in places.cities], object)
        self.numbers = np.array([city["geonameid"] for city in places.cities])
        self.radius = np.minimum(np.sqrt(places.population / DENSITY / math.pi),
                                 DISC_LIMIT_KILOMETERS)

    def away(self, place, x, y):
        places = self.places
        return np.hypot((places.longitude[place] - x) * math.cos(math.radians(y)),
                        places.latitude[place] - y) \
            * KILOMETERS_PER_DEGREE

    def near(self, among, tree, x, y, kilometers):
        up = kilometers / KILOMETERS_PER_DEGREE
        wide = up / math.cos(math.radians(y))
        return among[tree.query(shapely.box(x - wide, y - up, x + wide, y + up))]

    def tree(self, among):
        return shapely.STRtree(shapely.points(self.places.longitude[among],
                                              self.places.latitude[among]))

    def answers(self, x, y):
        return np.array([answer[0] for answer in ask(self.tool, x, y, "city")], object)


def cores(cities, random, sections):
    places = cities.places
    large = np.flatnonzero((places.population >= 300_000) & ~sections)
    tree = cities.tree(large)
    owner = np.repeat(large, 20)
    x, y = moved(places.longitude[owner], places.latitude[owner],
                 0.5 * cities.radius[owner] * np.sqrt(random.uniform(0, 1, len(owner))),
                 random.uniform(0, 2 * np.pi, len(owner)))
    best = []
    for city, px, py in zip(owner, x, y):
        rivals = np.append(cities.near(large, tree, px, py, DISC_LIMIT_KILOMETERS), city)
        best.append(rivals[(cities.away(rivals, px, py) / cities.radius[rivals]).argmin()])
    answers, best = cities.answers(x, y), np.array(best)
    own = best == owner
    print(f"cores: {100 * (answers == cities.names[owner])[own].mean():.1f} % of {own.sum():,} "
          f"points right; {100 * (answers == cities.names[owner]).mean():.1f} % of {len(own):,}, "
          "those included that are deeper inside another such city", flush=True)


def suburbs(cities, random, sections, listed):
    places = cities.places
    large = np.flatnonzero((places.population >= 500_000) & ~sections)
    tree = cities.tree(large)
    towns, hosts = [], []
    for town in np.flatnonzero((places.population >= 20_000)
                               & (places.population <= 200_000) & listed):
        x, y = places.longitude[town], places.latitude[town]
        near = cities.near(large, tree, x, y, 25)
        near = near[places.country[near] == places.country[town]]
        away = cities.away(near, x, y)
        if len(near) and away.min() < 25:
            towns.append(town)
            hosts.append(near[away.argmin()])
    x, y = places.longitude[towns], places.latitude[towns]
    center = cities.answers(x, y) == cities.names[towns]
    off = cities.answers(*moved(x, y, 1, random.uniform(0, 2 * np.pi, len(towns))))
    print(f"suburbs: at the center {100 * center.mean():.1f} % of {len(towns):,} are themselves; "
          f"1 km off "
          f"{100 * (off != cities.names[hosts]).mean():.1f} % are not the large city, "
          f"{100 * (off == cities.names[towns]).mean():.1f} % themselves", flush=True)


def main():
    sources, tool = parse(__doc__)
    places = Places(sources)
    random = np.random.default_rng(20260315)
    rows = [line.split("\t")
            for line in open(sources.feature_codes, encoding="utf-8").read().splitlines()]
    codes = {int(row[0]): row[7] for row in rows}
    cities = Cities(places, tool)
    code = np.array([codes.get(int(number), "") for number in cities.numbers])
    cores(cities, random, code == "PPLX")
    suburbs(cities, random, code == "PPLX", (code != "") & (code != "PPLX"))
    regions(sources, places, tool, random)


if __name__ == "__main__":
    main()
