"""The whole import of GPX files (decode, filter, regions, visits, coverage, places, commit),
compared with programs that only read points, or read and write them."""

import json, os, sqlite3, sys

from .tools import Must, Row, Section, execute, interleave, median, mega, times, wrong

EXPAT = """
import sys, xml.parsers.expat
for path in sys.argv[1:]:
    with open(path, "rb") as file: xml.parsers.expat.ParserCreate().ParseFile(file)
"""
GPXPY = """
import sys, gpxpy
print(sum(len(segment.points) for path in sys.argv[1:] for track in gpxpy.parse(open(path)).tracks
          for segment in track.segments))
"""


def measure(run):
    size, count, rounds = (40_000_000, 8, 3) if run.is_quick else (500_000_000, 20, 3)
    tracks = run.folder / "tracks"
    tracks.mkdir()
    execute([run.generator, "write", tracks, size, count])
    paths = sorted(tracks.iterdir())
    size = sum(path.stat().st_size for path in paths)
    sizes = {}  # the input of each contender; slow ones read one file per style, or fewer
    few = paths[:3]
    small = sum(path.stat().st_size for path in few)
    totals = {}

    def roqua():
        store = run.folder / "import.sqlite"
        remove(store)
        done = execute([run.roqua, "import", "--json", "--store", store, *paths])
        totals.update(json.loads(done.output)["totals"])
        return done

    contenders, points = {"Roqua": roqua}, {}
    sizes["Roqua"] = size
    if run.has_debian("gdal-bin"):

        def ogr2ogr():
            package = run.folder / "points.gpkg"
            package.unlink(missing_ok=True)
            steps = [
                execute(
                    [
                        "ogr2ogr",
                        "-f",
                        "GPKG",
                        "-append",
                        "-gt",
                        "100000",
                        package,
                        path,
                        "track_points",
                    ]
                )
                for path in paths
            ]
            with sqlite3.connect(package) as database:
                points["ogr2ogr"] = database.execute(
                    "SELECT count(*) FROM track_points"
                ).fetchone()[0]
            return together(steps)

        contenders["ogr2ogr, points into a GeoPackage"] = ogr2ogr
        sizes["ogr2ogr, points into a GeoPackage"] = size
    else:
        run.leave_out("ogr2ogr", "gdal-bin cannot be installed here")
    if run.has_debian("gpsbabel"):

        def gpsbabel():
            text = run.folder / "points.csv"
            steps, lines = [], 0
            for path in few:
                steps.append(
                    execute(["gpsbabel", "-t", "-i", "gpx", "-f", path, "-o", "unicsv", "-F", text])
                )
                with open(text, "rb") as file:
                    lines += sum(1 for _ in file) - 1
            points["gpsbabel"] = lines
            return together(steps)

        contenders["gpsbabel, points into CSV"] = gpsbabel
        sizes["gpsbabel, points into CSV"] = small
    else:
        run.leave_out("gpsbabel", "it cannot be installed here")
    if run.has_python("gpxpy", "gpxpy"):

        def gpxpy():
            done = execute([sys.executable, "-c", GPXPY, paths[0]])
            points["gpxpy"] = int(done.output)
            return done

        contenders["gpxpy, points as objects"] = gpxpy
        sizes["gpxpy, points as objects"] = paths[0].stat().st_size
    contenders["lower bound: expat tokenizes, through Python"] = lambda: execute(
        [sys.executable, "-c", EXPAT, *paths]
    )
    sizes["lower bound: expat tokenizes, through Python"] = size

    results = interleave(rounds, contenders)
    by_file = points_by_file(run, paths)
    for name, expected in (("ogr2ogr", paths), ("gpsbabel", few), ("gpxpy", paths[:1])):
        count = sum(by_file[str(path)] for path in expected)
        if name in points and points[name] != count:
            wrong(f"{name} reads {points[name]} points of {count}")
    if totals["points"] != sum(by_file.values()) or totals["imported"] != len(paths):
        wrong(f"{totals['points']} points imported")

    def pace(name):
        return sizes[name] / median(result.seconds for result in results[name])

    question = f"import {len(paths)} GPX files, {mega(size)}, {totals['points']:,} points"
    rows = [
        Row(
            question,
            name,
            f"{pace(name) / 1e6:,.1f} MB/s",
            "" if name == "Roqua" else times(pace("Roqua") / pace(name)),
            mega(max(result.memory for result in found)),
            f"{median(r.processor for r in found):.1f} s of processors"
            + ("" if sizes[name] == size else f", {mega(sizes[name])} read"),
        )
        for name, found in results.items()
    ]
    kept = kept_bytes(run.folder / "import.sqlite")
    musts = [
        Must(
            "kept fixes in the store, these files",
            f"{kept:.2f} bytes each",
            "6.5 (over a corpus, by Benchmarks/growth)",
            None,
        )
    ]
    if "ogr2ogr" in points:
        ratio = pace("Roqua") / pace("ogr2ogr, points into a GeoPackage")
        musts.insert(
            0,
            Must(
                "whole import against ogr2ogr into GeoPackage",
                f"{times(ratio)} times",
                "60 times",
                ratio >= 60,
                "80",
            ),
        )
    notes = [
        f"Roqua keeps {totals['kept']:,} fixes of these and writes regions, visits, coverage and "
        "places, on all cores; the others use one."
    ]
    run.tracks = paths
    return [Section("Import", rows, musts, notes)]


def together(steps):
    steps[0].seconds = sum(step.seconds for step in steps)
    steps[0].processor = sum(step.processor for step in steps)
    steps[0].memory = max(step.memory for step in steps)
    return steps[0]


def remove(store):
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(str(store) + suffix):
            os.remove(str(store) + suffix)


def points_by_file(run, paths):
    report = json.loads(
        execute(
            [
                run.roqua,
                "import",
                "--dry-run",
                "--json",
                "--store",
                run.folder / "none.sqlite",
                *paths,
            ]
        ).output
    )
    return {file["path"]: file["points"] for file in report["files"]}


def kept_bytes(store):
    """Bytes per kept fix: payloads, and about 24 bytes of a row for each."""
    with sqlite3.connect(store) as database:
        total, count = database.execute(
            "SELECT sum(length(payload) + 24), sum(count) FROM kept_fixes"
        ).fetchone()
    return total / count
