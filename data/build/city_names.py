"""English names of cities, as an English atlas writes them: Cologne, Ghent, Mecca.

GeoNames' main name is the English one of most large cities, but not of all. Its own list of English
names (Debian libgeonames-common, cities of 15,000 people and more) has those of the rest, and also
old names, names of districts and odd spellings. An English name is taken from it if

- more of the other English sources have that name nearby than have the main one: Natural Earth's
  populated places and airportsdata;
- it is not the main name with a word added, such as "City" or "District";
- the city was not renamed: its main name in the list of 2015 (Debian libtimezonemap-data) is not
  the English name.

Accents are no difference: Wrocław stays. The names of cities in Japan and Korea lose the endings
-shi and -si. The rest is in corrections.csv, in lines `city`.
"""

import csv
import gettext
import math

import numpy as np
import pyogrio
import shapely

from geonames import fold as folded

NEAR_DEGREES = 0.6  # about 67 km: how far a city's airfields may lie
ENDINGS = {"JP": "-shi", "KR": "-si"}
LETTERS = str.maketrans({"ł": "l", "ı": "i", "ø": "o", "đ": "d", "ð": "d", "ß": "ss", "æ": "ae"})
SUFFIXES = ("city", "town", "district", "province", "si", "shi")


class EnglishNames:
    """The English names of the places of GeoNames by number."""

    def __init__(self, sources):
        with open(sources.english_names, "rb") as file:
            catalog = gettext.GNUTranslations(file)._catalog
        self.english = {int(number): name for number, name in catalog.items() if number.isdigit()}
        rows = (line.split("\t")
                for line in open(sources.feature_codes, encoding="utf-8").read().splitlines())
        self.before = {int(row[0]): row[1] for row in rows}
        #: For each source {folded name: [(longitude, latitude)]}
        self.spots = {}, {}
        meta, _, geometry, fields = pyogrio.raw.read(
            sources.natural_earth_places, columns=["name"], encoding="cp1252")
        for name, point in zip(fields[0], shapely.get_coordinates(shapely.from_wkb(geometry))):
            self.spots[0].setdefault(fold(name or ""), []).append(point)
        with open(sources.airfields, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                self.spots[1].setdefault(fold(row["city"]), []).append(
                    (float(row["lon"]), float(row["lat"])))

    def name(self, number, country, name, longitude, latitude):
        """The English name of a place with this main name."""
        name = name.removesuffix(ENDINGS.get(country, "\n"))
        english = self.english.get(number)
        if not english or fold(english) == fold(name) or self._is_longer(fold(english), fold(name)):
            return name
        if fold(self.before.get(number, name)) == fold(english):
            return name
        votes = [self._votes(other, longitude, latitude) for other in (name, english)]
        return english if votes[1] > votes[0] else name

    @staticmethod
    def _is_longer(english, name):
        return any(english == name + suffix for suffix in SUFFIXES) \
            or english in ("cityof" + name, "boroughof" + name)

    def _votes(self, name, longitude, latitude):
        stretch = math.cos(math.radians(latitude))
        near = 0
        for spots in self.spots:
            known = np.array(spots.get(fold(name), [(1000, 1000)]))
            near += (np.hypot((known[:, 0] - longitude) * stretch, known[:, 1] - latitude).min()
                     < NEAR_DEGREES)
        return near


def fold(name):
    """Small letters and digits without accents, also of letters that Unicode does not take
    apart."""
    return folded(name.lower().translate(LETTERS))
