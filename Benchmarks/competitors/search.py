"""The same searches in regions along simulated tracks: Roqua, SpatiaLite and R*Tree in one process,
PostGIS over a local socket, DuckDB in this process, and in-memory indexes."""

import csv, glob, json, math, os, pathlib, pwd, shutil, sqlite3, subprocess, time

from . import memory_indexes
from .tools import Must, Row, Section, execute, median, say, span, times, wrong

COLUMNS = (
    "id, latitude, longitude, radius, timestamp_start, timestamp_end, visit_count, country_code, "
    "country, region, district, city"
)
#: The seconds that a round spends on one kind of query, at ten places or more.
SECONDS_EACH = 8
TYPES = (
    "id bigint, latitude double precision, longitude double precision, radius integer, "
    "timestamp_start text, timestamp_end text, visit_count integer, country_code text, "
    "country text, region text, district text, city text"
)


def measure(run):
    report, folder = run.bench
    questions = read_questions(folder / "searches.tsv")
    competitors = [
        competitor
        for competitor in (start_postgis(run, folder), start_duckdb(run, folder))
        if competitor
    ]
    peers = memory_indexes.start(run, folder, questions)
    samples = {}  # (query, contender): seconds
    limits = {}  # (query, contender): places searched around in each round
    store, count = folder / "store.sqlite", "50" if run.is_quick else "200"
    rounds = 3
    ours, alone = {}, []
    try:
        for number in range(rounds):
            say(f"  round {number + 1} of {rounds}: Roqua alone")
            done = execute(
                [
                    run.with_spatialite,
                    "bench",
                    "near",
                    "bbox",
                    "nearest",
                    "--alone",
                    "--json",
                    "--store",
                    store,
                    "--questions",
                    count,
                    "--seed",
                    str(run.seed),
                ]
            )
            alone.append(json.loads(done.output))
            for item in alone[-1]["measurements"]:
                ours.setdefault((item["question"], item["contender"]), []).append(
                    item["medianSeconds"]
                )
            for peer in peers:
                names = ", ".join(figures.name for figures in peer.figures)
                say(f"  round {number + 1} of {rounds}: {names}")
                peer.measure()
            for competitor in competitors:
                say(f"  round {number + 1} of {rounds}: {competitor.name}")
                for name, places in questions.items():
                    if number == 0:  # untimed: answers are compared, and the caches fill
                        limits[name, competitor.name] = check_all(competitor, name, places)
                    for place in places[: limits[name, competitor.name]]:
                        start = competitor.clock()
                        competitor.ask(place)
                        samples.setdefault((name, competitor.name), []).append(
                            competitor.clock() - start
                        )
    finally:
        for competitor in competitors:
            competitor.stop()

    rows = []
    for item in report["measurements"]:
        if item["part"] not in ("near", "bbox", "nearest"):
            continue
        key = (item["question"], item["contender"])
        again = f"; alone, {rounds} rounds: {span(median(ours[key]))}" if key in ours else ""
        rows.append(
            Row(
                item["question"],
                item["contender"],
                f"{span(item['medianSeconds'])} (p99 {span(item['p99Seconds'])})",
                times(item["ratio"]),
                note=f"{item['meanHits']:,.0f} rows{again}",
            )
        )
    for (name, competitor), seconds in samples.items():
        base = median(ours[(name, "Roqua")])
        index = max(i for i, row in enumerate(rows) if row.question == name)
        ordered = sorted(seconds)
        rows.insert(
            index + 1,
            Row(
                name,
                competitor,
                f"{span(median(seconds))} (p99 {span(ordered[int(0.99 * (len(ordered) - 1))])})",
                times(median(seconds) / base),
                note=f"{len(seconds)} answers around {limits[name, competitor]} places",
            ),
        )
    roqua = memory_indexes.Roqua(alone)
    rows += memory_indexes.search_rows(peers, roqua)
    builds = [
        Row("build the index", build["name"], span(build["seconds"]))
        for build in report["builds"]
        if build["name"] != memory_indexes.OUR_BUILD
    ]
    builds += [
        Row("build the index", competitor.name, span(competitor.build_seconds))
        for competitor in competitors
    ]
    builds += memory_indexes.build_rows(peers, roqua)
    notes = [
        "Roqua, the indexes of SQLite and SpatiaLite run in one process and take turns place by "
        "place; the ratio is to Roqua's median at the same places in that run. PostGIS and DuckDB "
        "are compared with the median of Roqua alone, in processes that took turns with them "
        "around the same places, except those across ±180°; the last column says how many, if not "
        "all.",
        "PostGIS answers prepared statements over a unix socket, by the wall clock, because its "
        "server is another process. DuckDB runs in this process on one thread, by processor time, "
        "and parses and plans each question again, because its planner uses the R-tree for "
        "constants only. Both return all rows to Python as tuples (`fetchall`), as their users "
        "do. That takes tens of microseconds of each answer and more with thousands of rows: "
        "small answers say little about their indexes.",
        memory_indexes.NOTE,
    ]
    judged = musts(report, run) + memory_indexes.musts(peers, roqua, report["regions"])
    return [Section(f"Searches in {report['regions']:,} regions", rows + builds, judged, notes)]


def musts(report, run):
    found = []
    by_key = {(item["question"], item["contender"]): item for item in report["measurements"]}
    for name in ("near 500 m", "near 2.0 km", "near 10.0 km"):
        for competitor, must in (("R*Tree joined", 2), ("SpatiaLite, ellipsoidal distance", 5)):
            item = by_key.get((name, competitor))
            if item:
                text = by_key[(name, "Roqua, with all place names read")]
                honest = item["medianSeconds"] / text["medianSeconds"]
                found.append(
                    Must(
                        f"{name}: {competitor} takes",
                        f"{times(item['ratio'])} times as long "
                        f"({times(honest)} with all names read)",
                        f"{must} times",
                        item["ratio"] >= must,
                        "10",
                    )
                )
    for name in ("near 500 m", "near 2.0 km", "near 10.0 km"):
        ours = by_key[(name, "Roqua, ids and distances, unsorted")]
        lower_bound = by_key[(name, "lower bound: ids from sorted coordinates")]["medianSeconds"]
        ratio = ours["medianSeconds"] / lower_bound
        found.append(
            Must(
                f"{name}: ids and distances ({ours['meanHits']:,.0f} rows)",
                f"{span(ours['medianSeconds'])}, {times(ratio)} times the lower bound "
                f"of {span(lower_bound)}",
                "3 times the lower bound",
                ratio <= 3,
            )
        )
    found.append(first_answer(run))
    return found


def first_answer(run):
    """The time of a whole process that opens the store and answers one search."""
    _, folder = run.bench
    place = read_questions(folder / "searches.tsv")["near 2.0 km"][0]
    command = [
        run.roqua,
        "near",
        f"{place['latitude']}",
        f"{place['longitude']}",
        "--radius",
        "2km",
        "--json",
        "--store",
        folder / "store.sqlite",
    ]
    answers = [execute(command) for _ in range(9)]
    for answer in answers:
        ids = [region["id"] for region in json.loads(answer.output)["regions"]]
        if len(ids) != place["count"] or sum(ids) % 2**53 != place["sum"]:
            wrong(
                f"a new process finds {len(ids)} regions, not the {place['count']} of `roqua bench`"
            )
    spent = median(answer.processor for answer in answers)
    return Must(
        "a store opens and answers its first search, near 2.0 km: the whole process",
        f"{spent * 1e3:.1f} ms of processor",
        "20 ms",
        spent <= 0.02,
    )


def read_questions(path):
    """The queries of `roqua bench` and its answers: places by the name of the query."""
    questions = {}
    for line in path.read_text().splitlines():
        kind, number, latitude, longitude, south, north, west, east, count, sum_ = line.split("\t")
        number = float(number)
        if kind == "nearest" and abs(float(longitude)) > 179:
            continue  # the boxes of competitors end at ±180°; circles across it are left out too
        name = {
            "near": f"near {length(number)}",
            "box": f"box {length(2 * number)}",
            "nearest": f"nearest {number:.0f}",
        }[kind]
        questions.setdefault(name, []).append(
            dict(
                kind=kind,
                number=number,
                latitude=float(latitude),
                longitude=float(longitude),
                south=float(south),
                north=float(north),
                west=float(west),
                east=float(east),
                count=int(count),
                sum=int(sum_),
            )
        )
    return questions


def length(meters):
    return f"{meters / 1000:.1f} km" if meters >= 1000 else f"{meters:.0f} m"


def box_around(place, meters):
    """Edges of a box around a circle, clipped at the poles and at ±180°. A degree of latitude has
    at least 110,574 m, one of longitude at least 111,319 m × cos φ."""
    north = meters / 110_574
    edge = min(90, abs(place["latitude"]) + north)
    east = 360 if edge > 89.9 else meters / (111_319 * math.cos(math.radians(edge)))
    return dict(
        south=max(-90, place["latitude"] - north),
        north=min(90, place["latitude"] + north),
        west=max(-180, place["longitude"] - east),
        east=min(180, place["longitude"] + east),
    )


def check_all(competitor, name, places):
    """Checks answers around all places, or at least ten within SECONDS_EACH; returns how many."""
    begun = time.perf_counter()
    for asked, place in enumerate(places):
        if asked >= 10 and time.perf_counter() - begun > SECONDS_EACH:
            return asked
        check(competitor, name, place, competitor.ask(place))
    return len(places)


def check(competitor, name, place, rows):
    """Ends the run on a wrong answer. Ellipsoidal distances must give the same regions; other
    formulas may differ at the edge of a circle, or at the end of the nearest regions."""
    ids = [row[0] for row in rows]
    is_same = len(ids) == place["count"] and sum(ids) % 2**53 == place["sum"]
    if place["kind"] == "near":
        is_right = is_same or (
            len(ids) != place["count"]
            and abs(len(ids) - place["count"]) <= max(1, competitor.tolerance * place["count"])
        )
    elif place["kind"] == "nearest":
        is_right = is_same or (not competitor.is_ellipsoidal and len(ids) == place["count"])
    else:
        is_right = is_same
    if not is_right:
        wrong(
            f"{competitor.name}, {name} of {place['latitude']}, {place['longitude']}: {len(ids)} "
            f"regions whose ids add up to {sum(ids) % 2**53}, not {place['count']} with "
            f"{place['sum']}"
        )


def regions(folder):
    with sqlite3.connect(folder / "competitors.sqlite") as database:
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
    """A separate database cluster in a folder, reached over a unix socket there, removed
    afterwards."""

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
        self.server(
            "initdb",
            "-D",
            data,
            "-A",
            "trust",
            "-U",
            self.user,
            "--no-sync",
            "-E",
            "UTF8",
            "--locale=C",
        )
        options = (
            f"-k {self.home} -c listen_addresses= -c shared_buffers=1GB -c jit=off -c fsync=off "
            "-c work_mem=64MB -c maintenance_work_mem=1GB -c max_wal_size=4GB"
        )
        self.server("pg_ctl", "-D", data, "-w", "-l", self.home / "log", "-o", options, "start")
        self.connection = psycopg2.connect(host=str(self.home), user=self.user, dbname="postgres")
        self.connection.autocommit = True
        self.cursor = self.connection.cursor()
        self.execute("CREATE EXTENSION postgis")
        self.name = (
            "PostGIS " + self.one("SELECT split_part(postgis_version(), ' ', 1)") + ", geography"
        )
        self.execute(
            f"CREATE TABLE regions ({TYPES}, place geography(Point, 4326), "
            "point geometry(Point, 4326))"
        )
        say(f"  filling {self.name}")
        text = self.home / "regions.tsv"
        with open(text, "w") as file:
            for row in regions(folder):
                file.write(
                    "\t".join("\\N" if value is None else str(value) for value in row) + "\n"
                )
        with open(text) as file:
            self.cursor.copy_expert(f"COPY regions ({COLUMNS}) FROM STDIN", file)
        text.unlink()
        self.execute(
            "UPDATE regions SET point = ST_SetSRID(ST_MakePoint(longitude, latitude), 4326), "
            "place = ST_SetSRID(ST_MakePoint(longitude, latitude), 4326)::geography"
        )
        start = time.perf_counter()
        self.execute("CREATE INDEX by_place ON regions USING gist (place)")
        self.build_seconds = time.perf_counter() - start
        self.execute("CREATE INDEX by_point ON regions USING gist (point)")
        self.execute("VACUUM FULL ANALYZE regions")
        self.execute(
            f"PREPARE near(float8, float8, float8) AS SELECT {COLUMNS}, "
            "ST_Distance(place, ST_MakePoint($1, $2)::geography) AS m "
            "FROM regions WHERE ST_DWithin(place, ST_MakePoint($1, $2)::geography, $3) ORDER BY m"
        )
        self.execute(
            f"PREPARE box(float8, float8, float8, float8) AS SELECT {COLUMNS} FROM regions "
            "WHERE point && ST_MakeEnvelope($1, $2, $3, $4, 4326) AND longitude BETWEEN $1 AND $3 "
            "AND latitude BETWEEN $2 AND $4 ORDER BY id"
        )  # && compares boxes of single precision
        # The index orders by distance on a sphere: ten more rows by that, of which the nearest on
        # the ellipsoid remain.
        self.execute(
            "PREPARE nearest(float8, float8, int) AS WITH found AS MATERIALIZED (SELECT * "
            "FROM regions ORDER BY place <-> ST_MakePoint($1, $2)::geography LIMIT $3 + 10) "
            f"SELECT {COLUMNS}, ST_Distance(place, ST_MakePoint($1, $2)::geography) AS m "
            "FROM found ORDER BY m, id LIMIT $3"
        )

    def server(self, program, *arguments):
        switch = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        subprocess.run(
            [*switch, str(self.programs / program), *map(str, arguments)],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
        )

    def execute(self, sql):
        self.cursor.execute(sql)

    def one(self, sql):
        self.cursor.execute(sql)
        return self.cursor.fetchone()[0]

    def ask(self, place):
        if place["kind"] == "box":
            self.cursor.execute(
                "EXECUTE box(%s, %s, %s, %s)",
                (place["west"], place["south"], place["east"], place["north"]),
            )
        else:
            self.cursor.execute(
                f"EXECUTE {place['kind']}(%s, %s, %s)",
                (
                    place["longitude"],
                    place["latitude"],
                    int(place["number"]) if place["kind"] == "nearest" else place["number"],
                ),
            )
        return self.cursor.fetchall()

    def stop(self):
        self.connection.close()
        self.server("pg_ctl", "-D", self.home / "data", "-m", "immediate", "-w", "stop")


def start_duckdb(run, folder):
    return DuckDB(run, folder) if run.has_python("duckdb", "duckdb") else None


class DuckDB:
    """An in-memory database on one thread, with R-tree and spheroid functions if its extension
    loads."""

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
            except Exception as error:  # in any case, the comparison without the extension is valid
                run.leave_out("DuckDB's spatial extension", str(error).splitlines()[0])
                self.is_spatial = False
        self.is_ellipsoidal = self.is_spatial
        self.name = f"DuckDB {duckdb.__version__}, " + (
            "spatial" if self.is_spatial else "plain SQL, haversine"
        )
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
        # With circles of doubling radius, like the other competitors without a nearest search.
        count, radius = int(place["number"]), 250
        while True:
            rows = self.ask_area(
                dict(place, kind="near", number=radius, **box_around(place, radius))
            )
            if len(rows) >= count or radius > 20_100_000:
                return rows[:count]
            radius *= 2

    def ask_area(self, place):
        latitude, longitude = place["latitude"], place["longitude"]
        kind, number = place["kind"], place["number"]
        box = (place["west"], place["south"], place["east"], place["north"])
        if self.is_spatial:
            # The axis order of ST_Distance_Spheroid is latitude, longitude. The planner uses the
            # R-tree only for constants.
            meters = (
                "ST_Distance_Spheroid(ST_Point2D(latitude, longitude), "
                f"ST_Point2D({latitude!r}, {longitude!r}))"
            )
        else:
            meters = (
                f"2 * 6371007.2 * asin(sqrt(pow(sin(radians(latitude - {latitude!r}) / 2), 2) "
                f"+ cos(radians(latitude)) * cos(radians({latitude!r})) "
                f"* pow(sin(radians(longitude - {longitude!r}) / 2), 2)))"
            )
        exact = (
            f"latitude BETWEEN {box[1]!r} AND {box[3]!r} "
            f"AND longitude BETWEEN {box[0]!r} AND {box[2]!r}"
        )
        wide = self.widened(box) if self.is_spatial else "true"
        if kind == "near":
            # Materialized, because otherwise the planner does not use the R-tree.
            sql = (
                f"WITH found AS MATERIALIZED (SELECT {COLUMNS} FROM regions "
                f"WHERE {wide} AND {exact}) "
                f"SELECT *, {meters} AS m FROM found WHERE m <= {number!r} ORDER BY m, id"
            )
        else:
            sql = f"SELECT {COLUMNS} FROM regions WHERE {wide} AND {exact} ORDER BY id"
        return self.connection.execute(sql).fetchall()

    @staticmethod
    def widened(box):
        """A condition with a box 1 cm larger on each side, because ST_Within excludes the edge."""
        return (
            f"ST_Within(point, ST_MakeEnvelope({box[0] - 1e-7!r}, {box[1] - 1e-7!r}, "
            f"{box[2] + 1e-7!r}, {box[3] + 1e-7!r}))"
        )

    def stop(self):
        self.connection.close()
