"""Compares the layers of an export with the store itself, which SQLite reads."""

import json
import math
import sqlite3

from browsing.checking import require
from exports.reference import features


def rows(path, query):
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(query)]


def check(path, reference):
    """Regions, visits and kept fixes, one by one."""
    regions = rows(path, "SELECT * FROM visited_regions ORDER BY id")
    found = features(reference / "regions.geojsonl")
    require(len(found) == len(regions), f"{len(found)} regions instead of {len(regions)}")
    names = ("id", "radius", "timestamp_start", "timestamp_end", "visit_count", "city", "country",
             "country_code", "geohash", "accuracy")
    for feature, region in zip(found, regions):
        position = feature["geometry"]["coordinates"]
        require(position == [region["longitude"], region["latitude"]], f"the position of {region}")
        for name in names:
            require(
                feature["properties"][name] == region[name],
                f"{name}: {feature['properties'][name]} instead of {region[name]}")

    visits = rows(path, "SELECT region_id, start_ms, end_ms FROM visits WHERE start_ms NOTNULL "
                        "ORDER BY region_id, start_ms")
    found = features(reference / "visits.geojsonl")
    require(len(found) == len(visits), f"{len(found)} visits instead of {len(visits)}")
    for feature, visit in zip(found, visits):
        columns = feature["properties"]
        minutes = (visit["end_ms"] - visit["start_ms"]) / 60_000
        require(columns["region_id"] == visit["region_id"], f"the region of {visit}")
        require(abs(columns["minutes"] - minutes) < 1e-9, f"the minutes of {visit}")

    sources = {row["id"]: row for row in rows(path, "SELECT * FROM source_summary")}
    counts = {number: 0 for number in sources}
    fixes = features(reference / "fixes.geojsonl")
    for fix in fixes:
        counts[fix["properties"]["source_id"]] += 1
    for number, count in counts.items():
        require(count == sources[number]["kept"], f"{count} fixes of source {number}")
    return f"{len(regions)} regions, {len(visits)} visits and {len(fixes)} fixes"


def rings(feature):
    return feature["geometry"]["coordinates"]


def area(ring, height):
    """The area of a ring, positive counterclockwise, with a height for each latitude."""
    return sum(
        one[0] * height(other[1]) - other[0] * height(one[1])
        for one, other in zip(ring, ring[1:])) / 2


def check_areas(store, reference):
    """The polygons together have as many cells and as large an area as the store says.

    On an equal-area cylindrical projection the sides of cells stay straight, so the area of each
    polygon can be computed without a geometry library.
    """
    stated = json.loads(store.run("stats", "--json"))
    step = stated["settings"]["explorationRadiusMeters"] / 2 / 111_000 if "settings" in stated \
        else 75 / 111_000
    radius = 6371.0072
    cells = square = 0
    for feature in features(reference / "coverage.geojsonl"):
        own = sum(area(ring, lambda latitude: latitude) for ring in rings(feature)) / step ** 2
        count = feature["properties"]["cells"]
        require(abs(own - count) < 1e-6 * count, f"{own} cells in a polygon of {count}")
        kilometers = math.radians(radius ** 2 * sum(
            area(ring, lambda latitude: math.sin(math.radians(latitude)))
            for ring in rings(feature)))
        said = feature["properties"]["area_square_kilometers"]
        require(abs(kilometers - said) < 1e-6 * said, f"{kilometers} km² in a polygon of {said}")
        cells += count
        square += kilometers
    require(cells == stated["cells"], f"{cells} cells instead of {stated['cells']}")
    whole = stated["areaSquareKilometers"]
    require(abs(square - whole) < 1e-6 * whole, f"{square} km² instead of {whole}")
    return f"{cells} cells, {square:.3f} km²"
