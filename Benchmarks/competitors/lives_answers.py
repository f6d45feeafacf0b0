"""The right answers to questions about people of lives.py, computed from their bitmaps in numpy
while the rows are sent to a database. All processes that send rows share the arrays."""

import math, mmap, multiprocessing

import numpy as np

from .lives import GRID, PER_DEGREE, TILE_COLUMNS, TILE_ROWS, area
from .tools import wrong

MINIMUM, CAPACITY = 5, 1 << 20
MERCATOR = 79_920_000_000


def shared(shape, kind=np.int64):
    """Zeros that the children of this process share. Memory is used when it is written to."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    return np.frombuffer(mmap.mmap(-1, size), kind).reshape(shape)


class Answers:
    """What some people have explored and visited."""

    def __init__(self, world, people):
        self.world, self.lock, self.used = world, multiprocessing.Lock(), shared(1)
        #: The number of a tile in the other arrays, plus 1.
        self.slots = shared(TILE_ROWS * TILE_COLUMNS, np.int32)
        self.keys, self.people, self.public = (shared(CAPACITY) for _ in range(3))
        self.union = shared((CAPACITY, 64), np.uint64)
        #: The cells that at least one, two, … of the people who agreed to it have explored.
        self.levels = [shared((CAPACITY, 64), np.uint64) for _ in range(MINIMUM)]
        cities = len(world.places.cities)
        self.cities = {name: shared(cities) for name in ("people", "regions", "visits")}
        self.sums = {name: shared(people) for name in (
            "regions", "visits", "tiles", "cells", "first", "last", "cities", "countries")}
        self.square_meters, self.keys_of = shared(people, float), shared(people)
        self.probe = float(world.latitude[0]), float(world.longitude[0])
        #: The distance to the probe in meters and the visits there, of those who agreed to it.
        self.nearest, self.near_visits = shared(people, float), shared(people)
        self.codes = np.unique(world.places.code, return_inverse=True)[1]

    def add(self, number, life):
        places = life.place[life.place >= 0]
        city = self.world.places.city[places]
        self.keys_of[number] = life.key
        self.square_meters[number] = life.square_meters.sum()
        for name, value in (
                ("regions", len(life.regions)), ("visits", life.visits.sum()),
                ("tiles", len(life.tiles)), ("cells", life.cells.sum()),
                ("first", life.first.min()), ("last", life.last.max()),
                ("cities", len(np.unique(city))),
                ("countries", len(np.unique(self.codes[places])))):
            self.sums[name][number] = value
        self.nearest[number] = math.inf
        if life.is_nearby:
            away = meters(*self.probe, life.latitude / 1e7, life.longitude / 1e7)
            self.nearest[number] = away.min()
            self.near_visits[number] = life.visits[away <= 1000].sum()
        with self.lock:
            self._add_tiles(life)
            used = np.unique(city)
            self.cities["people"][used] += 1
            np.add.at(self.cities["regions"], city, 1)
            np.add.at(self.cities["visits"], city, life.visits[life.place >= 0])

    def _add_tiles(self, life):
        new = life.tiles[self.slots[life.tiles] == 0]
        start = int(self.used[0])
        if start + len(new) > CAPACITY:
            raise SystemExit("There are too many tiles for the memory of the answers.")
        self.slots[new] = np.arange(start + 1, start + len(new) + 1)
        self.keys[start:start + len(new)] = new
        self.used[0] += len(new)
        slots = self.slots[life.tiles] - 1
        self.people[slots] += 1
        self.union[slots] |= life.bits
        if life.is_public:
            self.public[slots] += 1
            for level in range(MINIMUM - 1, 0, -1):
                self.levels[level][slots] |= self.levels[level - 1][slots] & life.bits
            self.levels[0][slots] |= life.bits

    def tiles(self, is_public=False):
        """Keys in ascending order, people and words of tiles."""
        count = int(self.used[0])
        people = (self.public if is_public else self.people)[:count]
        some = np.flatnonzero(people >= MINIMUM) if is_public else np.arange(count)
        some = some[np.argsort(self.keys[some])]
        words = self.levels[-1] if is_public else self.union
        return self.keys[some], people[some], words[some]

    def union_area(self):
        keys, _, words = self.tiles()
        return float(area(keys, np.bitwise_count(words).astype(np.int64)).sum())

    def top_cities(self, count):
        people, regions, visits = (self.cities[name] for name in ("people", "regions", "visits"))
        names = self.world.places.cities
        some = sorted(np.flatnonzero(people).tolist(),
                      key=lambda c: (-people[c], -regions[c], -visits[c], *names[c]))
        return [[*names[c], str(people[c]), str(regions[c]), str(visits[c])] for c in some[:count]]


def meters(latitude, longitude, latitudes, longitudes):
    """Distances on the ellipsoid, exact to a millimeter within a kilometer."""
    middle = np.radians((latitude + latitudes) / 2)
    a, e2 = 6378137.0, 0.0066943799901413
    w = 1 - e2 * np.sin(middle) ** 2
    north = np.radians(latitudes - latitude) * a * (1 - e2) / w ** 1.5
    east = np.radians(longitudes - longitude) * a / w ** 0.5 * np.cos(middle)
    return np.hypot(north, east)


def check_tiles(what, data, expected):
    """Compares tiles in COPY's binary format (tile, people, bits) with the expected ones."""
    kind = np.dtype([("fields", ">i2"), ("s0", ">i4"), ("tile", ">i8"), ("s1", ">i4"),
                     ("people", ">i8"), ("s2", ">i4"), ("length", ">i4"), ("words", ">u8", 64)])
    rows = np.frombuffer(data, kind, offset=19, count=(len(data) - 21) // kind.itemsize)
    keys, people, words = expected
    if len(rows) != len(keys):
        wrong(f"{what} has {len(rows):,} tiles and not {len(keys):,}")
    rows = rows[np.argsort(rows["tile"])]
    for name, found, right in (("keys", rows["tile"], keys), ("people", rows["people"], people),
                               ("cells", rows["words"], words)):
        if not np.array_equal(found, right):
            wrong(f"{what} has other {name}")


def check_picture(what, rectangles, answers, z, x, y):
    """Compares the rectangles of a vector tile with the cells or squares of tiles whose centers are
    inside it, away from its edges."""
    step = MERCATOR / 2 ** z / 4096
    has_cells = GRID / step >= 16
    side = GRID if has_cells else 64 * GRID
    while side / step < (16 if has_cells else 4):
        side *= 2
    keys, people, words = answers.tiles(is_public=True)
    expected = {}
    if has_cells:
        west, east = x * 4096 * step // side, (x + 1) * 4096 * step // side
        near = np.flatnonzero((keys % TILE_COLUMNS >= west // 64 - 1)
                              & (keys % TILE_COLUMNS <= east // 64 + 1))
        bits = np.unpackbits(words[near].astype(">u8").view(np.uint8), axis=1)
        tile, cell = np.nonzero(bits)
        row, column = np.divmod(keys[near][tile], TILE_COLUMNS)
        places = zip((row * 64 + cell // 64).tolist(), (column * 64 + cell % 64).tolist())
        expected = dict.fromkeys(places)
    else:
        row, column = np.divmod(keys, TILE_COLUMNS)
        merged = side // (64 * GRID)
        for place in zip((row // merged).tolist(), (column // merged).tolist(), people.tolist()):
            expected[place[:2]] = max(place[2], expected.get(place[:2], 0))

    def row_of(down):
        angle = math.pi * (1 - 2 * (y + down / 4096) / 2 ** z)
        return (math.degrees(math.atan(math.sinh(angle))) + 90) * 222e6 / side

    def is_inside(place):
        column = (place[1] + 0.5) * side / step - x * 4096
        return 40 < column < 4056 and row_of(4056) < place[0] + 0.5 < row_of(40)

    found = {}
    for left, top, right, bottom, properties in rectangles:
        row = math.floor(row_of((top + bottom) / 2))
        for column in range(math.floor((x * 4096 + left) * step / side + 0.5),
                            math.floor((x * 4096 + right) * step / side + 0.5)):
            found[row, column] = properties.get("people")
    found = {place: value for place, value in found.items() if is_inside(place)}
    expected = {place: value for place, value in expected.items() if is_inside(place)}
    if found != expected:
        wrong(f"{what} shows {len(found):,} squares and not {len(expected):,}, or other numbers")
