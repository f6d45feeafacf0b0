"""What every check gets: the tool, a server, a folder, and tracks to import."""

import hashlib
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import time
from contextlib import closing, contextmanager

from syncing.changes import Changes
from syncing.device import Device, Failure, require

from . import rows
from .server import Database

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLES = sorted((ROOT / "data" / "samples").glob("20*"))
CORPUS = ROOT.parent / "shared" / "corpus" / "gpx"


class Bench:
    def __init__(self, roqua, folder, cluster, seed):
        self.roqua, self.folder, self.cluster, self.seed = roqua, folder, cluster, seed

    def room(self, name):
        """The bench for one check, with a folder and a seed of its own."""
        room = Bench(
            self.roqua, self.folder / re.sub("[^a-z0-9]+", "-", name), self.cluster,
            self.seed)
        room.folder.mkdir()
        room.random = random.Random(f"{self.seed} {name}")
        room.changes = Changes(room.random, room.folder / "tracks")
        return room

    def room_on(self, cluster):
        """The same with another server."""
        room = Bench(self.roqua, self.folder, cluster, self.seed)
        room.random, room.changes = self.random, self.changes
        return room

    def owner(self, name, person=None):
        return Owner(self.roqua, self.folder / name, name, person or name)

    def database(self, **options):
        return self.cluster.database(**options)

    def corpus(self):
        """A few hundred real tracks; none if they are not there."""
        return sorted(CORPUS.rglob("*.gpx")) if CORPUS.is_dir() else []

    def large(self, name, count=300):
        """Somebody with this many tracks, if there are as many."""
        owner = self.owner(name)
        owner.run("import", "--quiet", *SAMPLES)
        if self.corpus():
            owner.run("import", "--quiet", *self.corpus()[:count], status=(0, 2))
        else:
            self.changes.import_new(owner, count)
        return owner


class Owner(Device):
    """A person's store, and the tool to use on it."""

    def __init__(self, roqua, folder, name, person):
        super().__init__(roqua, folder, name, None)
        self.person = person

    def push(self, database, *options, status=0):
        """Pushes; returns the report."""
        return self.json(
            "push", address(database), "--person", self.person, *options, status=status)

    def start_push(self, database, *options, is_read=False, environment=None):
        """Starts a push, whose output is only kept if it is read later."""
        output = subprocess.PIPE if is_read else subprocess.DEVNULL
        return subprocess.Popen(
            [self.executable, "push", address(database), "--person", self.person, *options,
             "--store", self.store], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=output,
            stderr=output, text=True, env=self.environment | (environment or {}))

    def pull(self, database, name, *options):
        """A new store, filled from the database."""
        other = Owner(self.executable, self.folder.parent / name, name, self.person)
        other.run("pull", address(database), "--person", self.person, *options)
        return other

    def copy(self, name):
        """A copy of the store's file, as another device with a backup has it."""
        other = Owner(self.executable, self.folder.parent / name, name, self.person)
        with closing(sqlite3.connect(self.store)) as store:
            store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        other.remove()
        shutil.copyfile(self.store, other.store)
        other.store.chmod(0o600)
        return other

    def remove(self):
        for path in self.folder.glob("store.sqlite*"):
            path.unlink()

    def state(self):
        """A digest of every row of the store but the notes of pushes."""
        if not self.store.exists():
            return None
        hash = hashlib.sha256()
        with closing(sqlite3.connect(self.store, timeout=60)) as store:
            store.execute("BEGIN")
            schema = store.execute(
                "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").fetchall()
            hash.update(repr(schema).encode())
            for kind, name, sql in schema:
                if kind == "table" and name != "pushes" and not sql.startswith("CREATE VIRTUAL"):
                    found = store.execute(f'SELECT * FROM "{name}"').fetchall()
                    hash.update(repr((name, sorted(map(repr, found)))).encode())
        return hash.hexdigest()


class Findings:
    """Several checks of which each is made, whether or not one before it failed."""

    def __init__(self):
        self.failures = []

    @contextmanager
    def part(self):
        try:
            yield
        except Failure as failure:
            self.failures.append(str(failure))

    def end(self):
        require(not self.failures, f"{len(self.failures)}: " + "\n  ".join(self.failures))


def address(database):
    return database.address if isinstance(database, Database) else database


def pushed(owner, database, *options):
    """The rows after pushing a copy of a store to an empty database."""
    copy = owner.copy(f"{owner.name}-again")
    copy.push(database, *options)
    return rows.contents(database)


def until(condition, what, patience=60):
    """Waits for something."""
    end = time.monotonic() + patience
    while not (found := condition()):
        require(time.monotonic() < end, f"{what}: it did not happen in {patience} s")
        time.sleep(0.01)
    return found
