"""A device: a store, its sync folder, and the tool to use on them."""

import json
import pathlib
import re
import subprocess

# No command may take longer, however busy the machine is.
PATIENCE = 120

# All that devices share, and all that is derived from it, without the numbers of sources.
SHARED = """
SELECT json_array('source', sha256, withheld, kept, path, format, bytes, points, first_time,
  last_time, report, imported_at, forgotten, is_cut, highest_m, lowest_m) AS line
  FROM sources ORDER BY 1;
SELECT json_array('fix', sha256, f.segment, f.time_ms, f.latitude, f.longitude, f.accuracy,
  f.flight) AS line FROM roqua_fixes f JOIN sources s ON s.id = f.source_id;
SELECT json_array('region', r.id, latitude_e7, longitude_e7, accuracy, radius, start_ms, end_ms,
  visit_count, m.sha256, c.sha256, city, country) AS line
  FROM regions r LEFT JOIN places p ON p.id = r.place_id
  LEFT JOIN sources m ON m.id = made_by LEFT JOIN sources c ON c.id = changed_by ORDER BY r.id;
SELECT json_array('visits', region_id, block, hex(visits)) AS line FROM repeat_visits ORDER BY 1;
SELECT json_array('tile', key, cells, hex(bits)) AS line FROM coverage_tiles ORDER BY key;
SELECT json_array('zone', uid, name, latitude_e7, longitude_e7, radius, added_at) AS line
  FROM zones ORDER BY uid;
SELECT json_array('setting', key, value) AS line FROM settings
  WHERE key NOT IN ('units', 'colorScheme', 'colorTheme') ORDER BY key;
SELECT json_array('tier', id, tier, unlocked_ms, given_at) AS line FROM achievements ORDER BY 1;
"""


class Failure(Exception):
    """A check that failed."""


def require(condition, message):
    if not condition:
        raise Failure(message)


class Device:
    """A store in a folder of its own, with a name."""

    def __init__(self, roqua, folder, name, shared):
        folder.mkdir(parents=True, exist_ok=True)
        self.executable, self.folder, self.name = roqua, folder, name
        self.shared = shared
        self.store = folder / "store.sqlite"
        self.home = folder / "store.sqlite-sync"
        self.environment = {
            "HOME": str(folder), "PATH": "/usr/bin:/bin", "TZ": "UTC", "LC_ALL": "C.UTF-8",
            "SWIFT_BACKTRACE": "enable=no"}

    def start(self, *arguments, **options):
        """Starts a command that is killed later; nothing of it is read."""
        return subprocess.Popen(
            [self.executable, *map(str, arguments), "--store", self.store], cwd=self.folder,
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, **options)

    def result(self, *arguments, input=None):
        return subprocess.run(
            [self.executable, *map(str, arguments), "--store", self.store], cwd=self.folder,
            env=self.environment, capture_output=True, text=True, timeout=PATIENCE,
            **({"input": input} if input is not None else {"stdin": subprocess.DEVNULL}))

    def run(self, *arguments, status=0, input=None):
        """Runs a command that must end with this status, or with one of several."""
        result = self.result(*arguments, input=input)
        require(
            result.returncode in (status if isinstance(status, tuple) else (status,)),
            f"{self.name}: roqua {' '.join(map(str, arguments))}: status {result.returncode}: "
            f"{(result.stderr + result.stdout).strip()[:2000]}")
        return result.stdout

    def json(self, *arguments, status=0):
        return json.loads(self.run(*arguments, "--json", status=status))

    def rows(self, sql):
        """The rows of a question in SQL."""
        return [json.loads(line) for line in self.run("sql", sql, "--json").splitlines()]

    # MARK: Syncing

    def found(self):
        """Makes the folder; returns its recovery key."""
        self.shared.mkdir(parents=True, exist_ok=True)
        return self.json("sync", self.shared, "--name", self.name)["recoveryKey"]

    def public_key(self):
        """The key that the device shows while it is no member."""
        self.shared.mkdir(parents=True, exist_ok=True)
        refused = self.result("sync", self.shared)
        found = re.search(r"age1[0-9a-z]+", refused.stderr)
        require(
            refused.returncode == 1 and found,
            f"{self.name} shows no key: status {refused.returncode}: {refused.stderr}")
        return found.group()

    def sync(self, status=0):
        """Syncs; with the status 2, something is waited for."""
        return self.json("sync", self.shared, status=status)

    # MARK: What it has

    def contents(self):
        """Everything that must be equal on all devices, as lines."""
        lines = [row["line"] for row in self.rows(SHARED)]
        # Sources have other numbers on each device; the order of the fixes of each is the same.
        return sorted(lines, key=lambda line: line[:80] if line.startswith('["fix"') else "")

    def answers(self):
        """What a person sees: statistics, sources, achievements and an export."""
        sources = [
            {key: value for key, value in source.items() if key != "id"}
            for source in self.json("sources")["sources"]]
        sources.sort(key=lambda source: source["sha256"])
        zones = [
            {key: value for key, value in zone.items() if key != "id"}
            for zone in self.json("zone", "list")["zones"]]
        return {
            "stats": self.json("stats", "--by", "day", "--by", "country"),
            "sources": sources,
            "achievements": self.achievements(),
            "zones": sorted(zones, key=lambda zone: (zone["addedAt"], zone["name"])),
            "settings": {
                key: value for key, value in self.json("settings").items()
                if key not in ("units", "colorScheme", "colorTheme")},
            **{layer: self.layer(layer) for layer in ("regions", "visits", "tracks", "coverage")},
        }

    def achievements(self):
        """The achievements, without what is new since this device looked last."""
        found = self.json("achievements")["achievements"]
        for one in found:
            one.pop("valueBefore", None)
            for tier in one["tiers"]:
                tier.pop("isNew", None)
        return found

    def layer(self, name):
        """The features of an export, in any order and without the numbers of sources."""
        features = []
        for line in self.run("export", "-", "--format", "geojsonl", "--only", name).splitlines():
            feature = json.loads(line)
            feature.pop("id", None)
            feature["properties"].pop("source_id", None)
            features.append(json.dumps(feature, sort_keys=True))
        return sorted(features)

    def check(self, after_kill=False):
        """The store is sound. After a kill, deleted data may still be in the file: the next
        command that changes the store erases it, and roqua check says so."""
        found = self.json("check", status=(0, 1))
        wrong = [
            f"{step['name']}: {difference}" for step in found["steps"]
            for difference in step["differences"]
            if not (after_kill and step["name"] == "erasure")]
        require(not wrong, f"{self.name}: the store is not sound: {wrong[:3]}")

    def source_count(self):
        return len(self.json("sources")["sources"])


def require_equal(one, other):
    """Two devices must have the same contents and give the same answers."""
    ours, theirs = one.contents(), other.contents()
    require(ours, f"{one.name} has nothing")
    if ours != theirs:
        differences = sorted(set(ours) ^ set(theirs))[:4]
        raise Failure(f"{one.name} and {other.name} differ: {differences or 'in their order'}")
    ours, theirs = one.answers(), other.answers()
    for name, answer in ours.items():
        require(
            answer == theirs[name],
            f"{one.name} and {other.name} answer differently about {name}: "
            f"{difference(answer, theirs[name])}")


def difference(one, other):
    """The first place where two answers differ."""
    one, other = (json.dumps(answer, sort_keys=True) for answer in (one, other))
    place = next((n for n, pair in enumerate(zip(one, other)) if pair[0] != pair[1]), 0)
    return one[max(0, place - 80):place + 120] + " / " + other[max(0, place - 80):place + 120]


def files(folder):
    """The files of a sync folder: their paths in it, and their sizes."""
    found = {}
    for path in pathlib.Path(folder).rglob("*"):
        try:
            if path.is_file():
                found[path.relative_to(folder).as_posix()] = path.stat().st_size
        except FileNotFoundError:
            pass  # removed meanwhile
    return found
