"""Natural Earth's lakes (1:50 million, public domain), as Debian's r-cran-maps contains them.

The package keeps closed lines in `lakes.L`, and the names of what they surround in `lakes.N`. All
numbers are little-endian. A head of two integers, the second the number of lines; for each line an
offset, a number of points, two numbers of neighbors and a box, 28 bytes; then the points, longitude
and latitude in radians as 32-bit floats.
"""

import struct

import numpy as np
import shapely

LINE = struct.Struct("<IIHHffff")


def polygons(lines):
    """The lakes, with their islands cut out. lines: the bytes of `lakes.L`."""
    count = struct.unpack_from("<I", lines, 4)[0]
    rings = []
    for number in range(count):
        offset, points, *_ = LINE.unpack_from(lines, 8 + LINE.size * number)
        radians = np.frombuffer(lines, "<f4", 2 * points, offset).reshape(-1, 2)
        ring = shapely.make_valid(shapely.Polygon(np.degrees(radians.astype(np.float64))))
        assert ring.area > 0, f"line {number} of the lakes is not closed"
        rings.append(ring)
    lakes = []
    # An island is a ring inside a larger one.
    for ring in sorted(rings, key=lambda ring: -ring.area):
        inside = next((i for i, lake in enumerate(lakes)
                       if lake.contains(ring.representative_point())), None)
        if inside is None:
            lakes.append(ring)
        else:
            lakes[inside] = lakes[inside].difference(ring)
    return lakes
