"""Files to import, generated from a seed."""

import json, math, os, random, sqlite3, time
from contextlib import closing

HEAD = (
    '<gpx version="1.1" creator="torture" xmlns="http://www.topografix.com/GPX/1/1">'
    "<trk><trkseg>\n"
)
TAIL = "</trkseg></trk></gpx>\n"


def moment(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def write_points(path, points):
    """A GPX file of (latitude, longitude, seconds since 1970)."""
    with open(path, "w") as file:
        file.write(HEAD)
        for latitude, longitude, seconds in points:
            file.write(
                f'<trkpt lat="{latitude:.7f}" lon="{longitude:.7f}">'
                f"<time>{moment(seconds)}</time></trkpt>\n"
            )
        file.write(TAIL)
    return path


def wander(numbers, latitude, longitude, start, points):
    """A wandering track with a fix every second, about 12 m apart."""
    heading = 0.0
    for second in range(points):
        heading += numbers.uniform(-0.3, 0.3)
        latitude += 0.0001 * math.cos(heading)
        longitude += 0.0001 * math.sin(heading)
        yield latitude, longitude, start + second


def write_tracks(folder, seed, files, points):
    """GPX files of wandering tracks."""
    os.makedirs(folder)
    for index in range(files):
        numbers = random.Random(seed * 1000 + index)
        latitude, longitude = numbers.uniform(-60, 60), numbers.uniform(-170, 170)
        start = 1_600_000_000 + numbers.randrange(100_000_000)
        write_points(
            os.path.join(folder, f"{index:03}.gpx"),
            wander(numbers, latitude, longitude, start, points),
        )
    return folder


def write_walk(path, points, latitude=-50.0, longitude=20.0, start=1_500_000_000, step=0.0009):
    """A straight walk north: each fix is 100 m and a minute after the previous one, and has its own
    region."""
    return write_points(
        path, ((latitude + index * step, longitude, start + 60 * index) for index in range(points))
    )


APP_TABLE = """CREATE TABLE visited_regions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, latitude REAL NOT NULL, longitude REAL NOT NULL,
  radius INTEGER NOT NULL DEFAULT 200, timestamp_start TEXT NOT NULL, timestamp_end TEXT,
  visit_count INTEGER NOT NULL DEFAULT 1, city TEXT, district TEXT, country TEXT,
  country_code TEXT, geohash TEXT, accuracy REAL, created_at TEXT DEFAULT CURRENT_TIMESTAMP,
  updated_at TEXT DEFAULT CURRENT_TIMESTAMP)"""


def app_rows(seed, rows):
    """Rows of the Roqua app's table, around Munich."""
    numbers = random.Random(seed)
    for index in range(rows):
        start = 1_550_000_000 + 3_600 * index
        yield (
            48.0 + numbers.uniform(-0.2, 0.2),
            11.5 + numbers.uniform(-0.2, 0.2),
            200,
            moment(start),
            moment(start + 600),
            numbers.randrange(1, 9),
            "Munich",
            "Schwabing",
            "Germany",
            "DE",
            numbers.uniform(3, 40),
        )


INSERT_APP_ROW = (
    "INSERT INTO visited_regions (latitude, longitude, radius, timestamp_start,"
    " timestamp_end, visit_count, city, district, country, country_code, accuracy)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def write_app_database(path, seed, rows):
    with closing(sqlite3.connect(path)) as database:
        database.execute(APP_TABLE)
        database.executemany(INSERT_APP_ROW, app_rows(seed, rows))
        database.commit()
    return path


def write_app_lists(folder):
    """The app's two other stores: explored circles and grid hashes."""
    circles, hashes = os.path.join(folder, "circles.json"), os.path.join(folder, "hashes.json")
    with open(circles, "w") as file:
        json.dump([{"latitude": 40.0 + n / 100, "longitude": -3.0} for n in range(20)], file)
    with open(hashes, "w") as file:
        json.dump([f"{100_000 + n}_{200_000 + n}" for n in range(20)], file)
    return circles, hashes
