"""What a database has of people, row by row."""

import hashlib

from syncing.device import Failure


def tables(database):
    """The tables of the schema with their columns and the columns of their keys."""
    found = {}
    for line in database.lines("""
        SELECT c.relname,
          string_agg(quote_ident(attname), ', ' ORDER BY attnum)
            FILTER (WHERE attname NOT IN ('mark', 'pushed_at')),
          string_agg(quote_ident(attname), ', ' ORDER BY array_position(k.indkey::int[], attnum))
            FILTER (WHERE attnum = ANY (k.indkey))
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND attnum > 0
          AND NOT attisdropped JOIN pg_index k ON k.indrelid = c.oid AND k.indisprimary
        WHERE relnamespace = to_regnamespace('roqua') AND relkind IN ('r', 'p')
        GROUP BY 1 ORDER BY 1"""):
        name, columns, key = line.split("|")
        found[name] = (columns, key)
    return found


def contents(database, person=None, like=None):
    """The rows of all tables in order, without those columns that each push changes; only those of
    a person if a key is given. Empty if there are no tables. The tables are those of another
    database if one is given: foreign ones have no keys that say their order."""
    found = tables(like or database)
    if not found:
        return {}
    script = "BEGIN ISOLATION LEVEL REPEATABLE READ;\n"
    for name, (columns, key) in found.items():
        rows = f"FROM roqua.{name}"
        if person is not None:
            rows += f" WHERE person = {person}" if name != "about" else " WHERE false"
        script += f"\\echo =={name}\nCOPY (SELECT {columns} {rows} ORDER BY {key}) TO STDOUT;\n"
    result, name = {}, None
    for line in database.psql(script + "COMMIT;\n").split("\n"):
        if line.startswith("=="):
            name = line[2:]
            result[name] = []
        elif name is not None and line:
            result[name].append(line)
    if set(result) != set(found):
        raise Failure(f"the tables were read badly: {sorted(result)}")
    return result


def digest(found):
    return hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()


def count(found):
    return sum(len(rows) for rows in found.values())


def difference(one, other):
    """The first rows that differ; None if all are equal."""
    if one == other:
        return None
    for name in sorted(set(one) | set(other)):
        ours, theirs = one.get(name, []), other.get(name, [])
        if ours != theirs:
            first = next((pair for pair in zip(ours, theirs) if pair[0] != pair[1]), None)
            return (
                f"{name}: {len(ours)} rows and {len(theirs)}, "
                + (f"{first[0][:150]!r} / {first[1][:150]!r}" if first else "the first are equal"))


def require_equal(one, other, what):
    found = difference(one, other)
    if found:
        raise Failure(f"{what}: {found}")
