"""Searches in regions along simulated tracks: Roqua, SpatiaLite and R*Tree in one process, PostGIS over a local socket, and
DuckDB in this process, all asked the same around the same places."""
import csv, glob, json, math, os, pathlib, pwd, shutil, sqlite3, subprocess, time

from .tools import Must, Row, Section, execute, median, say, span, times, wrong

COLUMNS = ("id, latitude, longitude, radius, timestamp_start, timestamp_end, visit_count, country_code, country, region, "
           "district, city")
#: How long a contender is asked one kind of question in a round, at ten places at least.
SECONDS_EACH = 8
TYPES = ("id bigint, latitude double precision, longitude double precision, radius integer, timestamp_start text, "
         "timestamp_end text, visit_count integer, country_code text, country text, region text, district text, city text")


def measure(run):
    report, folder = run.bench
    questions = read_questions(folder / "searches.tsv")
    rivals = [rival for rival in (start_postgis(run, folder), start_duckdb(run, folder)) if rival]
    samples = {}  # (question, contender): seconds
    limits = {}  # (question, contender): places that are asked around in each round
    store, count = folder / "store.sqlite", "50" if run.is_quick else "200"
    rounds = 3
    ours = {}
    try:
        for number in range(rounds):
            say(f"  round {number + 1} of {rounds}: Roqua alone")
            done = execute([run.with_spatialite, "bench", "near", "bbox", "nearest", "--alone", "--json", "--store", store,
                            "--questions", count, "--seed", str(run.seed)])
            for item in json.loads(done.output)["measurements"]:
                ours.setdefault((item["question"], item["contender"]), []).append(item["medianSeconds"])
            for rival in rivals:
                say(f"  round {number + 1} of {rounds}: {rival.name}")
                for name, places in questions.items():
                    if number == 0:  # untimed: answers are compared, and the caches fill
                        limits[name, rival.name] = check_all(rival, name, places)
                    for place in places[:limits[name, rival.name]]:
                        start = rival.clock()
                        rival.ask(place)
                        samples.setdefault((name, rival.name), []).append(rival.clock() - start)
    finally:
        for rival in rivals:
            rival.stop()

    rows = []
    for item in report["measurements"]:
        if item["part"] not in ("near", "bbox", "nearest"):
            continue
        key = (item["question"], item["contender"])
        again = f"; alone, {rounds} rounds: {span(median(ours[key]))}" if key in ours else ""
        rows.append(Row(item["question"], item["contender"],
                        f"{span(item['medianSeconds'])} (p99 {span(item['p99Seconds'])})",
                        times(item["ratio"]), note=f"{item['meanHits']:,.0f} rows{again}"))
    for (name, rival), seconds in samples.items():
        base = median(ours[(name, "Roqua")])
        index = max(i for i, row in enumerate(rows) if row.question == name)
        ordered = sorted(seconds)
        rows.insert(index + 1, Row(name, rival, f"{span(median(seconds))} (p99 {span(ordered[int(0.99 * (len(ordered) - 1))])})",
                                   times(median(seconds) / base), note=f"{len(seconds)} answers around {limits[name, rival]} places"))
    builds = [Row("build the index", build["name"], span(build["seconds"])) for build in report["builds"]]
    builds += [Row("build the index", rival.name, span(rival.build_seconds)) for rival in rivals]
    notes = ["Roqua, the indexes of SQLite and SpatiaLite run in one process and take turns place by place; the ratio is to "
             "Roqua's median at the same places in that run. PostGIS and DuckDB are compared with the median of Roqua alone, in "
             "processes that took turns with them around the same places, those across ±180° left out; around how many, where not all, "
             "is told.",
             "PostGIS answers prepared statements over a unix socket, by the clock, because its server is another process; DuckDB "
             "in this process on one thread, by the time of the processor, and parses and plans each question anew, because its "
             "planner takes the R-tree for constants only. Both hand all rows to Python as tuples (`fetchall`), as their users "
             "ask them. That is tens of microseconds of each answer and more with thousands of rows: small answers say little "
             "about their indexes."]
    return [Section(f"Searches in {report['regions']:,} regions", rows + builds, musts(report, run), notes)]


def musts(report, run):
    found = []
    by_key = {(item["question"], item["contender"]): item for item in report["measurements"]}
    for name in ("near 500 m", "near 2.0 km", "near 10.0 km"):
        for rival, must in (("R*Tree joined", 2), ("SpatiaLite, ellipsoidal distance", 5)):
            item = by_key.get((name, rival))
            if item:
                text = by_key[(name, "Roqua, every text of its place read")]
                honest = item["medianSeconds"] / text["medianSeconds"]
                found.append(Must(f"{name}: {rival} takes", f"{times(item['ratio'])} times as long ({times(honest)} with every text read)",
                                  f"{must} times", item["ratio"] >= must, "10"))
    for name in ("near 500 m", "near 2.0 km", "near 10.0 km"):
        ours = by_key[(name, "Roqua, ids and distances, unsorted")]
        floor = by_key[(name, "the floor: ids from sorted coordinates")]["medianSeconds"]
        ratio = ours["medianSeconds"] / floor
        found.append(Must(f"{name}: ids and distances ({ours['meanHits']:,.0f} rows)",
                          f"{span(ours['medianSeconds'])}, {times(ratio)} times the floor of {span(floor)}",
                          "3 times the floor", ratio <= 3))
    builds = {build["name"]: build["seconds"] for build in report["builds"]}
    if "R*Tree" in builds:
        share = builds["Roqua: index on geohash with positions"] / builds["R*Tree"]
        found.append(Must(f"building the index over {report['regions']:,} regions", f"{share:.2f} of R*Tree's time", "0.2", share <= 0.2))
    found.append(first_answer(run))
    return found


def first_answer(run):
    """A new process opens the store and answers one search: all that it takes from its start to its end."""
    _, folder = run.bench
    place = read_questions(folder / "searches.tsv")["near 2.0 km"][0]
    command = [run.roqua, "near", f"{place['latitude']}", f"{place['longitude']}", "--radius", "2km", "--json",
               "--store", folder / "store.sqlite"]
    answers = [execute(command) for _ in range(9)]
    for answer in answers:
        ids = [region["id"] for region in json.loads(answer.output)["regions"]]
        if len(ids) != place["count"] or sum(ids) != place["sum"]:
            wrong(f"a new process finds {len(ids)} regions, not the {place['count']} of `roqua bench`")
    spent = median(answer.processor for answer in answers)
    return Must("a store opens and answers its first search, near 2.0 km: the whole process",
                f"{spent * 1e3:.1f} ms of processor", "20 ms", spent <= 0.02)


def read_questions(path):
    """What `roqua bench` asked and answered: places by the name of the question."""
    questions = {}
    for line in path.read_text().splitlines():
        kind, number, latitude, longitude, south, north, west, east, count, sum_ = line.split("\t")
        number = float(number)
        if kind == "nearest" and abs(float(longitude)) > 179:
            continue  # rivals are asked by boxes that end at ±180°, as circles and boxes across it are left out too
        name = {"near": f"near {length(number)}", "box": f"box {length(2 * number)}", "nearest": f"nearest {number:.0f}"}[kind]
        questions.setdefault(name, []).append(dict(
            kind=kind, number=number, latitude=float(latitude), longitude=float(longitude), south=float(south),
            north=float(north), west=float(west), east=float(east), count=int(count), sum=int(sum_)))
    return questions


def length(meters):
    return f"{meters / 1000:.1f} km" if meters >= 1000 else f"{meters:.0f} m"


def box_around(place, meters):
    """Edges of a box that holds a circle, cut at the poles and at ±180°: a metre of a degree of latitude is 110,574 of them
    at least, one of longitude 111,319 × cos φ at least."""
    north = meters / 110_574
    edge = min(90, abs(place["latitude"]) + north)
    east = 360 if edge > 89.9 else meters / (111_319 * math.cos(math.radians(edge)))
    return dict(south=max(-90, place["latitude"] - north), north=min(90, place["latitude"] + north),
                west=max(-180, place["longitude"] - east), east=min(180, place["longitude"] + east))


def check_all(rival, name, places):
    """Asks around all places, or as many as SECONDS_EACH allows, ten at least; returns how many those were."""
    begun = time.perf_counter()
    for asked, place in enumerate(places):
        if asked >= 10 and time.perf_counter() - begun > SECONDS_EACH:
            return asked
        check(rival, name, place, rival.ask(place))
    return len(places)


def check(rival, name, place, rows):
    """All must agree to the region, where distances are of the ellipsoid; other formulas may see one at the rim of a
    circle, or at the end of the nearest, differently."""
    ids = [row[0] for row in rows]
    is_same = len(ids) == place["count"] and sum(ids) == place["sum"]
    if place["kind"] == "near":
        is_right = is_same or (len(ids) != place["count"]
                               and abs(len(ids) - place["count"]) <= max(1, rival.tolerance * place["count"]))
    elif place["kind"] == "nearest":
        is_right = is_same or (not rival.is_ellipsoidal and len(ids) == place["count"])
    else:
        is_right = is_same
    if not is_right:
        wrong(f"{rival.name}, {name} of {place['latitude']}, {place['longitude']}: {len(ids)} regions with {sum(ids)} as the sum "
              f"of their ids, not {place['count']} with {place['sum']}")


def regions(folder):
    with sqlite3.connect(folder / "rivals.sqlite") as database:
        yield from database.execute(f"SELECT {COLUMNS} FROM regions ORDER BY geohash")


def start_postgis(run, folder):
    if not run.has_python("psycopg2", "psycopg2"):
        return None
    if not run.has_debian("postgresql-postgis"):
        run.leave_out("PostGIS", "postgresql-postgis cannot be installed here")
        return None
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    try:
        return PostGIS(run, folder, pathlib.Path(programs[-1]))
    except (IndexError, subprocess.CalledProcessError) as error:
        run.leave_out("PostGIS", f"its server does not start ({error})")
        return None


class PostGIS:
    """A cluster of its own in a folder, reached over a unix socket there, gone afterwards."""
    tolerance = 0.002
    is_ellipsoidal = True
    clock = staticmethod(time.perf_counter)

    def __init__(self, run, folder, programs):
        import psycopg2
        self.home = run.folder / "postgres"
        self.home.mkdir()
        self.programs = programs
        self.user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        if os.geteuid() == 0:
            shutil.chown(self.home, "postgres")
        data = self.home / "data"
        self.server("initdb", "-D", data, "-A", "trust", "-U", self.user, "--no-sync", "-E", "UTF8", "--locale=C")
        options = (f"-k {self.home} -c listen_addresses= -c shared_buffers=1GB -c jit=off -c fsync=off -c work_mem=64MB "
                   "-c maintenance_work_mem=1GB -c max_wal_size=4GB")
        self.server("pg_ctl", "-D", data, "-w", "-l", self.home / "log", "-o", options, "start")
        self.connection = psycopg2.connect(host=str(self.home), user=self.user, dbname="postgres")
        self.connection.autocommit = True
        self.cursor = self.connection.cursor()
        self.execute("CREATE EXTENSION postgis")
        self.name = "PostGIS " + self.one("SELECT split_part(postgis_version(), ' ', 1)") + ", geography"
        self.execute(f"CREATE TABLE regions ({TYPES}, place geography(Point, 4326), point geometry(Point, 4326))")
        say(f"  filling {self.name}")
        text = self.home / "regions.tsv"
        with open(text, "w") as file:
            for row in regions(folder):
                file.write("\t".join("\\N" if value is None else str(value) for value in row) + "\n")
        with open(text) as file:
            self.cursor.copy_expert(f"COPY regions ({COLUMNS}) FROM STDIN", file)
        text.unlink()
        self.execute("UPDATE regions SET point = ST_SetSRID(ST_MakePoint(longitude, latitude), 4326), "
                     "place = ST_SetSRID(ST_MakePoint(longitude, latitude), 4326)::geography")
        start = time.perf_counter()
        self.execute("CREATE INDEX by_place ON regions USING gist (place)")
        self.build_seconds = time.perf_counter() - start
        self.execute("CREATE INDEX by_point ON regions USING gist (point)")
        self.execute("VACUUM FULL ANALYZE regions")
        self.execute(f"PREPARE near(float8, float8, float8) AS SELECT {COLUMNS}, ST_Distance(place, ST_MakePoint($1, $2)::geography) AS m "
                     "FROM regions WHERE ST_DWithin(place, ST_MakePoint($1, $2)::geography, $3) ORDER BY m")
        self.execute(f"PREPARE box(float8, float8, float8, float8) AS SELECT {COLUMNS} FROM regions "
                     "WHERE point && ST_MakeEnvelope($1, $2, $3, $4, 4326) AND longitude BETWEEN $1 AND $3 "
                     "AND latitude BETWEEN $2 AND $4 ORDER BY id")  # && compares boxes of single precision
        # The index orders by distance on a sphere: some more by that, and the nearest of them on the ellipsoid.
        self.execute("PREPARE nearest(float8, float8, int) AS WITH found AS MATERIALIZED (SELECT * FROM regions "
                     "ORDER BY place <-> ST_MakePoint($1, $2)::geography LIMIT $3 + 10) "
                     f"SELECT {COLUMNS}, ST_Distance(place, ST_MakePoint($1, $2)::geography) AS m FROM found ORDER BY m, id LIMIT $3")

    def server(self, program, *arguments):
        switch = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        subprocess.run([*switch, str(self.programs / program), *map(str, arguments)], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")

    def execute(self, sql):
        self.cursor.execute(sql)

    def one(self, sql):
        self.cursor.execute(sql)
        return self.cursor.fetchone()[0]

    def ask(self, place):
        if place["kind"] == "box":
            self.cursor.execute("EXECUTE box(%s, %s, %s, %s)", (place["west"], place["south"], place["east"], place["north"]))
        else:
            self.cursor.execute(f"EXECUTE {place['kind']}(%s, %s, %s)",
                                (place["longitude"], place["latitude"],
                                 int(place["number"]) if place["kind"] == "nearest" else place["number"]))
        return self.cursor.fetchall()

    def stop(self):
        self.connection.close()
        self.server("pg_ctl", "-D", self.home / "data", "-m", "immediate", "-w", "stop")


def start_duckdb(run, folder):
    return DuckDB(run, folder) if run.has_python("duckdb", "duckdb") else None


class DuckDB:
    """A database in memory, one thread; with R-tree and spheroidal distance where its extension is there."""
    clock = staticmethod(time.process_time)

    def __init__(self, run, folder):
        import duckdb
        self.connection = duckdb.connect(config={"threads": 1})
        self.is_spatial = run.has_python("duckdb_extension_spatial", "duckdb-extension-spatial")
        if self.is_spatial:
            try:
                from duckdb_extensions import import_extension
                import_extension("spatial", con=self.connection)
                self.connection.execute("LOAD spatial")
            except Exception as error:  # whatever it is, the plain comparison still stands
                run.leave_out("DuckDB's spatial extension", str(error).splitlines()[0])
                self.is_spatial = False
        self.is_ellipsoidal = self.is_spatial
        self.name = f"DuckDB {duckdb.__version__}, " + ("spatial" if self.is_spatial else "plain SQL, haversine")
        self.tolerance = 0.005 if not self.is_spatial else 0.002
        say(f"  filling {self.name}")
        self.connection.execute(f"CREATE TABLE regions ({TYPES})")
        text = run.folder / "regions.csv"
        with open(text, "w", newline="") as file:
            csv.writer(file).writerows(regions(folder))
        self.connection.execute(f"COPY regions FROM '{text}' (HEADER false)")
        text.unlink()
        start = time.perf_counter()
        if self.is_spatial:
            self.connection.execute("ALTER TABLE regions ADD COLUMN point GEOMETRY")
            self.connection.execute("UPDATE regions SET point = ST_Point(longitude, latitude)")
            start = time.perf_counter()
            self.connection.execute("CREATE INDEX by_point ON regions USING RTREE (point)")
        else:
            self.connection.execute("CREATE INDEX by_latitude ON regions (latitude)")
        self.build_seconds = time.perf_counter() - start

    def ask(self, place):
        if place["kind"] != "nearest":
            return self.ask_area(place)
        # As the rivals that know circles only: twice the radius until there are enough.
        count, radius = int(place["number"]), 250
        while True:
            rows = self.ask_area(dict(place, kind="near", number=radius, **box_around(place, radius)))
            if len(rows) >= count or radius > 20_100_000:
                return rows[:count]
            radius *= 2

    def ask_area(self, place):
        latitude, longitude = place["latitude"], place["longitude"]
        kind, number = place["kind"], place["number"]
        box = (place["west"], place["south"], place["east"], place["north"])
        if self.is_spatial:
            # The axis order of ST_Distance_Spheroid is latitude, longitude. The planner takes the R-tree for a constant only.
            meters = f"ST_Distance_Spheroid(ST_Point2D(latitude, longitude), ST_Point2D({latitude!r}, {longitude!r}))"
        else:
            meters = (f"2 * 6371007.2 * asin(sqrt(pow(sin(radians(latitude - {latitude!r}) / 2), 2) + cos(radians(latitude)) * "
                      f"cos(radians({latitude!r})) * pow(sin(radians(longitude - {longitude!r}) / 2), 2)))")
        exact = f"latitude BETWEEN {box[1]!r} AND {box[3]!r} AND longitude BETWEEN {box[0]!r} AND {box[2]!r}"
        wide = self.widened(box) if self.is_spatial else "true"
        if kind == "near":
            # Materialised, because with the distance beside it the planner does not take the R-tree.
            sql = (f"WITH found AS MATERIALIZED (SELECT {COLUMNS} FROM regions WHERE {wide} AND {exact}) "
                   f"SELECT *, {meters} AS m FROM found WHERE m <= {number!r} ORDER BY m, id")
        else:
            sql = f"SELECT {COLUMNS} FROM regions WHERE {wide} AND {exact} ORDER BY id"
        return self.connection.execute(sql).fetchall()

    @staticmethod
    def widened(box):
        """A centimetre more on each side: ST_Within leaves the rim out."""
        return (f"ST_Within(point, ST_MakeEnvelope({box[0] - 1e-7!r}, {box[1] - 1e-7!r}, {box[2] + 1e-7!r}, "
                f"{box[3] + 1e-7!r}))")

    def stop(self):
        self.connection.close()
