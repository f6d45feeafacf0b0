"""A small life that the checks make themselves: its fixes, their GPX files, and a store of them.

All of it that pixels are compared on lies at sea, where the base map is one flat color.
"""

import dataclasses
import datetime
import math
import random
import subprocess

#: Meters of a degree of latitude, about: fixes need not be placed more exactly.
DEGREE = 111_195


@dataclasses.dataclass(frozen=True)
class Fix:
    """A fix as the GPX file has it."""

    latitude: str
    longitude: str
    time: datetime.datetime

    @property
    def day(self):
        """Days since 1970-01-01, in UTC."""
        return (self.time.date() - datetime.date(1970, 1, 1)).days


def day_number(text):
    """Days since 1970-01-01 of a date."""
    return (datetime.date.fromisoformat(text) - datetime.date(1970, 1, 1)).days


def track(day, latitude, longitude, headings, meters=90, seconds=40):
    """Fixes on a day, one for each heading in degrees, some meters apart.

    Roqua keeps every one: farther apart than 50 m, and at a plausible speed.
    """
    moment = datetime.datetime.fromisoformat(f"{day}T08:00:00+00:00")
    fixes = []
    for heading in headings:
        shown = (longitude + 180) % 360 - 180
        fixes.append(Fix(f"{latitude:.7f}", f"{shown:.7f}", moment))
        angle = math.radians(heading)
        latitude += meters * math.cos(angle) / DEGREE
        longitude += meters * math.sin(angle) / DEGREE / math.cos(math.radians(latitude))
        moment += datetime.timedelta(seconds=seconds)
    return fixes


def walk(seed, count):
    """Headings of a walk through a city: straight on, with a turn now and then, never back."""
    chance = random.Random(seed)
    heading = chance.choice([0, 90, 180, 270])
    headings = []
    for _ in range(count):
        if chance.random() < 0.3:
            heading = (heading + chance.choice([-90, 90])) % 360
        headings.append(heading + chance.uniform(-8, 8))
    return headings


#: Where pixels are compared: a name, the latitude and the longitude.
PLACES = {
    "antimeridian": (-55.0, 180.0),
    "north": (85.02, -150.0),
    "walk": (45.0, -38.0),
}

#: The days of the walk at sea.
WALK_DAYS = ["2021-05-01", "2022-08-14", "2023-02-03", "2024-11-30"]


def tracks():
    """The tracks of the world by name."""
    latitude, longitude = PLACES["walk"]
    found = {
        "antimeridian": track("2019-03-10", -55.01, 179.92, [80] * 118),
        "north": track("2020-07-01", 84.96, -150.02, [3] * 140),
        "lisbon": track("2018-04-20", 38.7100, -9.1400, walk(5, 60)),
        "vienna": track("2022-08-02", 48.2082, 16.3738, walk(6, 60)),
        "vienna again": track("2023-09-09", 48.2082, 16.3738, walk(6, 60)),
    }
    for seed, day in enumerate(WALK_DAYS):
        found[f"walk {day}"] = track(day, latitude, longitude, walk(seed, 110))
    return found


def gpx(fixes):
    """A GPX 1.1 file of one track."""
    points = "".join(
        f'<trkpt lat="{one.latitude}" lon="{one.longitude}">'
        f"<time>{one.time:%Y-%m-%dT%H:%M:%SZ}</time></trkpt>\n"
        for one in fixes
    )
    return (
        '<?xml version="1.0"?>\n<gpx version="1.1" creator="test-pages" '
        'xmlns="http://www.topografix.com/GPX/1/1">\n'
        f"<trk><trkseg>\n{points}</trkseg></trk></gpx>\n"
    )


class Store:
    """A store of some tracks, and the pages made of it."""

    def __init__(self, roqua, folder, named, zones=()):
        self.roqua, self.folder = roqua, folder
        folder.mkdir()
        self.path = folder / "store.sqlite"
        self.pages = 0
        files = folder / "tracks"
        files.mkdir()
        for name, fixes in named.items():
            (files / f"{name}.gpx").write_text(gpx(fixes))
        for latitude, longitude, radius in zones:
            self.run("zone", "add", str(latitude), str(longitude), "--radius", f"{radius}m")
        self.report = self.run("import", "--json", str(files)) if named else None

    def run(self, *arguments):
        """The standard output of a command, which must succeed."""
        command = [self.roqua, *arguments, "--store", str(self.path)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    def page(self, *options):
        """The path of a new page."""
        self.pages += 1
        path = self.folder / f"page-{self.pages}.html"
        self.run("map", str(path), *options)
        return path
