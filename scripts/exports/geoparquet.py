#!/usr/bin/env python3
"""Checks a GeoParquet file of an export: geoparquet.py FILE REFERENCE_FOLDER

pyarrow, DuckDB and geopandas read the file, and geoparquet-validator checks its metadata. All rows
must equal the lines of REFERENCE_FOLDER/LAYER.geojsonl, which are GeoJSON features, in their order:
values, coordinates and times, also those of the positions of tracks (column `times`). The
statistics of row groups must be those of their rows, and queries by box and by time must give what
a scan of every row gives.

Needs the Python packages pyarrow, duckdb, geopandas, shapely, numpy and geoparquet-validator.
"""
import datetime
import json
import pathlib
import random
import sys

import duckdb
import geopandas
import geoparquet_validator
import numpy
import pyarrow
import pyarrow.parquet
import shapely

from reference import milliseconds, shapes

KINDS = {"tracks": "LineString", "coverage": "Polygon"}
EDGES = ["xmin", "ymin", "xmax", "ymax"]


def root_name(path):
    """The name of the root of the schema, which is the layer's: DuckDB lists the whole tree."""
    return duckdb.connect().execute(
        "SELECT name FROM parquet_schema(?) LIMIT 1", [str(path)]
    ).fetchone()[0]


def plain(column):
    """The values of a column, times as milliseconds."""
    if pyarrow.types.is_timestamp(column.type):
        assert column.type == pyarrow.timestamp("ms", "UTC"), f"a time is a {column.type}"
        column = column.cast(pyarrow.int64())
    return column.to_pylist()


def check_metadata(path, file, layer):
    """The geometry's metadata is that of the layer, and the validator finds nothing."""
    geo = json.loads(file.metadata.metadata[b"geo"])
    assert geo["version"] == "1.1.0" and geo["primary_column"] == "geometry", geo
    column = geo["columns"]["geometry"]
    assert column["encoding"] == "WKB" and "crs" not in column, column
    assert column["geometry_types"] == [KINDS.get(layer, "Point")], column["geometry_types"]
    assert column["covering"] == {"bbox": {edge: ["bbox", edge] for edge in EDGES}}
    result = geoparquet_validator.check(str(path))
    assert geoparquet_validator.conformant(result), geoparquet_validator.failed(result)
    return column


def check_rows(table, features):
    """All values of all rows are those of the reference."""
    names = [name for name in table.column_names if name not in ("geometry", "bbox", "times")]
    assert len(table) == len(features), f"{len(table)} rows instead of {len(features)}"
    if features:
        assert names == list(features[0][0]), f"the columns are {names}"
    for name in names:
        is_time = pyarrow.types.is_timestamp(table.schema.field(name).type)
        for row, value in enumerate(plain(table[name])):
            wanted = features[row][0][name]
            if is_time and wanted is not None:
                wanted = milliseconds(wanted)
            assert value == wanted, f"{name} of row {row} is {value!r} instead of {wanted!r}"
    geometries = shapely.from_wkb(table["geometry"].to_pylist())
    wanted = numpy.array([feature[1] for feature in features], dtype=object)
    same = shapely.equals_exact(geometries, wanted, tolerance=0)
    assert numpy.all(same), f"the geometry of row {int(numpy.argmin(same))} differs"
    positions = 0
    if "times" in table.column_names:
        for row, times in enumerate(table["times"]):
            times = plain(times.values)
            wanted = [None if t is None else milliseconds(t) for t in features[row][2]]
            assert times == wanted, f"the times of row {row} differ"
            positions += len(times)
    return geometries, positions


def check_boxes(table, geometries):
    """Each box contains its geometry and is at most two steps of a 32-bit number larger."""
    bounds = shapely.bounds(geometries)
    boxes = numpy.array([[box[edge] for edge in EDGES] for box in table["bbox"].to_pylist()])
    assert (boxes[:, :2] <= bounds[:, :2]).all() and (boxes[:, 2:] >= bounds[:, 2:]).all(), "boxes"
    step = numpy.spacing(numpy.abs(bounds).astype(numpy.float32))
    assert (numpy.abs(boxes - bounds) <= 2 * step).all(), "a box is too large"


def leaves(table):
    """The values of each column of the file, with nulls, by its path."""
    result = {}
    for name in table.column_names:
        if name == "bbox":
            for edge in EDGES:
                result[f"bbox.{edge}"] = table[name].combine_chunks().field(edge).to_pylist()
        elif name == "times":
            values = table[name].combine_chunks().values.cast(pyarrow.int64())
            result["times.list.element"] = values.to_pylist()
        else:
            result[name] = plain(table[name])
    return result


def check_statistics(file):
    """The statistics of each row group are those of its values; returns how many have a range."""
    ranges = 0
    for group in range(file.metadata.num_row_groups):
        row_group = file.metadata.row_group(group)
        values = leaves(file.read_row_group(group))
        for index in range(row_group.num_columns):
            column = row_group.column(index)
            name = column.path_in_schema
            statistics = column.statistics
            if name == "geometry":
                assert not statistics.has_min_max, "geometries have a range"
                continue
            known = [value for value in values[name] if value is not None]
            assert statistics.null_count == len(values[name]) - len(known), f"nulls of {name}"
            if not statistics.has_min_max:
                texts = [len(str(v).encode()) for v in known]
                assert not known or max(texts) > 64, f"{name} has no range"
                continue
            low, high = statistics.min, statistics.max
            if isinstance(low, datetime.datetime):
                low, high = milliseconds(low.isoformat()), milliseconds(high.isoformat())
            if isinstance(known[0], str):
                known = [value.encode() for value in known]
                low, high = low.encode(), high.encode()
            assert (low, high) == (min(known), max(known)), f"the range of {name} in group {group}"
            ranges += 1
    return ranges


def check_queries(path, table, geometries):
    """Queries by box in DuckDB and geopandas give what a scan of every row gives."""
    generator = random.Random(1)
    bounds = shapely.bounds(geometries)
    database = duckdb.connect()
    found = 0
    for number in range(20):
        center = bounds[generator.randrange(len(bounds))]
        width = 10 ** generator.uniform(-4, 2)
        low_x, low_y = center[0] - width, center[1] - width
        high_x, high_y = center[0] + width, center[1] + width
        meets = (
            (bounds[:, 0] <= high_x) & (bounds[:, 2] >= low_x)
            & (bounds[:, 1] <= high_y) & (bounds[:, 3] >= low_y)
        )
        frame = geopandas.read_parquet(path, bbox=(low_x, low_y, high_x, high_y))
        exact = frame.cx[low_x:high_x, low_y:high_y]
        box = shapely.box(low_x, low_y, high_x, high_y)
        wanted = int(shapely.intersects(geometries, box).sum())
        assert len(exact) == wanted, f"geopandas finds {len(exact)} instead of {wanted}"
        counted = database.execute(
            "SELECT count(*) FROM read_parquet(?) WHERE bbox.xmin <= ? AND bbox.xmax >= ?"
            " AND bbox.ymin <= ? AND bbox.ymax >= ?",
            [str(path), high_x, low_x, high_y, low_y],
        ).fetchone()[0]
        # Boxes are rounded outward, so DuckDB may find neighbors that are a meter away, too.
        near = (
            (bounds[:, 0] <= high_x + 4e-5) & (bounds[:, 2] >= low_x - 4e-5)
            & (bounds[:, 1] <= high_y + 4e-5) & (bounds[:, 3] >= low_y - 4e-5)
        )
        assert meets.sum() <= counted <= near.sum(), f"DuckDB finds {counted}, not {meets.sum()}"
        found += wanted
    return found


def check_values(path, table):
    """DuckDB reads the same values as pyarrow: counts, ranges and times in the middle."""
    database = duckdb.connect()
    database.execute("SET TimeZone = 'UTC'")
    for name in table.column_names:
        kind = table.schema.field(name).type
        if name in ("geometry", "bbox", "times"):
            continue
        known = [value for value in plain(table[name]) if value is not None]
        text = f'epoch_ms("{name}")' if pyarrow.types.is_timestamp(kind) else f'"{name}"'
        read = database.execute(f"SELECT {text} FROM read_parquet(?)", [str(path)]).fetchall()
        read = [row[0] for row in read if row[0] is not None]
        assert read == known, f"DuckDB reads other values of {name}"
        if pyarrow.types.is_timestamp(kind) and known:
            middle = sorted(known)[len(known) // 2]
            counted = database.execute(
                f"SELECT count(*) FROM read_parquet(?) WHERE {text} >= ?", [str(path), middle]
            ).fetchone()[0]
            wanted = sum(value >= middle for value in known)
            assert counted == wanted, f"DuckDB finds {counted} rows by {name}, not {wanted}"


def main(path, folder):
    path, folder = pathlib.Path(path), pathlib.Path(folder)
    file = pyarrow.parquet.ParquetFile(path, page_checksum_verification=True)
    layer = root_name(path)
    features = shapes(folder / f"{layer}.geojsonl")
    column = check_metadata(path, file, layer)
    table = file.read()
    geometries, positions = check_rows(table, features)
    ranges = check_statistics(file)
    check_values(path, table)
    frame = geopandas.read_parquet(path)
    assert frame.crs == "OGC:CRS84", f"the reference system is {frame.crs}"
    assert len(frame) == len(features), "geopandas reads another number of rows"
    if not features:
        print(f"{path.name}: no rows, as in the reference")
        return
    assert column["bbox"] == list(shapely.total_bounds(geometries)), "the box of all geometries"
    assert (frame.geometry.values.to_numpy() == geometries).all(), \
        "geopandas reads other geometries"
    check_boxes(table, geometries)
    found = check_queries(path, table, geometries)
    print(
        f"{path.name}: {len(table)} rows equal, {positions} times of positions, "
        f"{file.metadata.num_row_groups} row groups with {ranges} ranges, "
        f"20 queries by box with {found} answers"
    )


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except AssertionError as failure:
        sys.exit(f"{sys.argv[1]}: {failure}")
