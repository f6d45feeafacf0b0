"""What the checks of databases share: the reference, programs that must not complain, and features
as GDAL reads them.

The reference of a layer is REFERENCE_FOLDER/LAYER.geojsonl: one Feature per line (RFC 7946), whose
properties are the columns, with times as ISO 8601 text; tracks have an array `times`, too.
"""

import csv
import datetime
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from reference import EPOCH, layers, same

csv.field_size_limit(1 << 30)
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def quiet(*command):
    """The standard output of a program that must not warn."""
    done = subprocess.run([str(one) for one in command], capture_output=True, text=True)
    assert done.returncode == 0, f"{command[0]} failed: {(done.stderr + done.stdout)[-500:]}"
    complaints = [
        line for line in (done.stderr + done.stdout).splitlines()
        if re.match(r"(warning|error)\b", line, re.IGNORECASE)]
    assert not complaints, f"{command[0]} complains: {complaints[:3]}"
    return done.stdout


def moment(text):
    """The milliseconds since 1970 of a time in any of the forms of GDAL and of the reference."""
    text = text.replace("/", "-").replace("Z", "+00:00")
    text = re.sub(r"\+00$", "+00:00", text)
    return round((datetime.datetime.fromisoformat(text) - EPOCH)
                 / datetime.timedelta(milliseconds=1))


def comparable(text, wanted, where):
    """Fails unless the text of a value in a table is the value of the reference."""
    if wanted is None:
        same(text, "", where)
    elif isinstance(wanted, bool):
        same(text.lower() in ("1", "true"), wanted, where)
    elif isinstance(wanted, (int, float)):
        # GDAL writes numbers with 15 digits.
        assert math.isclose(float(text), wanted, rel_tol=1e-14), f"{where}: {text}, not {wanted}"
    elif TIME.fullmatch(wanted):
        same(moment(text), moment(wanted), where)
    else:
        same(text, wanted, where)


def positions(text):
    """The numbers of the positions of a geometry as text."""
    return [
        [float(number) for number in position.split()]
        for position in re.sub(r"[A-Z()]+", " ", re.sub(r"\bnan\b", "NaN", text)
                               .replace("NaN", "-1e999")).split(",")]


def flat(coordinates):
    """The positions of a geometry of the reference, one after the other."""
    if isinstance(coordinates[0], (int, float)):
        return [coordinates]
    return [position for part in coordinates for position in flat(part)]


def check_tables(path, reference):
    """GDAL turns each layer into a table that equals the reference. Returns the features."""
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, expected in reference.items():
            table = pathlib.Path(folder) / f"{name}.csv"
            quiet("ogr2ogr", "-f", "CSV", "-lco", "GEOMETRY=AS_WKT", table, path, name)
            with open(table, encoding="utf-8", newline="") as lines:
                rows = list(csv.DictReader(lines))
            same(len(rows), len(expected), f"features of {name}")
            for index, (row, feature) in enumerate(zip(rows, expected)):
                check_row(row, feature, f"{name}, feature {index + 1}")
            count += len(rows)
    return count


def check_row(row, feature, where):
    """A row of GDAL's table has the values, positions and times of a feature."""
    for field, wanted in feature["properties"].items():
        if field != "times":
            comparable(row[field], wanted, f"{where}, {field}")
    found = positions(row["WKT"])
    wanted = flat(feature["geometry"]["coordinates"])
    same([position[:2] for position in found], wanted, f"{where}, positions")
    times = feature["properties"].get("times")
    if times is not None:
        measures = [
            None if position[2] == -math.inf else round(position[2] * 1000) for position in found]
        same(measures, [time and moment(time) for time in times], f"{where}, times")


def boxes(features, count=20):
    """Random boxes around features: small ones and large ones."""
    chosen = random.Random(1)
    for _ in range(count if features else 0):
        x, y = flat(chosen.choice(features)["geometry"]["coordinates"])[0]
        size = 10 ** chosen.uniform(-4, 2)
        yield (x - size, y - size, x + size, y + size)


def scan(features, box):
    """The numbers of the features whose bounds meet a box, from 1, by looking at each."""
    found = []
    for index, feature in enumerate(features):
        points = flat(feature["geometry"]["coordinates"])
        xs, ys = [point[0] for point in points], [point[1] for point in points]
        if (min(xs) <= box[2] and max(xs) >= box[0]
                and min(ys) <= box[3] and max(ys) >= box[1]):
            found.append(index + 1)
    return found


def run(body):
    """Runs a check on the two arguments and prints what it returns; exits with 1 if it fails."""
    if len(sys.argv) != 3:
        sys.exit(f"Usage: {sys.argv[0]} FILE REFERENCE_FOLDER")
    path = pathlib.Path(sys.argv[1])
    try:
        print(f"{path.name}: {body(path, layers(sys.argv[2]))}.")
    except AssertionError as error:
        sys.exit(f"{path.name}: {error}")
