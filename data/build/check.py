"""Compares packed partitions with their polygons: at many seeded points, next to borders along the
edges of cells, and at every corner of a cell in each of its four cells.

The reader here is a second, slow and simple implementation of docs/formats/geodata.md; the
program's own is in Swift.
"""

import struct
import sys

import numpy as np
import shapely

from partition import BLOCK, CELL, Grid, Locator, rounded_edges

POINTS = 10_000_000
CHUNK = 500_000
SEED = 20260315
MOST_WRONG = 0.00005  # 0.005 %
BESIDE = 2  # lattice steps off a border: more than rounding moves it
MOST_WRONG_BESIDE = 0.01  # ends of a border are near other borders
WORLD_E7 = np.array([3_600_000_000, 1_800_000_000])


class PackedPartition:
    """The label of many points at once, from the sections of a partition."""

    def __init__(self, sections):
        data = {tag: content for tag, _, content in sections}
        cell_e7 = struct.unpack("<I", data["GRID"])[0]
        self.grid = Grid(1 if cell_e7 == 5_000_000 else 0)
        self.blocks = np.frombuffer(data["BLKS"], "<u2").reshape(self.grid.block_rows,
                                                                 self.grid.block_columns)
        subs = np.frombuffer(data["SUBS"], np.uint8).reshape(-1, 4 + 2 * BLOCK * BLOCK)
        self.first = np.ascontiguousarray(subs[:, :4]).view("<u4").ravel().astype(np.int64)
        self.entries = np.ascontiguousarray(subs[:, 4:]).view("<u2").astype(np.int64)
        self.offsets = np.frombuffer(data["CELL"], "<u4")
        self.edges = data["EDGE"]

    def labels_at(self, longitude, latitude):
        """Takes integers of 1e-7 degree from 180 W and 90 S."""
        size = self.grid.cell_e7
        column, row = longitude // size, latitude // size
        block = self.blocks[row // BLOCK, column // BLOCK].astype(np.int64)
        labels = block.copy()
        divided = np.flatnonzero(block >= 0x8000)
        sub = block[divided] - 0x8000
        entry = self.entries[sub, row[divided] % BLOCK * BLOCK + column[divided] % BLOCK]
        labels[divided] = entry
        mixed = np.flatnonzero(entry >= 0x8000)
        number = self.first[sub[mixed]] + entry[mixed] - 0x8000
        order = np.argsort(number, kind="stable")
        points, number = divided[mixed[order]], number[order]
        for start, end in ranges(number):
            some = points[start:end]
            labels[some] = self._in_cell(
                number[start], (longitude[some] % size) / self.grid.step_e7,
                (latitude[some] % size) / self.grid.step_e7)
        return labels

    def _in_cell(self, number, x, y):
        data = self.edges[self.offsets[number]:self.offsets[number + 1]]
        count = struct.unpack_from("<H", data)[0]
        left_edge = np.frombuffer(data, "<u2", 2 * count, 2).reshape(-1, 2).astype(np.int64)
        labels = left_edge[np.searchsorted(left_edge[:, 1], y, side="right"), 0]
        position, rows = 2 + 4 * count, []
        while position < len(data):
            left, right, length = struct.unpack_from("<HHH", data, position)
            packed = np.frombuffer(data, np.uint8, 3 * length, position + 6).reshape(
                -1, 3).astype(np.int64)
            packed = packed[:, 0] | packed[:, 1] << 8 | packed[:, 2] << 16
            chain = np.column_stack([packed & 0xFFF, packed >> 12])
            rows.append(
                np.column_stack([chain[:-1], chain[1:], np.full((length - 1, 2), (left, right))]))
            position += 6 + 3 * length
        lines = np.vstack(rows) if rows else np.zeros((0, 6), np.int64)
        lines = lines[lines[:, 1] != lines[:, 3]]
        low, high = np.minimum(lines[:, 1], lines[:, 3]), np.maximum(lines[:, 1], lines[:, 3])
        slope = (lines[:, 2] - lines[:, 0]) / (lines[:, 3] - lines[:, 1])
        beyond = np.where(lines[:, 3] > lines[:, 1], lines[:, 5], lines[:, 4])
        for i, (px, py) in enumerate(zip(x, y)):
            crossing = lines[:, 0] + (py - lines[:, 1]) * slope
            met = np.flatnonzero((low <= py) & (py < high) & (crossing <= px + 1e-9))
            if len(met):
                labels[i] = beyond[met[np.lexsort((slope[met], crossing[met]))[-1]]]
        return labels


def ranges(numbers):
    """(start, end) of each run of equal numbers."""
    starts = np.flatnonzero(np.r_[True, numbers[1:] != numbers[:-1]]) if len(numbers) else []
    return zip(starts, [*starts[1:], len(numbers)])


def check(name, sections, polygons, labels, level, extended=False, points=POINTS):
    """Stops the build if the packed partition is wrong at too many points, or at any corner of a
    cell.

    extended: areas in no polygon have labels too, and are not tested.
    """
    packed, locator, grid = PackedPartition(sections), Locator(polygons, labels), Grid(level)
    random = np.random.default_rng(SEED)
    asked = wrong = 0
    for start in range(0, points, CHUNK):
        count = min(CHUNK, points - start)
        latitude = np.degrees(np.arcsin(random.uniform(-1, 1, count)))
        longitude = random.uniform(-180, 180, count)
        one, two = compare(packed, locator, longitude, latitude, extended)
        asked, wrong = asked + one, wrong + two
    print(f"  {name}: {wrong} of {asked:,} points wrong ({100 * wrong / asked:.5f} %)", flush=True)
    edges = rounded_edges(polygons, grid)
    beside_asked = beside_wrong = 0
    for axis in (0, 1):
        along = edges[(edges[:, axis] == edges[:, axis + 2]) & (edges[:, axis] % CELL == 0)
                      & (edges[:, axis] % (WORLD_E7[axis] // grid.step_e7) != 0)]
        for part in (0.25, 0.5, 0.75):
            for side in (-BESIDE, BESIDE):
                point = along[:, :2] + part * (along[:, 2:4] - along[:, :2])
                point[:, axis] += side
                one, two = compare(packed, locator,
                                   *grid.to_degrees(point[:, 0], point[:, 1]), extended)
                beside_asked, beside_wrong = beside_asked + one, beside_wrong + two
    print(f"  {name}: {beside_wrong} of {beside_asked:,} points next to borders along edges of "
          "cells wrong", flush=True)
    corners = wrong_corners(packed, polygons, labels, grid, extended)
    for longitude, latitude, found, known in corners[:20]:
        print(f"  {name}: {longitude:.2f} {latitude:.2f}: the cells there say {found}, not {known}")
    if wrong > MOST_WRONG * asked or beside_wrong > MOST_WRONG_BESIDE * beside_asked or corners:
        sys.exit(f"{name}: the packed partition does not say what its polygons say")


def compare(packed, locator, longitude, latitude, extended):
    """The number of tested points, and how many of them have another label."""
    x, y = (np.clip(np.rint((angles + turn) * 1e7).astype(np.int64), 0, most - 1)
            for angles, turn, most in zip((longitude, latitude), (180, 90), WORLD_E7))
    truth = locator.labels_at(x / 1e7 - 180, y / 1e7 - 90)
    asked = np.flatnonzero(truth) if extended else np.arange(len(truth))
    return len(asked), int((packed.labels_at(x[asked], y[asked]) != truth[asked]).sum())


def wrong_corners(packed, polygons, labels, grid, extended, columns=None, rows=None):
    """(longitude, latitude, labels found, labels known) of the corners of cells at which one of the
    four cells has a label that no polygon within two lattice steps has. columns, rows: ranges, or
    all."""
    columns, rows = columns or range(grid.columns), rows or range(1, grid.rows)
    x, y = (lines.ravel() * grid.cell_e7 for lines in np.meshgrid(columns, rows))
    found = np.column_stack([packed.labels_at((x - west) % WORLD_E7[0], y - south)
                             for west in (0, 1) for south in (0, 1)])
    longitude, latitude = x / 1e7 - 180, y / 1e7 - 90
    truth = Locator(polygons, labels).labels_at(longitude, latitude)
    print(f"  {len(x):,} corners of cells, at {np.sum((found != found[:, :1]).any(axis=1)):,} of "
          "which cells differ", flush=True)
    unlike = np.flatnonzero((found != truth[:, None]).any(axis=1) & ~(extended & (truth == 0)))
    reach = BESIDE * grid.step_e7 / 1e7
    points = shapely.points(longitude[unlike], latitude[unlike])
    parts, owner = shapely.get_parts(polygons, return_index=True)
    point, part = shapely.STRtree(parts).query(points, predicate="dwithin", distance=reach)
    result = []
    for index, corner in enumerate(unlike.tolist()):
        near = np.sort(part[point == index])
        known = set(np.asarray(labels)[owner[near]].tolist())
        disc = shapely.buffer(points[index], reach)
        covered = shapely.union_all(shapely.intersection(parts[near], disc))
        if covered.area < 0.999 * disc.area:
            known.add(0)
        said = set(found[corner].tolist())
        if not said <= known and not (extended and 0 in known):
            result.append((longitude[corner], latitude[corner], sorted(said), sorted(known)))
    return result
