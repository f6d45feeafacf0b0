"""Checks the explored area as dissolved discs with shapely and SpatiaLite."""

import math

import numpy
import shapely
import shapely.affinity

from browsing import world
from browsing.checking import require
from exports import files
from exports.reference import features

EARTH = 6_371_007.2
RADIUS = 150
#: Four times as many corners as the discs that Roqua writes.
CORNERS = 256


def disc(longitude, latitude):
    """A disc around a center as a polygon in degrees, divided at ±180°."""
    angle, south = RADIUS / EARTH, math.radians(latitude)
    bearings = numpy.linspace(0, 2 * math.pi, CORNERS, endpoint=False)
    north = numpy.arcsin(
        math.sin(south) * math.cos(angle)
        + math.cos(south) * math.sin(angle) * numpy.cos(bearings))
    east = numpy.arctan2(
        numpy.sin(bearings) * math.sin(angle) * math.cos(south),
        math.cos(angle) - math.sin(south) * numpy.sin(north))
    whole = shapely.Polygon(zip(longitude + numpy.degrees(east), numpy.degrees(north)))
    for turn in (-360, 0, 360):
        part = shapely.affinity.translate(whole, turn)
        west, _, end, _ = part.bounds
        if west >= -180 and end <= 180:
            yield part
        elif end > -180 and west < 180:
            yield part.intersection(shapely.box(-180, -90, 180, 90))


def square_meters(shape):
    """The area on the sphere: that of the shape on an equal-area cylindrical map."""
    flat = shapely.transform(shape, lambda points: numpy.column_stack(
        (numpy.radians(points[:, 0]), numpy.sin(numpy.radians(points[:, 1])))))
    return flat.area * EARTH ** 2


def holes(polygons):
    """The holes of polygons that are larger than a thousandth of a disc, the largest first."""
    areas = [
        square_meters(shapely.Polygon(ring)) for polygon in polygons for ring in polygon.interiors]
    return sorted((area for area in areas if area > math.pi * RADIUS ** 2 / 1000), reverse=True)


def export(store, folder):
    """The polygons of a store, and its area as it is written: of a SpatiaLite database that
    SpatiaLite finds right, and of lines with the same features."""
    folder.mkdir()
    reference = folder / "reference"
    reference.mkdir()
    lines = reference / "coverage.geojsonl"
    for path in (lines, folder / "discs.sqlite"):
        store.run("export", str(path), "--only", "coverage", "--discs")
    said = files.check(folder / "discs.sqlite", reference)
    found = features(lines)
    polygons = [shapely.geometry.shape(feature["geometry"]) for feature in found]
    for polygon, feature in zip(polygons, found):
        require(polygon.is_valid, f"{shapely.is_valid_reason(polygon)} in {feature['properties']}")
        require(polygon.exterior.is_ccw, f"the outer ring of {feature['properties']} is clockwise")
        require(feature["properties"]["cells"] is None, "dissolved discs have a number of cells")
        meters, stated = square_meters(polygon), feature["properties"]["area_square_kilometers"]
        # Edges that are straight in degrees are not quite straight on the other map.
        require(abs(meters / 1e6 / stated - 1) < 1e-6, f"{meters} m² in a polygon of {stated} km²")
    return polygons, said


def check(store, reference, folder):
    """The discs of a store are those around its fixes, as shapely dissolves them."""
    polygons, said = export(store, folder)
    # The fixes of a flight explore nothing.
    centers = {
        tuple(feature["geometry"]["coordinates"])
        for feature in features(reference / "fixes.geojsonl")
        if not feature["properties"]["flight"]}
    expected = shapely.union_all([part for center in centers for part in disc(*center)])
    found = shapely.union_all(polygons)
    area = square_meters(expected)
    total = sum(square_meters(polygon) for polygon in polygons)
    require(abs(total / square_meters(found) - 1) < 1e-9, "polygons overlap")
    # A disc with 64 corners is 0.16 % smaller than its circle; of centers nearer to each other than
    # 7 m, one is written.
    require(abs(total / area - 1) < 0.005, f"{total} m² instead of {area} m²")
    missing = square_meters(expected.difference(found)) / area
    require(missing < 0.005, f"{missing:.3%} of the discs are missing")
    more = square_meters(found.difference(expected)) / area
    # The corners where two discs meet are on their circles, outside of the polygons made here.
    require(more < 1e-4, f"{more:.6%} are in no disc")
    wanted, shown = holes(shapely.get_parts(expected)), holes(polygons)
    for one, other in zip(wanted, shown):
        require(abs(one - other) < 0.02 * one + 1500, f"a hole of {other} m² instead of {one} m²")
    require(abs(len(wanted) - len(shown)) <= 0.02 * len(wanted),
            f"{len(shown)} holes instead of {len(wanted)}")
    return (f"{len(polygons)} polygons with {len(shown)} holes, {total / 1e6:.3f} km²; {said}")


def check_hole(roqua, folder):
    """A walk around a lake is one polygon with one hole, whose area is that of a circle."""
    headings = [10 * step for step in range(40)]
    store = world.Store(roqua, folder, {"lake": world.track("2021-06-01", 60, 25, headings)})
    polygons, _ = export(store, folder / "files")
    require(len(polygons) == 1, f"{len(polygons)} polygons")
    found = holes(polygons)
    require(len(found) == 1, f"{len(found)} holes")
    # Steps of 90 m that turn by 10° are the sides of a polygon with 36 sides.
    across = 90 / 2 / math.sin(math.radians(5)) - RADIUS
    expected = math.pi * across ** 2
    require(abs(found[0] / expected - 1) < 0.05, f"a hole of {found[0]} m² instead of {expected}")
    return f"one hole of {found[0]:.0f} m²"
