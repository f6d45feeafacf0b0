"""Land and sea: Natural Earth's land (1:10 million, public domain). Lakes count as land."""

import numpy as np
import pyogrio
import shapely

TOLERANCE_DEGREES = 0.008


def polygons(sources):
    """Every piece of land, simplified."""
    _, _, geometry, _ = pyogrio.raw.read(sources.natural_earth_land)
    parts = shapely.get_parts(shapely.make_valid(shapely.from_wkb(geometry)))
    whole = shapely.get_parts(shapely.union_all(parts))
    order = np.lexsort((shapely.bounds(whole)[:, 1], shapely.bounds(whole)[:, 0]))
    return shapely.coverage_simplify(whole[order], TOLERANCE_DEGREES)


def far_from_land(sources, places):
    """Cells of 0.25 degree, by row from the south and column from the west, that are open ocean: no point of theirs is
    within 12 nautical miles of land.

    Land here is all that any source knows: NOAA's GLOBE at 30 arc-seconds, Natural Earth's coast, and every place.
    """
    with np.load(sources.land_raster) as raster:
        is_land = ~raster["mask"]  # rows from the north
    rows, columns = 720, 1440
    per_row, per_column = is_land.shape[0] // rows, is_land.shape[1] // columns
    known = is_land.reshape(rows, per_row, columns, per_column).any(axis=(1, 3))[::-1].copy()

    def mark(longitude, latitude):
        row = np.clip(np.floor((latitude + 90) * 4), 0, rows - 1).astype(int)
        column = np.floor((longitude + 180) * 4).astype(int) % columns
        known[row, column] = True

    _, _, geometry, _ = pyogrio.raw.read(sources.natural_earth_land)
    mark(*shapely.get_coordinates(shapely.segmentize(shapely.from_wkb(geometry), 0.1)).T)
    mark(places.longitude, places.latitude)

    near = np.zeros_like(known)
    cell = 111.195 / 4
    for row in range(rows):
        poleward = max(abs(row / 4 - 90), abs((row + 1) / 4 - 90))
        width = cell * np.cos(np.radians(min(poleward, 89.9)))
        reach = min(1 + int(22.224 / width), columns // 2)
        touched = known[max(row - 1, 0):row + 2].any(axis=0)
        for shift in range(-reach, reach + 1):
            near[row] |= np.roll(touched, shift)
    return ~near
