#!/usr/bin/python3
"""Checks a SpatiaLite database of an export: scripts/exports/spatialite.py FILE REFERENCE_FOLDER

SpatiaLite itself must find its metadata, every geometry and every spatial index right, and ogrinfo
must open the file without a warning. All features as ogr2ogr reads them must equal those of the
reference. Searches through the spatial index must equal a scan of each feature, also after
SpatiaLite has changed rows of a copy. Needs Debian's gdal-bin, libsqlite3-mod-spatialite and
python3: other builds of Python may be unable to load SpatiaLite.
"""

import pathlib
import shutil
import sqlite3
import tempfile

import databases
from databases import quiet, same


def connect(path):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.enable_load_extension(True)
    connection.execute("SELECT load_extension('mod_spatialite')")
    return connection


def one(connection, query, *values):
    return connection.execute(query, values).fetchone()[0]


def check_geometries(connection, reference):
    """SpatiaLite finds every geometry valid, and each in WGS 84."""
    same(one(connection, "SELECT CheckSpatialMetaData()"), 3, "CheckSpatialMetaData")
    same(one(connection, "PRAGMA integrity_check"), "ok", "integrity_check")
    for name, expected in reference.items():
        valid = (f"SELECT count(*) FROM {name} WHERE ST_IsValid(geometry) = 1 "
                 "AND ST_SRID(geometry) = 4326")
        same(one(connection, valid), len(expected), f"valid geometries of {name}")
        if expected and expected[0]["geometry"]["type"] == "Polygon":
            area = f"SELECT min(ST_Area(geometry, 1)) > 0 FROM {name}"
            same(one(connection, area), 1, f"areas of {name} on the ellipsoid")
        extent = connection.execute(
            "SELECT row_count, extent_min_x, extent_min_y, extent_max_x, extent_max_y "
            "FROM vector_layers_statistics WHERE table_name = ?", (name,)).fetchone()
        same(extent[0], len(expected), f"statistics of {name}")
        found = connection.execute(
            f"SELECT min(ST_MinX(geometry)), min(ST_MinY(geometry)), max(ST_MaxX(geometry)), "
            f"max(ST_MaxY(geometry)) FROM {name}").fetchone()
        same(extent[1:], found, f"extent of {name}")


def check_indexes(connection, reference):
    """Each spatial index is complete, by SpatiaLite's look and by SQLite's."""
    for name in reference:
        query = f"SELECT CheckSpatialIndex('{name}', 'geometry')"
        same(one(connection, query), 1, f"CheckSpatialIndex of {name}")
        same(one(connection, f"SELECT rtreecheck('idx_{name}_geometry')"), "ok",
             f"R-tree of {name}")


def check_searches(connection, reference):
    """Searches through the index find what a scan of each feature finds."""
    count = 0
    for name, expected in reference.items():
        for box in databases.boxes(expected):
            rows = connection.execute(
                f"SELECT fid FROM {name} WHERE fid IN (SELECT rowid FROM SpatialIndex "
                f"WHERE f_table_name = '{name}' AND search_frame = BuildMbr(?, ?, ?, ?, 4326)) "
                f"AND MbrIntersects(geometry, BuildMbr(?, ?, ?, ?)) ORDER BY fid",
                box + box).fetchall()
            same([row[0] for row in rows], databases.scan(expected, box), f"{name} in {box}")
            count += 1
    return count


def check_changes(path, reference):
    """After SpatiaLite has changed a copy, its spatial indexes are right."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "copy.sqlite"
        shutil.copy(path, copy)
        connection = connect(copy)
        for name in reference:
            connection.execute(f"DELETE FROM {name} WHERE fid % 3 = 0")
            connection.execute(f"INSERT INTO {name} (geometry) SELECT geometry FROM {name}")
            connection.execute(
                f"UPDATE {name} SET geometry = (SELECT geometry FROM {name} WHERE fid = 1) "
                "WHERE fid % 7 = 0")
        check_indexes(connection, reference)
        connection.close()


def check(path, reference):
    summary = quiet("ogrinfo", "-al", "-so", path)
    for name, features in reference.items():
        assert f"Layer name: {name}\n" in summary, f"ogrinfo does not list {name}"
        assert f"Feature Count: {len(features)}\n" in summary, f"features of {name} in ogrinfo"
    connection = connect(path)
    check_geometries(connection, reference)
    check_indexes(connection, reference)
    searches = check_searches(connection, reference)
    connection.close()
    count = databases.check_tables(path, reference)
    check_changes(path, reference)
    return (f"{count} features of {len(reference)} layers as SpatiaLite and GDAL read them, "
            f"{searches} searches, changes by SpatiaLite")


if __name__ == "__main__":
    databases.run(check)
