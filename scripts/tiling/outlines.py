"""Polygons as other programs read them, compared with the explored cells."""

import json
import math

import numpy

from browsing.checking import require
from browsing.slowlook import COLUMNS, ROWS, STEP

#: Meters of half the Web Mercator map.
HALF = math.pi * 6_378_137


def mercator(latitude):
    """Position on the map of a unit square, from the north."""
    return (1 - math.asinh(math.tan(math.radians(latitude))) / math.pi) / 2


def rings(geometry):
    """All rings of a polygon or of several."""
    kind, coordinates = geometry["type"], geometry["coordinates"]
    require(kind in ("Polygon", "MultiPolygon"), f"a shape is a {kind}")
    return [ring for one in ([coordinates] if kind == "Polygon" else coordinates) for ring in one]


def points_of_cells(days):
    """Centers of explored cells, and of their neighbors that are not; without cut ones.

    The map ends at 85.05°, and a tile has no buffer across ±180°: cells there may be cut.
    """
    inside, outside = [], set()
    for row, column in days:
        inside.append((row, column))
        for other in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            if other not in days:
                outside.add(other)

    def centers(cells):
        found = []
        for row, column in cells:
            latitude = float((row + 0.5) * float(STEP) - 90)
            longitude = float((column + 0.5) * float(STEP) - 180)
            if abs(latitude) < 85.05 and 1 < column < COLUMNS - 2 and 0 <= row < ROWS:
                found.append((longitude / 360 + 0.5, mercator(latitude)))
        return numpy.array(found)

    return centers(inside), centers(sorted(outside))


def crossings(shape_rings, points):
    """How many edges of the rings are left of each point: odd means inside."""
    counts = numpy.zeros(len(points), int)
    for ring in shape_rings:
        ring = numpy.asarray(ring, float)[:, :2]
        low, high = ring.min(axis=0), ring.max(axis=0)
        near = numpy.nonzero(
            (points[:, 1] >= low[1]) & (points[:, 1] <= high[1]) & (points[:, 0] >= low[0]))[0]
        for (x1, y1), (x2, y2) in zip(ring[:-1], ring[1:]):
            if y1 == y2:
                continue
            y = points[near, 1]
            crosses = (y1 <= y) != (y2 <= y)
            x = x1 + (y - y1) * (x2 - x1) / (y2 - y1)
            counts[near] += crosses & (x < points[near, 0])
    return counts


def require_cells(shape_rings, days, what):
    """Fails unless the centers of the explored cells, and no others, are in the shapes."""
    inside, outside = points_of_cells(days)
    missing = int((crossings(shape_rings, inside) == 0).sum())
    require(missing == 0, f"{what}: {missing} of {len(inside)} explored cells are in no shape")
    wrong = int((crossings(shape_rings, outside) % 2).sum())
    require(wrong == 0, f"{what}: {wrong} of {len(outside)} unexplored neighbors are in a shape")
    return f"{len(inside):,} explored cells inside, {len(outside):,} neighbors outside"


def of_geojson(path):
    """The rings of a GeoJSON file in meters of Web Mercator, on the unit square."""
    document = json.loads(path.read_text())
    found = []
    for feature in document["features"]:
        for ring in rings(feature["geometry"]):
            found.append([(x / HALF / 2 + 0.5, 0.5 - y / HALF / 2) for x, y, *_ in ring])
    return found


def of_degrees(features):
    """The rings of features in degrees, on the unit square."""
    return [
        [(x / 360 + 0.5, mercator(y)) for x, y, *_ in ring]
        for feature in features
        for ring in rings(feature["geometry"])
    ]
