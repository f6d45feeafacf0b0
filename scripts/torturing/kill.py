"""Kills an import at random moments, again and again.

After each kill `roqua check` must find nothing and every source must be complete. Sometimes the
import runs to its end, and the store must then equal that of an undisturbed import.
"""

import json, os, random, subprocess, time
from . import stores, tracks

FILES = 6


def run(tool, supplies, folder, count):
    source, calm = os.path.join(folder, "tracks"), os.path.join(folder, "calm.sqlite")
    tracks.write_tracks(source, 1, FILES, 40_000)
    started = time.monotonic()
    result = tool.run("import", source, "--store", calm, "--json")
    length = time.monotonic() - started
    kept = [file["kept"] for file in json.loads(result.out)["files"]]
    expected = tool.answers(calm)
    if expected[0] or expected[2] or len(expected[1]) < 1_000_000:
        return tool.fault("the undisturbed import holds no answers to compare with")
    numbers = random.Random(supplies.seed)
    made, store = 0, os.path.join(folder, "store-0.sqlite")
    killed = partial = complete = 0
    for moment in range(count):
        child = tool.start(
            "import", source, "--store", store, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            child.wait(numbers.uniform(0, length * 1.1))
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            killed += 1
        if not os.path.exists(store) or os.path.getsize(store) == 0:
            continue
        if stores.sources(store) == ([], []) and os.path.getsize(store) == 0:
            # Killed while SQLite initialized the new file. Opening it has rolled that back.
            continue
        check = tool.run("check", "--store", store)
        if check.status != 0:
            tool.fault(f"kill {moment}: {check}")
        stated, stored = stores.sources(store)
        if stated != stored or stated != kept[: len(stated)]:
            tool.fault(f"kill {moment}: sources {stated}, stored {stored}, should begin {kept}")
        if 0 < len(stated) < FILES:
            partial += 1
        if len(stated) == FILES or moment % 25 == 24 or moment == count - 1:
            if tool.run("import", source, "--store", store).status != 0:
                tool.fault(f"kill {moment}: the next import failed")
            if tool.answers(store) != expected:
                tool.fault(f"kill {moment}: completed, it differs from an undisturbed import")
            complete += 1
            stores.remove(store)
            made += 1
            store = os.path.join(folder, f"store-{made}.sqlite")
    print(
        f"kill: {count:,} imports, {killed:,} killed, {partial:,} of them between sources, "
        f"{complete:,} completed and compared"
    )
    if killed < count / 4 or partial < count / 50:
        tool.fault("the moments were badly chosen: too few imports were killed in their middle")
