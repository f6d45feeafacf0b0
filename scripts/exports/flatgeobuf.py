#!/usr/bin/env python3
"""Checks a FlatGeobuf file of an export: flatgeobuf.py FILE REFERENCE_FOLDER

GDAL reads the file, through pyogrio and through ogrinfo. All features must
equal those of REFERENCE_FOLDER/LAYER.geojsonl, whose lines are GeoJSON features: values,
coordinates and times, also those of the positions of tracks, which are measures here. The header,
the order and the index are checked as well: the answers to queries by box must equal those of a
look at every feature.

Needs the Python packages pyogrio, pyarrow and shapely, and Debian's gdal-bin.
"""
import pathlib
import random
import subprocess
import sys
import warnings

import pyarrow
import pyogrio
import shapely

from reference import milliseconds, shapes

# pyogrio drops measures, which are read in another way.
warnings.filterwarnings("ignore", "Measured")

KINDS = {"tracks": "LineString", "coverage": "Polygon"}


def comparable(value, column_type):
    """A value of the reference in the form in which Arrow has it."""
    if value is None:
        return None
    if pyarrow.types.is_timestamp(column_type):
        return milliseconds(value)
    return float(value) if pyarrow.types.is_floating(column_type) else value


def values(column):
    """The values of a column of Arrow, times as milliseconds."""
    if pyarrow.types.is_timestamp(column.type):
        column = column.cast(pyarrow.timestamp("ms", column.type.tz)).cast(pyarrow.int64())
    return column.to_pylist()


def key(row, geometry):
    return repr(row) + geometry.wkb_hex


def check_programs(path):
    """ogrinfo reads all features without a warning."""
    result = subprocess.run(
        ["ogrinfo", "-al", "-q", str(path)], capture_output=True, timeout=600
    )
    assert result.returncode == 0, f"ogrinfo fails with {result.returncode}"
    assert not result.stderr, f"ogrinfo warns: {result.stderr[:300]!r}"


def check_measures(geometries, features, order):
    """The measures of tracks are the times of their positions in seconds, NaN without a time."""
    positions = 0
    for geometry, index in zip(geometries, order):
        measures = shapely.get_coordinates(geometry, include_m=True)[:, 2]
        times = features[index][2]
        assert len(measures) == len(times), "a track has another number of positions than of times"
        for measure, time in zip(measures, times):
            if time is None:
                assert measure != measure, "a position without a time has a measure"
            else:
                assert round(measure * 1_000) == milliseconds(time), "a measure differs"
        positions += len(times)
    return positions


def check_queries(path, geometries):
    """Queries by box give what a scan of every feature gives."""
    generator = random.Random(1)
    bounds = shapely.bounds(geometries)
    found = 0
    for number in range(40):
        # Around a feature, so that dense places are asked, too.
        center = bounds[generator.randrange(len(bounds))]
        width = 10 ** generator.uniform(-4, 2)
        box = (center[0] - width, center[1] - width, center[2] + width, center[3] + width)
        expected = int(shapely.intersects(geometries, shapely.box(*box)).sum())
        fids = pyogrio.raw.read(path, bbox=box, columns=[], read_geometry=True)[2]
        assert len(fids) == expected, f"query {number} gives {len(fids)}, a scan {expected}"
        found += expected
    return found


def check_header(path, layer, count):
    data = path.read_bytes()[:8]
    assert data[:4] == b"fgb\x03" and data[4:7] == b"fgb", "the magic number is wrong"
    info = pyogrio.read_info(path, force_feature_count=True, force_total_bounds=True)
    assert info["crs"] == "EPSG:4326", f"the reference system is {info['crs']}"
    kind = KINDS.get(layer, "Point")
    assert info["geometry_type"].replace("Measured ", "") == kind, info["geometry_type"]
    assert info["features"] == count, f"{info['features']} features instead of {count}"
    return info


def main(path, folder):
    path, folder = pathlib.Path(path), pathlib.Path(folder)
    layer = pyogrio.list_layers(path)[0][0]
    features = shapes(folder / f"{layer}.geojsonl")
    info = check_header(path, layer, len(features))
    check_programs(path)
    if not features:
        print(f"{path.name}: no features, as in the reference")
        return
    meta, table = pyogrio.raw.read_arrow(path)
    names = list(meta["fields"])
    assert set(names) == set(features[0][0]), f"the columns are {names}"
    types = [table.schema.field(name).type for name in names]
    geometries = shapely.from_wkb(table[meta["geometry_name"] or "wkb_geometry"].to_pylist())
    flat = shapely.force_2d(geometries)
    rows = zip(*(values(table[name]) for name in names))
    read = [key(row, geometry) for row, geometry in zip(rows, flat)]
    wanted = [
        key(tuple(comparable(properties[n], t) for n, t in zip(names, types)), geometry)
        for properties, geometry, _ in features
    ]
    places = {}
    for index, text in enumerate(wanted):
        places.setdefault(text, []).append(index)
    order = []
    for row, text in enumerate(read):
        assert places.get(text), f"feature {row} is not in the reference: {text[:300]}"
        order.append(places[text].pop(0))
    assert list(info["total_bounds"]) == list(shapely.total_bounds(flat)), "the extent"
    found = check_queries(path, flat)
    positions = check_measures(geometries, features, order) if layer == "tracks" else 0
    print(
        f"{path.name}: {len(read)} features equal, {positions} measures, "
        f"40 queries by box with {found} answers"
    )


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except AssertionError as failure:
        sys.exit(f"{sys.argv[1]}: {failure}")
