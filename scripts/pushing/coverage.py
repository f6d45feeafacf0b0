"""Explored cells as sets of bits: from a coverage file (docs/formats/coverage.md) and from SQL."""

from syncing.device import require
from syncing.sealed import varint


def tile(data, place):
    """The bits of a tile as a number, whose bit 64 * row + column is a cell."""
    kind, place = data[place], place + 1
    rows = []
    if kind == 2:
        for row in range(64):
            rows.append(int.from_bytes(data[place + 8 * row:place + 8 * row + 8], "little"))
        place += 512
    else:
        require(kind == 1, f"a tile of kind {kind}")
        differing, place, last = int.from_bytes(data[place:place + 8], "little"), place + 8, 0
        for row in range(64):
            if differing >> row & 1:
                last, ends = 0, False
                while not ends:
                    column, ends = data[place] & 127, data[place] >= 128
                    # All cells from this column on change.
                    last ^= (1 << 64) - (1 << column) if column < 64 else 0
                    place += 1
            rows.append(last)
    return sum(row << 64 * number for number, row in enumerate(rows)), place


def of_file(path):
    """The tiles of a coverage file by their keys."""
    data = path.read_bytes()
    require(data[:4] == b"RQCV", "no coverage file")
    place, key, tiles = 10, -1, {}
    while True:
        step, place = varint(data, place)
        if step == 0:
            break
        key += step
        tiles[key], place = tile(data, place)
    count, place = varint(data, place)
    cells, place = varint(data, place)
    require(
        count == len(tiles) and cells == sum(bits.bit_count() for bits in tiles.values())
        and place == len(data) - 4, "the coverage file was read badly")
    return tiles


def of_store(owner):
    path = owner.folder / "explored.rqcv"
    owner.run("coverage", "--export", path, "--force")
    return of_file(path)


def of_database(database, condition="true"):
    """What any of some people explored."""
    tiles = {}
    for line in database.lines(
        f"SELECT tile, bit_or(bits) FROM roqua.tiles WHERE {condition} GROUP BY tile"
    ):
        key, text = line.split("|")
        tiles[int(key)] = int(text[::-1], 2)
    return tiles


def union(one, other):
    return {key: one.get(key, 0) | other.get(key, 0) for key in one.keys() | other.keys()}


def without(one, other):
    """The cells of one that the other has not."""
    left = {key: bits & ~other.get(key, 0) for key, bits in one.items()}
    return {key: bits for key, bits in left.items() if bits}


def cells(tiles):
    return sum(bits.bit_count() for bits in tiles.values())
