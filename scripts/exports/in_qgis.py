#!/usr/bin/python3
"""Opens a store or an export in QGIS, without a window:
scripts/exports/in_qgis.py FILE REFERENCE_FOLDER

FILE is an export, whose layers must be valid, in WGS 84, and have as many features and the same
extent as the reference; a SpatiaLite database is opened through its own provider, too. With a store
(`store.sqlite`), its views must open as tables with as many rows as the reference has features, and
as points through a description for GDAL (docs/sql.md). Needs Debian's python3-qgis and
qgis-providers.
"""

import html
import os
import pathlib
import sys
import tempfile

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())

from qgis.core import (  # noqa: E402
    QgsApplication, QgsDataSourceUri, QgsRectangle, QgsVectorLayer, QgsWkbTypes)

import databases  # noqa: E402
from reference import same  # noqa: E402

#: The unit of the last digit that an export writes, and half of it for what GDAL rounds.
TOLERANCE = 2e-9
#: Formats of which a file has one layer. QGIS names it after the file.
ALONE = (".csv", ".fgb", ".parquet")
#: The names of the folders of a KML file.
TITLES = {
    "regions": "Visited regions", "visits": "Visits", "tracks": "Tracks", "fixes": "Kept fixes",
    "coverage": "Explored area", "places": "Visited places"}
#: The views of a store, and the layers with as many rows.
VIEWS = {"visited_regions": "regions", "visit_list": "visits"}

#: The description of a layer that docs/sql.md has for GDAL.
DESCRIPTION = """<OGRVRTDataSource>
  <OGRVRTLayer name="regions">
    <SrcDataSource>{path}</SrcDataSource>
    <SrcSQL>SELECT longitude, latitude, city, country, visit_count FROM visited_regions</SrcSQL>
    <GeometryType>wkbPoint</GeometryType>
    <LayerSRS>EPSG:4326</LayerSRS>
    <GeometryField encoding="PointFromColumns" x="longitude" y="latitude"/>
  </OGRVRTLayer>
</OGRVRTDataSource>
"""


def extent(features):
    """The smallest box around features of the reference."""
    points = [
        point for feature in features
        for point in databases.flat(feature["geometry"]["coordinates"])]
    xs, ys = [point[0] for point in points], [point[1] for point in points]
    return min(xs), min(ys), max(xs), max(ys)


def check_layer(layer, expected, where):
    """A layer is valid, and its features and its extent are those of the reference."""
    assert layer.isValid(), f"{where}: QGIS cannot open it"
    found = list(layer.getFeatures())
    same(len(found), len(expected), f"{where}, features")
    if not expected:
        return
    if not layer.source().split("|")[0].endswith(".csv"):
        # A table does not say what its coordinates are.
        same(layer.crs().authid() in ("EPSG:4326", "OGC:CRS84"), True, f"{where}, in WGS 84")
    missing = [feature.id() for feature in found if feature.geometry().isNull()]
    same(missing, [], f"{where}, features without a geometry")
    invalid = [feature.id() for feature in found if not feature.geometry().isGeosValid()]
    same(invalid, [], f"{where}, geometries that QGIS finds invalid")
    kind = QgsWkbTypes.displayString(QgsWkbTypes.flatType(found[0].geometry().wkbType()))
    same(kind, expected[0]["geometry"]["type"], f"{where}, kind of geometry")
    # Not the extent of the layer, which QGIS takes from an index with rounded numbers.
    box = QgsRectangle()
    box.setMinimal()
    for feature in found:
        box.combineExtentWith(feature.geometry().boundingBox())
    shown = (box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum())
    for edge, wanted in zip(shown, extent(expected)):
        assert abs(edge - wanted) < TOLERANCE, f"{where}: {shown} instead of {extent(expected)}"


def source(path, name):
    """What QGIS opens for a layer of a file."""
    if path.suffix == ".csv":
        return (f"{path}|option:X_POSSIBLE_NAMES=longitude|option:Y_POSSIBLE_NAMES=latitude"
                "|option:GEOM_POSSIBLE_NAMES=geometry")
    if path.suffix == ".gpx":
        name = "track_points"
    is_alone = path.suffix in ALONE or path.suffix == ".geojson"
    if path.suffix in (".kml", ".kmz"):
        name = TITLES[name]
    return str(path) if is_alone else f"{path}|layername={name}"


def check_export(path, reference):
    count = layers = 0
    for name, expected in reference.items():
        if not expected and path.suffix in (".geojson", ".kml", ".kmz"):
            # These formats have no layer without a feature.
            continue
        layer = QgsVectorLayer(source(path, name), name, "ogr")
        if path.suffix == ".geojson":
            # Its features say in which layer they are; for GDAL the file has only one.
            same(layer.setSubsetString(f"layer = '{name}'"), True, f"features of {name}")
        check_layer(layer, expected, name)
        if path.suffix == ".sqlite":
            uri = QgsDataSourceUri()
            uri.setDatabase(str(path))
            uri.setDataSource("", name, "geometry", "", "fid")
            own = QgsVectorLayer(uri.uri(), name, "spatialite")
            check_layer(own, expected, f"{name} by the provider spatialite")
        count += len(expected)
        layers += 1
    return f"{count} features of {layers} layers as QGIS reads them"


def check_store(path, reference):
    """The views of a store as tables, and with a query as points."""
    for view, name in VIEWS.items():
        table = QgsVectorLayer(f"{path}|layername={view}", view, "ogr")
        assert table.isValid(), f"{view}: QGIS cannot open it"
        same(sum(1 for _ in table.getFeatures()), len(reference[name]), f"rows of {view}")
    with tempfile.TemporaryDirectory(prefix="roqua-qgis-") as folder:
        description = pathlib.Path(folder) / "regions.vrt"
        description.write_text(DESCRIPTION.format(path=html.escape(str(path.resolve()))))
        points = QgsVectorLayer(str(description), "points", "ogr")
        check_layer(points, reference["regions"], "visited_regions as points")
    return f"{len(VIEWS)} views and {len(reference['regions'])} points of the store in QGIS"


def check(path, reference):
    application = QgsApplication([], False)
    application.initQgis()
    if path.name == "store.sqlite":
        return check_store(path, reference)
    return check_export(path, reference)


if __name__ == "__main__":
    try:
        databases.run(check)
    except SystemExit as exit:
        print(exit.code, file=sys.stderr)
        status = 1
    else:
        status = 0
    # QGIS crashes if Python takes its objects apart in the order in which they come.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
