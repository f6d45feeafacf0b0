"""Backlogs: sent twice, in pieces, newest first, across a restart."""

import json
import random

from .server import Server, require

START = 1714557600


def feature(index):
    return {
        "type": "Feature",
        "geometry": {"type": "Point", "coordinates": [7.75, 48 + index * 0.001]},
        "properties": {"timestamp": START + index * 30, "horizontal_accuracy": 8}}


def check(place):
    token = place.token("phone")
    order = random.Random(1)
    sizes, pieces, first = [7, 20, 33], [], 0
    while first < 400:
        pieces.append(list(range(first, min(400, first + order.choice(sizes)))))
        first = pieces[-1][-1] + 1
    # Newest first, and some of them twice.
    queue = [pieces[-1]] + pieces[:-1] + order.sample(pieces, len(pieces) // 2)
    for part in (queue[:9], queue[9:], queue):
        with Server(place) as server:
            for piece in part:
                body = json.dumps({"locations": [feature(index) for index in piece]}).encode()
                status, _, answer = server.get("/overland", token, body)
                require(status == 200 and answer == b'{"result":"ok"}', f"{status} {answer}")
    fixes = place.fixes()
    require(len(set(fixes)) == len(fixes), "a fix is in the store twice")
    times = {time for _, _, time in fixes}
    missing = [index for index in range(400) if (START + index * 30) * 1000 not in times]
    require(not missing, f"missing: {missing[:10]}")
    check_equal(place, pieces)
    return f"400 fixes in {2 * len(queue)} requests and three runs: each is there once"


def check_equal(place, pieces):
    """The regions and cells are those of an import of the same fixes."""
    other = place.folder / "imported"
    other.mkdir()
    imported = type(place)(place.executable, other)
    segments = "".join(
        "<trkseg>" + "".join(
            f'<trkpt lat="{48 + index * 0.001:.7f}" lon="7.75"><time>'
            f"{time_text(START + index * 30)}</time></trkpt>" for index in piece) + "</trkseg>"
        for piece in pieces)
    path = other / "track.gpx"
    path.write_text(
        '<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk>' + segments
        + "</trk></gpx>")
    imported.run("import", str(path))
    keys = ("cells", "visitedRegions", "visits")
    one, two = place.json("stats"), imported.json("stats")
    require(
        all(one.get(key) == two.get(key) for key in keys),
        f"{[one.get(key) for key in keys]} instead of {[two.get(key) for key in keys]}")


def time_text(seconds):
    import datetime

    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
