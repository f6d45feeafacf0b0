#!/usr/bin/env python3
"""Checks a GeoJSON file: scripts/exports/geojson.py FILE REFERENCE_FOLDER

Checks every rule of RFC 7946 that a program can check, compares all features with the reference,
and has GDAL (ogrinfo, and geopandas with pyogrio) read the file. A file with several layers states
the layer of each feature. Needs `pip install geopandas pyogrio shapely`.
"""

import json

import geopandas
import pandas
import shapely

import textfiles
from textfiles import same


def unique(pairs):
    """An object whose members have different names."""
    members = dict(pairs)
    assert len(members) == len(pairs), f"a member is repeated: {[name for name, _ in pairs]}"
    return members


def number(text):
    """A number in the form that positions have, and others may have."""
    if "e" not in text.lower():
        assert not text.endswith("0"), f"{text} has a zero at its end"
    return float(text)


def parse(text):
    def constant(name):
        raise AssertionError(f"{name} is no JSON")

    return json.loads(
        text, object_pairs_hook=unique, parse_float=number, parse_constant=constant)


def check_position(position, where):
    same(len(position), 2, f"{where}, numbers of a position")
    x, y = position
    assert -180 <= x <= 180 and -90 <= y <= 90, f"{where}: {position} is out of range"
    same([round(x, 9), round(y, 9)], [x, y], f"{where}, digits")


def doubled_area(ring):
    """Twice the area inside a ring; negative if it runs clockwise."""
    x, y = ring[0]
    corners = [(one[0] - x, one[1] - y) for one in ring]
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, corners[1:]))


def check_geometry(geometry, where):
    """RFC 7946, 3.1 and 4."""
    same(set(geometry), {"type", "coordinates"}, f"{where}, members of the geometry")
    kind, coordinates = geometry["type"], geometry["coordinates"]
    assert kind in ("Point", "LineString", "Polygon"), f"{where}: {kind}"
    rings = {"Point": [[coordinates]], "LineString": [coordinates], "Polygon": coordinates}[kind]
    for ring in rings:
        for position in ring:
            check_position(position, where)
    if kind == "LineString":
        assert len(coordinates) >= 2, f"{where}: a line of {len(coordinates)} positions"
    if kind == "Polygon":
        for index, ring in enumerate(coordinates):
            assert len(ring) >= 4, f"{where}: a ring of {len(ring)} positions"
            same(ring[-1], ring[0], f"{where}, the end of a ring")
            direction = doubled_area(ring)
            assert (direction > 0) == (index == 0), f"{where}: ring {index} runs the wrong way"


def features(path):
    """The features of a file of either form."""
    text = path.read_bytes().decode("utf-8")
    assert not text.startswith("\ufeff"), "the file begins with a byte order mark"
    if text.startswith('{"type":"FeatureCollection"'):
        collection = parse(text)
        same(set(collection), {"type", "features"}, "members of the collection")
        return collection["features"]
    assert not text or text.endswith("\n"), "the last line has no end"
    assert "\x1e" not in text, "the file has record separators"
    return [parse(line) for line in text.split("\n")[:-1]]


def moment(value):
    """A moment that pandas or the reference states, as milliseconds."""
    return int(pandas.Timestamp(value).value // 1_000_000)


def check_table(path, expected):
    """geopandas has the same geometries and values."""
    table = geopandas.read_file(path, engine="pyogrio")
    same(len(table), len(expected), "rows of geopandas")
    same(table.crs.to_epsg(), 4326, "reference system of geopandas")
    wanted = shapely.from_geojson([json.dumps(one["geometry"]) for one in expected])
    equal = shapely.equals_exact(table.geometry.values, wanted, 0)
    assert equal.all(), f"geopandas has {int((~equal).sum())} other geometries"
    for name in sorted({name for one in expected for name in textfiles.properties(one)}):
        for index, (found, feature) in enumerate(zip(table[name], expected)):
            value = feature["properties"].get(name)
            if value is None:
                assert pandas.isna(found), f"row {index}, {name}: {found!r} instead of nothing"
            elif isinstance(found, pandas.Timestamp):
                same(moment(found), moment(value), f"row {index}, {name}")
            else:
                same(found, value, f"row {index}, {name}")


def check(path, reference):
    found = features(path)
    layers = sorted({one["properties"].get("layer") for one in found} - {None})
    expected = []
    if layers:
        for name in dict.fromkeys(one["properties"]["layer"] for one in found):
            for one in reference[name]:
                named = {"layer": name, **one["properties"]}
                expected.append({**one, "properties": named})
    else:
        expected = reference[path.stem.split("-")[-1]]
    same(len(found), len(expected), "features")
    for index, (one, wanted) in enumerate(zip(found, expected)):
        where = f"feature {index}"
        same(set(one), {"type", "properties", "geometry"}, f"{where}, members")
        same(one["type"], "Feature", where)
        check_geometry(one["geometry"], where)
        same(one["properties"], wanted["properties"], where)
        if layers:
            same(next(iter(one["properties"])), "layer", f"{where}, the first property")
        same(one["geometry"]["type"], wanted["geometry"]["type"], where)
        same(one["geometry"]["coordinates"],
             textfiles.rounded(wanted["geometry"]["coordinates"]), where)
        if "times" in one["properties"]:
            same(len(one["properties"]["times"]), len(one["geometry"]["coordinates"]),
                 f"{where}, times")
    textfiles.quiet("ogrinfo", "-al", path)
    if found:
        check_table(path, expected)
    return (f"{len(found)} features follow RFC 7946 and equal the reference; "
            "ogrinfo and geopandas read them")


if __name__ == "__main__":
    textfiles.run(check)
