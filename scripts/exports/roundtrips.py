"""Imports exports into new stores, which must equal the first."""

import json
import pathlib
import subprocess
import tempfile

from browsing.checking import require
from exports.stores import rows


def run(store, path, *arguments):
    done = subprocess.run(
        [store.roqua, *arguments, "--store", str(path)], capture_output=True, text=True)
    require(done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}")
    return done.stdout


def coverage(store, path, folder, *selection):
    """The bytes of a coverage file."""
    file = folder / "explored.coverage"
    run(store, path, "coverage", "--export", str(file), "--force", *selection)
    return file.read_bytes()


def content(path):
    """Regions and visits without the places, which are derived from positions."""
    regions = rows(path, "SELECT id, latitude, longitude, radius, timestamp_start, timestamp_end, "
                         "visit_count, city, country_code, geohash, accuracy FROM visited_regions "
                         "ORDER BY id")
    return regions, rows(path, "SELECT * FROM visits ORDER BY region_id, start_ms")


def check_gpx(store, folder):
    """A new store of the exported kept fixes has the same cells, regions and visits."""
    return there_and_back(store, store.path, folder)


def there_and_back(store, path, folder):
    """Exports the store at a path as GPX, and compares a new store of the file with it."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        folder = pathlib.Path(name)
        run(store, path, "export", str(folder / "all.gpx"))
        other = folder / "store.sqlite"
        report = json.loads(run(store, other, "import", "--json", str(folder / "all.gpx")))
        totals = report["totals"]
        require(totals["points"] == totals["kept"], f"{totals['points'] - totals['kept']} dropped")
        require(
            coverage(store, path, folder) == coverage(store, other, folder),
            "other cells are explored")
        (regions, visits), (again, visits_again) = content(path), content(other)
        require(regions == again, "the regions differ")
        require(visits == visits_again, "the visits differ")
        return f"{totals['kept']} fixes, {len(regions)} regions and {len(visits)} visits are equal"


#: A degree of latitude in meters, about.
DEGREE = 111_195


def write_track(path, points):
    """Writes a table of points: seconds after a moment in 2024, degrees north and east."""
    with open(path, "w") as file:
        file.write("time,latitude,longitude\n")
        for seconds, latitude, longitude in points:
            file.write(f"{1_714_500_000 + seconds},{latitude:.7f},{longitude:.7f}\n")


def check_gpx_of_hard_tracks(store, folder):
    """Tracks that only their dropped fixes or their own files explain come back as they were.

    Two rides of a fast train, the second of which begins far from the end of the first, would be
    one flight in one source. A fix far from all others stays, since a dropped one is next to it.
    """
    with tempfile.TemporaryDirectory(dir=folder) as name:
        folder = pathlib.Path(name)
        tracks = folder / "tracks"
        tracks.mkdir()
        for number, (start, latitude) in enumerate(((0, 44.0), (3_000 + 600, 47.4))):
            write_track(
                tracks / f"train{number}.csv",
                [(start + 10 * point, latitude + 700 * point / DEGREE, 5.0) for point in range(60)])
        write_track(
            tracks / "jump.csv",
            [(90_000, 50, 8), (90_001, 51, 8), (90_002, 51.00001, 8), (90_003, 50, 8)])
        path = folder / "first.sqlite"
        totals = json.loads(run(store, path, "import", "--json", str(tracks)))["totals"]
        require(totals["flights"] == 0 and totals["kept"] == 123, f"the first store: {totals}")
        return there_and_back(store, path, folder)


def check_fog_of_world(store, folder):
    """A new store of the exported tiles has the same cells, and gives the same bytes."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        folder = pathlib.Path(name)
        (first, second) = (folder / "first", folder / "second")
        store.run("export", str(first), "--format", "fog-of-world")
        other = folder / "store.sqlite"
        run(store, other, "import", str(first))
        # The map of Fog of World ends at 85.05°.
        box = ("--bbox", "-85,-180,85,180")
        require(
            coverage(store, store.path, folder, *box) == coverage(store, other, folder, *box),
            "other cells are explored")
        run(store, other, "export", str(second), "--format", "fog-of-world")
        files = {path.name: path.read_bytes() for path in first.iterdir()}
        require(
            files == {path.name: path.read_bytes() for path in second.iterdir()},
            "the tiles differ")
        return f"{len(files)} tiles are equal"
