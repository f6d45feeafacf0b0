"""Ids and distances from in-memory indexes: geo-index in this process, Boost's R-tree and nanoflann
in `Sources/memory-indexes`.

The indexes do not support the ellipsoid. Those in C++ contain points in space and compare straight
lines through the Earth. geo-index contains longitudes and latitudes and returns the candidates in
the box around the circle, whose straight lines NumPy measures. Each straight line is converted to
the distance on the ellipsoid, within 0.1 mm up to 10 km, so every answer must have exactly Roqua's
regions.
"""

import importlib.metadata, json, sqlite3, struct, subprocess, time

from .tools import HERE, Must, Row, execute, median, mega, span, times, wrong

#: The searches to run.
QUESTIONS = ("near 2.0 km", "near 10.0 km")
#: The contender of `roqua bench` that returns the same: ids and distances, unordered.
OURS = "Roqua, ids and distances, unsorted"
#: The name of the build in `roqua bench` that reads the cached tiles of all regions.
OUR_BUILD = "Roqua: cached tiles of all regions"
#: The limits in seconds: per hit within 10 km, and for loading a million regions into memory.
HIT_LIMIT, BUILD_LIMIT = 3e-9, 0.15
#: A distance s on the surface is s³ / 24 R² longer than the straight line: 1 mm at 10 km. The mean
#: radius is at most 0.7 % off the radius of curvature, so less than 0.02 mm remains.
BEND = 1 / (24 * 6_371_007.2**2)
#: The notes below the tables.
NOTE = (
    "geo-index, Boost's R-tree and nanoflann's k-d tree hold positions in memory and nothing else, "
    "so they are compared with Roqua's ids and distances, by processor time, in rounds that take "
    "turns with Roqua alone. Boost and nanoflann hold points in space. geo-index holds longitudes "
    "and latitudes, returns the candidates in the box around the circle through Python, and NumPy "
    "measures them. All distances are those of the ellipsoid, and every answer has exactly Roqua's "
    "regions. The time of a hit is that of all answers divided by all their hits. An index is "
    "built from coordinates that are in memory already; Roqua reads its cached tiles from the "
    "table of the store. The memory of an index includes positions and ids."
)


class Figures:
    """The measurements of an index in all rounds."""

    def __init__(self, name):
        self.name, self.memory = name, 0
        self.builds = []
        self.seconds = {}  # by query, for one search each
        self.hits = {}
        self.candidates = {}  # by query, seconds of finding the candidates

    def add(self, question, place, seconds, count, sum_):
        """Adds the time of an answer; ends the run if it is not Roqua's answer."""
        if (count, sum_) != (place["count"], place["sum"]):
            wrong(
                f"{self.name}, {question} of {place['latitude']}, {place['longitude']}: {count} "
                f"regions whose ids add up to {sum_}, not {place['count']} with {place['sum']}"
            )
        self.seconds.setdefault(question, []).append(seconds)
        self.hits.setdefault(question, []).append(count)

    def each_hit(self, question):
        """Seconds per hit: the time of all answers, divided by all their hits."""
        return sum(self.seconds[question]) / sum(self.hits[question])

    def note(self, question):
        text = f"{span(self.each_hit(question))} a hit"
        if question in self.candidates:
            share = sum(self.candidates[question]) / sum(self.hits[question])
            text += f", {span(share)} without measuring the candidates"
        return text


def start(run, folder, questions):
    """The indexes that can be measured here. `questions` are those of `read_questions`."""
    asked = {name: questions[name] for name in QUESTIONS}
    with sqlite3.connect(folder / "competitors.sqlite") as database:
        regions = database.execute(
            "SELECT id, latitude, longitude FROM regions ORDER BY id"
        ).fetchall()
    found = []
    if run.has_python("geoindex_rs", "geoindex-rs") and run.has_python("numpy", "numpy"):
        found.append(GeoIndex(regions, asked))
    name = "Boost's R-tree and nanoflann's k-d tree"
    if all(run.has_debian(package) for package in ("g++", "libboost-dev", "libnanoflann-dev")):
        try:
            found.append(Program(run, regions, asked))
        except subprocess.CalledProcessError as error:
            run.leave_out(name, f"the program cannot be compiled ({error})")
    else:
        run.leave_out(name, "g++, libboost-dev or libnanoflann-dev cannot be installed here")
    return found


def points(latitudes, longitudes):
    """Positions on WGS 84, in meters from the center of the Earth."""
    import numpy

    axis, flattening = 6_378_137.0, 1 / 298.257223563
    eccentricity = flattening * (2 - flattening)  # squared
    phi, lambda_ = numpy.radians(latitudes), numpy.radians(longitudes)
    normal = axis / numpy.sqrt(1 - eccentricity * numpy.sin(phi) ** 2)
    across = normal * numpy.cos(phi)
    return numpy.stack(
        [
            across * numpy.cos(lambda_),
            across * numpy.sin(lambda_),
            normal * (1 - eccentricity) * numpy.sin(phi),
        ],
        axis=-1,
    )


def line(meters):
    """The length of the straight line for a distance on the surface."""
    return meters * (1 - meters**2 * BEND)


class GeoIndex:
    """The packed R-tree of geo-index with the defaults of its Python package: sorted by Hilbert
    values, nodes of 16, boxes of doubles."""

    def __init__(self, regions, questions):
        import numpy

        table = numpy.array([region[1:] for region in regions])
        self.latitudes, self.longitudes = table[:, 0].copy(), table[:, 1].copy()
        self.ids = numpy.array([region[0] for region in regions], dtype=numpy.uint64)
        self.points = [column.copy() for column in points(self.latitudes, self.longitudes).T]
        self.questions = questions
        version = importlib.metadata.version("geoindex-rs")
        self.figures = [Figures(f"geo-index {version}, through Python and NumPy")]

    def measure(self):
        """Builds the index and searches around all places."""
        from geoindex_rs import rtree

        figures = self.figures[0]
        begun = time.process_time()
        builder = rtree.RTreeBuilder(len(self.ids))
        builder.add(self.longitudes, self.latitudes, self.longitudes, self.latitudes)
        self.tree = builder.finish()
        figures.builds.append(time.process_time() - begun)
        figures.memory = self.tree.metadata.num_bytes + self.ids.nbytes
        figures.memory += sum(column.nbytes for column in self.points)
        for question, places in self.questions.items():
            for place in places:
                self.search(place)  # fills the caches
                begun = time.thread_time()
                ids, _ = self.search(place)
                seconds = time.thread_time() - begun
                figures.add(question, place, seconds, len(ids), int(ids.sum()) % 2**53)
                begun = time.thread_time()
                self.candidates(place)
                seconds = time.thread_time() - begun
                figures.candidates.setdefault(question, []).append(seconds)

    def candidates(self, place):
        """The numbers of the regions in the box around a circle."""
        from geoindex_rs import rtree

        return rtree.search(
            self.tree, place["west"], place["south"], place["east"], place["north"]
        ).to_numpy()

    def search(self, place):
        """Ids and distances. Access by columns and `take` is twice as fast as by rows."""
        import numpy

        found = self.candidates(place).astype(numpy.intp)
        center = points(place["latitude"], place["longitude"])
        squares = numpy.zeros(len(found))
        for column, at in zip(self.points, center):
            difference = column.take(found)
            difference -= at
            difference *= difference
            squares += difference
        within = numpy.flatnonzero(squares <= line(place["number"]) ** 2)
        squares = squares.take(within)
        return self.ids.take(found.take(within)), numpy.sqrt(squares) * (1 + squares * BEND)


class Program:
    """Boost's R-tree and nanoflann's k-d tree, in a program that is compiled here."""

    def __init__(self, run, regions, questions):
        self.program = run.folder / "memory-indexes"
        source = HERE / "Sources" / "memory-indexes" / "main.cpp"
        subprocess.run(
            ["g++", "-O2", "-std=c++17", "-w", "-o", self.program, source],
            check=True,
            stderr=subprocess.DEVNULL,
        )
        self.files = [run.folder / "regions.bin", run.folder / "questions.txt"]
        with open(self.files[0], "wb") as file:
            for region in regions:
                file.write(struct.pack("=qdd", *region))
        with open(self.files[1], "w") as file:
            for place in sum(questions.values(), []):
                print(place["number"], place["latitude"], place["longitude"], file=file)
        self.questions = questions
        self.figures = [Figures("Boost's R-tree"), Figures("nanoflann's k-d tree")]

    def measure(self):
        """Builds both indexes and searches around all places."""
        lines = execute([self.program, *self.files]).output.splitlines()
        for figures, result in zip(self.figures, map(json.loads, lines), strict=True):
            figures.builds.append(result["buildSeconds"])
            figures.memory = result["memoryBytes"]
            answers = iter(result["searches"])
            for question, places in self.questions.items():
                for place in places:
                    figures.add(question, place, *next(answers))


class Roqua:
    """Roqua's figures, from the reports of `roqua bench --alone`, one for each round."""

    def __init__(self, reports):
        self.items = [item for report in reports for item in report["measurements"]]
        builds = [build for report in reports for build in report["builds"]]
        self.builds = [build for build in builds if build["name"] == OUR_BUILD]

    def of(self, question, figure):
        """The median of all rounds."""
        return median(
            figure(item)
            for item in self.items
            if (item["question"], item["contender"]) == (question, OURS)
        )

    def each_hit(self, question):
        return self.of(question, lambda item: item["meanSeconds"] / item["meanHits"])

    @property
    def build_seconds(self):
        return median(build["seconds"] for build in self.builds)


def search_rows(peers, roqua):
    rows = []
    for question in QUESTIONS:
        title = f"{question}: ids and distances, unsorted"
        base = roqua.of(question, lambda item: item["medianSeconds"])
        last = roqua.of(question, lambda item: item["p99Seconds"])
        hits = roqua.of(question, lambda item: item["meanHits"])
        note = f"{span(roqua.each_hit(question))} a hit, {hits:,.0f} hits"
        rows.append(Row(title, "Roqua", f"{span(base)} (p99 {span(last)})", "1.00", note=note))
        for figures in all_figures(peers):
            ordered = sorted(figures.seconds[question])
            last = ordered[int(0.99 * (len(ordered) - 1))]
            rows.append(
                Row(
                    title,
                    figures.name,
                    f"{span(median(ordered))} (p99 {span(last)})",
                    times(median(ordered) / base),
                    note=figures.note(question),
                )
            )
    return rows


def build_rows(peers, roqua):
    title = "bring all regions into memory"
    memory = median(build["memoryBytes"] for build in roqua.builds)
    return [
        Row(
            title,
            "Roqua: cached tiles of all regions",
            span(roqua.build_seconds),
            "1.00",
            mega(memory),
        )
    ] + [
        Row(
            title,
            figures.name,
            span(median(figures.builds)),
            times(median(figures.builds) / roqua.build_seconds),
            mega(figures.memory),
        )
        for figures in all_figures(peers)
    ]


def musts(peers, roqua, regions):
    question = QUESTIONS[-1]

    def others(figure):
        named = [
            f"{figures.name.split(',')[0]} {span(figure(figures))}"
            for figures in all_figures(peers)
        ]
        return "".join(f"; {text}" for text in named)

    each = roqua.each_hit(question)
    return [
        Must(
            f"{question}: ids and distances, a hit",
            span(each) + others(lambda figures: figures.each_hit(question)),
            span(HIT_LIMIT),
            each <= HIT_LIMIT,
        ),
        Must(
            f"cached tiles of {regions:,} regions",
            span(roqua.build_seconds) + others(lambda figures: median(figures.builds)),
            f"{span(BUILD_LIMIT)} for a million",
            roqua.build_seconds <= BUILD_LIMIT if regions >= 1_000_000 else None,
        ),
    ]


def all_figures(peers):
    return [figures for peer in peers for figures in peer.figures]
