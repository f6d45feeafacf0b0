#!/usr/bin/env python3
"""Checks a CSV file of one layer: scripts/exports/csv_table.py FILE REFERENCE_FOLDER

The name of the file ends with the name of its layer: `regions.csv`, `life-regions.csv`. Python's
csv and DuckDB must read the same values as the reference has, shapely the same geometries, and
ogrinfo must not warn. Needs `pip install duckdb shapely`. (A file `csv.py` would hide Python's
csv.)
"""

import csv
import json

import duckdb
import shapely

import textfiles
from textfiles import same

#: The largest row that DuckDB is asked to take: a polygon of millions of corners is one.
ROW_BYTES = 1 << 30


def text(value):
    """A value as the file has it; nothing for a missing one."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else None


def check_value(found, value, where):
    wanted = text(value)
    if wanted is None:  # a number
        same(float(found), float(value), where)
        assert not found.endswith(".0"), f"{where}: {found}"
    else:
        same(found, wanted, where)


def check_row(names, row, feature, where):
    """A row of texts has the values and the geometry of a feature."""
    geometry = feature["geometry"]
    coordinates = textfiles.rounded(geometry["coordinates"])
    if geometry["type"] == "Point":
        same([float(one) for one in row[:2]], coordinates, f"{where}, position")
        names, row = names[2:], row[2:]
    else:
        found = json.loads(shapely.to_geojson(shapely.from_wkt(row[-1])))
        same(found, {"type": geometry["type"], "coordinates": coordinates}, f"{where}, geometry")
        names, row = names[:-1], row[:-1]
    values = textfiles.properties(feature)
    same((len(row), set(names)), (len(values), set(values)), f"{where}, columns")
    for name, value in zip(names, row):
        check_value(value, values[name], f"{where}, {name}")


def check(path, reference):
    expected = reference[path.stem.split("-")[-1]]
    content = path.read_bytes()
    assert not content.startswith(b"\xef\xbb\xbf"), "the file begins with a byte order mark"
    assert content.endswith(b"\n") and not content.endswith(b"\r\n"), "rows end with more than LF"
    csv.field_size_limit(ROW_BYTES)
    with open(path, encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file, strict=True)
    same(len(rows), len(expected), "rows")
    if expected:
        is_point = expected[0]["geometry"]["type"] == "Point"
        found = names[:2] if is_point else names[-1:]
        same(found, ["longitude", "latitude"] if is_point else ["geometry"], "columns of positions")
    for index, (row, feature) in enumerate(zip(rows, expected)):
        check_row(names, row, feature, f"row {index}")
    table = duckdb.read_csv(
        str(path), header=True, sep=",", quotechar='"', escapechar='"', all_varchar=True,
        max_line_size=ROW_BYTES, parallel=False)
    same(table.columns, names, "columns of DuckDB")
    for index, (row, feature) in enumerate(zip(table.fetchall(), expected)):
        texts = [one or "" for one in row]
        check_row(names, texts, feature, f"row {index} of DuckDB")
    same(len(table), len(expected), "rows of DuckDB")
    textfiles.quiet(
        "ogrinfo", "-al", path, "-oo", "X_POSSIBLE_NAMES=longitude", "-oo",
        "Y_POSSIBLE_NAMES=latitude", "-oo", "GEOM_POSSIBLE_NAMES=geometry",
        "-oo", "MAX_LINE_SIZE=-1")
    if max(map(len, content.split(b"\n"))) < 10_000_000:  # GDAL's limit without MAX_LINE_SIZE
        textfiles.quiet("ogrinfo", "-al", path)
    return (f"{len(rows)} rows equal the reference in Python's csv and in DuckDB; "
            "ogrinfo reads them")


if __name__ == "__main__":
    textfiles.run(check)
