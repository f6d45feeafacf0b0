"""Stores with forged values or bytes: every command ends normally, in time, with plain text."""

import collections, concurrent.futures, os, random, shutil
from . import forging, stores

SECONDS, MEGABYTES, LINES = 20, 500, 5


def run_values(tool, supplies, folder, count):
    """Four fifths of the forged stores."""
    forger = forging.Forger(supplies.small_store(os.path.join(folder, "small.sqlite")), folder)
    attack(tool, supplies, folder, "values", count - count // 5, forger.forge_values)


def run_bytes(tool, supplies, folder, count):
    """The other fifth."""

    def forge(path, numbers):
        data, words = forging.forge_bytes(supplies.small, numbers)
        stores.write(path, data)
        return words

    attack(tool, supplies, folder, "bytes", max(1, count // 5), forge)


def attack(tool, supplies, folder, name, count, forge):
    commands = Commands(supplies)
    ends = collections.Counter()

    def one(index):
        numbers = random.Random(f"{supplies.seed} {name} {index}")
        place = os.path.join(folder, str(index))
        os.makedirs(place)
        store = os.path.join(place, "s.sqlite")
        words = forge(store, numbers)
        for command, is_change in commands.some(numbers, place, words):
            before = stores.digest(store)
            target = store
            if is_change:
                target = shutil.copy(store, os.path.join(place, "changed.sqlite"))
            outcome = tool.run(*command, "--store", target, seconds=SECONDS)
            what = problem(outcome, command)
            if not what and not is_change and stores.digest(store) != before:
                what = "changed the store"
            if what:
                tool.fault(f"{index}: {words}: {outcome}: {what}", f"{command[0]}: {what}")
            ends[outcome.status] += 1
            if is_change:
                stores.remove(target)
        if supplies.index is None:
            shutil.rmtree(place)

    indexes = range(count) if supplies.index is None else [supplies.index]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, indexes))
    words = ", ".join(f"{number:,} with {end}" for end, number in sorted(ends.items()))
    print(f"{name}: {len(indexes):,} forged stores, {sum(ends.values()):,} commands ended: {words}")


def problem(outcome, command):
    """A description of what is wrong with the outcome of a command; None if nothing is."""
    if outcome.is_late:
        return f"takes more than {SECONDS} s"
    if outcome.status < 0:
        return f"signal {-outcome.status}"
    # A country or a source on the command line may be missing now.
    allowed = (0, 1, 2, 64) if command[0] in ("within", "forget") else (0, 1, 2)
    if outcome.status not in allowed:
        return f"status {outcome.status}"
    if outcome.megabytes > MEGABYTES:
        return f"takes more than {MEGABYTES} MB"
    if outcome.err.count("\n") > LINES:
        return f"more than {LINES} lines on stderr"
    if outcome.status == 1 and not outcome.err.strip():
        return "status 1 without a reason"
    if outcome.status == 0 and "--json" in command and outcome.document is None:
        return "no JSON"
    return outcome.oddity()


class Commands:
    """Commands for forged stores."""

    def __init__(self, supplies):
        new, known = supplies.more, supplies.track(0)
        everywhere = ("-90", "-180", "90", "180")
        # These take longer than all others together, so they are rare.
        self.slow = (
            ("stats", "--by", "region"),
            ("stats", "--by", "city"),
            ("coverage", "--by", "city"),
        )
        statistics = (
            ("stats",),
            *(("stats", "--by", cut) for cut in ("country", "year", "month", "day")),
        )
        places = tuple(
            ("places", "--by", level, "--all") for level in ("country", "region", "city")
        )
        regions = (
            ("near", "52.52", "13.40", "--radius", "5km"),
            ("near", "0", "0", "--radius", "20000km"),
            ("near", "48.86", "2.35", "--nearest", "7"),
            ("near", "90", "0", "--nearest", "1000000"),
            ("within", *everywhere),
            ("within", "40", "-10", "60", "60", "--limit", "3"),
            ("within", "--from", "2020", "--to", "2022-06"),
            ("within", "--country", "DE"),
            ("within", "--city", "Berlin", "--count"),
            ("within", *everywhere, "--after", "3"),
        )
        cells = (
            ("coverage",),
            ("coverage", "--by", "year", "--frontier", "5"),
            ("coverage", "--by", "country"),
            ("coverage", "--frontier-near", "48.86", "2.35"),
        )
        rest = (
            ("sources",),
            ("settings",),
            ("settings", "visitGapMinutes"),
            ("check",),
            ("check", "--quick"),
        )
        self.questions = statistics + places + regions + cells + rest
        rebuild, forget, imports = ("rebuild",), ("forget", "1"), ("import", new)
        zone = ("forget", "--near", "52.52", "13.40", "--radius", "1km")
        adopt, add = ("adopt", supplies.other_app), (
            "coverage",
            "--import",
            supplies.other_coverage,
        )
        self.changes = (
            rebuild,
            forget,
            zone,
            imports,
            adopt,
            add,
            ("forget", "2", "4"),
            ("import", known),
            ("settings", "visitGapMinutes", "31"),
            ("settings", "percentageDecimals", "3"),
            ("achievements",),
        )
        check, sources = ("check",), ("sources",)
        # It stores the tiers that were reached.
        achievements = ("achievements",)
        # Commands that read a table, so that most forged values are read.
        self.readers = {
            "settings": (statistics + (("settings",),), self.changes),
            "sources": ((sources, check) + statistics, (forget, zone, imports, ("import", known))),
            "kept_fixes": (statistics + places + cells[1:2] + (check,), (rebuild, forget, zone)),
            "source_tiles": ((check,) + cells, (rebuild, forget, ("forget", "5"), add)),
            "source_regions": ((check,) + statistics + cells, (rebuild, forget, ("forget", "4"))),
            "regions": (regions + places + statistics + (check,), (imports, adopt, zone)),
            "places": (regions + places + statistics + (check,), (imports, adopt, zone)),
            "repeat_visits": (
                places + statistics + regions + (check,),
                (imports, ("import", known), adopt),
            ),
            "adopted_times": ((check,) + regions, (rebuild, adopt)),
            "stated_visits": ((check,) + regions + places, (imports, adopt)),
            "coverage_tiles": (cells + statistics + (check,), (imports, add)),
            "revision": (regions, self.changes),
            "achievements": ((check,), (imports, achievements)),
            "achievement_progress": ((check,), (imports, achievements, forget)),
            "achievement_state": ((check,), (imports, achievements, forget)),
            "erasure": ((check, sources), self.changes),
            "sqlite_sequence": ((check, sources), (imports, add, rebuild)),
        }

    def some(self, numbers, place, words):
        """Two or three queries and a change, each with whether it changes the store."""
        forged = [
            table for table in self.readers if f"{table}." in words or f"{table} has" in words
        ]
        table = numbers.choice(forged) if forged and numbers.random() < 0.8 else None
        questions, changes = self.readers.get(table, (self.questions, self.changes))
        chosen = [numbers.choice(questions), numbers.choice(questions)]
        if numbers.random() < 0.4:
            chosen.append(
                numbers.choice(
                    (
                        ("backup", os.path.join(place, "backup.sqlite")),
                        ("backup", "--app-format", os.path.join(place, "app.sqlite")),
                        ("coverage", "--export", os.path.join(place, "cells")),
                        numbers.choice(self.questions),
                    )
                )
            )
        if numbers.random() < 0.05:
            chosen[0] = numbers.choice(self.slow)
        pairs = [(command, False) for command in chosen] + [(numbers.choice(changes), True)]
        for command, is_change in pairs:
            yield command + (("--json",) if numbers.random() < 0.4 else ()), is_change
