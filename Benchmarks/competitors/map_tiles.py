"""Map tiles of a store: all of them, and those that a walk changes."""

import datetime
import json

from .tools import execute

#: Fixes of a walk of 5 km northwards, 60 m and 45 s apart.
WALK = 84


def walk(path):
    """Writes the walk, in Vienna."""
    start = datetime.datetime(2026, 11, 1, 8, tzinfo=datetime.UTC)
    points = "".join(
        f'<trkpt lat="{48.2 + 0.00054 * i:.6f}" lon="16.37"><time>'
        f"{start + datetime.timedelta(seconds=45 * i):%Y-%m-%dT%H:%M:%SZ}</time></trkpt>"
        for i in range(WALK)
    )
    path.write_text(
        '<gpx version="1.1" creator="Benchmarks" xmlns="http://www.topografix.com/GPX/1/1">'
        f"<trk><trkseg>{points}</trkseg></trk></gpx>"
    )


def rows(tool, store, folder):
    """Writes tiles of both formats, then imports a walk and renews them."""
    archives = {kind: folder / f"{kind}.mbtiles" for kind in ("png", "mvt")}

    def write(kind):
        command = [tool, "map", archives[kind], "--format", kind, "--zoom", "0-12", "--json"]
        done = execute([*command, "--store", store])
        return json.loads(done.output), done

    for kind in archives:
        report, done = write(kind)
        rate = report["written"] / done.processor
        yield [f"tiles, {kind}, zoom 0 to 12", "10 s, 10,000 a second",
               f"{report['written']:,} in {done.seconds:.1f} s, {rate:,.0f} a second, "
               f"{done.memory / 1e6:.0f} MB"]
    track = folder / "walk.gpx"
    walk(track)
    execute([tool, "import", track, "--store", store])
    for kind in archives:
        report, done = write(kind)
        yield [f"tiles, {kind}, after a walk of 5 km", "100 ms",
               f"{report['written']} in {1_000 * done.seconds:.0f} ms"]
