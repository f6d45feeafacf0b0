"""The store is renamed, deleted or replaced while an import runs.

Status 0 is correct only if the store at the path finally contains everything that the report counts
as kept. Otherwise the import must fail and say what happened to the file.
"""

import os, random, sqlite3, threading, time
from . import stores, tracks

WORDS = (
    "moved",
    "replaced",
    "deleted",
    "removed",
    "renamed",
    "missing",
    "no longer",
    "another file",
)


def rename(store, spare):
    os.rename(store, store + ".renamed")


def delete(store, spare):
    os.remove(store)


def replace(store, spare):
    os.replace(spare, store)


def link_elsewhere(store, spare):
    """Replaces the store by a symbolic link to another store."""
    os.symlink(spare, store + ".link")
    os.replace(store + ".link", store)


def move_behind_link(store, spare):
    """Moves the store to another folder and replaces it by a symbolic link to the new path."""
    moved = os.path.join(os.path.dirname(store), "moved", "store.sqlite")
    os.makedirs(os.path.dirname(moved))
    os.rename(store, moved)
    os.symlink(moved, store)


def copy_over(store, spare):
    """Replaces the store by a copy of itself, as some editors and sync programs do."""
    stores.write(store + ".copy", stores.read(store))
    os.replace(store + ".copy", store)


WAYS = {
    "renamed": rename,
    "deleted": delete,
    "replaced by another store": replace,
    "replaced by a link elsewhere": link_elsewhere,
    "moved behind a link": move_behind_link,
    "replaced by a copy": copy_over,
}


def run(tool, supplies, folder, times):
    source = tracks.write_tracks(os.path.join(folder, "tracks"), supplies.seed + 60, 5, 10_000)
    calm = os.path.join(folder, "calm.sqlite")
    lengths = []
    for _ in range(3):
        stores.remove(calm)
        started = time.monotonic()
        tool.run("import", source, "--store", calm)
        lengths.append(time.monotonic() - started)
    counts = {}
    for way, act in WAYS.items():
        numbers = random.Random(f"{supplies.seed} {way}")
        finished = 0
        for turn in range(times):
            place = os.path.join(folder, f"{act.__name__}-{turn}")
            finished += once(
                tool, supplies, place, source, act, way, numbers.uniform(0, min(lengths))
            )
        counts[way] = finished
    words = ", ".join(f"{way} {times} ({finished} finished)" for way, finished in counts.items())
    print(f"replaced: during an import the store was {words}")
    if times >= 10 and sum(counts.values()) == times * len(WAYS):
        tool.fault("no import noticed that its store was replaced")


def once(tool, supplies, place, source, act, way, wait):
    """Runs one import; returns whether it exited with status 0."""
    store, spare = os.path.join(place, "s.sqlite"), os.path.join(place, "other", "s.sqlite")
    supplies.small_store(store)
    os.makedirs(os.path.dirname(spare))
    stores.write(spare, supplies.other)
    results = []
    job = threading.Thread(
        target=lambda: results.append(tool.run("import", source, "--store", store, "--json"))
    )
    job.start()
    time.sleep(wait)
    act(store, spare)
    acted = time.monotonic()
    job.join()
    # A change after the process's last check of the path counts as one after its end.
    is_late = time.monotonic() - acted < 0.05
    outcome = results[0]
    report = outcome.document or {"files": [], "totals": {"kept": 0}}
    said = {
        file["sha256"]: file["kept"] for file in report["files"] if file["status"] == "imported"
    }
    lacking = missing(store, said)
    if act in (replace, link_elsewhere):
        check = tool.run("check", "--store", store)
        if check.status != 0:
            tool.fault(
                f"{way}: the store that took the place is damaged: {check}",
                f"{way}: the other store is damaged",
            )
    where = f"{way} after {wait:.3f} s"
    if outcome.status == 0:
        if outcome.document is None:
            tool.fault(f"{where}: {outcome}: no report")
        elif lacking and not is_late:
            tool.fault(
                f"{where}: status 0, and of {sum(said.values()):,} kept fixes the store at"
                f" the path lacks {lacking:,}",
                f"{way}: status 0, fixes are lost",
            )
    elif outcome.status not in (1, 2):
        tool.fault(f"{where}: {outcome}", f"{way}: status {outcome.status}")
    elif not outcome.names(*WORDS) or not outcome.err.strip():
        tool.fault(
            f"{where}: {outcome}: does not say that the file was moved, replaced or deleted",
            f"{way}: no reason",
        )
    if outcome.oddity():
        tool.fault(f"{where}: {outcome}: {outcome.oddity()}", "odd output")
    return outcome.status == 0


def missing(store, said):
    """The number of fixes counted by a report that are missing in the store at a path."""
    try:
        stored = stores.kept_by_sha256(store)
    except sqlite3.Error:
        stored = {}
    return sum(max(0, kept - stored.get(sha256, 0)) for sha256, kept in said.items())
