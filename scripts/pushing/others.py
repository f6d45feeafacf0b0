"""Sources that another device pushed are not deleted, unless that is asked for."""

import signal

from . import rows
from .bench import SAMPLES, Failure, address, require, until


def check(bench):
    database = bench.database()
    first, second = bench.owner("first", "anna"), bench.owner("second", "anna")
    bench.changes.import_new(first, 6)
    second.run("import", "--quiet", *SAMPLES[:3])
    first.push(database)
    before = rows.contents(database)
    refuse(second, database, before, 6)

    # Nor does it help that the second device has some of them.
    second.run("import", "--quiet", *bench.changes.tracks[:2])
    refuse(second, database, before, 4)
    second.push(database, "--replace")
    rows.require_equal(
        rows.contents(database), fresh(bench, second), "--replace leaves something")

    # The first device now has what the database lost, and lacks what the second one brought.
    refuse(first, database, rows.contents(database), 3)
    first.run("import", "--quiet", *SAMPLES[:3])
    first.push(database)
    rows.require_equal(
        rows.contents(database), fresh(bench, first), "the union leaves something")
    unnoted(bench)
    behind(bench)
    apart(bench)
    return "refused until --replace, or until the device has them; nobody waits for somebody else"


def refuse(owner, database, before, count):
    state = owner.state()
    refused = owner.result("push", address(database), "--person", owner.person)
    line = (
        f"roqua: the database has {count} sources of anna that this store does not have; roqua "
        "sync brings them here, or roqua push --replace deletes them there\n")
    require(
        refused.returncode == 1 and refused.stderr == line and not refused.stdout,
        f"status {refused.returncode} and {refused.stderr + refused.stdout!r} instead of {line!r}")
    rows.require_equal(before, rows.contents(database), "a refused push changed rows")
    require(owner.state() == state, "a refused push changed the store")


def fresh(bench, owner):
    database = bench.database()
    owner.copy(f"{owner.name}-fresh").push(database)
    return rows.contents(database)


def unnoted(bench):
    """A push is killed just when the server has committed it, before the store can note that. What
    is forgotten afterward is still this device's own."""
    database, owner = bench.database(), bench.owner("killed", "anna")
    bench.changes.import_new(owner, 3)
    owner.push(database)
    bench.changes.import_new(owner, 2)
    # The commit takes a moment, in which the tool is stopped.
    database.psql("""
        CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END';
        CREATE CONSTRAINT TRIGGER slowly AFTER UPDATE ON roqua.people DEFERRABLE
          INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slowly()""")
    before = rows.contents(database)
    process = owner.start_push(database)
    until(lambda: database.pushes("query = 'COMMIT' AND state = 'active'"), "a commit")
    process.send_signal(signal.SIGSTOP)
    until(lambda: database.pushes("state = 'idle'"), "the end of the commit")
    process.kill()
    process.wait()
    database.psql("DROP FUNCTION slowly CASCADE")
    require(rows.contents(database) != before, "the push was not committed")
    owner.run("forget", owner.json("sources")["sources"][0]["id"])
    result = owner.result("push", address(database), "--person", owner.person)
    if result.returncode != 0:
        raise Failure(
            "a source forgotten after a push that the store could not note is taken for another "
            f"device's: {result.stderr.strip()}")
    rows.require_equal(
        rows.contents(database), fresh(bench, owner), "what was forgotten is still there")


def behind(bench):
    """A device that does not know of a privacy zone yet does not send again what the zone deleted,
    and a store with a zone is not filled from the database."""
    database = bench.database()
    first, second = bench.owner("knows", "anna"), bench.owner("behind", "anna")
    for owner in (first, second):
        owner.run("import", "--quiet", *SAMPLES)
    second.push(database)
    first.push(database)
    fix = first.rows("SELECT latitude, longitude FROM roqua_fixes")[0]
    first.run("zone", "add", fix["latitude"], fix["longitude"], "--radius", "300m")
    report = first.push(database)
    require(report["deleted"] > 0, "the zone deleted nothing")
    before = rows.contents(database)
    refused = second.result("push", address(database), "--person", "anna")
    require(
        refused.returncode == 1 and "deleted on another device" in refused.stderr,
        f"a device without the zone: {refused.returncode} {refused.stderr}")
    rows.require_equal(before, rows.contents(database), "a refused push changed rows")
    zoned = bench.owner("zoned", "anna")
    zoned.run("zone", "add", fix["latitude"], fix["longitude"], "--radius", "300m")
    state = zoned.state()
    refused = zoned.result("pull", address(database), "--person", "anna")
    require(
        refused.returncode == 1 and "a pull fills a new one" in refused.stderr
        and zoned.state() == state, f"a store with a zone: {refused.returncode} {refused.stderr}")


def apart(bench):
    """While one person's rows are locked, somebody else pushes."""
    database = bench.database()
    anna, bob = bench.owner("anna-waits", "anna"), bench.owner("bob-goes", "bob")
    for owner in (anna, bob):
        owner.run("import", "--quiet", *SAMPLES[:2])
        owner.push(database)
    session = database.session()
    session.stdin.write(
        "BEGIN; SELECT 1 FROM roqua.people WHERE name = 'anna' FOR UPDATE; SELECT 'held';\n")
    session.stdin.flush()
    until(lambda: "held" in session.stdout.readline(), "a lock")
    waiting = anna.start_push(database)
    until(lambda: database.pushes("wait_event_type = 'Lock'"), "a push that waits")
    bob.push(database)
    require(waiting.poll() is None, "the push of the locked person did not wait")
    session.stdin.write("COMMIT;\n")
    session.stdin.close()
    session.wait()
    session.stdout.close()
    require(waiting.wait(timeout=60) == 0, "the push that waited failed")
