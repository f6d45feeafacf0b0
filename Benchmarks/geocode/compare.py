"""Times geocode-benchmark and PyPI's reverse_geocoder in turns on the same positions, for `run`.

python compare.py PROGRAM [ROUNDS]

Prints medians over the rounds. The exit status is 1 if a figure misses its limit.
"""

import contextlib
import io
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict

import numpy as np
import reverse_geocoder

MILLION = 1e6
#: name: (description, unit, must, aim); a minimum for rates, a maximum for milliseconds and MB.
ROWS = {
    "country globe": ("country, uniform over the Earth", "M/s", 10, None),
    "country land": ("country, uniform on land", "M/s", 10, None),
    "country people": ("country, in populated places", "M/s", 10, None),
    "place globe": ("whole place as codes, uniform over the Earth", "M/s", 1.5, 3),
    "place land": ("whole place as codes, uniform on land", "M/s", 1.5, 3),
    "place people": ("whole place as codes, in populated places", "M/s", 1.5, 3),
    "words people": ("whole place in words, in populated places", "M/s", 2, None),
    "time zone people": ("name of the time zone, in populated places", "M/s", 25, None),
    "along tracks": ("whole place as codes, along tracks", "M/s", 5, 15),
    "first": ("first lookup of a fresh process, in words", "ms", 10, None),
    "memory before": ("resident before the first lookup", "MB", None, None),
    "memory codes": ("resident after a million lookups as codes", "MB", 25, None),
    "memory words": ("and after a million more in words", "MB", 25, None),
    "memory of no file": ("of these backed by no file", "MB", None, None),
    "competitor": ("reverse_geocoder in batch, in populated places", "M/s", None, None),
}


def measure(program, what, into):
    run = subprocess.run([program, what], capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stdout + run.stderr)
    for line in run.stdout.splitlines():
        name, value = line.split("\t")
        into[name].append(float(value))


def main():
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    found = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "points.bin"
        subprocess.run([program, "points", str(path)], check=True)
        points = [tuple(point) for point in np.fromfile(path).reshape(-1, 2)]
    with contextlib.redirect_stdout(io.StringIO()):  # it prints what it loads
        competitor = reverse_geocoder.RGeocoder(mode=1, verbose=False)
    competitor.query(points[:1000])
    for _ in range(rounds):
        for _ in range(5):
            measure(program, "first", found)
        measure(program, "memory", found)
        measure(program, "speed", found)
        start = time.perf_counter()
        answers = competitor.query(points)
        found["competitor"].append(len(points) / (time.perf_counter() - start))
        assert len(answers) == len(points)
    is_right = True
    for name, (what, unit, must, aim) in ROWS.items():
        if not found[name]:
            continue
        value = statistics.median(found[name]) / (MILLION if unit == "M/s" else 1)
        is_met = must is None or (value >= must if unit == "M/s" else value <= must)
        is_right &= is_met
        limit = "" if must is None else f"must {must}" + (f", aim {aim}" if aim else "")
        print(f"{what:<48}{value:>8.2f} {unit:<4} {limit}{'' if is_met else '  MISSED'}")
    ratio = statistics.median(found["place people"]) / statistics.median(found["competitor"])
    missed = "" if ratio >= 1 else "  MISSED"
    print(f"{'whole place against reverse_geocoder':<48}{ratio:>8.2f} times must 1{missed}")
    sys.exit(0 if is_right and ratio >= 1 else 1)


if __name__ == "__main__":
    main()
