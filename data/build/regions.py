"""Regions: Natural Earth's first divisions (1:10 million, public domain), each told which GeoNames division it is.

A polygon is the division in which most of its people live, by the places inside it that are in its own country.
Where less than PURITY of them agree (old and new divisions differ), the polygon is marked as a guess: the
division of the nearest place is then asked first. A polygon without places is the division of its name; where
GeoNames has none of that name, it becomes a division of its own, as a guess.
"""

import difflib
import unicodedata
from collections import Counter

import numpy as np
import pyogrio
import shapely

import far_ground
from boundaries import only_polygons
from natural_earth import NaturalEarthCountries
from partition import Grid, Locator

TOLERANCE_DEGREES = 0.003
PURITY = 0.85
NO_DIVISION = {"", "00"}  # GeoNames' codes for "not told"
SAME_NAME = 0.5  # likeness from which two spellings are one name

#: Words that say what a division is and not which.
GENERIC = set(
    "region district distrikt province provincia state county parish prefecture department governorate muhafazat "
    "quarter municipality city town commune concelho castello kommune kommunia kommuneqarfik atholhu rajons novads obcina "
    "opstina raionul rayonu rayon of the de du di".split())


class Divisions:
    """Natural Earth's polygons, and what GeoNames' places in them say."""

    def __init__(self, sources, places):
        meta, _, geometry, fields = pyogrio.raw.read(
            sources.natural_earth_regions, layer="states_provinces", columns=["iso_a2", "name", "gn_name", "fips"])
        fields = dict(zip(meta["fields"], fields))
        self.places, self.country = places, list(fields["iso_a2"])
        self.names = list(zip(fields["name"], fields["gn_name"]))
        self.codes = [(fips or "")[2:] for fips in fields["fips"]]  # GeoNames' own, where the two have not parted
        parts, owner = shapely.get_parts(shapely.make_valid(shapely.from_wkb(geometry)), return_index=True)
        polygons = np.array([only_polygons(shapely.geometrycollections(parts[owner == i]))
                             for i in range(len(geometry))])
        #: Polygons of which a part is another country's: what people live in the rest may not tell.
        self.cut = set()
        for polygon in np.flatnonzero(np.array(self.country) == "MA").tolist():
            if shapely.bounds(polygons[polygon])[1] < far_ground.WESTERN_SAHARA_NORTH:
                polygons[polygon] = only_polygons(
                    shapely.clip_by_rect(polygons[polygon], -180, far_ground.WESTERN_SAHARA_NORTH, 180, 90))
                self.cut.add(polygon)
        self.countries = NaturalEarthCountries(sources.natural_earth_countries)
        self.polygons = shapely.coverage_clean(polygons, merge_strategy="min_index")
        locator = Locator(self.polygons, np.arange(1, len(polygons) + 1))
        self.inside = locator.labels_at(places.longitude, places.latitude) - 1
        self._count()
        self._name()

    def _count(self):
        """The people of each polygon's divisions. A polygon all of whose people are another country's, and of one
        division, is counted to that country: the source has France's overseas departments in France. One without
        people is counted to the country that Natural Earth's other map has there: Svalbard is Norway's in this one."""
        locator = Locator(self.countries.parts, np.arange(1, len(self.countries.parts) + 1))
        polygons = np.flatnonzero(~shapely.is_empty(self.polygons))
        middles = shapely.get_coordinates(shapely.point_on_surface(self.polygons[polygons]))
        homes = dict(zip(polygons.tolist(), locator.labels_at(*middles.T) - 1))
        everyone = [Counter() for _ in self.polygons]
        for polygon, admin1, population in zip(self.inside, self.places.admin1, self.places.population):
            if polygon >= 0:
                everyone[polygon][self.places.admin1_keys[admin1]] += max(int(population), 1)
        self.votes = []
        for polygon, counter in enumerate(everyone):
            own = Counter({key: people for key, people in counter.items() if key[0] == self.country[polygon]})
            if counter and not own:
                (key, people) = self._winner(counter)
                if people >= PURITY * sum(counter.values()) and len({country for country, _ in counter}) == 1:
                    self.country[polygon], own = key[0], counter
                else:
                    self.country[polygon] = None
            if not counter and homes.get(polygon, -1) >= 0:
                self.country[polygon] = str(self.countries.codes[homes[polygon]]) or self.country[polygon]
            self.votes.append(own)

    @staticmethod
    def _winner(counter):
        return min(counter.items(), key=lambda item: (-item[1], item[0]))

    def _name(self):
        """Says for each polygon (country, code, is a guess), or None; and names divisions that have no name yet."""
        names = self.places.admin1_names
        named_by = {}
        for polygon, counter in enumerate(self.votes):
            if counter:
                key, people = self._winner(counter)
                if key not in names and key[1] not in NO_DIVISION and people >= PURITY * sum(counter.values()):
                    named_by.setdefault(key, []).append((key[1] != self.codes[polygon], -people, polygon))
        for key, polygons in named_by.items():
            name = self.own_name(min(polygons)[-1], key[1])
            if name:
                names[key] = name

        known = {}
        for (country, code), name in names.items():
            known.setdefault((country, plain(name)), set()).add(code)
        self.keys, made = [], {}
        for polygon, counter in enumerate(self.votes):
            country = self.country[polygon]
            key, people = self._winner(counter) if counter else ((country, ""), 0)
            if key[1] not in NO_DIVISION:
                is_guess = people < PURITY * sum(counter.values()) or polygon in self.cut
                named = Counter({key: people for key, people in counter.items() if key in names})
                if key not in names:
                    key, is_guess = self._winner(named)[0] if named else None, True
                self.keys.append(key and (*key, is_guess))
                continue
            same = set().union(*(known.get((country, plain(name)), ()) for name in self.names[polygon] if name))
            name = self.own_name(polygon)
            if len(same) == 1:
                self.keys.append((country, same.pop(), False))
            elif name and len(country or "") == 2 and country.isalpha():
                code = made.setdefault((country, name), f"NE{polygon}")
                names[country, code] = name
                self.keys.append((country, code, not counter))
            else:
                self.keys.append(None)

    def own_name(self, polygon, code=""):
        """Natural Earth's name. Where it is quite another than the one it took from GeoNames, and not that of this
        code, the latter: the names of some divisions of Guyana, Eritrea and Azerbaijan are interchanged."""
        name, geonames = self.names[polygon]
        if not name or not geonames or (code and code == self.codes[polygon]):
            return name
        short, long = plain(name), plain(geonames)
        is_same = set(short.split()) <= set(long.split()) \
            or difflib.SequenceMatcher(None, short, long).ratio() >= SAME_NAME
        return name if is_same else \
            " ".join(word for word in geonames.split() if fold(word) not in GENERIC) or geonames

    def settle(self):
        """Gives each place of which GeoNames does not tell the division the one of the polygon it lies in."""
        def division(place, city):
            polygon = self.inside[place]
            key = self.keys[polygon] if polygon >= 0 else None
            is_known = city["admin1"][1] not in NO_DIVISION or not key or key[2] or key[0] != city["countrycode"]
            return city["admin1"] if is_known else key[:2]

        keys = [division(place, city) for place, city in enumerate(self.places.cities)]
        self.places.settle_divisions(self._named(keys))

    def _named(self, keys):
        """The keys; for those of which nobody knows the name, that of the nearest place of the country with a name, or
        the only one that the country has."""
        names, places = self.places.admin1_names, self.places
        is_named = np.array([key in names and key[0] == country for key, country in zip(keys, places.country)])
        vectors = far_ground.unit_vectors(places.longitude, places.latitude)
        keys = list(keys)
        for place in np.flatnonzero([key not in names for key in keys]):
            others = np.flatnonzero(is_named & (places.country == places.country[place]))
            only = [key for key in names if key[0] == places.country[place]]
            if len(others):
                keys[place] = keys[others[(vectors[others] @ vectors[place]).argmax()]]
            elif len(only) == 1:
                keys[place] = only[0]
        return keys

    def labelled(self):
        """(polygons, labels, table, fill): label 0 is no region; table[label - 1] is (country, code, is a guess); fill
        says for each cell of the partition (row, column) which label its unlabelled ground has."""
        polygons, keys = shapely.coverage_simplify(self.polygons, TOLERANCE_DEGREES), self.keys
        keep = np.array([bool(key) for key in keys]) & ~shapely.is_empty(polygons)
        filled = far_ground.fill(
            Grid(level=1), polygons[keep], [keys[i] for i in np.flatnonzero(keep)], self.places, self.countries)
        filled = {cell: (*key, True) for cell, key in filled.items()}
        table = sorted({key for key in keys if key} | set(filled.values()))
        rows = {key: row + 1 for row, key in enumerate(table)}
        labels = np.array([rows[key] if key else 0 for key in keys])
        print(f"  {len(labels)} polygons, {np.sum(labels == 0)} unmatched, {len(table)} regions, "
              f"{sum(entry[2] for entry in table)} of them guesses, {len(filled)} cells filled", flush=True)
        return polygons[keep], labels[keep], table, {cell: rows[key] for cell, key in filled.items()}


def fold(text):
    """Small letters and digits without accents."""
    letters = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in letters if letter.isalnum())


def plain(text):
    """A name without the words that say what it is the name of."""
    words = ["saint" if word == "St." else fold(word) for word in text.replace("-", " ").split()]
    return " ".join(word for word in words if word not in GENERIC) or " ".join(words)
