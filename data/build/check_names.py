"""Whether the capitals of the world and its 500 largest cities have their English names at their
coordinates.

    venv/bin/python check_names.py --cache CACHE --tool ../../.build/release/roqua

The cities are those of Natural Earth (Debian libmagics++-data), at GeoNames' positions. Accepted
are Natural Earth's name and that of GNOME's list of cities with weather stations (Debian
libgweather-4-common), which the build does not use, with or without accents.
"""

import json
import xml.etree.ElementTree as ElementTree

import numpy as np
import pyogrio

from city_names import fold
from measured_tool import ask, parse

LARGEST = 500
NEAR_DEGREES = 0.25


def weather_cities(path):
    """(longitude, latitude, name) of each city of the list."""
    for city in ElementTree.parse(path).getroot().iter("city"):
        latitude, longitude = map(float, city.findtext("coordinates").split())
        yield longitude, latitude, city.findtext("_name") or city.findtext("name")


class Centers:
    """The positions of GeoNames' places by all their names."""

    def __init__(self, path):
        self.named = {}
        for city in json.load(open(path, encoding="utf-8")).values():
            for name in {fold(other) for other in [city["name"], *city["alternatenames"]]}:
                is_main = name == fold(city["name"])
                self.named.setdefault(name, []).append(
                    (is_main, city["population"], city["longitude"], city["latitude"]))

    def find(self, name, longitude, latitude):
        """The largest place of this name nearby, or else this position, which Natural Earth draws
        at 1:10 million."""
        near = [place for place in self.named.get(fold(name or ""), [])
                if abs(place[2] - longitude) < 2 * NEAR_DEGREES
                and abs(place[3] - latitude) < 2 * NEAR_DEGREES]
        return max(near)[2:] if near else (longitude, latitude)


#: The English name of today by Natural Earth's, which is of 2014, where GNOME's list has no such
#: city either.
TODAY = {
    # renamed since
    "Allahabad": "Prayagraj", "Bangalore": "Bengaluru", "Chittagong": "Chattogram",
    "Dnipropetrovsk": "Dnipro", "Jinxi": "Huludao", "Port Elizabeth": "Gqeberha",
    "Rangoon": "Yangon", "Xiangfan": "Xiangyang",
    # other spellings, and misspellings
    "Ad Damman": "Dammam", "Banghazi": "Benghazi", "El Giza": "Giza", "Haora": "Howrah",
    "Hargeysa": "Hargeisa", "Hims": "Homs", "Huaiyin": "Huai'an", "Lupanshui": "Liupanshui",
    "Mudangiang": "Mudanjiang", "Nasik": "Nashik", "Shijianzhuang": "Shijiazhuang",
    "Sholapur": "Solapur",
    # longer forms
    "Andorra": "Andorra la Vella", "Guatemala": "Guatemala City", "Kuwait": "Kuwait City",
    "Nezahualcoyotl": "Ciudad Nezahualcoyotl", "Rostov": "Rostov-on-Don",
    "Santa Cruz": "Santa Cruz de la Sierra", "Santiago": "Santiago de los Caballeros",
}


def main():
    sources, tool = parse(__doc__)
    wanted = ["name", "namealt", "featurecla", "pop_max", "latitude", "longitude", "iso_a2",
              "geonameid"]
    meta, _, _, fields = pyogrio.raw.read(sources.natural_earth_places, columns=wanted,
                                          encoding="cp1252")
    fields = dict(zip(meta["fields"], fields))
    centers = Centers(sources.cities)
    for i, name in enumerate(fields["name"]):
        fields["longitude"][i], fields["latitude"][i] = centers.find(
            name, fields["longitude"][i], fields["latitude"][i])
    capitals = np.flatnonzero(fields["featurecla"] == "Admin-0 capital")
    largest = np.argsort(-fields["pop_max"], kind="stable")[:LARGEST]
    chosen = sorted(set(capitals.tolist()) | set(largest.tolist()))
    answers = ask(tool, fields["longitude"][chosen], fields["latitude"][chosen], "city")
    x, y, names = zip(*weather_cities(sources.weather_cities))
    x, y = np.array(x), np.array(y)
    right = 0
    for i, (answer,) in zip(chosen, answers):
        longitude, latitude = fields["longitude"][i], fields["latitude"][i]
        near = np.hypot((x - longitude) * np.cos(np.radians(latitude)), y - latitude) < NEAR_DEGREES
        name = fields["name"][i]
        accepted = {fold(name) for name in [name, TODAY.get(name, name),
                                            *(names[k] for k in np.flatnonzero(near))]}
        if fold(answer) in accepted:
            right += 1
        else:
            print(f"{fields['iso_a2'][i]} {fields['name'][i]}: {answer}")
    print(f"{right} of {len(chosen)} right: {100 * right / len(chosen):.1f} %")


if __name__ == "__main__":
    main()
