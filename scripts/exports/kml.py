#!/usr/bin/env python3
"""Checks a KML or KMZ file: scripts/exports/kml.py FILE REFERENCE_FOLDER

xmllint must accept the document with the schemas of KML 2.2 and of Google's extensions (from the
package fastkml); lxml, fastkml and GDAL's LIBKML driver must read the placemarks of the reference;
zipfile and unzip must find nothing wrong with a KMZ file. Needs `pip install fastkml lxml`, GDAL,
xmllint (Debian's libxml2-utils) and unzip.
"""

import importlib.util
import json
import pathlib
import tempfile
import zipfile

import fastkml
from lxml import etree

import textfiles
from textfiles import same

KML = "{http://www.opengis.net/kml/2.2}"
GX = "{http://www.google.com/kml/ext/2.2}"


def schema():
    """The path of ogckml22.xsd, which imports that of the extensions."""
    package = importlib.util.find_spec("fastkml")
    return pathlib.Path(package.origin).parent / "schema" / "ogckml22.xsd"


def document(path, folder):
    """The path of the document: the file, or what a KMZ file has in it."""
    if path.suffix.lower() != ".kmz":
        return path
    textfiles.quiet("unzip", "-tq", path)
    with zipfile.ZipFile(path) as archive:
        same(archive.testzip(), None, "damaged members")
        same(archive.namelist(), ["doc.kml"], "members")
        return pathlib.Path(archive.extract("doc.kml", folder))


def text(value):
    """A value as the file has it."""
    if isinstance(value, bool):
        return "1" if value else "0"
    return textfiles.without_forbidden(value) if isinstance(value, str) else value


def check_data(placemark, feature, where):
    """The values of a placemark are those that are not missing."""
    found = {one.get("name"): one.text or "" for one in placemark.iter(f"{KML}SimpleData")}
    wanted = {name: text(value) for name, value in textfiles.properties(feature).items()
              if value is not None}
    for name, value in wanted.items():
        if isinstance(value, (int, float)):
            found[name] = type(value)(found.get(name, "nan"))
    same(found, wanted, where)


def numbers(element):
    """The positions of a list of coordinates."""
    return [[float(one) for one in position.split(",")] for position in element.text.split()]


def check_geometry(placemark, feature, where):
    kind = feature["geometry"]["type"]
    wanted = textfiles.rounded(feature["geometry"]["coordinates"])
    times = feature["properties"].get("times")
    if kind == "Point":
        found = numbers(placemark.find(f"{KML}Point/{KML}coordinates"))[0]
    elif kind == "Polygon":
        polygon = placemark.find(f"{KML}Polygon")
        rings = polygon.findall(f"{KML}outerBoundaryIs") + polygon.findall(f"{KML}innerBoundaryIs")
        found = [numbers(next(ring.iter(f"{KML}coordinates"))) for ring in rings]
    elif None in times:
        found = numbers(placemark.find(f"{KML}LineString/{KML}coordinates"))
    else:
        track = placemark.find(f"{GX}Track")
        same([one.text for one in track.findall(f"{KML}when")], times, f"{where}, times")
        positions = [one.text.split() for one in track.findall(f"{GX}coord")]
        found = [[float(x), float(y)] for x, y, _ in positions]
    same(found, wanted, f"{where}, geometry")


def check_times(placemark, feature, where):
    """The moment or span of a placemark is that of its columns of times."""
    names = ("timestamp_start", "timestamp_end", "start_time", "end_time", "first_time",
             "last_time", "time")
    columns = [value for name, value in textfiles.properties(feature).items() if name in names]
    is_moment = len(columns) == 1
    paths = ("TimeStamp/{0}when",) if is_moment else ("TimeSpan/{0}begin", "TimeSpan/{0}end")
    found = [placemark.findtext(KML + path.format(KML)) for path in paths]
    same(found, columns or [None, None], f"{where}, times of the placemark")


def of_layer(layer, expected, name):
    placemarks = layer.findall(f"{KML}Placemark")
    same(len(placemarks), len(expected), f"placemarks of {name}")
    for index, (placemark, feature) in enumerate(zip(placemarks, expected)):
        where = f"{name}, feature {index}"
        check_data(placemark, feature, where)
        check_geometry(placemark, feature, where)
        check_times(placemark, feature, where)
        assert placemark.findtext(f"{KML}name") is not None, f"{where} has no name"


def farthest(found, expected):
    """The largest difference of two nested lists of numbers."""
    if isinstance(found, (int, float)):
        return abs(found - expected)
    same(len(found), len(expected), "positions")
    return max(map(farthest, found, expected))


def check_gdal(path, title, expected, name):
    """LIBKML has the same geometries and values; it reads times of positions nowhere."""
    textfiles.quiet("ogrinfo", "-al", path, title)
    lines = textfiles.quiet(
        "ogr2ogr", "-f", "GeoJSONSeq", "-dim", "XY", "-mapFieldType", "DateTime=String",
        "-lco", "COORDINATE_PRECISION=9", "/vsistdout/", path, title)
    found = [json.loads(line) for line in lines.split("\n") if line]
    same(len(found), len(expected), f"features of {name} in GDAL")
    for index, (one, feature) in enumerate(zip(found, expected)):
        where = f"{name}, feature {index} in GDAL"
        same(one["geometry"]["type"], feature["geometry"]["type"], where)
        distance = farthest(one["geometry"]["coordinates"], feature["geometry"]["coordinates"])
        # ogr2ogr takes 50.999999991 for 51 when it writes GeoJSON; lxml has compared the digits.
        assert distance < 1.1e-7, f"{where}: a position is off by {distance} degrees"
        for column, value in textfiles.properties(feature).items():
            # The placemark's own name is the column `name`.
            read = one["properties"].get("Name" if column == "name" else column)
            # GDAL cuts off white space, and leaves out empty texts.
            wanted = int(value) if isinstance(value, bool) else text(value)
            if (column == "id" or column.endswith("_id")) and wanted is not None:
                wanted = str(wanted)  # numbers beyond 32 bits
            wanted = wanted.strip(" \t\r\n") if isinstance(wanted, str) else wanted
            if wanted is not None and wanted != "":
                same(read, wanted, f"{where}, {column}")


def count_placemarks(feature):
    """The placemarks that fastkml has read."""
    if isinstance(feature, fastkml.Placemark):
        return 1
    return sum(count_placemarks(one) for one in getattr(feature, "features", []))


def check(path, reference):
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        content = document(path, folder)
        textfiles.quiet(
            "xmllint", "--noout", "--nonet", "--huge", "--schema", schema(), content)
        root = etree.parse(str(content), etree.XMLParser(huge_tree=True)).getroot()
        layers = root.findall(f"{KML}Document/{KML}Document")
        for layer in layers:
            name = layer.find(f"{KML}Schema").get("id")
            of_layer(layer, reference[name], name)
            if reference[name]:
                title = layer.findtext(f"{KML}name")
                check_gdal(path, title, reference[name], name)
            count += len(reference[name])
        textfiles.quiet("ogrinfo", "-al", path)
        same(count_placemarks(fastkml.KML.parse(content)), count, "placemarks of fastkml")
    return (f"{count} placemarks of {len(layers)} layers equal the reference in lxml and GDAL; "
            "xmllint accepts the document, and fastkml reads it")


if __name__ == "__main__":
    textfiles.run(check)
