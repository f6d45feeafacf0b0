"""Divides polygons that contain several of today's divisions among the places in them.

Natural Earth has many divisions as they were ten or twenty years ago: eleven provinces of DR Congo,
eight of Kenya. Such a polygon is cut into the areas nearest to each of its places, at any distance,
and each piece becomes the division of its place. So the polygon's own outline stays, and only lines
that the source does not have follow the places. Airfields are used in addition to places, because
they are where few people live.
"""

import csv
import difflib
from collections import Counter, defaultdict

import numpy as np
import shapely

from boundaries import only_polygons
from geonames import plain

KILOMETERS_PER_DEGREE = 111.195
EARTH_KILOMETERS = 6371.0072
LINK_KILOMETERS = 60  # places farther from their division and each other have a wrong code
DEEP_KILOMETERS = 20  # nearer to its own area, a place may be in a neighbor's polygon
BEYOND_KILOMETERS = 5  # farther from its own area, a place needs neighbors of its own division
NEIGHBORS = 8
MOVED_PLACES = 3  # as many places deep in a neighbor's polygon mean that the border has moved
SHARE = 0.15  # of a polygon's people and places: at least this makes a division count there
SAME_AIRFIELD_NAME = 0.8
LEAST_TOWN = 1_000  # people
DENSITY = 5_000  # people per square kilometer of a town's area
TOWN_LIMIT_KILOMETERS = 10


class Ground:
    """The divisions in each polygon. Polygons are identified by number, divisions by (country,
    code)."""

    def __init__(self, polygons, countries, inside, places, keys, vectors):
        self.polygons, self.places, self.keys, self.vectors = polygons, places, list(keys), vectors
        self.inside, self.countries = inside, countries
        self.people = np.maximum(places.population, 1)
        self.members = defaultdict(list)
        for place, (polygon, key) in enumerate(zip(inside, self.keys)):
            if polygon >= 0 and key[1] and key[0] == countries[polygon]:
                self.members[int(polygon)].append(place)
        self.shares = {polygon: self._shares(members) for polygon, members in self.members.items()}
        self.winner = {polygon: least(shares) for polygon, shares in self.shares.items()}
        # Where a division has the most people and places, or most of its people.
        self.homes = defaultdict(set)
        for polygon, key in self.winner.items():
            self.homes[key].add(polygon)
        where = defaultdict(Counter)
        for polygon, members in self.members.items():
            for place in members:
                where[self.keys[place]][polygon] += int(self.people[place])
        for key, counter in where.items():
            if key not in self.homes:
                self.homes[key].add(least(counter))
        self.beyond = defaultdict(list)  # places whose division's own area is elsewhere
        self.sure = set()  # places whose code only the table of corrections keeps
        self.guests = {polygon: self._guests(polygon) for polygon in sorted(self.members)}
        places.corrections.check_sure(self.sure)

    def _shares(self, members):
        """The mean of a division's share of a polygon's people and of its places: either alone may
        be miscoded."""
        shares, people = Counter(), self.people[members].sum()
        for place in members:
            shares[self.keys[place]] += (self.people[place] / people + 1 / len(members)) / 2
        return shares

    def _kilometers(self, place, polygons):
        """The distance from a place to the nearest of these polygons."""
        return KILOMETERS_PER_DEGREE * shapely.length(self._way(place, polygons))

    def _way(self, place, polygons):
        """The shortest line from a place to these polygons, in degrees of latitude."""
        stretch = np.cos(np.radians(self.places.latitude[place]))
        point = shapely.Point(self.places.longitude[place] * stretch, self.places.latitude[place])
        lines = [shapely.shortest_line(point, shapely.transform(
            self.polygons[polygon], lambda points: points * [stretch, 1])) for polygon in polygons]
        return min(lines, key=shapely.length)

    def _guests(self, polygon):
        """The divisions whose own area is elsewhere and that have an area here too. Excludes places
        with a wrong code: those far from all others of their division, and those scattered among
        another's."""
        groups, found = defaultdict(list), set()
        for place in self.members[polygon]:
            if polygon not in self.homes[self.keys[place]]:
                groups[self.keys[place]].append(place)
        for key, members in sorted(groups.items()):
            self.beyond[polygon] += members
            depth = np.array([self._kilometers(place, self.homes[key]) for place in members])
            reached = depth <= LINK_KILOMETERS
            apart = (np.arccos(np.clip(self.vectors[members] @ self.vectors[members].T, -1, 1))
                     * EARTH_KILOMETERS)
            grown = reached | (apart[:, reached] <= LINK_KILOMETERS).any(axis=1)
            while (grown != reached).any():
                reached, grown = grown, grown | (apart[:, grown] <= LINK_KILOMETERS).any(axis=1)
            deep = [place for place, is_near, far in zip(members, reached, depth)
                    if is_near and far > DEEP_KILOMETERS]
            is_many = len(deep) >= MOVED_PLACES or self.shares[polygon][key] >= SHARE
            is_sure = any(self.places.cities[place]["geonameid"] in self.places.corrections.places
                          for place in members)
            if is_sure or is_many and self._is_together(key, members):
                found.add(key)
            lost = [] if is_sure else [place for place, is_near in zip(members, reached)
                                       if not is_near]
            if key not in found:
                lost += [place for place, far in zip(members, depth)
                         if far > BEYOND_KILOMETERS and not self._is_among_own(place, polygon)]
            if len(deep) >= MOVED_PLACES and key not in found:
                lost = members
            for place in lost:
                number = self.places.cities[place]["geonameid"]
                if number in self.places.corrections.sure:
                    self.sure.add(number)
                elif number:  # the places of supplement.csv have none, and are where they say
                    self.keys[place] = (key[0], "")
        return found

    def _known_places(self, country):
        """The places of a country whose division is known."""
        return np.flatnonzero((self.places.country == country)
                              & np.array([bool(key[1]) for key in self.keys]))

    def _is_among_own(self, place, polygon):
        """Whether a place in another division's polygon has more neighbors of its own division than
        of that polygon's."""
        others = self._known_places(self.keys[place][0])
        others = others[others != place]
        nearest = others[np.argsort(-(self.vectors[others] @ self.vectors[place]),
                                    kind="stable")[:NEIGHBORS]]
        there = Counter(self.keys[other] for other in nearest)
        return there[self.keys[place]] > there[self.winner[polygon]]

    def _is_together(self, key, members):
        """Whether most of these places have a place of their own division as the nearest neighbor.
        """
        others, near = self._known_places(key[0]), 0
        for place in members:
            product = self.vectors[others] @ self.vectors[place]
            product[others == place] = -2
            near += self.keys[others[product.argmax()]] == key
        return 2 * near > len(members)

    def divisions(self, polygon):
        """The divisions that share a polygon."""
        return {key for key in {self.keys[place] for place in self.members[polygon]}
                if key[1] and polygon in self.homes[key]} | self.guests[polygon] \
            | {self.winner[polygon]}

    def pieces(self, polygon, names, airfields):
        """{key: polygon} of a polygon. names: the source's names of it; airfields: [(longitude,
        latitude, name of the division)] of the country."""
        shape, country, corrections = (self.polygons[polygon], self.countries[polygon],
                                       self.places.corrections)
        anchors = self._anchors(polygon)
        if {(country, "*"), (country, names[0])} & corrections.redrawn:
            everywhere = corrections.anchors.get(country, [])
            return divided(shape, self._points(np.flatnonzero(self.places.country == country))
                           + everywhere)
        keys = self.divisions(polygon)
        if ((country, names[0]) in corrections.whole
                or len(keys | {anchor[2] for anchor in anchors}) == 1):
            pieces = {self.winner[polygon]: shape}
        else:
            points = ([point for point in self._points(self.members[polygon]) if point[2] in keys]
                      + anchors)
            if sum(polygon in self.homes[key] for key in keys) > 1:
                points += self._airfields(shape, keys, names, airfields)
            pieces = divided(shape, points)
        return self._with_towns(polygon, pieces)

    def by_anchors(self, polygon):
        """{key: polygon} of a polygon without known places, from the anchors in the table of
        corrections."""
        anchors = self._anchors(polygon)
        return divided(self.polygons[polygon], anchors) if anchors else {}

    def _anchors(self, polygon):
        known = self.places.corrections.anchors.get(self.countries[polygon], [])
        return [anchor for anchor in known
                if shapely.contains_xy(self.polygons[polygon], *anchor[:2])]

    def _airfields(self, shape, keys, names, airfields):
        """The airfields of a polygon with the divisions of their names. Those with the polygon's
        own name are excluded: they may mean the old division."""
        old, found = {plain(name) for name in names if name}, []
        called = {key: plain(self.places.admin1_names[key]) for key in sorted(keys)}
        for x, y, name in airfields:
            like = {key: difflib.SequenceMatcher(None, plain(name), other).ratio()
                    for key, other in called.items()}
            best = max(sorted(like), key=like.get)
            if (like[best] >= SAME_AIRFIELD_NAME and plain(name) not in old
                    and shapely.contains_xy(shape, x, y)):
                found.append((x, y, best))
        return found

    def _with_towns(self, polygon, pieces):
        """The pieces, with the areas of towns whose division is beyond the polygon's coarse
        outline: an octagon about as large as the town, and what is between it and its division if
        that is near; both limited by the nearest other places."""
        towns = [place for place in self.beyond[polygon]
                 if self.keys[place][1] and self.keys[place] not in pieces
                 and self.people[place] >= LEAST_TOWN]
        if not towns:
            return pieces
        cells = divided(self.polygons[polygon], [
            (self.places.longitude[place], self.places.latitude[place], place)
            for place in self.members[polygon]])
        grounds = defaultdict(list)
        for place in sorted(set(towns) & set(cells)):
            x, y = self.places.longitude[place], self.places.latitude[place]
            town = disc(x, y,
                        min(np.sqrt(self.people[place] / (DENSITY * np.pi)), TOWN_LIMIT_KILOMETERS))
            way = self._way(place, self.homes[self.keys[place]])
            if KILOMETERS_PER_DEGREE * shapely.length(way) <= BEYOND_KILOMETERS:
                start, end = shapely.get_coordinates(way)
                east, north = (end - start) / [np.cos(np.radians(y)), 1]
                moved = shapely.transform(town, lambda points: points + [east, north])
                town = shapely.convex_hull(shapely.union(town, moved))
            grounds[self.keys[place]].append(shapely.intersection(town, cells[place]))
        taken = shapely.union_all([ground for own in grounds.values() for ground in own])
        grown = {key: only_polygons(shapely.difference(piece, taken))
                 for key, piece in pieces.items()}
        grown.update({key: only_polygons(shapely.union_all(own))
                      for key, own in sorted(grounds.items())})
        return grown

    def _points(self, places):
        return [(self.places.longitude[place], self.places.latitude[place], self.keys[place])
                for place in places if self.keys[place][1]]


def least(counter):
    """The key with the highest count; the first one of several."""
    return min(counter.items(), key=lambda item: (-item[1], item[0]))[0]


def disc(x, y, kilometers):
    """An octagon around a point."""
    stretch = np.cos(np.radians(y))
    return shapely.transform(shapely.buffer(shapely.Point(0, 0), kilometers / KILOMETERS_PER_DEGREE,
                                            quad_segs=2),
                             lambda points: points / [stretch, 1] + [x, y])


def divided(polygon, points):
    """The pieces of a polygon, {key: polygon}: each area belongs to the nearest of these points
    (longitude, latitude, key). Two points at one position count once."""
    middle = shapely.get_coordinates(shapely.centroid(polygon))[0, 1]
    stretch = max(np.cos(np.radians(middle)), 0.01)
    known = {}
    for x, y, key in points:
        known.setdefault((round(x * stretch, 6), round(y, 6)), key)
    keys = list(known.values())
    flat = shapely.transform(polygon, lambda points: points * [stretch, 1])
    spots = shapely.points(np.array(list(known)))
    cells = shapely.get_parts(
        shapely.voronoi_polygons(shapely.multipoints(spots), extend_to=shapely.envelope(flat)))
    cell, spot = shapely.STRtree(spots).query(cells, predicate="contains")
    owned = defaultdict(list)
    for index, owner in zip(cell.tolist(), spot.tolist()):
        owned[keys[owner]].append(cells[index])
    pieces = {}
    for key, own in sorted(owned.items()):
        piece = only_polygons(shapely.intersection(shapely.union_all(own), flat))
        if not piece.is_empty:
            pieces[key] = shapely.transform(piece, lambda points: points / [stretch, 1])
    return pieces


def read_airfields(path):
    """{country: [(longitude, latitude, name of the division)]}"""
    found = defaultdict(list)
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["subd"].strip():
                found[row["country"]].append((float(row["lon"]), float(row["lat"]), row["subd"]))
    return found
