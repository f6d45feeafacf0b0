"""People with believable lives, by seed: the rows that `roqua push` would write for each of them.

A world has the real cities of data/packed/places.bin and invented roads between them: the same
roads for everybody, so that lives overlap. A person lives in one of the cities, drawn by
population, walks the streets around a home and a place of work, knows the country roads of the
city, and travels by road and by air to cities that attract by their size and nearness. How much
somebody travels has a long tail. A person depends only on the seed and the number.

Everything is on the grid of the default exploration radius. Positions are rows and columns of cells
in units of 1/256 cell.
"""

import dataclasses, functools, hashlib, heapq, math, pathlib, struct

import numpy as np

PLACES = pathlib.Path(__file__).resolve().parents[2] / "data" / "packed" / "places.bin"
GRID = 150_000
#: Cells in a degree, around the Earth, and tiles around the Earth.
PER_DEGREE = 222e6 / GRID
COLUMNS = -(-79_920_000_000 // GRID)
TILE_COLUMNS = -(-COLUMNS // 64)
TILE_ROWS = -(-(39_960_000_000 // GRID) // 64)
#: The width and height of a cell at the equator in kilometers, on the authalic sphere.
CELL = math.radians(1 / PER_DEGREE) * 6371.0072
#: Newly explored cells per kilometer of a straight track at the equator (docs/growth.md).
PER_KILOMETER = 53.15
CITIES, VILLAGES = 4_000, 24
#: Blocks per kilometer of a city's streets.
BLOCKS = 4
#: Share of the cells near home.
NEAR_HOME = 0.35
U64 = np.uint64


class Places:
    """The cities of data/packed/places.bin (docs/formats/geodata.md) and the nearest one."""

    def __init__(self):
        data = PLACES.read_bytes()
        sections = {}
        for index in range(struct.unpack_from("<I", data, 12)[0]):
            tag, offset, size, _ = struct.unpack_from("<4sIII", data, 32 + 16 * index)
            sections[tag.decode()] = data[offset:offset + size]
        kind = np.dtype([("x", "<i4"), ("people", "<u4"), ("y", "<u2"), ("country", "<u2"),
                         ("region", "<u2"), ("district", "<u2")])
        records = np.frombuffer(sections["PLCE"], kind)
        ends = np.frombuffer(sections["PROW"], "<u4")[1:]
        row = np.searchsorted(ends, np.arange(len(records)), side="right")
        names, at = [], 0
        for _ in range(len(records)):
            size = sections["PNAM"][at]
            names.append(sections["PNAM"][at + 1:at + 1 + size].decode())
            at += 1 + size
        # Without the parts of cities, the largest first.
        kept = np.flatnonzero(records["people"] < 1 << 31)
        kept = kept[np.argsort(-records["people"][kept].astype(np.int64), kind="stable")]
        records = records[kept]
        self.population = np.maximum(records["people"], 500).astype(float)
        self.latitude = row[kept] * 0.25 - 90 + records["y"] / 1e5
        self.longitude = records["x"] / 1e5
        self.name = [names[index] for index in kept]

        def text(offset):
            size = sections["NAME"][offset]
            return sections["NAME"][offset + 1:offset + 1 + size].decode()

        countries = {country: text(name) for country, _, name in
                     struct.iter_unpack("<HHI8x", sections["CNTR"])}
        regions = [text(struct.unpack_from("<I", sections["ADM1"], at + 12)[0]) or None
                   for at in range(0, len(sections["ADM1"]), 16)]
        country = records["country"] & 1023
        self.code = [chr(65 + number // 26) + chr(65 + number % 26) for number in country.tolist()]
        self.country = [countries.get(number) for number in country.tolist()]
        self.region = [regions[number] for number in records["region"].tolist()]
        #: A number for each city: places of a name in a country are one.
        numbers = {}
        self.city = np.array([numbers.setdefault(both, len(numbers))
                              for both in zip(self.code, self.name)])
        self.cities = list(numbers)
        # Places with the same names are one, because a place is known by them.
        numbers = {}
        self.same = np.array([numbers.setdefault(names, index) for index, names in enumerate(
            zip(self.code, self.region, self.name))], np.int32)
        self._lay_out()

    def _lay_out(self):
        """The largest place in each square of 0.1 degree, or that of a neighbor up to 80 km away.
        Farther away there is no place, as at sea."""
        nearest = np.full((1800, 3600), -1, np.int32)
        rows = np.clip(((self.latitude + 90) * 10).astype(int), 0, 1799)
        columns = ((self.longitude + 180) * 10).astype(int) % 3600
        order = np.arange(len(rows))[::-1]
        nearest[rows[order], columns[order]] = self.same[order]
        for _ in range(7):
            empty = nearest < 0
            for axis, step in ((1, 1), (1, -1), (0, 1), (0, -1)):
                np.copyto(nearest, np.roll(nearest, step, axis), where=empty & (nearest < 0))
        self.nearest = nearest

    @functools.cache
    def row(self, index):
        """The key of a place, and its row in COPY's binary format after the person."""
        columns = [None, self.name[index], None, self.region[index], None, self.country[index],
                   self.code[index]]
        hashed = b"".join(b"\1\0" if c is None else c.encode() + b"\0" for c in columns)
        key = hashlib.sha256(hashed).digest()[:8]
        fields = b"".join(
            b"\xff\xff\xff\xff" if c is None else struct.pack(">i", len(c.encode())) + c.encode()
            for c in columns)
        return int.from_bytes(key, "big", signed=True), struct.pack(">i", 8) + key + fields


class World:
    def __init__(self, seed):
        self.seed, self.places = seed, Places()
        inside = np.flatnonzero(np.abs(self.places.longitude) < 178)[:CITIES]
        self.latitude, self.longitude = self.places.latitude[inside], self.places.longitude[inside]
        self.population = self.places.population[inside]
        angles = np.radians(self.latitude), np.radians(self.longitude)
        self.unit = np.stack([np.cos(angles[0]) * np.cos(angles[1]),
                              np.cos(angles[0]) * np.sin(angles[1]), np.sin(angles[0])], axis=1)
        #: How much a city attracts visitors beyond its size.
        self.charm = self.population ** 0.5 * self._random(1).lognormal(0, 1, CITIES)
        self._connect()

    def _random(self, *numbers):
        return np.random.default_rng((self.seed, *numbers))

    def distances(self, city):
        """Kilometers from a city to all."""
        return 6371.0072 * np.arccos(np.clip(self.unit @ self.unit[city], -1, 1))

    def _connect(self):
        """Roads to the nearest three cities, and from large cities to the nearest four of these."""
        pairs = set()
        for count, neighbors, limit in ((CITIES, 3, 500), (CITIES // 8, 4, 1500)):
            for city in range(count):
                away = self.distances(city)[:count]
                for other in np.argpartition(away, neighbors)[:neighbors + 1].tolist():
                    is_apart = abs(self.longitude[city] - self.longitude[other]) < 90
                    if other != city and away[other] < limit and is_apart:
                        pairs.add((min(city, other), max(city, other), float(away[other])))
        self.roads = sorted(pairs)
        self.neighbors = [[] for _ in range(CITIES)]
        for road, (a, b, length) in enumerate(self.roads):
            self.neighbors[a].append((b, length, road))
            self.neighbors[b].append((a, length, road))

    @functools.cache
    def routes(self, home):
        """For each city within 2,500 km by road, the city before it and the road from there."""
        best, before, queue = {home: 0.0}, {}, [(0.0, home)]
        while queue:
            length, city = heapq.heappop(queue)
            if length > best[city]:
                continue
            for other, step, road in self.neighbors[city]:
                total = length + step
                if total < 2_500 and total < best.get(other, math.inf):
                    best[other], before[other] = total, (city, road)
                    heapq.heappush(queue, (total, other))
        return before

    def _path(self, start, end, generator):
        """A winding line between two positions in degrees, with a point every 110 m."""
        stretch = math.cos(math.radians((start[0] + end[0]) / 2))
        north, east = end[0] - start[0], (end[1] - start[1]) * stretch
        count = max(int(math.hypot(north, east) * PER_DEGREE * CELL / 0.11), 2)
        along = np.linspace(0, 1, count)
        waves = np.arange(1, 13)
        size = generator.normal(0, 0.05, 12) / waves ** 1.3
        aside = np.sin(np.pi * np.outer(along, waves)) @ size
        latitude = start[0] + along * north + aside * east
        longitude = start[1] + (along * east - aside * north) / stretch
        return positions(latitude, longitude)

    @functools.cache
    def road(self, number):
        a, b, _ = self.roads[number]
        return self._path((self.latitude[a], self.longitude[a]),
                          (self.latitude[b], self.longitude[b]), self._random(2, number))

    @functools.cache
    def country_roads(self, city):
        """Roads from a city to the villages around it, and from each of these to the next."""
        generator = self._random(3, city)
        angles = np.sort(generator.uniform(0, 2 * math.pi, VILLAGES))
        away = generator.uniform(8, 45, VILLAGES) / CELL / PER_DEGREE
        latitude = self.latitude[city] + away * np.sin(angles)
        longitude = self.longitude[city] + away * np.cos(angles) / math.cos(
            math.radians(self.latitude[city]))
        center, ends = (self.latitude[city], self.longitude[city]), list(zip(latitude, longitude))
        starts = [center] * VILLAGES + ends[1:] + ends[:1]
        return [self._path(a, b, generator) for a, b in zip(starts, ends * 2)]

    def walks(self, city, anchors, count, length, generator):
        """Walks on the street grid of a city. An anchor is a place in blocks from the center."""
        starts = anchors[generator.integers(len(anchors), size=count)]
        starts = starts + np.rint(generator.normal(0, 2, (count, 2))).astype(int)
        turns = generator.choice([-1, 0, 0, 0, 0, 1], size=(count, length))
        heading = (generator.integers(4, size=(count, 1)) + np.cumsum(turns, axis=1)) % 4
        east = starts[:, :1] + np.cumsum(np.array([0, 1, 0, -1])[heading], axis=1)
        north = starts[:, 1:] + np.cumsum(np.array([1, 0, -1, 0])[heading], axis=1)
        return self._streets(city, east.ravel(), north.ravel())

    def commute(self, city, home, work):
        """The way along two streets."""
        (a, b), (c, d) = home, work
        east = np.arange(min(a, c), max(a, c) + 1)
        north = np.arange(min(b, d), max(b, d) + 1)
        return self._streets(city, np.concatenate([east, np.full(len(north), c)]),
                             np.concatenate([np.full(len(east), b), north]))

    def _streets(self, city, east, north):
        """Positions of crossings. Streets have their own direction in each city."""
        angle = city * 0.618 % 1 * math.pi / 2
        up = (north * math.cos(angle) + east * math.sin(angle)) / BLOCKS / CELL
        right = (east * math.cos(angle) - north * math.sin(angle)) / BLOCKS / CELL
        stretch = math.cos(math.radians(self.latitude[city]))
        center = positions(self.latitude[city], self.longitude[city])
        crossings = np.stack([center[0] + np.rint(up * 256), center[1] + np.rint(
            right / stretch * 256)]).astype(np.int64)
        # The middle of each block; where a walk ends, the next one begins elsewhere.
        halves = crossings[:, :-1] + crossings[:, 1:] >> 1
        is_near = np.abs(np.diff(east)) + np.abs(np.diff(north)) <= 1
        return np.concatenate([crossings, halves[:, is_near]], axis=1)


def positions(latitude, longitude):
    """Rows and columns in units of 1/256 cell."""
    return np.stack([np.rint((latitude + 90) * PER_DEGREE * 256),
                     np.rint((longitude + 180) * PER_DEGREE * 256)]).astype(np.int64)


# A person

@dataclasses.dataclass
class Life:
    key: int
    name: str
    is_nearby: bool
    is_public: bool
    #: Tiles: their keys, their cells as 64 words with the western cell in the highest bit.
    tiles: np.ndarray
    bits: np.ndarray
    cells: np.ndarray
    square_meters: np.ndarray
    #: Regions: their ids, centers in 1e-7 degree, places (-1 if none), visits and hours since 2015.
    regions: np.ndarray
    latitude: np.ndarray
    longitude: np.ndarray
    place: np.ndarray
    visits: np.ndarray
    first: np.ndarray
    last: np.ndarray


def person_key(name):
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)


def name_of(number):
    return f"person {number}"


def live(world, number, cells, regions):
    """Person `number` with about so many cells and regions on average."""
    generator = np.random.default_rng((world.seed, 0, number))
    # The mean of the factor is 1. Roads that cross and walks that repeat themselves cost a quarter.
    factor = min(generator.lognormal(-0.18, 0.6), 8)
    fixes = np.concatenate(list(_travel(world, 1.33 * cells * factor, generator)), axis=1)
    # A fix deviates by 5 m from the road.
    fixes = fixes + generator.normal(0, 0.07 * 256, fixes.shape).astype(np.int64) >> 8
    codes = np.unique(fixes[0] * COLUMNS + fixes[1])
    tiles, bits = paint(codes)
    counts = np.bitwise_count(bits).astype(np.int64)
    chosen = generator.choice(codes, min(int(regions * factor), len(codes)), replace=False)
    name = name_of(number)
    return Life(
        person_key(name), name, bool(generator.random() < 0.5), bool(generator.random() < 0.8),
        tiles, bits, counts.sum(axis=1), area(tiles, counts), *_visit(world, chosen, generator))


def _travel(world, budget, generator):
    """The fixes of a life, as positions."""
    weight = world.population / world.population.sum()
    home = int(generator.choice(CITIES, p=weight))

    def cost(kilometers, latitude):
        return kilometers * PER_KILOMETER / math.cos(math.radians(latitude))

    def spread(city):
        """The radius of a city in blocks."""
        return max(BLOCKS * 9 * math.sqrt(world.population[city] / 1e6), 6)

    # Around home.
    near = NEAR_HOME * budget
    size = spread(home)
    anchors = np.rint(generator.normal(0, size / 2, (6, 2))).astype(int)
    anchors[1] //= 4  # the place of work
    anchors[2] = 0  # the center
    yield world.commute(home, anchors[0], anchors[1])
    blocks = near * 0.7 / cost(1 / BLOCKS, world.latitude[home]) * 2.5
    yield world.walks(home, anchors, max(int(blocks / 48), 1), 48, generator)
    left = near * 0.3
    country = world.country_roads(home)
    for index in generator.permutation(len(country)).tolist():
        path = country[index]
        left -= cost(path.shape[1] * 0.11, world.latitude[home])
        if left < 0:
            break
        yield path

    # Trips: by the size and nearness of a city, or by its charm, which reaches farther.
    left = budget * (1 - NEAR_HOME)
    away = world.distances(home)
    business = world.population ** 0.8 / (away + 60) ** 1.8
    holidays = world.charm / (away + 300) ** 1.2
    pull = 0.6 * business / business.sum() + 0.4 * holidays / holidays.sum()
    before, known = world.routes(home), set()
    for city in generator.choice(CITIES, 2_000, p=pull).tolist():
        at = city
        # Beyond some distance one flies.
        if away[city] < generator.uniform(400, 1_600):
            while at in before and at != home:
                at, road = before[at]
                if road not in known:
                    known.add(road)
                    path = world.road(road)
                    left -= cost(path.shape[1] * 0.11, world.latitude[at])
                    yield path
        days = generator.integers(1, 8)
        hotel = np.rint(generator.normal(0, spread(city) / 4, (2, 2))).astype(int)
        hotel[0] = 0
        yield world.walks(city, hotel, int(days), 32, generator)
        left -= cost(days * 32 / BLOCKS, world.latitude[city]) * 0.5
        if left < 0:
            return


def paint(codes):
    """The tiles and words of the cells within 150 m of some cells (ascending: row × columns of the
    grid + column)."""
    rows, columns = np.divmod(codes, COLUMNS)
    keys = (rows >> 6) * TILE_COLUMNS + (columns >> 6)
    inside = rows & 63, columns & 63
    # The neighbors that a disc can touch; 12 columns are enough up to 80 degrees.
    up = np.where(inside[0] < 2, -TILE_COLUMNS, np.where(inside[0] > 61, TILE_COLUMNS, 0))
    side = np.where(inside[1] < 12, -1, np.where(inside[1] > 51, 1, 0))
    tiles = np.unique(np.concatenate(
        [keys, *(keys[step != 0] + step[step != 0] for step in (up, side, up + side))]))
    count = len(tiles)
    # Row count is empty, for neighbors without a tile.
    bits = np.zeros((count + 1, 64), U64)
    # The codes differ, so that a sum is a union.
    np.add.at(bits.reshape(-1), np.searchsorted(tiles, keys) * 64 + inside[0],
              U64(1) << (63 - inside[1]).astype(U64))

    def neighbor(step):
        found = np.searchsorted(tiles, tiles + step)
        found[found == count] = 0
        return np.append(np.where(tiles[found] == tiles + step, found, count), count)

    west, east, south, north = (neighbor(step) for step in (-1, 1, -TILE_COLUMNS, TILE_COLUMNS))
    # A disc has a radius of two rows: half its width in columns in its own row and the next one.
    cosine = np.cos(np.radians((tiles // TILE_COLUMNS + 0.5) * 64 / PER_DEGREE - 90))
    widest = np.append(np.minimum(2 / cosine, 12).astype(int), 0)
    second = np.append(np.minimum(math.sqrt(3) / cosine, 12).astype(int), 0)
    middle, beside = bits.copy(), bits.copy()
    for step in range(1, widest.max() + 1):
        some = np.flatnonzero(widest >= step)
        own, shift, rest = bits[some], U64(step), U64(64 - step)
        both = own >> shift | own << shift | bits[west[some]] << rest | bits[east[some]] >> rest
        middle[some] |= both
        near = second[some] >= step
        beside[some[near]] |= both[near]
    for words, step in ((beside, 1), (bits, 2)):
        middle[:, step:] |= words[:, :-step]
        middle[:, :-step] |= words[:, step:]
        middle[:, :step] |= words[south][:, -step:]
        middle[:, -step:] |= words[north][:, :step]
    used = np.flatnonzero(middle[:count].any(axis=1))
    return tiles[used], middle[used]


def area(tiles, counts):
    """Square meters of tiles with these numbers of cells in each row."""
    south = np.radians(np.arange(TILE_ROWS * 64 + 1) / PER_DEGREE - 90)
    strip = np.diff(np.sin(south)) * 6371007.2 ** 2 * math.radians(1 / PER_DEGREE)
    return (counts * strip.reshape(-1, 64)[tiles // TILE_COLUMNS]).sum(axis=1)


def _visit(world, codes, generator):
    """Regions with centers in these cells."""
    rows, columns = np.divmod(codes, COLUMNS)
    shift = generator.uniform(0.2, 0.8, (2, len(codes)))
    latitude = np.rint(((rows + shift[0]) / PER_DEGREE - 90) * 1e7).astype(np.int64)
    longitude = np.rint(((columns + shift[1]) / PER_DEGREE - 180) * 1e7).astype(np.int64)
    # The geohash of nine characters: 23 bits of the longitude, 22 of the latitude, in turns.
    code = (_spread((longitude + 1_800_000_000) * 2 ** 23 // 3_600_000_000) << 0
            | _spread((latitude + 900_000_000) * 2 ** 22 // 1_800_000_000) << 1)
    order = np.argsort(code)
    latitude, longitude = latitude[order], longitude[order]
    place = world.places.nearest[(latitude + 900_000_000) // 1_000_000,
                                 (longitude + 1_800_000_000) // 1_000_000]
    visits = np.minimum(generator.zipf(2.2, len(codes)), 5_000)
    first = generator.integers(0, 95_000, len(codes))
    last = first + np.where(visits > 1, generator.integers(0, 1_000, len(codes)), 1)
    return code[order] * 256, latitude, longitude, place, visits, first, last


def _spread(number):
    """Puts the bits of a number below 2^32 at the even places."""
    for shift, mask in ((16, 0x0000FFFF0000FFFF), (8, 0x00FF00FF00FF00FF), (4, 0x0F0F0F0F0F0F0F0F),
                        (2, 0x3333333333333333), (1, 0x5555555555555555)):
        number = (number | number << shift) & mask
    return number


# Rows in COPY's binary format

HEADER, TRAILER = b"PGCOPY\n\xff\r\n\0" + bytes(8), b"\xff\xff"
TABLES = ("people", "tiles", "places", "regions")
#: Microseconds from 2000, where PostgreSQL's times begin, to 2015.
START, HOUR = 5_479 * 86_400_000_000, 3_600_000_000


def _rows(count, *columns):
    """Rows of columns (kind, value), where kind None is NULL."""
    kind = [("fields", ">i2")]
    for index, (name, _) in enumerate(columns):
        kind.append((f"s{index}", ">i4"))
        if name:
            kind.append((f"c{index}", name))
    rows = np.zeros(count, kind)
    rows["fields"] = len(columns)
    for index, (name, value) in enumerate(columns):
        rows[f"s{index}"] = np.dtype(name).itemsize if name else -1
        if name:
            rows[f"c{index}"] = value
    return rows.tobytes()


def rows(world, life):
    """The rows of a life by table, for COPY … FROM STDIN BINARY between HEADER and TRAILER."""
    count = len(life.tiles)
    bits = np.zeros(count, [("length", ">i4"), ("words", ">u8", 64)])
    bits["length"], bits["words"] = 4096, life.bits
    tiles = _rows(
        count, (">i8", life.key), (">i8", life.tiles), (">i4", GRID), (">i4", life.cells),
        (">f8", life.square_meters), (bits.dtype, bits))
    used, index = np.unique(life.place, return_inverse=True)
    keys = np.array([world.places.row(place)[0] if place >= 0 else 0 for place in used.tolist()])
    regions = b""
    for known in (True, False):
        some = np.flatnonzero((life.place >= 0) == known)
        # EWKB: little-endian, a point with an SRID, 4326.
        point = np.zeros(len(some), [("order", "u1"), ("type", "<u4"), ("srid", "<u4"),
                                     ("x", "<f8"), ("y", "<f8")])
        point["order"], point["type"], point["srid"] = 1, 0x20000001, 4326
        point["x"], point["y"] = life.longitude[some] / 1e7, life.latitude[some] / 1e7
        place = (">i8", keys[index[some]]) if known else (None, None)
        regions += _rows(
            len(some), (">i8", life.key), (">i8", life.regions[some]), (point.dtype, point), place,
            (">i4", 150), (">f8", 5), (">i8", START + HOUR * life.first[some]),
            (">i8", START + HOUR * life.last[some]), (">i8", life.visits[some]))
    start = struct.pack(">hiq", 9, 8, life.key)
    places = b"".join(start + world.places.row(p)[1] for p in used.tolist() if p >= 0)
    name = life.name.encode()
    people = (struct.pack(">hiqi", 8, 8, life.key, len(name)) + name + struct.pack(
        ">iiibibib", 4, GRID, 1, life.is_nearby, 1, life.is_public, 1, 0)
        + struct.pack(">i", 16) + hashlib.md5(name).digest() + struct.pack(">iq", 8, START))
    return {"people": people, "tiles": tiles, "places": places, "regions": regions}
