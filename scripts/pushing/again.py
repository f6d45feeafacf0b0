"""The same push twice: the second one writes nothing, and the rows are equal."""

from . import rows
from .bench import SAMPLES, require


def check(bench):
    tour = bench.owner("tour")
    tour.run("import", "--quiet", *SAMPLES)
    stores = [tour, bench.large("large")] if bench.corpus() else [tour]
    lines = []
    for owner in stores:
        database = bench.database()
        report = owner.push(database)
        require(
            report["madeTables"] and report["newPerson"] and report["written"] > 1000,
            f"the first push reports {report}")
        first = rows.contents(database)
        written = sum(
            len(found) for name, found in first.items()
            if name not in ("about", "people", "pieces"))
        require(
            written == report["written"],
            f"{report['written']} rows are reported, and {written} are there")
        twice = owner.run("push", database.address, "--person", owner.person)
        require(
            twice == "The database has everything of this store.\n",
            f"the second push says: {twice}")
        rows.require_equal(first, rows.contents(database), "the second push changed something")
        report = owner.push(database, "--replace")
        require(
            report["written"] == 0 and report["deleted"] == 0,
            f"a full comparison finds differences: {report}")
        rows.require_equal(first, rows.contents(database), "the third push changed something")

        # A comparison that sees nothing would prove nothing.
        owner.run("settings", "visitGapMinutes", "45")
        owner.push(database)
        require(
            rows.difference(first, rows.contents(database)),
            "a changed setting makes no difference")
        lines.append(f"{rows.count(first)} rows of {owner.source_count()} sources")
    return ", ".join(lines) + " equal"
