"""Land and sea: Natural Earth's land (1:10 million, public domain). Lakes count as land; the
Caspian is a sea.

Its coast is up to a kilometer off, and reclaimed land is missing, so one place in 70 would be in
the sea. Every place is made land: around those places a disc is land, as large as the place, at
least for LEAST_POPULATION and at most MOST_GROUND_KILOMETERS.
"""

import math

import numpy as np
import pyogrio
import shapely

from partition import Locator
from places import DENSITY, LEAST_POPULATION

TOLERANCE_DEGREES = 0.008
LARGEST_LAKE_SQUARE_DEGREES = 20  # Michigan and Huron are 14, the Caspian Sea is 43
OCEAN_TOLERANCE_DEGREES = 0.008
TERRITORIAL_SEA_METERS = 22_224  # 12 nautical miles
METERS_PER_DEGREE = 111_195.0
BAND_DEGREES = 0.5
MOST_GROUND_KILOMETERS = 0.5
ANTARCTIC_SEA_SOUTH = -60  # boundaries.py draws the waters south of this itself


def polygons(sources, places):
    """Every piece of land, simplified, and the areas of the places off the coast."""
    land = shapely.coverage_simplify(_sorted(_land(sources)), TOLERANCE_DEGREES)
    is_at_sea = Locator(land, np.ones(len(land))).labels_at(places.longitude, places.latitude) == 0
    ground = [_ground(*place) for place in zip(
        places.longitude[is_at_sea], places.latitude[is_at_sea], places.population[is_at_sea])]
    print(f"  {len(ground):,} places off the land", flush=True)
    return _sorted(shapely.get_parts(shapely.union_all(np.concatenate([land, ground]))))


def _sorted(parts):
    bounds = shapely.bounds(parts)
    return parts[np.lexsort((bounds[:, 1], bounds[:, 0]))]


def _ground(longitude, latitude, population):
    """An octagon of about the size of a place."""
    radius = min(math.sqrt(max(population, LEAST_POPULATION) / (DENSITY * math.pi)),
                 MOST_GROUND_KILOMETERS)
    degrees = radius * 1000 / METERS_PER_DEGREE
    stretch = math.cos(math.radians(latitude))
    disc = shapely.transform(shapely.buffer(shapely.Point(0, 0), degrees, quad_segs=2),
                             lambda points: points / [stretch, 1] + [longitude, latitude])
    return shapely.clip_by_rect(disc, -180, -90, 180, 90)


def _land(sources):
    """Every piece of land. The source excludes large lakes from it: their shores are removed."""
    _, _, geometry, _ = pyogrio.raw.read(sources.natural_earth_land)
    parts = shapely.get_parts(
        shapely.union_all(shapely.get_parts(shapely.make_valid(shapely.from_wkb(geometry)))))
    filled = [shapely.Polygon(part.exterior, [ring for ring in part.interiors
                                              if shapely.Polygon(ring).area
                                              > LARGEST_LAKE_SQUARE_DEGREES])
              for part in parts]
    return shapely.get_parts(shapely.union_all(np.array(filled)))


def open_ocean(sources, countries, places):
    """The sea farther than 12 nautical miles from land, without the Antarctic one, as one geometry.

    Land here is the land of any source: Natural Earth's coast and its countries' islands, NOAA's
    GLOBE at 30 arc-seconds, and every place. Distances are computed in narrow bands of latitude,
    each with one length of a degree of longitude: within about 1 %. The outline is simplified by
    OCEAN_TOLERANCE_DEGREES.
    """
    coast = _coast(sources, countries, places)
    tree = shapely.STRtree(coast)
    reach = TERRITORIAL_SEA_METERS / METERS_PER_DEGREE
    near, south = [], ANTARCTIC_SEA_SOUTH
    while south < 90:
        height = BAND_DEGREES if abs(south) < 60 else BAND_DEGREES / 2
        stretch = math.cos(math.radians(min(abs(south + height / 2), 89)))
        found = coast[np.sort(
            tree.query(shapely.box(-360, south - reach, 360, south + height + reach)))]
        found = shapely.clip_by_rect(found, -360, south - 1.1 * reach, 360,
                                     south + height + 1.1 * reach)
        found = shapely.transform(found[~shapely.is_empty(found)],
                                  lambda points: points * [stretch, 1])
        grown = shapely.union_all(shapely.buffer(found, reach, quad_segs=8))
        grown = shapely.transform(grown, lambda points: points / [stretch, 1])
        near.append(shapely.clip_by_rect(grown, -180, south, 180, south + height))
        south += height
    near = shapely.union_all(np.array(near), grid_size=1e-6)
    ocean = shapely.difference(shapely.box(-180, ANTARCTIC_SEA_SOUTH, 180, 90), near)
    return shapely.simplify(ocean, OCEAN_TOLERANCE_DEGREES)


def _coast(sources, countries, places):
    """Polygons of Natural Earth's land, and points for land that only the other sources have; land
    near the antimeridian is also included on its other side."""
    parts = shapely.simplify(_land(sources), OCEAN_TOLERANCE_DEGREES / 2)
    with np.load(sources.land_raster) as raster:
        is_land = ~raster["mask"]  # rows from the north
    rows, columns = is_land.shape
    step = 180 / rows
    drawn = np.zeros_like(is_land)  # Natural Earth's coast, two cells wide
    x, y = shapely.get_coordinates(shapely.segmentize(parts, step)).T
    row = np.clip(((90 - y) / step).astype(int), 0, rows - 1)
    column = ((x + 180) / step).astype(int) % columns
    for up in (-1, 0, 1):
        for right in (-1, 0, 1):
            drawn[np.clip(row + up, 0, rows - 1), (column + right) % columns] = True
    inner = is_land[1:-1] & is_land[:-2] & is_land[2:]
    inner &= np.roll(is_land, 1, axis=1)[1:-1] & np.roll(is_land, -1, axis=1)[1:-1]
    is_land[1:-1] &= ~inner  # only the coast
    row, column = np.nonzero(is_land & ~drawn)
    islands = shapely.get_coordinates(countries.parts[shapely.area(countries.parts) < 0.1])
    x = np.r_[(column + 0.5) * step - 180, islands[:, 0], places.longitude]
    y = np.r_[90 - (row + 0.5) * step, islands[:, 1], places.latitude]
    is_new = Locator(parts, np.ones(len(parts))).labels_at(x, y) == 0
    points = shapely.points(x[is_new], y[is_new])
    print(f"  {len(points):,} points of land off Natural Earth's", flush=True)
    coast = np.concatenate([parts, points])
    bounds = shapely.bounds(coast)
    east, west = coast[bounds[:, 2] > 179], coast[bounds[:, 0] < -179]
    return np.concatenate([
        coast, shapely.transform(east, lambda points: points - [360, 0]),
        shapely.transform(west, lambda points: points + [360, 0])])
