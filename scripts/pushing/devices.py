"""Two devices that push as one person at the same time, and two people at once."""

from . import rows
from .bench import SAMPLES, require
from .server import PATIENCE


def check(bench, rounds):
    laptop = bench.owner("laptop", "anna")
    laptop.run("import", "--quiet", *SAMPLES[:2])
    kept, together = bench.database(), 0
    laptop.push(kept)
    for number in range(rounds):
        # In every other round on an empty database, where both make the tables.
        database = bench.database() if number % 2 == 0 else kept
        bench.changes.forget(laptop)
        bench.changes.import_new(laptop, 3)
        phone = laptop.copy("phone")
        other = bench.owner(f"other{number}")
        bench.changes.import_new(other, 2)
        found = at_once(database, [laptop, phone, other])
        together += found
        reference = bench.database()
        laptop.copy("reference").push(reference)
        other.copy("reference2")
        other.push(reference, "--replace")
        key = anna(database)
        rows.require_equal(
            rows.contents(database, key), rows.contents(reference, key),
            f"round {number}: two pushes at once differ from one")
        key = database.value(f"SELECT roqua.person_key('other{number}')")
        rows.require_equal(
            rows.contents(database, key), rows.contents(reference, key),
            f"round {number}: somebody else's push differs")
        # The devices have the same sources; neither may take the other's push for a stranger's.
        # The laptop pushes last, so that what it forgets next is its own.
        for device in (phone, laptop):
            report = device.push(database)
            require(report["written"] == 0, f"round {number}: {device.name} writes again: {report}")
    require(together >= rounds / 2, f"the pushes met in {together} of {rounds} rounds only")
    return (
        f"{rounds} rounds with three pushes each, {rounds - rounds // 2} on empty databases; they "
        f"met in {together}")


def anna(database):
    return database.value("SELECT roqua.person_key('anna')")


def at_once(database, owners, lock=None):
    """Pushes of all at the same time. Returns whether they met on the server."""
    # A lock holds all of them until they are there: that under which the tables are made, or one on
    # the people.
    session = database.session()
    has_tables = database.value("SELECT to_regclass('roqua.people') IS NOT NULL") == "t"
    lock = lock or ("LOCK roqua.people" if has_tables
                    else f"SELECT pg_advisory_xact_lock({0x52_6F71_7561})")
    session.stdin.write(f"BEGIN; {lock}; SELECT 'held';\n")
    session.stdin.flush()
    while "held" not in session.stdout.readline():
        pass
    processes = [owner.start_push(database, is_read=True) for owner in owners]
    met = False
    try:
        for _ in range(500):
            if len(database.pushes("wait_event_type = 'Lock'")) == len(owners):
                met = True
                break
    finally:
        session.stdin.write("COMMIT;\n")
        session.stdin.close()
        session.wait()
        session.stdout.close()
    for owner, process in zip(owners, processes):
        output, errors = process.communicate(timeout=PATIENCE)
        require(
            process.returncode == 0,
            f"{owner.name}: status {process.returncode}: {errors.strip() or output.strip()}")
    return met
