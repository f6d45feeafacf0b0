"""Writes the files of a store in every format, and has each checked by its script."""

import functools
import pathlib
import shutil
import subprocess
import sys

from browsing import world
from browsing.checking import Failure

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = HERE.parent.parent / "data" / "samples"
LAYERS = ("regions", "visits", "tracks", "fixes", "coverage", "places")

#: The checker of each ending, whether a file has one layer, and what it needs besides Python.
FORMATS = {
    "geojson": ("geojson.py", False, ("ogrinfo",)),
    "csv": ("csv_table.py", True, ("ogrinfo",)),
    "gpx": ("gpx.py", True, ("ogrinfo", "xmllint")),
    "kml": ("kml.py", False, ("ogrinfo", "xmllint")),
    "kmz": ("kml.py", False, ("ogrinfo", "xmllint", "unzip")),
    "fgb": ("flatgeobuf.py", True, ("ogrinfo",)),
    "parquet": ("geoparquet.py", True, ()),
    "gpkg": ("geopackage.py", False, ("ogrinfo", "ogr2ogr")),
    "sqlite": ("spatialite.py", False, ("ogrinfo", "ogr2ogr")),
}


def samples(roqua, folder):
    """A store of the sample tracks."""
    store = world.Store(roqua, folder, {})
    store.run("import", str(SAMPLES))
    return store


def export(store, folder, reference):
    """Writes all files of a store, and its layers as lines; returns the files and what to compare
    each with."""
    for path in (folder, reference):
        path.mkdir()
    for layer in LAYERS:
        store.run("export", str(reference / f"{layer}.geojsonl"), "--only", layer)
    files = []
    for ending, (_, has_one_layer, _) in FORMATS.items():
        if not has_one_layer:
            wanted = [name for layer in LAYERS for name in ("--only", layer)]
            path = folder / f"all.{ending}"
            store.run("export", str(path), *wanted)
            files.append((path, reference))
            continue
        for layer in LAYERS if ending != "gpx" else ("fixes",):
            path = folder / f"{layer}.{ending}"
            only = ("--only", layer) if ending != "gpx" else ()
            store.run("export", str(path), *only)
            alone = folder / f"reference of {layer}"
            alone.mkdir(exist_ok=True)
            shutil.copy(reference / f"{layer}.geojsonl", alone)
            files.append((path, alone))
    return files


@functools.cache
def has_qgis():
    """Whether Debian's Python can import QGIS."""
    return subprocess.run(
        ["/usr/bin/python3", "-c", "import qgis.core"], capture_output=True).returncode == 0


def check_in_qgis(path, reference):
    """What QGIS reads of a file or of a store."""
    if path.suffix == ".parquet":
        return "not run: Debian's GDAL, with which QGIS reads files, has no driver for Parquet"
    if not has_qgis():
        return "not run: QGIS is not installed (apt-get install python3-qgis qgis-providers)"
    return result(["/usr/bin/python3", HERE / "in_qgis.py", path, reference])


def check(path, reference):
    """What the checker of a file prints."""
    checker, _, needs = FORMATS[path.suffix[1:]]
    missing = [name for name in needs if not shutil.which(name)]
    if missing:
        return f"skipped: {', '.join(missing)} not installed"
    # Debian's Python can load SpatiaLite; other builds may be unable to.
    python = "/usr/bin/python3" if checker == "spatialite.py" else sys.executable
    return result([python, HERE / checker, path, reference])


def result(command):
    """The last line that a checker prints."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure((done.stdout + done.stderr).strip()[-1500:])
    return done.stdout.strip().splitlines()[-1]
