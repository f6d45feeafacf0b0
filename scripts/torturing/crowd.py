"""Two processes import while eight readers query. There must be no errors and no partial source."""

import json, os, threading, time
from . import stores, tracks

QUESTIONS = (
    ("stats", "--json"),
    ("near", "0", "0", "--radius", "5000km", "--limit", "5", "--json"),
    ("within", "-90", "-180", "90", "180", "--limit", "50", "--json"),
    ("coverage", "--json"),
)


def run(tool, supplies, folder, seconds):
    store = os.path.join(folder, "crowd.sqlite")
    end = time.monotonic() + seconds
    done, asked = [0, 0], [0] * 8

    def importer(number):
        turn = 0
        while time.monotonic() < end:
            source = os.path.join(folder, f"crowd-{number}-{turn}")
            tracks.write_tracks(source, 100 + 50_000 * number + turn, 4, 3_000)
            result = tool.run("import", source, "--store", store)
            if result.status != 0:
                tool.fault(f"importer {number}: {result}")
            done[number] += 1
            turn += 1

    def reader(number):
        while time.monotonic() < end:
            if number < 4:
                stated, stored = stores.sources(store)
                if stated != stored:
                    tool.fault(f"reader {number} sees half a source: {stated[-3:]} {stored[-3:]}")
            else:
                result = tool.run(*QUESTIONS[asked[number] % len(QUESTIONS)], "--store", store)
                if result.status != 0:
                    tool.fault(f"reader {number}: {result}")
                else:
                    json.loads(result.out)
            asked[number] += 1

    first = os.path.join(folder, "crowd-first")
    tool.run("import", tracks.write_tracks(first, 99, 1, 3_000), "--store", store)
    threads = [threading.Thread(target=importer, args=(number,)) for number in range(2)]
    threads += [threading.Thread(target=reader, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check = tool.run("check", "--store", store)
    if check.status != 0:
        tool.fault(f"{check}")
    print(
        f"crowd: {sum(done):,} imports of 4 files by two processes, "
        f"{sum(asked):,} questions by eight readers"
    )
    if min(done) < 2 or min(asked) < 2:
        tool.fault("a process or a reader did nothing")
