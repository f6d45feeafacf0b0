"""Servers that are lost, stopped, full or locked while a push runs."""

import pathlib
import shutil
import signal
import subprocess
import sqlite3
import time
from contextlib import closing

from . import refusals, rows
from .bench import Failure, Findings, require, until
from .server import PATIENCE, Cluster, Cluster


def check(bench):
    owner = bench.large("large")
    results, findings = [], Findings()
    for name, part in (
        ("lost", lost), ("stopped", stopped), ("full disk", full), ("locked", locked),
        ("interrupted at the end", late),
    ):
        start = time.monotonic()
        # A copy, so that each begins with a store that has pushed nothing.
        with findings.part():
            words = part(bench, owner.copy(name.replace(" ", "-")))
            results.append(f"{words} ({time.monotonic() - start:.1f} s)")
    findings.end()
    return "; ".join(results)


class Watched:
    """A push that will fail, and what must be as before."""

    def __init__(self, owner, database, *options):
        self.owner, self.database = owner, database
        self.before, self.state = rows.contents(database), owner.state()
        self.process = owner.start_push(database, *options, is_read=True)

    def fails(self, what, reason="", expected=1):
        output, errors = self.process.communicate(timeout=PATIENCE)
        refusals.line(what, self.process.returncode, output, errors, reason, expected)
        until(lambda: not self.database.pushes(), f"{what}: the server still serves it")
        self.unchanged(what)

    def unchanged(self, what):
        refusals.unchanged(what, self.database, self.before, self.owner, self.state)


def hold(database, statement):
    """A session that has run a statement in a transaction, and stays in it."""
    session = database.session()
    session.stdin.write(f"BEGIN; {statement}; SELECT 'held';\n")
    session.stdin.flush()
    until(lambda: "held" in session.stdout.readline(), "a lock")
    return session


def release(session):
    session.communicate("ROLLBACK;\n")


def prepare(bench, owner):
    """A database with an older push of a part, so that there is something to lose."""
    database = bench.database()
    start = bench.owner(f"{owner.name}-start", owner.person)
    start.run("import", "--quiet", *bench.changes.new_tracks(3))
    start.push(database)
    owner.run("import", "--quiet", *bench.changes.tracks[-3:])
    return database


def completes(owner, database, what):
    require(owner.push(database, "--fixes")["written"] > 1000, f"{what}: the next push is empty")
    report = owner.push(database, "--replace")
    require(report["written"] == 0, f"{what}: the push afterward was not complete: {report}")


TERMINATE = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'roqua' "
    "AND datname = current_database()")


def lost(bench, owner):
    """The server ends the session: while it waits for a lock in the middle, while rows are being
    sent, and at random moments."""
    database, ended = prepare(bench, owner), 0
    for table in ("sources", "fixes", "tiles", "pieces"):
        session = hold(database, f"LOCK roqua.{table}")
        push = Watched.__new__(Watched)
        push.owner, push.database, push.state = owner, database, owner.state()
        push.process = owner.start_push(database, "--fixes", is_read=True)
        until(lambda: database.pushes("wait_event_type = 'Lock'"), f"waiting for {table}")
        database.psql(TERMINATE)
        release(session)
        push.before = rows.contents(database)
        push.fails(f"lost at {table}", "the connection to the server was lost: ")
        ended += 1
    before = rows.contents(database)
    database.psql("""
        CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_sleep(0.001); RETURN NEW; END';
        CREATE TRIGGER slowly BEFORE INSERT ON roqua.fixes FOR EACH ROW EXECUTE FUNCTION slowly();
        """)
    for moment in range(6):
        push = Watched(owner, database, "--fixes")
        until(lambda: database.pushes("query LIKE 'COPY roqua.fixes%'"), "a push that sends rows")
        time.sleep(bench.random.uniform(0, 0.5))
        database.psql(TERMINATE)
        push.fails(f"lost while sending {moment}", "the connection to the server was lost: ")
        ended += 1
    rows.require_equal(before, rows.contents(database), "lost connections changed rows")
    database.psql("DROP FUNCTION slowly CASCADE")
    completes(owner, database, "lost")
    return f"{ended} lost connections"


def stopped(bench, owner):
    """The whole server stops while a push sends rows, or is killed, and starts again."""
    with Cluster(bench.folder / "stop", bench.cluster.port + 2) as own:
        room = bench.room_on(own)
        database = prepare(room, owner)
        before = rows.contents(database)
        for kind in ("stopped", "killed"):
            session = hold(database, "LOCK roqua.regions")
            state = owner.state()
            process = owner.start_push(database, "--fixes", is_read=True)
            pids = until(
                lambda: database.pushes("wait_event_type = 'Lock'"), "waiting for regions")
            if kind == "stopped":
                own.stop()
                own.start()
            else:
                # A process of the server that dies makes it restart all others.
                subprocess.run(["kill", "-9", str(pids[0])], check=True)
                until(lambda: answers(database), "a server that restarts")
            output, errors = process.communicate(timeout=PATIENCE)
            refusals.line(kind, process.returncode, output, errors, "the server was lost: ")
            session.kill()
            session.communicate()
            refusals.unchanged(kind, database, before, owner, state)
        completes(owner, database, "stopped")
    return "a stopped and a killed server"


def answers(database):
    try:
        return database.value("SELECT 1") == "1"
    except Failure:
        return False


def full(bench, owner):
    """The disk of the server is full: a small file system in memory, as a tablespace; without the
    right to mount one, a trigger that raises the same error."""
    place = bench.folder / "small-disk"
    place.mkdir()
    is_mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64m,mode=0777", "none", place],
        capture_output=True).returncode == 0
    try:
        if not is_mounted:
            database = prepare(bench, owner)
            database.psql("""
                CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
                CREATE TRIGGER full_disk BEFORE INSERT ON roqua.tiles
                  EXECUTE FUNCTION full_disk()""")
            refusals.run(owner, database, "a full disk", options=("--fixes",), reason="(53100)")
            database.psql("DROP FUNCTION full_disk CASCADE")
            completes(owner, database, "a full disk")
            return "a disk that says it is full"
        data = place / "data"
        data.mkdir()
        shutil.chown(data, "postgres")
        # A server of its own: what it cannot write must not be in the way of other checks.
        with Cluster(bench.folder / "full-server", bench.cluster.port + 1, "--fast") as cluster:
            return fill(bench, owner, cluster, place)
    finally:
        if is_mounted:
            subprocess.run(["umount", "-l", place], check=False)


def fill(bench, owner, cluster, place):
    """Pushes to a database in a small file system, while nothing or little is left there."""
    cluster.database().psql(f"CREATE TABLESPACE small LOCATION '{place / 'data'}'")
    database = cluster.database(tablespace="small")
    start = bench.owner("full-start", owner.person)
    start.run("import", "--quiet", *bench.changes.new_tracks(3))
    start.push(database)
    owner.run("import", "--quiet", *bench.changes.tracks[-3:])
    refused = 0
    # The server writes some 160 kB of its own when somebody connects.
    for left in (500_000, 1_000_000, 5_000_000):
        free = shutil.disk_usage(place).free
        with open(place / "filler", "wb") as filler:
            for _ in range(max(0, free - left) // 65_536):
                filler.write(bytes(65_536))
        refusals.run(owner, database, "a full disk", options=("--fixes",), reason="(53100)")
        (place / "filler").unlink()
        refused += 1
    completes(owner, database, "a full disk")
    return f"{refused} times a full disk"


def locked(bench, owner):
    """Ctrl-C while a push waits for another one's lock. It ends the command as it ends every
    command: by the signal, after one line."""
    database, interrupted = prepare(bench, owner), 0
    for statement in (
        f"SELECT FROM roqua.people WHERE name = '{owner.person}' FOR UPDATE",
        "LOCK roqua.people", "LOCK roqua.visits",
    ):
        for number in (signal.SIGINT, signal.SIGTERM):
            push = Watched(owner, database)
            push.process.kill()
            push.process.communicate()
            until(lambda: not database.pushes(), "a push that was killed")
            session = hold(database, statement)
            push.process = owner.start_push(database, is_read=True)
            until(lambda: database.pushes("wait_event_type = 'Lock'"), f"waiting: {statement}")
            push.process.send_signal(number)
            output, errors = push.process.communicate(timeout=20)
            release(session)
            refusals.line(
                statement, push.process.returncode, output, errors,
                "interrupted: the database is unchanged", -number)
            until(lambda: not database.pushes(), "the server still serves it")
            refusals.unchanged(statement, database, push.before, owner, push.state)
            interrupted += 1
    # A server that does not wait says so.
    session = hold(database, "LOCK roqua.visits")
    before, state = None, owner.state()
    database.psql(f"ALTER DATABASE {database.name} SET lock_timeout = '300ms'")
    process = owner.start_push(database, is_read=True)
    output, errors = process.communicate(timeout=PATIENCE)
    refusals.line("a lock's time limit", process.returncode, output, errors, "lock timeout")
    release(session)
    require(owner.state() == state, "a lock's time limit: the store changed")
    database.psql(f"ALTER DATABASE {database.name} RESET lock_timeout")
    completes(owner, database, "locked")
    return f"{interrupted} interrupted and one that waited too long for a lock"


def late(bench, owner):
    """Ctrl-C at the end, while the store is busy: what it says of the database is true."""
    database = prepare(bench, owner)
    before = rows.contents(database)
    with closing(sqlite3.connect(owner.store, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        process = owner.start_push(database, is_read=True)
        end = time.monotonic() + 5
        while time.monotonic() < end and rows.contents(database) == before:
            time.sleep(0.05)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
        other.execute("ROLLBACK")
    until(lambda: not database.pushes(), "the server still serves it")
    refusals.line("at the end", process.returncode, output, errors, "interrupted", -signal.SIGINT)
    is_unchanged = rows.contents(database) == before
    require(
        is_unchanged == ("the database is unchanged" in errors),
        f"the database is {'un' if is_unchanged else ''}changed, and an interrupted push says: "
        f"{errors.strip()!r}")
    owner.push(database)
    return "one interrupted at the end"
