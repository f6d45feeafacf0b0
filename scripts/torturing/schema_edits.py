"""Ways to forge the schema of a database."""

import re
from contextlib import closing
from . import stores

REFUSED, DIFFERENT, HARMLESS = "refused", "different", "harmless"


class Forgery:
    def __init__(self, kind, rule, names, forge, is_mendable=False):
        self.kind, self.rule, self.forge = kind, rule, forge
        self.names = names  # the error must contain one of them
        self.is_mendable = is_mendable
        self.group = kind  # faults are counted by group

    def __add__(self, other):
        def both(database):
            self.forge(database)
            other.forge(database)

        pair = Forgery(
            f"{self.kind} and {other.kind}",
            REFUSED,
            self.names + other.names,
            both,
            self.is_mendable and other.is_mendable,
        )
        pair.group = "two forgeries"
        return pair


def apply(forgery, store):
    """Forges a store in place."""
    with closing(stores.connect(store)) as database:
        # Names in views and foreign keys are not changed.
        database.execute("PRAGMA legacy_alter_table = ON")
        forgery.forge(database)


def script(*statements):
    def forge(database):
        for statement in statements:
            database.execute(statement)

    return forge


def rewrite(table, change):
    """Changes the text of a table in the schema; its rows stay as they are."""

    def forge(database):
        sql = database.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[
            0
        ]
        changed = change(sql)
        assert changed != sql, (table, sql)
        database.execute("PRAGMA writable_schema = ON")
        database.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (changed, table))

    return forge


def schema_row(kind, name, table, root, sql):
    """A row of the schema whose type may not fit its text."""

    def forge(database):
        database.execute("PRAGMA writable_schema = ON")
        database.execute(
            "INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)", (kind, name, table, root, sql)
        )

    return forge


def at_end(addition):
    """Adds a constraint after the last column."""
    return lambda sql: re.sub(r"\n?\s*\)([^)]*)$", rf", {addition})\1", sql)


def at_column(addition):
    """Adds words to a column other than the first that does not reference another table."""

    def change(sql):
        lines = sql.split("\n")
        at = next(n for n, line in enumerate(lines) if n > 1 and "(" not in line)
        lines[at] = re.sub(r"(,?)$", rf" {addition}\1", lines[at], count=1)
        return "\n".join(lines)

    return change


def endless(columns):
    values = ", ".join(f"x AS {column}" for column in columns)
    return f"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT {values} FROM c"
