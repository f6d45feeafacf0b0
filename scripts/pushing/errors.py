"""Refusals: passwords, addresses, versions of the tables, and rights."""

import os
import pathlib
import pty
import subprocess

from . import refusals, rows
from .bench import SAMPLES, Findings, require, until
from .server import PATIENCE, Cluster

SECRET = "Geheim niß@7:%?"


def check(bench):
    owner = bench.owner("anna")
    owner.run("import", "--quiet", *SAMPLES)
    lines, findings = [], Findings()
    for part in (passwords, addresses, versions, rights):
        with findings.part():
            lines += part(bench, owner)
    findings.end()
    require(len(set(lines)) >= 8, f"different refusals have the same line: {lines}")
    return f"{len(lines)} refusals with one line each"


def passwords(bench, owner):
    options = ("--password", SECRET, "--fast")
    with Cluster(bench.folder / "pw", bench.cluster.port + 1, *options) as own:
        own.password = SECRET
        database = own.database(postgis=True)
        yield refusals.run(
            owner, database, "no password", reason="the server wants a password; set PGPASSWORD")
        yield refusals.run(
            owner, database, "a wrong password", environment={"PGPASSWORD": "wrong-word"},
            reason="password authentication failed", secret="wrong-word")
        yield refusals.run(
            owner, own.printed, "a password in the address", watched=database, secret=SECRET,
            reason="the address contains a password")
        require(not rows.contents(database), "a push without the password made tables")

        owner.environment["PGPASSWORD"] = SECRET
        owner.push(database)
        del owner.environment["PGPASSWORD"]
        first = rows.contents(database)
        require(rows.count(first) > 1000, "PGPASSWORD pushed nothing")
        asked(owner, database)
        hidden(owner, database)
        yield refusals.run(
            owner, database, "a pull with a wrong password", command="pull",
            environment={"PGPASSWORD": "wrong-word"}, reason="password authentication failed",
            secret="wrong-word")
        # A file of passwords, in the home folder.
        words = pathlib.Path(owner.environment["HOME"]) / ".pgpass"
        escaped = SECRET.replace("\\", "\\\\").replace(":", "\\:")
        words.write_text(f"*:*:*:postgres:{escaped}\n")
        words.chmod(0o600)
        require(
            owner.push(database, "--replace")["written"] == 0, "~/.pgpass: something was written")
        words.unlink()
        rows.require_equal(first, rows.contents(database), "another way to give the password")


def asked(owner, database):
    """The password on a terminal, which does not show it."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [owner.executable, "push", database.address, "--person", owner.person, "--store",
         owner.store], cwd=owner.folder, env=owner.environment, stdin=theirs, stdout=theirs,
        stderr=theirs, start_new_session=True)
    os.close(theirs)
    shown = b""
    while b"Password" not in shown:
        shown += os.read(ours, 1000)
    os.write(ours, SECRET.encode() + b"\n")
    try:
        while piece := os.read(ours, 1000):
            shown += piece
    except OSError:
        pass  # the terminal's other end is closed
    os.close(ours)
    require(process.wait(PATIENCE) == 0, f"a password on the terminal: {shown!r}")
    require(SECRET.encode() not in shown, f"the terminal shows the password: {shown!r}")
    require(b"The database has everything" in shown, f"a push on a terminal: {shown!r}")


def hidden(owner, database):
    """Nobody can see the password in the list of processes."""
    session = database.session()
    session.stdin.write("BEGIN; SELECT FROM roqua.people FOR UPDATE; SELECT 'held';\n")
    session.stdin.flush()
    until(lambda: "held" in session.stdout.readline(), "a lock")
    process = owner.start_push(database, environment={"PGPASSWORD": SECRET})
    try:
        until(lambda: database.pushes("wait_event_type = 'Lock'"), "a push that waits")
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        seen = 0
        for number in (str(process.pid), *children.split()):
            command = pathlib.Path(f"/proc/{number}/cmdline").read_bytes()
            require(SECRET.encode() not in command, "the password is in the list of processes")
            seen += b"push" in command
        require(seen >= 1, "the list of processes was read badly")
    finally:
        session.communicate("ROLLBACK;\n")
        process.wait(PATIENCE)


def addresses(bench, owner):
    database, findings, lines = bench.database(), Findings(), []
    for address in unreadable(str(bench.cluster.folder), secret := "GeheimesWort"):
        for command in ("push", "pull"):
            with findings.part():
                lines.append(refusals.run(
                    owner, address, f"{command} {address}", command=command, secret=secret,
                    expected=expected_status(address)))
    for address, reason in unreachable(bench.cluster, database):
        for command in ("push", "pull"):
            with findings.part():
                lines.append(refusals.run(
                    owner, address, f"{command} {address}", command=command, reason=reason,
                    watched=database, expected=expected_status(address)))
    findings.end()
    return lines


def expected_status(address):
    """64, wrong usage, for what is neither a URL nor a list of parameters."""
    return 1 if address.startswith(("postgres://", "postgresql://")) or "=" in address else 64


def unreadable(host, secret):
    """Addresses with a password, of which nothing may be shown."""
    return (
        f"postgres://postgres:{secret}@localhost:1/club",
        f"postgres://postgres:{secret}@/club?host={host}",
        f"postgres:///club?host={host}&password={secret}",
        f"postgres:///club?host={host}&sslpassword={secret}",
        f"host={host} dbname=club password={secret}",
        f"host={host} dbname=club password = '{secret}'",
        # Those that cannot be read; the reason must not quote the password either.
        f"postgres://postgres:{secret}@[localhost/club",
        f"postgres://postgres:{secret}@localhost/club?nothing={secret}",
        f"postgres://postgres:{secret}%@localhost/club",
        f"postgres://postgres:{secret}%zz@localhost/club",
        f"postgres:///club?host={host}&password={secret}%zz",
        f"postgres:///club?password={secret}=x",
        f"host={host} password='{secret}",
        f"host={host} PASSWORD={secret}",
        f"host={host} passwort={secret}",
        f"host={host} password={secret} more",
        # A password whose slash was not escaped: libpq takes what is before it for the port.
        f"postgres://postgres:{secret}/x@localhost/club",
        f"postgres://postgres:1/{secret}@localhost/club",
        f"postgres:{secret}@localhost/club",
        f"http://postgres:{secret}@localhost/club",
        f"//postgres:{secret}@localhost/club",
    )


def unreachable(cluster, database):
    host = str(cluster.folder)
    return (
        ("club", "begin with postgres://"),
        (cluster.address("missing"), 'database "missing" does not exist'),
        (cluster.address(database.name, "nobody"), 'role "nobody" does not exist'),
        (f"postgres:///club?host={host}&port=1&user=postgres", "cannot connect"),
        ("postgres://postgres@localhost:1/club", "cannot connect"),
        ("postgres://postgres@nowhere.invalid/club", "cannot connect"),
        (f"postgres:///club?host={host}&nothing=1", "the address of the server cannot be read"),
    )


def versions(bench, owner):
    database = bench.database()
    new = bench.owner("new")
    yield refusals.run(
        owner, database, "a pull without tables", command="pull",
        reason="the database has no tables of Roqua; roqua push makes them")
    owner.push(database)
    bench.changes.import_new(owner, 3)
    for version, reason in ((2, "update Roqua"), (0, "push with the older program")):
        database.psql(f"UPDATE roqua.about SET version = {version}")
        for options in ((), ("--replace",)):
            yield refusals.run(
                owner, database, f"version {version}", options=options,
                reason=f"version {version}; this program knows version 1; {reason}")
        new.person = owner.person
        yield refusals.run(new, database, f"a pull of {version}", command="pull", reason=reason)
        require(
            not new.store.exists() or new.source_count() == 0,
            "a pull that was refused stored something")
    database.psql("UPDATE roqua.about SET version = 1")
    require(owner.push(database)["written"] > 0, "the push after the right version is empty")

    # A schema of this name that is somebody else's.
    other = bench.database(postgis=True)
    other.psql("CREATE SCHEMA roqua; CREATE TABLE roqua.people (name text);")
    yield refusals.run(owner, other, "another schema roqua", reason="already exists")


def rights(bench, owner):
    bare, full = bench.database(), bench.database()
    bare.psql("CREATE ROLE guest LOGIN")
    owner.push(full)
    bench.changes.import_new(owner, 2)
    for database, reason in (
        (bare, "the database has no PostGIS: permission denied to create extension \"postgis\"; "
               "its administrator can add it"),
        (full, "permission denied"),
    ):
        address = bench.cluster.address(database.name, "guest")
        yield refusals.run(owner, address, "a guest's push", watched=database, reason=reason)
    yield refusals.run(
        owner, bench.cluster.address(full.name, "guest"), "a guest's pull", command="pull",
        watched=full, reason="permission denied")
    require(not bare.lines("SELECT extname FROM pg_extension WHERE extname = 'postgis'"),
            "PostGIS was added")
    # PostGIS is there, but the guest may not make a schema.
    bare.psql("CREATE EXTENSION postgis")
    yield refusals.run(
        owner, bench.cluster.address(bare.name, "guest"), "a guest's first push", watched=bare,
        reason="permission denied for database")
