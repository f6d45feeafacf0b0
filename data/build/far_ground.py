"""Assigns areas that are in no division's polygon and far from every place to the nearest named
division of the country.

Territorial waters, islands that Natural Earth does not have, and areas that it assigns to another
country are in no polygon of their country's divisions. Within 50 km of a place the reader uses that
place's division. Farther away, each cell of the partition gets one division as a guess: its country
is the one that most of the cell's unlabeled points are in or nearest to; its division is the
nearest one of that country, by polygons and by places.
"""

from collections import Counter, defaultdict

import numpy as np
import shapely

from partition import CELL, Locator

SAMPLES = 4  # points on a side of a cell
REACH_DEGREES = 2.0  # from a point to its country: 12 nautical miles at 84 degrees of latitude
COUNTRY_TOLERANCE_DEGREES = 0.02
STEP_DEGREES = 0.25  # the maximum distance between points of a division's outline
WESTERN_SAHARA_NORTH = 27.667  # docs/decisions/disputed-areas.md: Morocco ends at this parallel
CHUNK = 200  # cells whose distances are in memory at once


def unit_vectors(longitude, latitude):
    """Points of the unit sphere: the nearer of two has the larger scalar product."""
    east, north = np.radians(longitude), np.radians(latitude)
    return np.column_stack([np.cos(north) * np.cos(east), np.cos(north) * np.sin(east),
                            np.sin(north)])


def cell_countries(grid, locator, countries):
    """(row, column) of each cell with an unlabeled area near a country, and that country."""
    parts = shapely.simplify(countries.parts, COUNTRY_TOLERANCE_DEGREES)
    inside, tree = Locator(parts, np.arange(1, len(parts) + 1)), shapely.STRtree(parts)
    offsets = (np.arange(SAMPLES) + 0.5) / SAMPLES * CELL
    found = {}
    for row in range(grid.rows):
        x, y = np.meshgrid((np.arange(grid.columns) * CELL)[:, None] + offsets,
                           row * CELL + offsets)
        longitude, latitude = (angles.ravel() for angles in grid.to_degrees(x, y))
        column = np.tile(np.repeat(np.arange(grid.columns), SAMPLES), SAMPLES)
        free = locator.labels_at(longitude, latitude) == 0
        longitude, latitude, column = longitude[free], latitude[free], column[free]
        part = inside.labels_at(longitude, latitude) - 1
        sea = np.flatnonzero(part < 0)
        points, nearest = tree.query_nearest(
            shapely.points(longitude[sea], latitude[sea]), max_distance=REACH_DEGREES,
            all_matches=False)
        part[sea[points]] = nearest
        votes = defaultdict(Counter)
        for cell, index in zip(column[part >= 0], part[part >= 0]):
            country = str(countries.codes[index])
            if country == "MA" and grid.to_degrees(0, row * CELL)[1] < WESTERN_SAHARA_NORTH - 0.25:
                country = "EH"
            if country:
                votes[int(cell)][country] += 1
        for cell, counter in votes.items():
            found[row, cell] = min(counter.items(), key=lambda item: (-item[1], item[0]))[0]
    return found


def fill(grid, polygons, keys, places, countries):
    """The key (country, code) for the unlabeled area of each cell: {(row, column): key}."""
    names = places.admin1_names
    known = defaultdict(lambda: ([], []))  # country: coordinates, keys
    for polygon, key in zip(polygons, keys):
        if key[:2] in names:
            points = shapely.get_coordinates(shapely.segmentize(polygon, STEP_DEGREES))
            known[key[0]][0].append(points)
            known[key[0]][1].extend([key[:2]] * len(points))
    for city in places.cities:
        if city["admin1"] in names and city["admin1"][0] == city["countrycode"]:
            known[city["countrycode"]][0].append(np.array([[city["longitude"], city["latitude"]]]))
            known[city["countrycode"]][1].append(city["admin1"])
    by_country = defaultdict(list)
    for cell, country in cell_countries(grid, Locator(polygons, np.ones(len(polygons))),
                                        countries).items():
        if country in known:
            by_country[country].append(cell)
    filled = {}
    for country, cells in sorted(by_country.items()):
        coordinates, divisions = np.vstack(known[country][0]), known[country][1]
        targets = unit_vectors(coordinates[:, 0], coordinates[:, 1])
        for start in range(0, len(cells), CHUNK):
            some = np.array(cells[start:start + CHUNK])
            center = grid.to_degrees((some[:, 1] + 0.5) * CELL, (some[:, 0] + 0.5) * CELL)
            nearest = (unit_vectors(*center) @ targets.T).argmax(axis=1)
            filled.update(
                {tuple(cell): divisions[index] for cell, index in zip(some.tolist(), nearest)})
    return filled
