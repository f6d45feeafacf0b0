"""Inputs of several stages: tracks, an app database, a coverage file, and stores with them."""

import functools, os, random
from . import stores, tracks

CITIES = ((52.52, 13.40), (48.86, 2.35), (41.01, 28.97), (40.71, -74.00))

# All settings, so that each has a row.
SETTINGS = {
    "maximumAccuracyMeters": "60",
    "trackingDistanceMeters": "40",
    "minimumIntervalSeconds": "1",
    "maximumSpeedMetersPerSecond": "300",
    "explorationRadiusMeters": "150",
    "clusteringRadiusMeters": "75",
    "visitGapMinutes": "25",
    "percentageDecimals": "4",
}


class Supplies:
    """Files that are created once, when a stage first needs them."""

    def __init__(self, tool, folder, seed, index):
        self.tool, self.seed = tool, seed
        self.index = index  # the only item to run of the stages with forged stores; None: all
        self.folder = os.path.join(folder, "supplies")
        os.makedirs(self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def must(self, *arguments):
        outcome = self.tool.run(*arguments)
        if outcome.status != 0:
            raise RuntimeError(f"a store for the tests cannot be made: {outcome}")
        return outcome

    def track(self, number, points=600):
        """A GPX file of a track in a city."""
        path = self.path(f"track-{number}-{points}.gpx")
        if not os.path.exists(path):
            latitude, longitude = CITIES[number % len(CITIES)]
            numbers = random.Random(f"{self.seed} track {number}")
            start = 1_600_000_000 + number * 40_000_000
            tracks.write_points(path, tracks.wander(numbers, latitude, longitude, start, points))
        return path

    @functools.cached_property
    def more(self):
        """A track that is in no store yet."""
        return self.track(3)

    @functools.cached_property
    def app(self):
        return tracks.write_app_database(self.path("app.sqlite"), self.seed, 40)

    @functools.cached_property
    def other_app(self):
        return tracks.write_app_database(self.path("other-app.sqlite"), self.seed + 1, 30)

    @functools.cached_property
    def lists(self):
        return tracks.write_app_lists(self.folder)

    @functools.cached_property
    def coverage(self):
        """A coverage file of an area that is in no other store."""
        return self.export("coverage.rqcv", self.track(7, 300))

    @functools.cached_property
    def other_coverage(self):
        return self.export("other.rqcv", self.track(11, 200))

    def export(self, name, track):
        store = self.path("for-export.sqlite")
        self.must("import", track, "--store", store)
        self.must("coverage", "--export", self.path(name), "--store", store)
        stores.remove(store)
        return self.path(name)

    @functools.cached_property
    def small(self):
        """The bytes of a store with three tracks, an app's regions, and the cells of a file."""
        store = self.path("small.sqlite")
        for number in range(3):
            self.must("import", self.track(number), "--store", store)
        for key, value in SETTINGS.items():
            self.must("settings", key, value, "--store", store)
        self.must("adopt", self.app, "--store", store)
        self.must("coverage", "--import", self.coverage, "--store", store)
        return stores.read(store)

    def small_store(self, path):
        """Writes the small store to a path."""
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return stores.write(path, self.small)

    @functools.cached_property
    def other(self):
        """The bytes of another store."""
        store = self.path("other.sqlite")
        for number in range(4, 7):
            self.must("import", self.track(number), "--store", store)
        return stores.read(store)

    @functools.cached_property
    def big(self):
        """A store of 110,000 regions: a straight walk through Africa and Europe."""
        store = self.path("big.sqlite")
        walk = tracks.write_walk(self.path("walk.gpx"), 110_000)
        self.must("import", walk, "--store", store)
        return store

    # Commands, without --store. Those that change a store succeed on the small one.

    questions = (
        ("stats", "--by", "country", "--by", "year"),
        ("near", "52.52", "13.40", "--radius", "50km"),
        ("near", "48.86", "2.35", "--nearest", "5", "--json"),
        ("within", "-90", "-180", "90", "180", "--limit", "50"),
        ("within", "--country", "DE", "--count"),
        ("places", "--by", "city", "--all"),
        ("sources",),
        ("coverage", "--by", "year"),
        ("coverage", "--export", "-"),
        ("settings",),
        ("check",),
    )

    @functools.cached_property
    def changing(self):
        return (
            ("import", self.more),
            ("settings", "trackingDistanceMeters", "60"),
            ("settings", "clusteringRadiusMeters", "80"),
            ("rebuild",),
            ("adopt", self.other_app),
            ("coverage", "--import", self.other_coverage),
            ("forget", "--near", "52.52", "13.40", "--radius", "300m"),
            ("forget", "1"),
        )
