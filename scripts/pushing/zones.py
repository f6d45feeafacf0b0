"""Nothing inside a privacy zone is in the database, nor the zone itself."""

from . import rows, traces
from .bench import SAMPLES, pushed, require
from .sources import every_kind

RADIUS = 350


def check(bench):
    database = bench.database()
    owner = bench.owner("anna")
    every_kind(bench, owner)
    owner.push(database, "--fixes")
    fixes = owner.rows("SELECT latitude, longitude FROM roqua_fixes")
    regions = [line.split("|") for line in database.lines(
        "SELECT ST_Y(center::geometry), ST_X(center::geometry) FROM roqua.regions "
        "WHERE region IN (SELECT region FROM roqua.regions r JOIN roqua.source_regions s "
        "ON ST_DWithin(r.center, ST_Point(s.longitude, s.latitude)::geography, 1))")]
    places = []
    for number in range(3):
        fix = bench.random.choice(fixes)
        places.append((fix["latitude"], fix["longitude"]))
    region = bench.random.choice(regions)
    places.append((float(region[0]), float(region[1])))
    removed = 0
    for number, (latitude, longitude) in enumerate(places):
        # Near it, with digits of its own.
        latitude = round(latitude + bench.random.uniform(-1e-3, 1e-3), 7)
        longitude = round(longitude + bench.random.uniform(-1e-3, 1e-3), 7)
        name = f"Ömas Häuschen {number}"
        inside = rows_inside(database, latitude, longitude)
        require(
            inside["regions"] > 0 and (number == 3 or inside["fixes"] > 0),
            f"nothing of zone {number} was in the database: {inside}")
        owner.run(
            "zone", "add", latitude, longitude, "--radius", f"{RADIUS}m", "--name", name)
        owner.push(database)
        left = rows_inside(database, latitude, longitude)
        require(not any(left.values()), f"inside zone {number} the database has {left}")
        removed += sum(inside.values())

        dump = database.dump()
        secrets = [
            *traces.of_number(latitude), *traces.of_number(longitude), *traces.of_text(name)]
        found = traces.found(dump, secrets)
        require(not found, f"zone {number} can be read in the database: {found}")
        visible(database, dump)

    # The payloads of fixes are packed: what they have is what a pull gets.
    pulled = owner.pull(database, "pulled")
    for number, zone in enumerate(owner.json("zone", "list")["zones"]):
        left = database.value(f"""
            SELECT count(*) FROM (VALUES {points(pulled)}) AS fix(latitude, longitude)
            WHERE ST_DWithin(ST_Point(longitude, latitude)::geography,
              ST_Point({zone['longitude']}, {zone['latitude']})::geography, {RADIUS})""")
        require(left == "0", f"a pull gets {left} fixes inside zone {number}")
    rows.require_equal(
        rows.contents(database), pushed(owner, bench.database(), "--fixes"),
        "not the rows of a new push")
    return f"{removed} rows were inside {len(places)} zones, and none is"


def points(owner):
    return ", ".join(
        f"({fix['latitude']!r}::float8, {fix['longitude']!r}::float8)"
        for fix in owner.rows("SELECT latitude, longitude FROM roqua_fixes"))


def rows_inside(database, latitude, longitude):
    center = f"ST_Point({longitude}, {latitude})::geography"
    return {
        table: int(database.number(
            f"SELECT count(*) FROM roqua.{table} WHERE ST_DWithin({point}, {center}, {RADIUS})"))
        for table, point in (
            ("regions", "center"), ("fixes", "position"),
            ("source_regions", "ST_Point(longitude, latitude)::geography"))}


def visible(database, dump):
    """A search that finds nothing would prove nothing: what is in the database must be found."""
    point = database.value(
        "SELECT ST_Y(position::geometry) FROM roqua.fixes ORDER BY chunk, number LIMIT 1")
    require(
        traces.found(dump, traces.of_number(float(point)))
        and traces.found(dump, traces.of_text(SAMPLES[0].name)),
        "the search of the dump finds nothing at all")
