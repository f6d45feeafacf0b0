"""A source that was forgotten is gone from the database after a push."""

from . import coverage, rows, traces
from .bench import SAMPLES, pushed, require
from .sources import write_tracks_apart


def check(bench):
    database = bench.database()
    anna, ben = bench.owner("anna"), bench.owner("ben")
    files = [*SAMPLES, *bench.changes.new_tracks(6), *write_tracks_apart(bench, 2)]
    anna.run("import", "--quiet", *files)
    ben.run("import", "--quiet", *files[2:5], *files[8:9])
    anna.push(database, "--fixes")
    ben.push(database, "--fixes")
    keys = {name: database.value(f"SELECT roqua.person_key('{name}')") for name in ("anna", "ben")}
    lost = 0
    # One that ben has as well, one that crosses others, and one apart from all.
    for path in (files[2], files[9], files[-1]):
        source = next(s for s in anna.json("sources")["sources"] if s["path"] == str(path))
        sha256 = source["sha256"]
        before, others = coverage.of_database(database), rows.contents(database, keys["ben"])
        own = of_source(database, keys["anna"], sha256)
        require(
            own["sources"] == 1 and own["kept_fixes"] > 0 and own["fixes"] > 0,
            f"{path.name} is not in the database: {own}")
        anna.run("forget", source["id"])
        anna.push(database)
        files.remove(path)

        left = of_source(database, keys["anna"], sha256)
        require(not any(left.values()), f"{path.name} is still in the database: {left}")
        dump = database.dump("--data-only", "--schema=roqua")
        is_bens = any(s["sha256"] == sha256 for s in ben.json("sources")["sources"])
        found = traces.found(dump, [sha256, path.name])
        require(
            bool(found) == is_bens,
            f"{path.name} in pg_dump: {found}, and ben {'has' if is_bens else 'has not'} it")

        # A store that never had it, and ben's, say what both have explored now.
        third = bench.owner(f"without-{source['id']}", "anna")
        third.run("import", "--quiet", *files)
        now = coverage.of_database(database)
        expected = coverage.union(coverage.of_store(third), coverage.of_store(ben))
        require(now == expected, f"{path.name}: {difference(now, expected)}")
        gone = coverage.without(before, now)
        require(
            gone == coverage.without(before, expected) and not coverage.without(now, before),
            f"{path.name}: other bits are gone: {difference(gone, expected)}")
        if path == files[-1] or "apart" in path.name:
            require(coverage.cells(gone) > 0, f"{path.name}: no bit is gone")
        lost += coverage.cells(gone)
        rows.require_equal(
            others, rows.contents(database, keys["ben"]), f"{path.name}: ben's rows changed")

        # All rows but those that say when something was imported.
        reference = pushed(anna, bench.database(), "--fixes")
        ours = rows.contents(database, keys["anna"])
        reference["about"] = ours["about"]
        rows.require_equal(ours, reference, f"{path.name}: not the rows of a new push")
    require(lost > 0, "no forgotten source had a cell of its own")
    return f"3 sources gone from every table, and {lost} bits of the union"


def of_source(database, person, sha256):
    """The number of rows in each table that names sources."""
    found = {}
    for table, (columns, _) in rows.tables(database).items():
        if "sha256" in columns.split(", "):
            found[table] = int(database.number(
                f"SELECT count(*) FROM roqua.{table} WHERE person = {person} "
                f"AND sha256 = '\\x{sha256}'"))
    found["fixes"] = int(database.number(f"""
        SELECT count(*) FROM roqua.fixes f WHERE person = {person} AND NOT EXISTS (
          SELECT FROM roqua.kept_fixes k WHERE k.person = f.person AND k.chunk = f.chunk
            AND sha256 <> '\\x{sha256}')"""))
    return found


def difference(one, other):
    more, less = coverage.without(one, other), coverage.without(other, one)
    return f"{coverage.cells(more)} bits too many, {coverage.cells(less)} too few"
