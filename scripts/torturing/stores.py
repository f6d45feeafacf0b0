"""Inspects stores with Python's SQLite, without the tool."""

import hashlib, os, sqlite3, stat, urllib.parse
from contextlib import closing

# The tables of a store, docs/formats/store.md: the store's own data first.
OWN_DATA = (
    "settings",
    "zones",
    "sources",
    "kept_fixes",
    "source_tiles",
    "source_regions",
    "achievements",
    "profile",
    "sync_state",
)
DERIVED = (
    "regions",
    "places",
    "repeat_visits",
    "stated_visits",
    "adopted_times",
    "coverage_tiles",
    "revision",
    "erasure",
    "achievement_progress",
    "achievement_state",
)
TABLES = OWN_DATA + DERIVED
VIEWS = (
    "visited_regions",
    "visits",
    "source_summary",
    "visit_list",
    "regions_by_country",
    "regions_by_city",
    "days",
)
SIDE_FILES = ("-wal", "-shm", "-journal")


def connect(store, mode="rw"):
    return sqlite3.connect(
        f"file:{urllib.parse.quote(store)}?mode={mode}", uri=True, timeout=60, isolation_level=None
    )


def sources(store):
    """(stated, stored) kept fixes of each source, from one state of the store."""
    with closing(connect(store)) as database:
        database.execute("BEGIN")
        if not database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'sources'").fetchone():
            return [], []
        stated = [row[0] for row in database.execute("SELECT kept FROM sources ORDER BY id")]
        stored = [
            row[0]
            for row in database.execute(
                "SELECT sum(count) FROM kept_fixes GROUP BY source_id ORDER BY source_id"
            )
        ]
        database.execute("COMMIT")
    return stated, stored


def kept_by_sha256(store):
    """Stored kept fixes by the SHA-256 of their source. The path may be any text."""
    with closing(connect(store)) as database:
        return dict(
            database.execute(
                "SELECT sha256, coalesce(sum(count), 0) FROM sources s"
                " LEFT JOIN kept_fixes k ON k.source_id = s.id GROUP BY s.id"
            )
        )


def fixes(store):
    """All kept fixes of a store, counted for five seconds at most; None if that fails."""
    if not os.path.exists(store):
        return 0
    with closing(connect(store)) as database:
        steps = iter(range(5_000))
        database.set_progress_handler(lambda: next(steps, None) is None, 100_000)
        try:
            found = database.execute(
                "SELECT 1 FROM sqlite_schema WHERE name = 'kept_fixes' AND type = 'table'"
            ).fetchone()
            if not found:
                return None
            return database.execute("SELECT coalesce(sum(count), 0) FROM kept_fixes").fetchone()[0]
        except sqlite3.Error:
            return None


def row_counts(store):
    """The rows of each table. A store without a log is read as an immutable file."""
    options = "mode=rw" if os.path.exists(store + "-wal") else "immutable=1"
    with closing(
        sqlite3.connect(f"file:{urllib.parse.quote(store)}?{options}", uri=True)
    ) as database:
        return {
            table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in TABLES
        }


def app_rows(path):
    """The rows of a database of the Roqua app, which must be sound and have the app's indexes."""
    with closing(sqlite3.connect(f"file:{urllib.parse.quote(path)}?immutable=1", uri=True)) as app:
        sound = app.execute("PRAGMA integrity_check").fetchone()[0]
        indexes = app.execute("PRAGMA index_list(visited_regions)").fetchall()
        if sound != "ok" or len(indexes) != 4:
            raise sqlite3.DatabaseError(f"{sound}, {len(indexes)} indexes")
        return app.execute("SELECT count(*) FROM visited_regions").fetchone()[0]


def digest(path):
    """The SHA-256 of a file; None if there is no file."""
    if not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def snapshot(folder):
    """The contents of a folder: modes, contents of files, and targets of links."""
    found = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        mode = os.lstat(path).st_mode
        content = os.readlink(path) if stat.S_ISLNK(mode) else digest(path)
        found[name] = (oct(mode), content)
    return found


def changes(before, after):
    """A description of how two snapshots differ; None if they are equal."""
    words = [f"{name} came" for name in after.keys() - before.keys()]
    words += [f"{name} is gone" for name in before.keys() - after.keys()]
    words += [
        f"{name} changed" for name in before.keys() & after.keys() if before[name] != after[name]
    ]
    return ", ".join(sorted(words)) or None


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)
    return path


def remove(store):
    """Removes a store and its side files."""
    for suffix in ("",) + SIDE_FILES:
        if os.path.lexists(store + suffix):
            os.remove(store + suffix)
