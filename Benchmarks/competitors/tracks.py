"""Simulated tracks, GPX files of them, and stores."""

import array, datetime, math, shutil

from .tools import execute

METERS, SECONDS = 60, 45
#: The maximum turn of a track at a fix, in degrees.
TURN = 14
DEGREE = math.pi / 180 * 6_371_007.2


def walk(latitude, longitude, fixes, generator):
    """A track as latitudes and longitudes in degrees: fixes 60 m apart, each of which turns."""
    latitudes, longitudes = array.array("d"), array.array("d")
    heading = generator.uniform(0, 2 * math.pi)
    for _ in range(fixes):
        latitudes.append(latitude)
        longitudes.append((longitude + 180) % 360 - 180)
        heading += math.radians(generator.uniform(-TURN, TURN))
        latitude += METERS / DEGREE * math.cos(heading)
        longitude += METERS / DEGREE * math.sin(heading) / math.cos(math.radians(latitude))
    return latitudes, longitudes


def again(track, meters, generator):
    """The same track, traveled once more: fixes deviate from the first ones (standard deviation
    north and east)."""
    latitudes, longitudes = array.array("d"), array.array("d")
    sigma = meters / DEGREE
    for latitude, longitude in zip(*track):
        latitudes.append(latitude + generator.gauss(0, sigma))
        east = generator.gauss(0, sigma) / math.cos(math.radians(latitude))
        longitudes.append((longitude + east + 180) % 360 - 180)
    return latitudes, longitudes


def write(track, path, start):
    """Writes a track as GPX, with a fix every 45 s."""
    with open(path, "w") as file:
        file.write('<?xml version="1.0"?>\n<gpx version="1.1" creator="Roqua">\n<trk><trkseg>\n')
        for number, (latitude, longitude) in enumerate(zip(*track)):
            time = start + datetime.timedelta(seconds=number * SECONDS)
            file.write(
                f'<trkpt lat="{latitude:.7f}" lon="{longitude:.7f}">'
                f"<time>{time:%Y-%m-%dT%H:%M:%SZ}</time></trkpt>\n"
            )
        file.write("</trkseg></trk>\n</gpx>\n")


def day(number):
    """The start of a day, counted from 1990."""
    return datetime.datetime(1990, 1, 1) + datetime.timedelta(days=number)


def make_store(tool, store, count, area, generator, fixes=1_000):
    """A store of some tracks that begin in an area, and the time that their import took."""
    south, north, west, east = area
    tracks = store.with_suffix(".tracks")
    tracks.mkdir()
    for number in range(count):
        start = generator.uniform(south, north), generator.uniform(west, east)
        track = walk(*start, fixes, generator)
        write(track, tracks / f"{number:05}.gpx", day(number % 9_000))
    seconds = execute([tool, "import", "--quiet", "--store", store, tracks]).seconds
    shutil.rmtree(tracks)
    return seconds
