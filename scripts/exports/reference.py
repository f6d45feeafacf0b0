"""What the checks of all formats share: the reference that files are compared with.

The reference of a layer is REFERENCE_FOLDER/LAYER.geojsonl: one Feature per line (RFC 7946), whose
properties are the columns, with times as ISO 8601 text; tracks have an array `times`, too.
"""

import datetime
import json
import pathlib

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def layers(folder):
    """The features of each layer of the reference, by name."""
    paths = sorted(pathlib.Path(folder).glob("*.geojsonl"))
    assert paths, f"{folder} has no reference."
    return {path.stem: features(path) for path in paths}


def features(path):
    """The features of a file with one per line."""
    with open(path, encoding="utf-8", newline="\n") as lines:
        return [json.loads(line) for line in lines]


def shapes(path):
    """The features of a file with one per line: properties, geometry, times of positions."""
    import shapely

    found = []
    for feature in features(path):
        properties = feature["properties"]
        times = properties.pop("times", None)
        found.append((properties, shapely.geometry.shape(feature["geometry"]), times))
    return found


def milliseconds(text):
    """The milliseconds since 1970 of a time in ISO 8601, in UTC if it names no zone."""
    time = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    if time.tzinfo is None:
        time = time.replace(tzinfo=datetime.timezone.utc)
    return (time - EPOCH) // datetime.timedelta(milliseconds=1)


def same(found, expected, where):
    """Fails unless two values are equal, and says where they are."""
    assert found == expected, f"{where}: {found!r:.300} instead of {expected!r:.300}"
