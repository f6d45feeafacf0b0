"""Checks Parquet datasets of people: every row of every file against the stores."""

import dataclasses
import hashlib
import json
import math

import pyarrow
import pyarrow.parquet

from browsing import world
from browsing.checking import require
from exports.stores import rows
from pushing import coverage

#: The Earth in units of which a cell has as many as its radius has millimeters.
AROUND, TO_POLE = 79_920_000_000, 39_960_000_000
ROWS_IN_GROUP = 4_096

INTEGER, REAL, TEXT = pyarrow.int64(), pyarrow.float64(), pyarrow.string()
TIME = pyarrow.timestamp("ms", "UTC")
PERSON = {"person": INTEGER, "name": TEXT, "grid_mm": INTEGER}
TILES = {"person": INTEGER, "tile": INTEGER, "cells": INTEGER, "square_meters": REAL,
         "bits": pyarrow.binary()}
NAMES = ("quarter", "city", "district", "region_name", "region_code", "country", "country_code")
REGIONS = {"person": INTEGER, "tile": INTEGER, "region": INTEGER, "latitude": REAL,
           "longitude": REAL, "radius_m": INTEGER, "accuracy_m": REAL, "first_time": TIME,
           "last_time": TIME, "visit_count": INTEGER, **dict.fromkeys(NAMES, TEXT)}
COLUMNS = {"tiles": TILES, "regions": REGIONS}

STORED_REGIONS = """
SELECT r.id AS region, latitude_e7, longitude_e7, radius AS radius_m,
  CASE typeof(accuracy) WHEN 'integer' THEN accuracy / 10.0 ELSE accuracy END AS accuracy_m,
  start_ms AS first_time, end_ms AS last_time, visit_count, quarter, city, district,
  p.region AS region_name, region_code, country, country_code
FROM regions AS r LEFT JOIN places AS p ON p.id = r.place_id"""


@dataclasses.dataclass
class Grid:
    """The grid of an exploration radius in millimeters."""

    millimeters: int

    @property
    def rows(self):
        return -(-TO_POLE // self.millimeters)

    @property
    def columns(self):
        return -(-AROUND // self.millimeters)

    @property
    def tile_columns(self):
        return -(-self.columns // 64)

    def tile(self, latitude_e7, longitude_e7):
        row = (latitude_e7 + 900_000_000) * 222 // (10 * self.millimeters)
        column = (longitude_e7 + 1_800_000_000) * 222 // (10 * self.millimeters)
        row, column = min(row, self.rows - 1), min(column, self.columns - 1)
        return row // 64 * self.tile_columns + column // 64

    def prefix(self, tile):
        return f"r{tile // self.tile_columns // 256}c{tile % self.tile_columns // 256}"

    def area(self, tile, bits):
        """The square meters of some cells of a tile, on the authalic sphere, cell by cell."""
        total = 0
        for bit in range(4_096):
            if bits >> bit & 1:
                row = tile // self.tile_columns * 64 + bit // 64
                column = tile % self.tile_columns * 64 + bit % 64
                south, north = (
                    math.radians(edge / 222e6) for edge in (
                        row * self.millimeters, min((row + 1) * self.millimeters, TO_POLE)))
                west, east = column * self.millimeters, min((column + 1) * self.millimeters, AROUND)
                width = math.radians((east - west) / 222e6)
                # South and north are counted from the south pole.
                height = 2 * math.sin((south + north) / 2) * math.sin((north - south) / 2)
                total += 6_371_007.2 ** 2 * width * height
        return total


class Person:
    """A person with a store, and what the dataset of the person must have."""

    def __init__(self, name, store):
        self.name, self.store = name, store
        digest = hashlib.sha256(name.encode()).digest()
        self.key = int.from_bytes(digest[:8], "big", signed=True)
        settings = json.loads(store.run("settings", "--json"))
        self.grid = Grid(round(settings["explorationRadiusMeters"] * 1_000))
        #: The cells of each tile; bit 64 * row + column of a number is a cell.
        self.cells = {
            tile["key"]: coverage.tile(tile["bits"], 0)[0]
            for tile in rows(store.path, "SELECT * FROM coverage_tiles")}
        self.tiles = [
            {"person": self.key, "tile": tile, "cells": bits.bit_count(),
             "square_meters": self.grid.area(tile, bits), "bits": in_bytes(bits)}
            for tile, bits in sorted(self.cells.items())]
        self.regions = sorted(
            (self.region(row) for row in rows(store.path, STORED_REGIONS)), key=order)

    def region(self, row):
        latitude, longitude = row.pop("latitude_e7"), row.pop("longitude_e7")
        return row | {
            "person": self.key, "tile": self.grid.tile(latitude, longitude),
            "latitude": latitude / 1e7, "longitude": longitude / 1e7}

    def export(self, folder):
        self.store.run(
            "export", str(folder / self.name), "--format", "parquet-dataset", "--person", self.name)


def in_bytes(bits):
    """Cells as the bytes of a dataset: the first cell is the most significant bit."""
    return int(f"{bits:04096b}"[::-1], 2).to_bytes(512, "big")


def order(row):
    return row["tile"], row["person"], row.get("region", 0)


def everybody(roqua, folder, lives):
    """People with datasets in a folder: the lives, five friends, and one with a coarse grid."""
    tracks = world.tracks()
    walks = [name for name in tracks if name.startswith("walk")]
    known = {"anna": lives["samples"], "bob": lives["life"]}
    for number, name in enumerate(("Zoë", "李 雷", "dora", "emil", "o'neil")):
        own = ("vienna", *walks[:number], "lisbon" if number % 2 else "north")
        known[name] = world.Store(
            roqua, folder / f"store-{number}", {track: tracks[track] for track in own})
    coarse = world.Store(roqua, folder / "store-coarse", {"vienna": tracks["vienna"]})
    coarse.run("settings", "explorationRadiusMeters", "400")
    known["coarse"] = coarse
    # More regions in one square than a row group has rows.
    lines = [turn for line in range(50) for turn in (*[90 + 180 * (line % 2)] * 99, 0)]
    known["marco"] = world.Store(roqua, folder / "store-marco", {
        "lines": world.track("2023-05-01", 36, -40, lines, meters=200, seconds=60)})
    people = [Person(name, store) for name, store in known.items()]
    (folder / "people").mkdir()
    for person in people:
        person.export(folder / "people")
    return people


def partitions(found, kind):
    """The expected rows of each folder of a dataset."""
    result = {}
    for person in found:
        for row in getattr(person, kind):
            folder = (f"{kind}/grid_mm={person.grid.millimeters}"
                      f"/tile_prefix={person.grid.prefix(row['tile'])}")
            result.setdefault(folder, []).append(row)
    return {folder: sorted(rows, key=order) for folder, rows in result.items()}


def check_files(people, folder):
    """Each file of each dataset has the rows of its store, and no others are there."""
    files = count = 0
    for person in people:
        base = folder / "people" / person.name
        wanted = {"person.parquet": (PERSON, [
            {"person": person.key, "name": person.name, "grid_mm": person.grid.millimeters}])}
        for kind, columns in COLUMNS.items():
            for part, found in partitions([person], kind).items():
                wanted[f"{part}/{kind}.parquet"] = (columns, found)
        paths = {str(path.relative_to(base)) for path in base.rglob("*") if path.is_file()}
        require(paths == set(wanted), f"{person.name}: the files {paths ^ set(wanted)}")
        for path, (columns, found) in wanted.items():
            check_file(base / path, columns, found)
            count += len(found)
        files += len(wanted)
    return f"{len(people)} people, {files} files, {count} rows equal"


def check_file(path, columns, wanted):
    """A file as the tool writes it."""
    file = pyarrow.parquet.ParquetFile(path, page_checksum_verification=True)
    schema = {field.name: field.type for field in file.schema_arrow}
    require(schema == columns and list(schema) == list(columns), f"{path}: the columns {schema}")
    table = file.read()
    require_rows(path, table.to_pylist(), wanted)
    for number in range(file.metadata.num_row_groups):
        group, values = file.metadata.row_group(number), file.read_row_group(number)
        require(group.num_rows <= ROWS_IN_GROUP, f"{path}: a group of {group.num_rows} rows")
        for column in (group.column(index) for index in range(group.num_columns)):
            name, found = column.path_in_schema, column.statistics
            require(column.compression == "GZIP", f"{path}: {name} is {column.compression}")
            if name == "tile" or found is not None and found.has_min_max:
                known = [value for value in values[name].to_pylist() if value is not None]
                require(
                    found is not None and found.has_min_max
                    and (found.min, found.max) == (min(known), max(known)),
                    f"{path}: the range of {name} in group {number}")


def require_rows(path, found, wanted, is_sorted=True):
    """The rows equal the wanted ones, and are sorted by tile."""
    require(len(found) == len(wanted), f"{path}: {len(found)} rows instead of {len(wanted)}")
    if "tile" in wanted[0]:
        keys = [row["tile"] for row in found]
        require(not is_sorted or keys == sorted(keys), f"{path} is not sorted by tile")
        found = sorted(found, key=order)
    for one, other in zip(found, wanted):
        for name in one:
            value, expected = plain(one[name]), other[name]
            same = (
                math.isclose(value, expected, rel_tol=1e-9) if name == "square_meters"
                else value == expected)
            require(same, f"{path}: {name} is {value!r} instead of {expected!r}, in {one}")


def plain(value):
    """A time in milliseconds since 1970; any other value as it is."""
    return round(value.timestamp() * 1_000) if hasattr(value, "timestamp") else value


def check_rewritten(people, folder, kind, is_sorted=True):
    """A dataset that a query has made of everybody's: the same rows in the same partitions."""
    wanted = partitions(people, kind)
    found = {}
    for path in sorted(folder.rglob("*.parquet")):
        file = pyarrow.parquet.ParquetFile(path)
        schema = file.schema_arrow
        require(schema.names == list(COLUMNS[kind]), f"{path}: the columns {schema.names}")
        zones = {field.type.tz for field in schema if pyarrow.types.is_timestamp(field.type)}
        require(zones <= {"UTC"}, f"{path}: the time zones {zones}")
        part = f"{kind}/{path.parent.relative_to(folder)}"
        found.setdefault(part, []).extend(file.read().to_pylist())
    require(set(found) == set(wanted), f"{folder}: the partitions {set(found) ^ set(wanted)}")
    for part, own in found.items():
        require_rows(folder.parent / part, own, wanted[part], is_sorted)
