"""A store with a second hard link: queries are answered, changes are refused.

SQLite's log is next to one of the names. A program that opens the other name does not see it.
"""

import os, random, threading, time
from . import stores, tracks


def run(tool, supplies, folder, moments):
    first, second = os.path.join(folder, "a", "s.sqlite"), os.path.join(folder, "b", "t.sqlite")
    supplies.small_store(first)
    os.makedirs(os.path.dirname(second))
    before = answers(tool, supplies, first)
    os.link(first, second)
    asked = questions(tool, supplies, folder, (first, second), before)
    refused = refusals(tool, supplies, first, second)
    refused += both_at_once(tool, supplies, first, second)
    os.remove(second)
    for command in supplies.changing:
        outcome = tool.run(*command, "--store", first)
        if outcome.status != 0:
            tool.fault(f"after the link is removed: {outcome}")
    finished, stopped = during_import(tool, supplies, folder, moments)
    print(
        f"links: {asked} questions and {refused} changes through two names, "
        f"{finished + stopped} links made during an import "
        f"({finished} imports finished, {stopped} stopped)"
    )


def answers(tool, supplies, store):
    found = {}
    for question in supplies.questions:
        outcome = tool.run(*question, "--store", store)
        if outcome.status != 0:
            tool.fault(f"before there is a link: {outcome}")
        found[question] = outcome.out_bytes
    return found


def questions(tool, supplies, folder, names, before):
    for number, name in enumerate(names):
        for question in supplies.questions:
            outcome = tool.run(*question, "--store", name)
            answer = outcome.out_bytes.replace(os.fsencode(name), os.fsencode(names[0]))
            if outcome.status != 0:
                tool.fault(f"{outcome}", "a question of a linked store fails")
            elif answer != before[question]:
                tool.fault(f"{outcome}: not as before the link", "another answer")
        copy = os.path.join(folder, f"backup-{number}.sqlite")
        outcome = tool.run("backup", copy, "--store", name)
        if outcome.status != 0:
            tool.fault(f"{outcome}", "a question of a linked store fails")
        elif stores.row_counts(copy) != stores.row_counts(names[0]):
            tool.fault("a backup of a linked store has other rows")
        app = os.path.join(folder, f"app-{number}.sqlite")
        outcome = tool.run("backup", "--app-format", app, "--store", name)
        if outcome.status != 0:
            tool.fault(f"{outcome}", "a question of a linked store fails")
        elif stores.app_rows(app) != stores.row_counts(names[0])["regions"]:
            tool.fault("an app's database of a linked store has other rows")
    return len(names) * (len(supplies.questions) + 2)


def refusals(tool, supplies, first, second):
    """Each change through either name: status 1, one line, and nothing changes."""
    for name in (first, second):
        for command in supplies.changing:
            state, content, rows = (
                folders(first, second),
                stores.digest(first),
                stores.row_counts(first),
            )
            outcome = tool.run(*command, "--store", name)
            judge_refusal(tool, outcome)
            change = stores.changes(state, folders(first, second))
            if change or stores.digest(first) != content or stores.row_counts(first) != rows:
                tool.fault(
                    f"{outcome}: it changed the linked store: {change}",
                    "a change of a linked store",
                )
                restore(supplies, first, second)
    return 2 * len(supplies.changing)


def judge_refusal(tool, outcome):
    if outcome.status != 1 or not outcome.has_one_line():
        tool.fault(f"of a linked store, {outcome}; not status 1 and one line", "not refused")
    elif not outcome.names("link", "name"):
        tool.fault(f"{outcome}: does not say that the store has another name", "no reason")


def folders(first, second):
    return {
        **{f"a/{name}": state for name, state in stores.snapshot(os.path.dirname(first)).items()},
        **{f"b/{name}": state for name, state in stores.snapshot(os.path.dirname(second)).items()},
    }


def restore(supplies, first, second):
    for store in (first, second):
        stores.remove(store)
    supplies.small_store(first)
    os.link(first, second)


def both_at_once(tool, supplies, first, second):
    content, outcomes = stores.digest(first), []
    jobs = [
        threading.Thread(
            target=lambda name=name, track=track: outcomes.append(
                tool.run("import", track, "--store", name)
            )
        )
        for name, track in ((first, supplies.more), (second, supplies.track(5)))
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    for outcome in outcomes:
        judge_refusal(tool, outcome)
    if stores.digest(first) != content:
        tool.fault("two imports through two names changed the store")
        restore(supplies, first, second)
    return 2


def during_import(tool, supplies, folder, moments):
    """Makes a link at a random moment of an import of about 60,000 points."""
    source = tracks.write_tracks(os.path.join(folder, "tracks"), supplies.seed + 50, 4, 15_000)
    store, other = os.path.join(folder, "during.sqlite"), os.path.join(folder, "during-link.sqlite")
    numbers = random.Random(f"{supplies.seed} links")
    supplies.small_store(store)
    started = time.monotonic()
    calm = tool.run("import", source, "--store", store, "--json")
    length, all_kept = time.monotonic() - started, calm.document["totals"]["kept"]
    finished = stopped = 0
    for moment in range(moments):
        for path in (store, other):
            stores.remove(path)
        # The store exists before the import; otherwise there would be nothing to link yet.
        supplies.small_store(store)
        had = stores.fixes(store)
        results = []
        job = threading.Thread(
            target=lambda: results.append(tool.run("import", source, "--store", store, "--json"))
        )
        job.start()
        time.sleep(numbers.uniform(0, length * 1.1))
        os.link(store, other)
        job.join()
        outcome = results[0]
        is_log_left = os.path.exists(store + "-wal") and os.path.getsize(store + "-wal") > 0
        stored = stores.fixes(store) - had
        if outcome.status == 0:
            finished += 1
            if stored != all_kept or outcome.document["totals"]["kept"] != all_kept:
                tool.fault(
                    f"link {moment}: status 0, and {stored:,} of {all_kept:,} fixes are stored"
                )
            elif is_log_left or stores.fixes(other) != had + all_kept:
                tool.fault(
                    f"link {moment}: status 0, and the other name lacks fixes", "a log is left"
                )
        else:
            stopped += 1
            judge_refusal(tool, outcome)
            said = (outcome.document or {}).get("totals", {}).get("kept", 0)
            if stored < said:
                tool.fault(f"link {moment}: says kept {said:,}, stored {stored:,}", "too much said")
        os.remove(other)
        again = tool.run("import", source, "--store", store)
        if again.status != 0 or stores.fixes(store) != had + all_kept:
            tool.fault(f"link {moment}: without the link the next import fails: {again}")
    if moments >= 10 and stopped == 0:
        tool.fault("no import stopped where a link was made in its middle")
    return finished, stopped
