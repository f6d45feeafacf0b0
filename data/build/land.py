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
