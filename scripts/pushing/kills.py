"""Kills pushes at random moments: the rows are those of a complete push, and the next one
completes."""

import time

from syncing.kills import kill, kill_after, kill_after_log

from . import rows
from .bench import SAMPLES, require, until

# After so many kills, the person begins again on an empty database.
LIFE = 8


def check(bench, count):
    order = bench.random
    counted = dict.fromkeys(
        ("killed", "on the server", "between", "committed", "completed", "new"), 0)
    owner = database = None
    length, refused = 0.2, []
    for moment in range(count):
        if moment % LIFE == 0:
            owner = bench.owner(f"life{moment}", "anna")
            owner.run("import", "--quiet", *SAMPLES)
            database = bench.database()
            before = {}
        change(bench, owner)
        # What a complete push gives.
        reference = bench.database()
        owner.copy("reference").push(reference, "--fixes")
        complete = rows.contents(reference)
        require(complete != before, f"kill {moment}: nothing changed before the push")

        process = owner.start_push(database, "--fixes")
        kind = order.random()
        if kind < 0.35:
            was_killed = kill_after(process, order.uniform(0, length * 1.1))
        elif kind < 0.75:
            # From the moment at which the server serves it.
            served = is_served(database, process)
            counted["on the server"] += served
            was_killed = kill_after(process, order.uniform(0, length))
        else:
            # At its last step, when it notes the push in the store.
            was_killed = kill_after_log(process, owner.store, order.uniform(0, 0.001))
        kill(process)
        process.wait()
        # The server may be busy with it for a moment longer.
        until(lambda: not database.pushes(), f"kill {moment}: the server still serves it")
        now = rows.contents(database)
        counted["killed"] += was_killed
        is_before, is_complete = rows.digest(now) == rows.digest(before), now == complete
        require(
            is_before or is_complete,
            f"kill {moment}: the rows are of no complete push: "
            f"{rows.difference(now, before)}; {rows.difference(now, complete)}")
        counted["between"] += was_killed and is_before
        counted["committed"] += was_killed and is_complete
        counted["new"] += was_killed and not before

        is_last = moment == count - 1 or moment % LIFE == LIFE - 1
        if is_last or order.random() < 0.5:
            start = time.monotonic()
            result = owner.result(
                "push", database.address, "--person", owner.person, "--fixes")
            if result.returncode != 0:
                refused.append(f"kill {moment}: {result.stderr.strip()}")
                owner.push(database, "--fixes", "--replace")
            length = min(1, max(0.03, time.monotonic() - start))
            rows.require_equal(
                complete, now := rows.contents(database),
                f"kill {moment}: the next push gives other rows than one to an empty database")
            report = owner.push(database, "--fixes", "--replace")
            require(
                report["written"] == 0 and report["deleted"] == 0,
                f"kill {moment}: a full comparison finds differences: {report}")
            counted["completed"] += 1
        before = now
    require(not refused, f"{len(refused)} pushes after a kill were refused: {refused[:1]}")
    require(
        counted["killed"] >= count / 2 and counted["between"] >= count / 4,
        f"the moments were badly chosen: {counted}")
    return (
        f"{counted['killed']} of {count} pushes killed, {counted['between']} before the commit, "
        f"{counted['committed']} after it, {counted['new']} to an empty database; "
        f"{counted['completed']} completed")


def change(bench, owner):
    """Sources are added, forgotten, or cut; enough is new that a push takes a moment."""
    sources = owner.json("sources")["sources"]
    if len(sources) > 12:
        bench.changes.thin_out(owner, 6)
    if bench.random.random() < 0.5 and len(sources) > 2:
        bench.changes.forget(owner)
    if bench.random.random() < 0.2:
        bench.changes.forget_near(owner)
    bench.changes.import_new(owner, bench.random.randrange(2, 9))


def is_served(database, process):
    while process.poll() is None:
        if database.pushes():
            return True
    return False
