"""How often the geocoder names the wrong district, and how many people get one.

    venv/bin/python accuracy_districts.py --cache CACHE --tool ../../.build/release/roqua

- polygons: points by population, up to 10 km off a place. US counties of 2009 (PyPI
  bokeh_sampledata), France's departments and Italy's provinces of 1989 (Debian r-cran-maps), with
  lines about 1 km off. None of these is used for the districts. Spain, Great Britain and the
  Philippines only have Natural Earth's polygons, which the build uses, too: those figures show no
  more than that places and polygons agree
- towns: UN/LOCODE's locations (PyPI pyunlocode) at GeoNames' place of the same name, and postal
  codes (PyPI countrystatecity-postal-codes) at the one place of the country with their name, each
  with the ISO code of a second-level division; by number and by people

A division is known by the district that most of its people or towns get, so names do not matter. An
answer is wrong if it is another district and most of that district's people or towns are in another
division: so it does not count where one of the two was divided or merged since. Towns in another
region than most of their division's are left out: they are other towns of that name, and
accuracy_regions.py measures regions. The sources contain errors, so the figures are upper bounds.
There is no such source for Germany.
"""

import json
import sqlite3
import struct
from collections import Counter, defaultdict

import numpy as np
import pyogrio
import shapely

import accuracy_regions
from accuracy import locate, moved
from city_names import fold
from measured_tool import ask, parse
from places import Places

POINTS = 60_000  # of a country
LEAST_TOWNS = 3  # of a division
LINE_DEGREES = 2 / 111.195  # the accuracy of the coarse maps
#: Countries whose divisions in a list of towns are districts here.
LOCODE = ("FR", "IT", "ES", "GB", "PH")
POSTAL_CODES = ("FR", "IT", "ES", "CZ", "PH")
REGIONS = {("PH", "00")}  # codes of first-level divisions among them


def us_counties(path):
    rows = sqlite3.connect(path).execute(
        "SELECT id, geometry FROM us_counties ORDER BY ordinal").fetchall()
    return [row[0] for row in rows], shapely.from_wkb([row[1] for row in rows])


def old_divisions(folder, kind):
    """The polygons of Debian's r-cran-maps, in the format that lakes.py describes: a polygon is a
    list of lines, those with negative numbers backwards."""
    line, area = struct.Struct("<IHHHHffff"), struct.Struct("<IHHffff")
    data, areas = (folder / f"{kind}.L").read_bytes(), (folder / f"{kind}.G").read_bytes()
    lines = []
    for number in range(struct.unpack_from("<I", data, 4)[0]):
        offset, points, *_ = line.unpack_from(data, 8 + line.size * number)
        lines.append(
            np.degrees(np.frombuffer(data, "<f4", 2 * points, offset).reshape(-1, 2).astype(float)))
    count, = struct.unpack_from("<H", areas)
    polygons = []
    for number in range(count):
        offset, parts, *_ = area.unpack_from(areas, 2 + area.size * number)
        ring = [lines[abs(row) - 1][::1 if row > 0 else -1]
                for row in struct.unpack_from(f"<{parts}i", areas, offset)]
        polygons.append(shapely.make_valid(shapely.Polygon(np.concatenate(ring))))
    rows = (row.rsplit("\t", 1)
            for row in (folder / f"{kind}.N").read_text(encoding="latin-1").splitlines())
    names = {int(number): name.split(":")[0] for name, number in rows}
    return [names[number + 1] for number in range(count)], np.array(polygons)


def natural_earth(path, country):
    raw = pyogrio.raw.read(path, layer="states_provinces", columns=["iso_a2", "name"])
    chosen = raw[3][0] == country
    return list(raw[3][1][chosen]), shapely.from_wkb(raw[2][chosen])


def majority(groups, answers, weights):
    """{group: the answer with the largest weight}."""
    votes = defaultdict(Counter)
    for group, answer, weight in zip(groups, answers, weights):
        if group and answer:
            votes[group][answer] += weight
    return {group: max(counter.items(), key=lambda item: (item[1], item[0]))[0]
            for group, counter in votes.items()}


class Judge:
    """Compares answers with divisions, by what most of the people or towns have."""

    def __init__(self, divisions, answers, weights):
        self.district = majority(divisions, answers, weights)
        self.division = majority(answers, divisions, weights)

    def wrong(self, divisions, answers):
        return np.array(
            [self.district.get(division) != answer and self.division.get(answer) != division
             for division, answer in zip(divisions, answers)])


def polygons(kind, country, names, areas, places, tool, random):
    division_at = locate(areas, names)
    own = np.flatnonzero(places.country == country)
    x, y, weight = (places.longitude[own], places.latitude[own],
                    np.maximum(places.population[own], 1))
    judge = Judge(division_at(x, y), [answer[0] for answer in ask(tool, x, y, "district")], weight)
    chosen = random.choice(len(own), POINTS, p=weight / weight.sum())
    x, y = moved(x[chosen], y[chosen], random.uniform(0, 10, POINTS),
                 random.uniform(0, 2 * np.pi, POINTS))
    truth, answers = division_at(x, y), ask(tool, x, y, "countryCode", "district")
    asked = np.array([name != "" and answer[0] == country for name, answer in zip(truth, answers)])
    answers = np.array([answer[1] for answer in answers], object)
    given = asked & (answers != "")
    wrong = np.flatnonzero(given & judge.wrong(truth, answers))
    areas_of = defaultdict(list)
    for name, area in zip(names, areas):
        areas_of[judge.district.get(name)].append(area)
    near = sum(any(shapely.dwithin(area, shapely.Point(x[point], y[point]), LINE_DEGREES)
                   for area in areas_of[answers[point]]) for point in wrong)
    print(f"{country}, {kind}: {given.sum():,} of {asked.sum():,} points have a district "
          f"({100 * given.sum() / asked.sum():.1f} %), {100 * len(wrong) / given.sum():.2f} % "
          f"wrong, {100 * (len(wrong) - near) / given.sum():.2f} % by more than 2 km", flush=True)
    pairs = Counter((truth[point], answers[point]) for point in wrong)
    print("  " + ", ".join(f"{name}: {answer} {count}"
                           for (name, answer), count in pairs.most_common(6)))


def postal_codes(sources, places):
    """(country, division, longitude, latitude) of places whose name only one place of the country
    has."""
    named = defaultdict(list)
    for place, city in enumerate(places.cities):
        named[city["countrycode"], fold(city["name"])].append(place)
    for country in POSTAL_CODES:
        divisions = defaultdict(set)
        for row in json.loads(
                (sources.postal_codes / country / "postcodes.json").read_text(encoding="utf-8")):
            found = named[country, fold(row["localityName"] or "")]
            if len(found) == 1 and row["stateCode"]:
                divisions[found[0]].add(row["stateCode"])
        for place, codes in sorted(divisions.items()):
            if len(codes) == 1:
                yield country, min(codes), places.longitude[place], places.latitude[place]


def towns(kind, countries, points, places, tool):
    people = {(x, y): people + 1
              for x, y, people in zip(places.longitude, places.latitude, places.population)}
    points = [point for point in points if point[:2] not in REGIONS]
    for country in countries:
        _, divisions, x, y = zip(*[point for point in points if point[0] == country])
        answers, regions = zip(*ask(tool, x, y, "district", "region"))
        home, sizes = majority(divisions, regions, [1] * len(x)), Counter(divisions)
        judge = Judge(divisions, answers, [1] * len(x))
        weight = np.array([people[point] for point in zip(x, y)])
        judged = np.array([sizes[division] >= LEAST_TOWNS and home.get(division) == region
                           for division, region in zip(divisions, regions)])
        given = judged & (np.array(answers, object) != "")
        wrong = given & judge.wrong(divisions, answers)
        print(f"{country}, {kind}: {given.sum():,} of {judged.sum():,} towns have a district, "
              f"{100 * wrong.sum() / given.sum():.2f} % wrong; by people "
              f"{100 * weight[given].sum() / weight[judged].sum():.1f} % have one, "
              f"{100 * weight[wrong].sum() / weight[given].sum():.2f} % wrong", flush=True)
        worst = sorted(np.flatnonzero(wrong), key=lambda row: -weight[row])[:6]
        print("  " + ", ".join(f"{y[row]:.4f},{x[row]:.4f} ({divisions[row]}): {answers[row]}"
                               for row in worst))


def main():
    sources, tool = parse(__doc__)
    places, random = Places(sources), np.random.default_rng(20260315)
    polygons("counties of 2009", "US", *us_counties(sources.old_us_counties), places, tool, random)
    for country, kind in (("FR", "france"), ("IT", "italy")):
        polygons("divisions of 1989", country, *old_divisions(sources.old_divisions, kind), places,
                 tool, random)
    for country in ("FR", "IT", "ES", "GB", "PH"):
        polygons("Natural Earth", country, *natural_earth(sources.natural_earth_regions, country),
                 places, tool, random)
    towns("UN/LOCODE", LOCODE, list(accuracy_regions.towns(sources, places)), places, tool)
    towns("postal codes", POSTAL_CODES, list(postal_codes(sources, places)), places, tool)


if __name__ == "__main__":
    main()
