"""How often the geocoder names the wrong region, worldwide and by country.

    venv/bin/python accuracy_regions.py --cache CACHE --tool ../../.build/release/roqua

- airfields: those of airportsdata, each with the name of its division. They lie where few people
  live. (Where a polygon is divided among several of today's divisions, the build uses them as well:
  these countries look better than they are.)
- towns: UN/LOCODE's locations with the code of a division (PyPI pyunlocode), where a place of
  GeoNames has their name within 4 km; asked at that place

A division is known by the region that most of its points get: so its own name and code do not
matter, and counties count as their states. What lies elsewhere is wrong. Left out are divisions of
which no region has LEAST_SHARE of the points: those are abolished, or other ones of the same name.
Both lists contain errors, so the figures are upper bounds.
"""

import csv
from collections import Counter, defaultdict

import numpy as np

from city_names import fold
from divide import read_airfields
from measured_tool import ask, parse
from places import Places

LEAST_POINTS = 3  # of a division
LEAST_SHARE = 0.75
LEAST_OF_COUNTRY = 30
SHOWN = 25  # countries
NEAR_DEGREES = 4 / 111.195


def towns(sources, places):
    """(country, division, longitude, latitude) of UN/LOCODE's locations at the places of GeoNames
    with their name."""
    named = defaultdict(list)
    for city in places.cities:
        named[city["countrycode"], fold(city["name"])].append((city["longitude"], city["latitude"]))
    for path in sorted(sources.locodes.glob("*CodeListPart*.csv")):
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            for row in csv.reader(file):
                country, name, division, position = row[1], row[4], row[5], row[10]
                if not division or len(position) != 12:
                    continue
                latitude = ((int(position[:2]) + int(position[2:4]) / 60)
                            * (-1 if position[4] == "S" else 1))
                longitude = ((int(position[6:9]) + int(position[9:11]) / 60)
                             * (-1 if position[11] == "W" else 1))
                for x, y in named.get((country, fold(name)), []):
                    stretch = np.cos(np.radians(y))
                    if np.hypot((x - longitude) * stretch, y - latitude) < NEAR_DEGREES:
                        yield country, division, x, y
                        break


def report(kind, tool, points):
    country, division, longitude, latitude = zip(*points)
    answers = ask(tool, np.array(longitude), np.array(latitude), "countryCode", "region")
    regions = defaultdict(Counter)
    for owner, name, (code, region) in zip(country, division, answers):
        if code == owner:
            regions[owner, name][region] += 1
    asked, wrong = Counter(), Counter()
    for (owner, _), counter in regions.items():
        total = sum(counter.values())
        if total >= LEAST_POINTS and max(counter.values()) >= LEAST_SHARE * total:
            asked[owner] += sum(counter.values())
            wrong[owner] += sum(counter.values()) - max(counter.values())
    print(f"{kind}: {sum(asked.values()):,} points in {len(asked)} countries, "
          f"{100 * sum(wrong.values()) / sum(asked.values()):.2f} % wrong")
    share = {owner: wrong[owner] / asked[owner] for owner in asked
             if asked[owner] >= LEAST_OF_COUNTRY}
    worst = sorted(share, key=lambda owner: (-share[owner], owner))[:SHOWN]
    print("  "
          + ", ".join(f"{owner} {100 * share[owner]:.1f} % of {asked[owner]}" for owner in worst))
    good = sum(value < 0.02 for value in share.values())
    print(f"  {good} of {len(share)} countries with {LEAST_OF_COUNTRY} points and more below 2 %",
          flush=True)


def main():
    sources, tool = parse(__doc__)
    airfields = [(country, name, x, y)
                 for country, rows in sorted(read_airfields(sources.airfields).items())
                 for x, y, name in rows]
    report("airfields", tool, airfields)
    report("towns", tool, list(towns(sources, Places(sources))))


if __name__ == "__main__":
    main()
