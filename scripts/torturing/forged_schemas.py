"""Forged schemas of stores (docs/formats/store.md) and of databases of the app.

Rules: a `refused` store works with no command. A `different` one does not have Roqua's schema:
every command ends normally, and `check` names the difference. A `harmless` one has additions by its
owner.
"""

import random
from contextlib import closing
from . import stores
from .schema_edits import DIFFERENT, HARMLESS, REFUSED, Forgery
from .schema_edits import at_column, at_end, endless, rewrite, schema_row, script


def of_table(table, columns):
    """All forgeries of one of the store's tables."""
    odd = f"odd_{table}"
    trigger = f"CREATE TRIGGER {odd} %s ON {table} BEGIN %s; END"
    listed = ", ".join(columns)
    # An R*Tree has an odd number of columns, from 3 to 11.
    boxes = (columns + ["odd3"])[: max(3, min(11, len(columns) - 1 + len(columns) % 2))]

    def triggered(kind, event, body):
        return Forgery(kind, REFUSED, [odd], script(trigger % (event, body)), is_mendable=True)

    def refused(kind, forge):
        return Forgery(kind, REFUSED, [table], forge)

    def different(kind, forge):
        return Forgery(kind, DIFFERENT, [table], forge)

    other = "settings" if table != "settings" else "sources"
    result = [
        triggered("a trigger that ignores inserts", "BEFORE INSERT", "SELECT RAISE(IGNORE)"),
        triggered("a trigger that ignores updates", "BEFORE UPDATE", "SELECT RAISE(IGNORE)"),
        triggered("a trigger that ignores deletions", "BEFORE DELETE", "SELECT RAISE(IGNORE)"),
        triggered("a trigger that deletes", "AFTER INSERT", f"DELETE FROM {table}"),
        triggered(
            "a trigger that inserts",
            "AFTER INSERT",
            f"INSERT OR IGNORE INTO {table} SELECT * FROM {table} LIMIT 1",
        ),
        triggered("a trigger that empties another table", "AFTER UPDATE", f"DELETE FROM {other}"),
        refused(
            "a view over a copy",
            script(
                f"ALTER TABLE {table} RENAME TO {odd}",
                f"CREATE VIEW {table} AS SELECT * FROM {odd}",
            ),
        ),
        refused(
            "a view that stores",
            script(
                f"ALTER TABLE {table} RENAME TO {odd}",
                f"CREATE VIEW {table} AS SELECT * FROM {odd}",
                f"CREATE TRIGGER odd_view INSTEAD OF INSERT ON {table} BEGIN INSERT INTO {odd}"
                f" VALUES ({', '.join(f'new.{column}' for column in columns)}); END",
            ),
        ),
        refused(
            "an endless view",
            script(f"DROP TABLE {table}", f"CREATE VIEW {table} ({listed}) AS {endless(columns)}"),
        ),
        refused(
            "a full-text table",
            script(
                f"ALTER TABLE {table} RENAME TO {odd}",
                f"CREATE VIRTUAL TABLE {table} USING fts5({listed})",
            ),
        ),
        refused(
            "an R*Tree",
            script(
                f"ALTER TABLE {table} RENAME TO {odd}",
                f"CREATE VIRTUAL TABLE {table} USING rtree({', '.join(boxes)})",
            ),
        ),
        refused(
            "a generated column",
            script(
                f"ALTER TABLE {table} ADD COLUMN odd INTEGER"
                " GENERATED ALWAYS AS (length(zeroblob(90000000)))"
            ),
        ),
        refused("a column that is generated now", rewrite(table, at_column("AS (1)"))),
        refused("a CHECK of the table", rewrite(table, at_end(f"CHECK ({columns[1]} IS NULL)"))),
        refused("a CHECK of a column", rewrite(table, at_column(f"CHECK ({columns[1]} < 3)"))),
        refused(
            "a row of type table with a view",
            lambda database: (
                database.execute("PRAGMA writable_schema = ON"),
                database.execute(
                    f"UPDATE sqlite_schema SET sql = 'CREATE VIEW {table} ({listed}) AS"
                    f" {endless(columns)}', rootpage = 0 WHERE name = '{table}'"
                ),
            ),
        ),
        Forgery(
            "a row of type index with a trigger",
            REFUSED,
            [odd],
            schema_row("index", odd, table, 0, trigger % ("BEFORE INSERT", "SELECT RAISE(IGNORE)")),
        ),
        Forgery(
            "a row of type view with a trigger",
            REFUSED,
            [odd],
            schema_row("view", odd, table, 0, trigger % ("AFTER INSERT", f"DELETE FROM {table}")),
        ),
        different(
            "a foreign key",
            rewrite(table, at_end(f"FOREIGN KEY ({columns[0]}) REFERENCES nowhere (x)")),
        ),
        Forgery(
            "an unknown collation",
            DIFFERENT,
            [table, "unknown"],
            rewrite(table, at_column("COLLATE unknown")),
        ),
        different("a missing table", script(f"DROP TABLE {table}")),
        different("another default", rewrite(table, at_column("DEFAULT 77"))),
        Forgery(
            "a unique index",
            DIFFERENT,
            [odd, table],
            script(f"CREATE UNIQUE INDEX {odd} ON {table} ({listed})"),
        ),
    ]
    return result


def harmless():
    own = "CREATE TABLE my_notes (id INTEGER PRIMARY KEY, note TEXT CHECK (note <> ''), g AS (id))"
    full = "INSERT INTO %s VALUES (1)"
    return [
        Forgery(f"one's own {kind}", HARMLESS, [], script(*statements))
        for kind, statements in {
            "table": (own, "INSERT INTO my_notes VALUES (1, 'home')"),
            "table with a trigger": (
                own,
                "CREATE TRIGGER mine AFTER INSERT ON my_notes BEGIN"
                " DELETE FROM my_notes WHERE id < new.id; END",
            ),
            "view": (
                "CREATE VIEW my_view AS SELECT city, count(*) FROM visited_regions GROUP BY city",
            ),
            "endless view": (f"CREATE VIEW my_view AS {endless(['a'])}",),
            "index": ("CREATE INDEX my_index ON regions (start_ms)",),
            "index of sources": ("CREATE INDEX my_index ON sources (path, kept)",),
            "full-text table": ("CREATE VIRTUAL TABLE my_text USING fts5(a)",),
            "table roqua_rows": ("CREATE TABLE roqua_rows (c0)", full % "roqua_rows"),
            "table Roqua_Rows": ("CREATE TABLE Roqua_Rows (c0, c1, c2)",),
            "view roqua_rows": ("CREATE VIEW roqua_rows AS SELECT 1 AS c0",),
        }.items()
    ]


def app_databases():
    """Forged databases of the app, for adopt: each is refused."""
    renamed = "ALTER TABLE visited_regions RENAME TO odd"
    columns = ["id", "latitude", "longitude", "timestamp_start", "visit_count"]
    return [
        Forgery(f"an app database with {kind}", REFUSED, ["visited_regions"], script(*statements))
        for kind, statements in {
            "a view": (renamed, "CREATE VIEW visited_regions AS SELECT * FROM odd"),
            "an endless view": (
                "DROP TABLE visited_regions",
                f"CREATE VIEW visited_regions AS {endless(columns)}",
            ),
            "a generated column": (
                "ALTER TABLE visited_regions ADD COLUMN odd AS (hex(zeroblob(50000000)))",
            ),
            "a full-text table": (
                renamed,
                f"CREATE VIRTUAL TABLE visited_regions USING fts5({', '.join(columns[1:])})",
            ),
            "an endless view over a table": (
                renamed,
                "CREATE VIEW visited_regions AS SELECT odd.* FROM odd,"
                f" ({endless(['n'])}) WHERE latitude < 0",
            ),
        }.items()
    ]


def chosen(store, seed, count):
    """The first forgeries: one of each kind, then the others and pairs, in an order given by the
    seed."""
    numbers = random.Random(f"{seed} schemas")
    with closing(stores.connect(store)) as database:
        tables = {
            table: [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            for table in stores.TABLES
        }
    kinds = {}
    for table, columns in tables.items():
        for forgery in of_table(table, columns):
            kinds.setdefault(forgery.kind, []).append(forgery)
    for forgeries in kinds.values():
        numbers.shuffle(forgeries)
    first = app_databases() + harmless() + [forgeries[0] for forgeries in kinds.values()]
    numbers.shuffle(first)
    others = [forgery for forgeries in kinds.values() for forgery in forgeries[1:]]
    triggers = [forgery for forgery in others if forgery.is_mendable]
    changed = [
        forgery for forgery in others if "generated" in forgery.kind or "CHECK" in forgery.kind
    ]
    for _ in range(40):
        one, other = numbers.choice(triggers), numbers.choice(triggers + changed)
        if set(one.names) != set(other.names):
            others.append(one + other)
    numbers.shuffle(others)
    return (first + others)[:count]
