#!/usr/bin/env python3
"""Checks a GeoPackage of an export: scripts/exports/geopackage.py FILE.gpkg REFERENCE_FOLDER

ogrinfo must open it without a warning, and the validator of GDAL must find nothing. All features as
ogr2ogr, geopandas and fiona read them must equal those of the reference. Searches through the
R-tree must equal a scan of each feature. After GDAL has added, changed and deleted rows of a copy,
the R-tree must still be right. Needs Debian's gdal-bin, python3-gdal and sqlite3, and `pip install
geopandas pyogrio fiona shapely`.
"""

import pathlib
import shutil
import tempfile
import warnings

import fiona
import geopandas
import shapely

import databases
from databases import quiet, same

# geopandas drops measures, which are read in another way.
warnings.filterwarnings("ignore", "Measured")


def sql(path, query):
    """The lines that SQLite's own program prints."""
    return quiet("sqlite3", path, query).split("\n")[:-1]


def check_programs(path, reference):
    """Programs that were not written here accept the file."""
    summary = quiet("ogrinfo", "-al", "-so", path)
    for name, features in reference.items():
        assert f"Layer name: {name}\n" in summary, f"ogrinfo does not list {name}"
        assert f"Feature Count: {len(features)}\n" in summary, f"features of {name} in ogrinfo"
    # The interpreter for which Debian installs python3-gdal.
    quiet("/usr/bin/python3", "-m", "osgeo_utils.samples.validate_gpkg", path)
    same(sql(path, "PRAGMA integrity_check"), ["ok"], "integrity_check")
    same(sql(path, "PRAGMA foreign_key_check"), [], "foreign_key_check")


def check_frames(path, reference):
    """geopandas and fiona read the same values and geometries."""
    for name, expected in reference.items():
        shapes = [shapely.geometry.shape(one["geometry"]) for one in expected]
        frame = geopandas.read_file(path, layer=name, engine="pyogrio")
        same(str(frame.crs), "EPSG:4326", f"{name}, coordinate system")
        same(len(frame), len(expected), f"{name}, rows")
        wrong = ~shapely.equals_exact(shapely.force_2d(frame.geometry.values), shapes)
        assert not wrong.any(), f"{name}: {wrong.sum()} geometries differ in geopandas"
        with fiona.open(path, layer=name) as source:
            for index, (found, feature) in enumerate(zip(source, expected, strict=True)):
                where = f"{name}, feature {index + 1} in fiona"
                flat = databases.flat(found.geometry.coordinates)
                same([list(one[:2]) for one in flat],
                     databases.flat(feature["geometry"]["coordinates"]), where)


def check_boxes(path, name, count):
    """The R-tree of a layer has the box of each of `count` rows."""
    same(sql(path, f"SELECT rtreecheck('rtree_{name}_geom')"), ["ok"], f"R-tree of {name}")
    rows = sql(path, f"SELECT count(*) FROM rtree_{name}_geom")
    same(rows, [str(count)], f"rows of the R-tree of {name}")
    # Two units of a 4-byte number at 180 are 3e-5.
    wrong = quiet(
        "ogrinfo", "-q", path, "-sql",
        f"SELECT count(*) AS n FROM {name} LEFT JOIN rtree_{name}_geom AS i ON i.id = fid "
        "WHERE NOT coalesce(ST_MinX(geom) BETWEEN minx AND minx + 6e-5 "
        "AND ST_MaxX(geom) BETWEEN maxx - 6e-5 AND maxx "
        "AND ST_MinY(geom) BETWEEN miny AND miny + 6e-5 "
        "AND ST_MaxY(geom) BETWEEN maxy - 6e-5 AND maxy, 0)")
    assert "(Integer) = 0\n" in wrong, f"boxes of {name} are wrong: {wrong}"


def check_searches(path, reference):
    """Searches through the R-tree find what a scan of each feature finds."""
    count = 0
    for name, expected in reference.items():
        check_boxes(path, name, len(expected))
        for box in databases.boxes(expected):
            frame = geopandas.read_file(
                path, layer=name, engine="pyogrio", fid_as_index=True, bbox=box)
            wanted = databases.scan(expected, box)
            if expected[0]["geometry"]["type"] == "Point":
                same(sorted(frame.index), wanted, f"{name} in {box}")
            else:  # GDAL tests the geometry, too
                assert set(frame.index) <= set(wanted), f"{name} in {box}"
            west, south, east, north = box
            rows = sql(path, f"SELECT id FROM rtree_{name}_geom WHERE minx <= {east!r} AND "
                             f"maxx >= {west!r} AND miny <= {north!r} AND maxy >= {south!r}")
            assert set(wanted) <= {int(row) for row in rows}, f"R-tree of {name} in {box}"
            count += 1
    return count


def check_changes(path, reference):
    """After GDAL has changed a copy, its R-trees are right."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "copy.gpkg"
        shutil.copy(path, copy)
        for name, expected in reference.items():
            quiet("ogr2ogr", "-append", copy, path, name)
            for change in (
                    f"DELETE FROM {name} WHERE fid % 3 = 0",
                    f"UPDATE {name} SET geom = (SELECT geom FROM {name} WHERE fid = 1) "
                    "WHERE fid % 7 = 0"):
                quiet("ogrinfo", copy, "-sql", change)
            rows = 2 * len(expected)
            check_boxes(copy, name, rows - rows // 3)
        same(sql(copy, "PRAGMA integrity_check"), ["ok"], "integrity_check of the changed copy")


def check(path, reference):
    check_programs(path, reference)
    count = databases.check_tables(path, reference)
    check_frames(path, reference)
    searches = check_searches(path, reference)
    check_changes(path, reference)
    return (f"{count} features of {len(reference)} layers as GDAL, geopandas and fiona read them, "
            f"{searches} searches, changes by GDAL, no findings of the validator")


if __name__ == "__main__":
    databases.run(check)
