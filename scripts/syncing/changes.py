"""What people do on their devices between two syncs, from a seed."""

import math
import time

# Where tracks begin: several countries, the date line, and a city at the equator.
PLACES = [(48.58, 7.75), (41.01, 28.97), (-16.78, 179.97), (-0.22, -78.51), (64.13, -21.9)]
NAMES = ["Ayasofya-Rundgang", "Kahvaltı-yürüyüşü", "Radtour-zum-Großeltern", "holiday-ferry"]
START = 1_714_521_600  # 1 May 2024


def gpx(random, number):
    """A track of a few kilometers, whose bytes no other number has."""
    latitude, longitude = random.choice(PLACES)
    latitude += random.uniform(-0.05, 0.05)
    longitude += random.uniform(-0.02, 0.02)
    moment = START + random.randrange(300) * 86_400 + number
    heading = random.uniform(0, 2 * math.pi)
    points = []
    for index in range(random.randrange(5, 60)):
        heading += random.gauss(0, 0.3)
        latitude += 0.0009 * math.cos(heading)
        longitude += 0.0009 * math.sin(heading)
        longitude = (longitude + 180) % 360 - 180
        clock = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment + 40 * index))
        points.append(
            f'<trkpt lat="{latitude:.7f}" lon="{longitude:.7f}"><time>{clock}</time></trkpt>')
    return (
        '<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk>'
        f"<trkseg>{''.join(points)}</trkseg></trk></gpx>\n")


class Changes:
    """Makes changes on devices. Tracks that it made may be imported elsewhere again."""

    def __init__(self, random, folder):
        self.random, self.folder = random, folder
        folder.mkdir(parents=True, exist_ok=True)
        self.number = 0
        self.tracks = []
        # The zones that were added, by name.
        self.zones = []

    def new_tracks(self, count):
        made = []
        for _ in range(count):
            self.number += 1
            path = self.folder / f"{self.random.choice(NAMES)}-{self.number}.gpx"
            path.write_text(gpx(self.random, self.number))
            made.append(path)
        self.tracks += made
        return made

    def import_new(self, device, count=None):
        device.run("import", "--quiet", *self.new_tracks(count or self.random.randrange(1, 5)))

    def import_again(self, device):
        """What another device may have, or what was forgotten."""
        if self.tracks:
            device.run("import", "--quiet", self.random.choice(self.tracks))

    def forget(self, device):
        sources = device.json("sources")["sources"]
        if len(sources) > 2:
            device.run("forget", self.random.choice(sources)["id"])

    def thin_out(self, device, most):
        """Forgets a third of the sources if there are more than so many."""
        sources = device.json("sources")["sources"]
        if len(sources) > most:
            chosen = self.random.sample(sources, len(sources) // 3)
            device.run("forget", *(source["id"] for source in chosen))

    def forget_near(self, device):
        """Deletes the fixes around one of them."""
        fixes = device.rows("SELECT latitude, longitude FROM roqua_fixes")
        if fixes:
            fix = self.random.choice(fixes)
            device.run(
                "forget", "--near", fix["latitude"], fix["longitude"], "--radius",
                f"{self.random.randrange(60, 600)}m")

    def add_zone(self, device):
        name = f"Großmutters Haus {len(self.zones) + 1}"
        latitude, longitude = self.random.choice(PLACES)
        device.run(
            "zone", "add", round(latitude + self.random.uniform(-0.05, 0.05), 7),
            round(longitude + self.random.uniform(-0.02, 0.02), 7), "--radius",
            f"{self.random.randrange(100, 900)}m", "--name", name)
        self.zones.append(name)

    def remove_zone(self, device):
        zones = device.json("zone", "list")["zones"]
        if zones:
            device.run("zone", "remove", self.random.choice(zones)["name"])

    def set(self, device):
        key, values = self.random.choice([
            ("visitGapMinutes", [10, 30, 60]), ("percentageDecimals", [2, 3, 5]),
            ("clusteringRadiusMeters", [75, 100]), ("units", ["metric", "imperial"]),
            ("minimumIntervalSeconds", [0, 5])])
        device.run("settings", key, self.random.choice(values))

    def change(self, device):
        """One change of any kind."""
        kinds = [
            self.import_new, self.import_new, self.import_again, self.forget, self.forget_near,
            self.add_zone, self.remove_zone, self.set]
        kind = self.random.choice(kinds)
        kind(device)
        return kind.__name__
