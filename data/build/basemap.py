"""The base map of map pages: land, lakes, rivers, borders, and where names of countries and regions
stand. Natural Earth (public domain): 1:10 million, lakes 1:50 million.

A page contains the body of this file as it is, and a browser draws it; so each shape is cut to
squares of 11.25 degrees, of which a tile of the map needs few, and each has the lowest zoom at
which it can be seen. ../../docs/formats/geodata.md describes the bytes.
"""

import struct
import zlib

import numpy as np
import pyogrio
import shapely

import lakes
from natural_earth import NaturalEarthCountries

VERSION = 1
CHUNK = 11.25  # degrees; 32 columns and 16 rows
COLUMNS, ROWS = 32, 16
STEPS = 1000  # steps of a degree
OVERLAP = 0.02  # degrees by which filled shapes reach into the next square, so that no seam shows
COAST, LAKE, RIVER, BORDER, REGION_BORDER = 0.005, 0.003, 0.016, 0.006, 0.016  # tolerance, degrees
SMALLEST_ISLAND = 0.00002  # square degrees, about 0.2 square kilometers
SMALLEST_REGION = 0.02  # square degrees
LAST_RIVER = 7  # of Natural Earth's ranks
LAST_REGION_BORDER = 6  # of Natural Earth's lowest zooms
NAME_PIXELS = {"country": 62, "region": 74}  # the width that a name should have in its polygon
NAME_ZOOMS = {"country": (1.6, 7), "region": (4, 9.5)}


def sections(sources):
    """The sections of basemap.bin."""
    layers = [
        _filled(_land(sources), COAST), _filled(lakes.polygons(sources.lakes.read_bytes()), LAKE),
        _lines(*_rivers(sources), RIVER), _lines(*_borders(sources), BORDER),
        _lines(*_region_borders(sources), REGION_BORDER)]
    body = encode(layers)
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    packed = compressor.compress(body) + compressor.flush()
    print(f"  base map: {len(body):,} bytes, deflated {len(packed):,}", flush=True)
    names = _country_names(sources) + _region_names(sources)
    rows = b"".join(
        struct.pack("<2sBBii", code.encode(), round(zoom * 10), 0, round(x * STEPS),
                    round(y * STEPS))
        for code, x, y, zoom in names)
    return [("BMAP", len(body), packed), ("LABL", len(names), rows)]


def encode(layers):
    """The shapes, before they are deflated. layers: for each, {square: [(rank, points)]} with
    points in steps from the square's south-western corner."""
    bytes_ = bytearray(varint(VERSION))
    for squares in layers:
        bytes_ += varint(len(squares))
        last = 0
        for square in sorted(squares):
            bytes_ += varint(square - last) + varint(len(squares[square]))
            last = square
            for rank, points in squares[square]:
                bytes_ += bytes([rank]) + varint(len(points))
                before = (0, 0)
                for point in points:
                    for axis in (0, 1):
                        bytes_ += varint(zigzag(point[axis] - before[axis]))
                    before = point
    return bytes(bytes_)


def varint(value):
    """An unsigned integer, seven bits a byte, the low ones first."""
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)


def zigzag(value):
    """A signed integer as an unsigned one: 0, -1, 1, -2, …"""
    return 2 * value if value >= 0 else -2 * value - 1


def _read(path, *columns):
    """The shapes of a file, and some columns."""
    meta, _, geometry, fields = pyogrio.raw.read(path, columns=list(columns))
    return (shapely.from_wkb(geometry),
            *(dict(zip(meta["fields"], fields))[name] for name in columns))


def _magics(sources, name):
    return sources.path("libmagics++-data", f"usr/share/magics/10m/ne_10m_{name}.shp")


def _land(sources):
    parts = shapely.get_parts(_read(sources.natural_earth_land)[0])
    return [part for part in parts if part.area > SMALLEST_ISLAND]


def _rivers(sources):
    shapes, rank, kind = _read(_magics(sources, "rivers_lake_centerlines"), "scalerank",
                               "featurecla")
    kept = (rank <= LAST_RIVER) & (kind == "River")
    return shapes[kept], np.maximum(rank[kept], 3).astype(int)


def _borders(sources):
    shapes, kind = _read(_magics(sources, "admin_0_boundary_lines_land"), "featurecla")
    kept = ~np.isin(kind, ["Overlay limit", "Lease limit", "ForgetMagics"])
    return shapes[kept], np.zeros(kept.sum(), int)


def _region_borders(sources):
    shapes, zoom = _read(_magics(sources, "admin_1_states_provinces_lines"), "min_zoom")
    kept = zoom <= LAST_REGION_BORDER
    return shapes[kept], np.maximum(np.ceil(zoom[kept]), 4).astype(int)


def _zoom_of_size(degrees):
    """The lowest zoom at which a length is a pixel of a world of 256 · 2^zoom pixels."""
    return int(np.clip(np.ceil(np.log2(360 / 256 / max(degrees, 1e-6))), 0, 255))


def _squares(bounds, overlap):
    """The squares that a box touches."""
    west, south, east, north = bounds
    for row in range(max(0, int((south + 90 - overlap) // CHUNK)),
                     min(ROWS - 1, int((north + 90 + overlap) // CHUNK)) + 1):
        for column in range(max(0, int((west + 180 - overlap) // CHUNK)),
                            min(COLUMNS - 1, int((east + 180 + overlap) // CHUNK)) + 1):
            yield row * COLUMNS + column


def _corner(square):
    return square % COLUMNS * CHUNK - 180, square // COLUMNS * CHUNK - 90


def _steps(points, square):
    """Points in steps from the square's corner, without repetitions."""
    steps = np.rint((np.asarray(points) - _corner(square)) * STEPS).astype(int)
    different = np.any(np.diff(steps, axis=0) != 0, axis=1)
    return [tuple(map(int, point)) for point in steps[np.concatenate([[True], different])]]


def _filled(polygons, tolerance):
    """Polygons by square. Outer rings turn counterclockwise, holes clockwise."""
    squares = {}
    for polygon in polygons:
        west, south, east, north = polygon.bounds
        rank = _zoom_of_size(max(east - west, north - south))
        simple = shapely.make_valid(polygon.simplify(tolerance, preserve_topology=True))
        for square in _squares(simple.bounds, OVERLAP):
            x, y = _corner(square)
            box = (x - OVERLAP, y - OVERLAP, x + CHUNK + OVERLAP, y + CHUNK + OVERLAP)
            for part in _parts(shapely.clip_by_rect(simple, *box), "Polygon"):
                turned = shapely.orient_polygons(part)
                for ring in [turned.exterior, *turned.interiors]:
                    points = _steps(ring.coords, square)[:-1]
                    if len(points) >= 3:
                        squares.setdefault(square, []).append((rank, points))
    return squares


def _lines(shapes, ranks, tolerance):
    """Lines by square."""
    squares = {}
    for shape, rank in zip(shapes, ranks):
        simple = shape.simplify(tolerance)
        for square in _squares(simple.bounds, 0):
            x, y = _corner(square)
            clipped = shapely.clip_by_rect(simple, x, y, x + CHUNK, y + CHUNK)
            for part in _parts(clipped, "LineString"):
                points = _steps(part.coords, square)
                if len(points) >= 2:
                    squares.setdefault(square, []).append((int(rank), points))
    return squares


def _parts(shape, kind):
    return [part for part in shapely.get_parts(shape) if part.geom_type == kind]


def _name_place(polygon):
    """(x, y, radius): the middle of the largest circle in a polygon, stretched as Web Mercator
    does."""
    middle = polygon.centroid.y
    stretch = 1 / max(np.cos(np.radians(middle)), 0.1)
    stretched = shapely.transform(polygon, lambda points: points * (1, stretch))
    line = shapely.maximum_inscribed_circle(stretched, tolerance=0.02)
    (x, y), _ = line.coords
    return x, y / stretch, line.length


def _name_zoom(kind, radius):
    zoom = np.log2(NAME_PIXELS[kind] * 360 / 256 / (2 * max(radius, 1e-4)))
    return float(np.clip(zoom, *NAME_ZOOMS[kind]))


def _country_names(sources):
    countries = NaturalEarthCountries(sources.natural_earth_countries)
    names = []
    for code in sorted(set(countries.codes) - {""}):
        parts = countries.parts[countries.codes == code]
        largest = max(parts, key=lambda part: part.area * np.cos(np.radians(part.centroid.y)))
        x, y, radius = _name_place(largest)
        names.append((code, x, y, _name_zoom("country", radius)))
    return names


def _region_names(sources):
    """Places for names of first-level divisions. The name is that of the geocoder at the place, so
    that it is today's where Natural Earth knows an older division."""
    geometry = pyogrio.raw.read(sources.natural_earth_regions, layer="states_provinces",
                                columns=[])[2]
    names = []
    for polygon in shapely.get_parts(shapely.from_wkb(geometry)):
        if polygon.area > SMALLEST_REGION:
            x, y, radius = _name_place(polygon)
            names.append(("", x, y, _name_zoom("region", radius)))
    return sorted(names, key=lambda name: (name[3], name[1], name[2]))
