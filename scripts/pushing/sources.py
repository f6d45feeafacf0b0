"""Sources of every kind, made from the bench's seed."""

from torturing import tracks

from .bench import SAMPLES


def write_tracks_apart(bench, count):
    """Tracks where no other one is."""
    made = []
    for index in range(count):
        path = bench.folder / f"apart-{index}.gpx"
        tracks.write_walk(path, 40, latitude=-47.0 - 2 * index, longitude=70.0)
        made.append(path)
    return made


def every_kind(bench, owner):
    """Imports tracks and everything that brings cells or regions of its own, forgets some, and
    changes settings."""
    folder = bench.folder / f"{owner.name}-sources"
    folder.mkdir()
    owner.run("import", "--quiet", *SAMPLES)
    app = tracks.write_app_database(folder / "app.sqlite", bench.seed, 60)
    circles, hashes = tracks.write_app_lists(folder)
    owner.run("adopt", app)
    owner.run("adopt", "--explored-circles", circles, "--grid-hashes", hashes)
    bench.changes.import_new(owner, 5)
    other = bench.owner(f"{owner.name}-other")
    bench.changes.import_new(other, 4)
    cells = folder / "cells.rqcv"
    other.run("coverage", "--export", cells)
    owner.run("coverage", "--import", cells)
    bench.changes.import_new(other, 4)
    fog = folder / "Fog of World"
    other.run("export", fog, "--format", "fog-of-world")
    owner.run("import", "--quiet", fog)
    bench.changes.import_new(owner, 5)
    bench.changes.forget(owner)
    bench.changes.forget_near(owner)
    owner.run("settings", "visitGapMinutes", "45")
    owner.run("settings", "percentageDecimals", "3")
