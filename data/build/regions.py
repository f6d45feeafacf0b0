"""Regions: Natural Earth's first divisions (1:10 million, public domain), each assigned to a
GeoNames division.

A polygon gets the division of most of the people and places inside it that are in its own country.
If several of today's divisions share it, it is divided among their places (divide.py). A polygon
without places gets the division with its name; if GeoNames has none of that name, it becomes a
separate division, as a guess: the division of the nearest place then takes precedence.
"""

import difflib
from collections import Counter

import numpy as np
import pyogrio
import shapely

import far_ground
from boundaries import only_polygons
from divide import Ground, read_airfields
from geonames import GENERIC, SAME_NAME, fold, plain
from natural_earth import NaturalEarthCountries
from partition import Grid, Locator

TOLERANCE_DEGREES = 0.003
PURITY = 0.85
SHORE_DEGREES = 0.05  # about 5 km: maximum distance of a place off the source's coast
# Countries whose places off the source's coast are not moved to it: Greenland's ice is divided
# among the places, and those on its coast would take area from the divisions next to them (0.97 %
# of the land of the world wrong, not 0.68 %).
STAY_OFF_SHORE = {"GL"}


class Divisions:
    """Natural Earth's polygons, with the divisions of GeoNames' places in them."""

    def __init__(self, sources, places):
        meta, _, geometry, fields = pyogrio.raw.read(
            sources.natural_earth_regions, layer="states_provinces",
            columns=["iso_a2", "name", "gn_name", "fips"])
        fields = dict(zip(meta["fields"], fields))
        self.places, self.country = places, list(fields["iso_a2"])
        self.names = list(zip(fields["name"], fields["gn_name"]))
        # GeoNames' own codes, unless the two differ now.
        self.codes = [(fips or "")[2:] for fips in fields["fips"]]
        parts, owner = shapely.get_parts(shapely.make_valid(shapely.from_wkb(geometry)),
                                         return_index=True)
        polygons = np.array([only_polygons(shapely.geometrycollections(parts[owner == i]))
                             for i in range(len(geometry))])
        #: Polygons of which a part belongs to another country, so that the people in the rest may
        #: not determine it.
        self.cut = set()
        for polygon in np.flatnonzero(np.array(self.country) == "MA").tolist():
            if shapely.bounds(polygons[polygon])[1] < far_ground.WESTERN_SAHARA_NORTH:
                polygons[polygon] = only_polygons(
                    shapely.clip_by_rect(polygons[polygon], -180,
                                         far_ground.WESTERN_SAHARA_NORTH, 180, 90))
                self.cut.add(polygon)
        self.countries = NaturalEarthCountries(sources.natural_earth_countries)
        self.polygons = shapely.coverage_clean(polygons, merge_strategy="min_index")
        locator = Locator(self.polygons, np.arange(1, len(polygons) + 1))
        self.inside = locator.labels_at(places.longitude, places.latitude) - 1
        self._part_islands()
        self._bring_ashore()
        self._count()
        vectors = far_ground.unit_vectors(places.longitude, places.latitude)
        keys = [places.admin1_keys[row] for row in places.admin1]
        self.ground = Ground(self.polygons, self.country, self.inside, places, keys, vectors)
        self._name(read_airfields(sources.airfields))

    def _part_islands(self):
        """Makes separate polygons of islands all of whose places are of one division that is mostly
        elsewhere: the source has Amami in Okinawa and Côn Đảo in Cần Thơ."""
        places, found = self.places, []
        keys = [places.admin1_keys[row] for row in places.admin1]
        everyone = Counter(keys)
        members = {}
        for place, polygon in enumerate(self.inside.tolist()):
            if polygon >= 0 and keys[place][1] and keys[place][0] == self.country[polygon]:
                members.setdefault(polygon, []).append(place)
        for polygon, own in sorted(members.items()):
            parts = shapely.get_parts(self.polygons[polygon])
            if len(parts) < 2 or len({keys[place] for place in own}) < 2:
                continue
            counter = Counter(keys[place] for place in own)
            most = self._winner(counter)[0]
            part = Locator(parts, np.arange(1, len(parts) + 1)).labels_at(
                places.longitude[own], places.latitude[own]) - 1
            for island in sorted(set(part.tolist()) - {-1, int(shapely.area(parts).argmax())}):
                there = {keys[place] for place, index in zip(own, part) if index == island}
                if (len(there) == 1 and most not in there
                        and 2 * counter[min(there)] < everyone[min(there)]):
                    found.append((polygon, island, parts[island]))
        for polygon, _, island in found:
            rest = [part for part in shapely.get_parts(self.polygons[polygon])
                    if not part.equals(island)]
            self.polygons[polygon] = shapely.multipolygons(rest)
            self.polygons = np.append(self.polygons, shapely.multipolygons([island]))
            self.country.append(self.country[polygon])
            self.names.append(self.names[polygon])
            self.codes.append(self.codes[polygon])
        print(f"  {len(found)} islands of another division than their polygon's", flush=True)
        locator = Locator(self.polygons, np.arange(1, len(self.polygons) + 1))
        self.inside = locator.labels_at(places.longitude, places.latitude) - 1

    def _bring_ashore(self):
        """Assigns places off the source's coast to the nearest polygon, if it belongs to their
        country; also those beyond its line of the country's border, if no place of their division
        is within the country."""
        places = self.places
        self._count_to_nearest(np.flatnonzero(self.inside < 0),
                               np.flatnonzero(~shapely.is_empty(self.polygons)))
        home = np.array([self.country[polygon] if polygon >= 0 else "" for polygon in self.inside])
        within = set(places.admin1[home == places.country].tolist())
        within |= {row for row, (_, code) in enumerate(places.admin1_keys) if not code}
        is_lost = (self.inside >= 0) & ~np.isin(places.admin1, sorted(within))
        for country in sorted(set(places.country[is_lost]) & set(filter(None, self.country))):
            own = (np.array([code == country for code in self.country])
                   & ~shapely.is_empty(self.polygons))
            self._count_to_nearest(np.flatnonzero(is_lost & (places.country == country)),
                                   np.flatnonzero(own))

    def _count_to_nearest(self, off, polygons):
        """Assigns these places to the nearest of these polygons, within SHORE_DEGREES."""
        places = self.places
        points, nearest = shapely.STRtree(self.polygons[polygons]).query_nearest(
            shapely.points(places.longitude[off], places.latitude[off]), max_distance=SHORE_DEGREES,
            all_matches=False)
        for place, polygon in zip(off[points].tolist(), polygons[nearest].tolist()):
            country = places.country[place]
            if self.country[polygon] == country and country not in STAY_OFF_SHORE:
                self.inside[place] = polygon

    def _count(self):
        """The people of each polygon's divisions. A polygon without people of its own country is
        assigned to the country of nearly all its people: the source has France's overseas
        departments in France, and Somaliland as a country. One without any people is assigned to
        the country that Natural Earth's other map has there: Svalbard belongs to Norway in this
        one."""
        locator = Locator(self.countries.parts, np.arange(1, len(self.countries.parts) + 1))
        polygons = np.flatnonzero(~shapely.is_empty(self.polygons))
        middles = shapely.get_coordinates(shapely.point_on_surface(self.polygons[polygons]))
        homes = dict(zip(polygons.tolist(), locator.labels_at(*middles.T) - 1))
        everyone = [Counter() for _ in self.polygons]
        for polygon, admin1, population in zip(self.inside, self.places.admin1,
                                               self.places.population):
            if polygon >= 0:
                everyone[polygon][self.places.admin1_keys[admin1]] += max(int(population), 1)
        for polygon, counter in enumerate(everyone):
            own = sum(people for key, people in counter.items() if key[0] == self.country[polygon])
            if counter and not own:
                others = Counter()
                for (country, _), people in counter.items():
                    others[country] += people
                country, people = self._winner(others)
                self.country[polygon] = (country
                                         if people >= PURITY * sum(counter.values()) else None)
            if not counter and homes.get(polygon, -1) >= 0:
                self.country[polygon] = (str(self.countries.codes[homes[polygon]])
                                         or self.country[polygon])
        self.is_empty = [not counter for counter in everyone]

    @staticmethod
    def _winner(counter):
        return min(counter.items(), key=lambda item: (-item[1], item[0]))

    def _name(self, airfields):
        """Returns (country, code, is a guess) for each polygon, or None, after dividing those that
        contain several divisions; and names divisions that have no name yet."""
        names, ground = self.places.admin1_names, self.ground
        known = {}
        for (country, code), name in names.items():
            known.setdefault((country, plain(name)), set()).add(code)
        polygons, keys, made = [], [], {}
        for polygon, country in enumerate(self.country):
            same = set().union(
                *(known.get((country, plain(name)), ()) for name in self.names[polygon] if name))
            pieces = {}
            if self._is_mostly_known(polygon) or (country, "*") in self.places.corrections.redrawn:
                pieces = ground.pieces(polygon, self.names[polygon], airfields[country])
            elif len(same) != 1:
                pieces = ground.by_anchors(polygon)
            if pieces:
                for key, piece in sorted(pieces.items()):
                    polygons.append(piece)
                    keys.append((*key, polygon in self.cut))
                continue
            polygons.append(self.polygons[polygon])
            name = self.own_name(polygon)
            if len(same) == 1:
                keys.append((country, same.pop(), False))
            elif name and len(country or "") == 2 and country.isalpha():
                code = made.setdefault((country, name), f"NE{polygon}")
                names.setdefault((country, code), name)
                keys.append((country, code, self.is_empty[polygon]))
            else:
                keys.append(None)
        print(f"  {len(self.polygons):,} polygons, {len(polygons):,} pieces", flush=True)
        self.polygons, self.keys = shapely.coverage_clean(np.array(polygons),
                                                          merge_strategy="min_index"), keys
        locator = Locator(self.polygons, np.arange(1, len(keys) + 1))
        self.inside = locator.labels_at(self.places.longitude, self.places.latitude) - 1

    def _is_mostly_known(self, polygon):
        """Whether most of a polygon's people live in known divisions."""
        ground, known = self.ground, 0
        for place in np.flatnonzero(ground.inside == polygon) if polygon in ground.members else []:
            if self.places.country[place] == self.country[polygon]:
                known += (int(ground.people[place]) if ground.keys[place][1]
                          else -int(ground.people[place]))
        return known > 0

    def own_name(self, polygon, code=""):
        """Natural Earth's name. If it differs a lot from the name that it took from GeoNames, and
        is not the name of this code, the latter: the names of some divisions of Guyana, Eritrea and
        Azerbaijan are swapped."""
        name, geonames = self.names[polygon]
        if not name or not geonames or (code and code == self.codes[polygon]):
            return name
        short, long = plain(name), plain(geonames)
        is_same = set(short.split()) <= set(long.split()) \
            or difflib.SequenceMatcher(None, short, long).ratio() >= SAME_NAME
        return name if is_same else \
            " ".join(word for word in geonames.split() if fold(word) not in GENERIC) or geonames

    def settle(self):
        """Gives each place whose division GeoNames does not have the division of the polygon it is
        in."""
        def division(place, city):
            polygon = self.inside[place]
            key = self.keys[polygon] if polygon >= 0 else None
            own = self.ground.keys[place]
            is_known = own[1] or not key or key[2] or key[0] != city["countrycode"]
            return own if is_known else key[:2]

        keys = [division(place, city) for place, city in enumerate(self.places.cities)]
        self.places.settle_divisions(self._named(keys))

    def _named(self, keys):
        """The keys; for those without a known name, the nearest place's of the country with a name,
        or the country's only one."""
        names, places = self.places.admin1_names, self.places
        is_named = np.array(
            [key in names and key[0] == country for key, country in zip(keys, places.country)])
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

    def labeled(self):
        """(polygons, labels, table, fill): label 0 means no region; table[label - 1] is (country,
        code, is a guess); fill maps each cell of the partition (row, column) to the label of its
        unlabeled area."""
        polygons, keys = shapely.coverage_simplify(self.polygons, TOLERANCE_DEGREES), self.keys
        keep = np.array([bool(key) for key in keys]) & ~shapely.is_empty(polygons)
        filled = far_ground.fill(
            Grid(level=1), polygons[keep], [keys[i] for i in np.flatnonzero(keep)], self.places,
            self.countries)
        filled = {cell: (*key, True) for cell, key in filled.items()}
        table = sorted({key for key in keys if key} | set(filled.values()))
        rows = {key: row + 1 for row, key in enumerate(table)}
        labels = np.array([rows[key] if key else 0 for key in keys])
        print(f"  {len(labels)} polygons, {np.sum(labels == 0)} unmatched, {len(table)} regions, "
              f"{sum(entry[2] for entry in table)} of them guesses, {len(filled)} cells filled",
              flush=True)
        return (polygons[keep], labels[keep], table,
                {cell: rows[key] for cell, key in filled.items()})
