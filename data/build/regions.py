"""Regions: Natural Earth's first divisions (1:10 million, public domain), each told which GeoNames division it is.

A polygon is the division in which most of its people live, by the places inside it that are in its own country.
Where less than PURITY of them agree (old and new divisions differ), the polygon is marked as a guess: the
division of the nearest place is then asked first.
"""

from collections import Counter

import numpy as np
import pyogrio
import shapely

from boundaries import only_polygons
from partition import Locator

TOLERANCE_DEGREES = 0.003
PURITY = 0.85


def labelled(sources, places):
    """(polygons, labels, table): label 0 is no region; table[label - 1] is (country, code, is a guess)."""
    meta, _, geometry, fields = pyogrio.raw.read(
        sources.natural_earth_regions, layer="states_provinces", columns=["iso_a2", "name"])
    country = dict(zip(meta["fields"], fields))["iso_a2"]
    parts, owner = shapely.get_parts(shapely.make_valid(shapely.from_wkb(geometry)), return_index=True)
    polygons = np.array([only_polygons(shapely.geometrycollections(parts[owner == i]))
                         for i in range(len(geometry))])
    polygons = shapely.coverage_clean(polygons, merge_strategy="min_index")

    locator = Locator(polygons, np.arange(1, len(polygons) + 1))
    inside = locator.labels_at(places.longitude, places.latitude) - 1
    votes = [Counter() for _ in polygons]
    for polygon, place_country, admin1, population in zip(
            inside, places.country, places.admin1, places.population):
        if polygon >= 0 and country[polygon] == place_country:
            votes[polygon][admin1] += max(int(population), 1)

    keys = []
    for counter in votes:
        if counter:
            admin1, weight = max(counter.items(), key=lambda item: (item[1], -item[0]))
            keys.append((*places.admin1_keys[admin1], weight < PURITY * sum(counter.values())))
        else:
            keys.append(None)
    table = sorted({key for key in keys if key})
    rows = {key: row + 1 for row, key in enumerate(table)}
    labels = [rows[key] if key else 0 for key in keys]
    labels = np.array(labels)
    print(f"  {len(polygons)} polygons, {np.sum(labels == 0)} unmatched, {len(table)} regions, "
          f"{sum(entry[2] for entry in table)} of them guesses", flush=True)
    keep = labels > 0
    return shapely.coverage_simplify(polygons, TOLERANCE_DEGREES)[keep], labels[keep], table
