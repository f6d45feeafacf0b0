"""Forges stores: values that SQLite would reject, and bytes of the file.

A STRICT table rejects values of other types. So the types of the columns are removed from the
schema, the values are written, and the schema is restored.
"""

import os, re, sqlite3, struct
from contextlib import closing
from . import nasty, stores

COLUMN = re.compile(
    r"^(\s*\w+) (INTEGER|TEXT|REAL|BLOB|ANY)(?! PRIMARY KEY)( NOT NULL)?", re.MULTILINE
)


def loosened(sql):
    """A table's SQL without the types of its columns, except that of an INTEGER PRIMARY KEY."""
    sql = re.sub(r"\) STRICT$", ")", re.sub(r"\) STRICT, WITHOUT ROWID$", ") WITHOUT ROWID", sql))
    return COLUMN.sub(r"\1", re.sub(r"TEXT PRIMARY KEY", "PRIMARY KEY", sql))


class Forger:
    """Makes forged copies of one store."""

    def __init__(self, store, folder):
        self.folder = folder
        path = os.path.join(folder, "loose.sqlite")
        stores.write(path, stores.read(store))
        with closing(stores.connect(path)) as database:
            self.schema = database.execute(
                "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE sql NOTNULL"
            ).fetchall()
            self.tables, self.keys, self.columns = {}, {}, {}
            for table in stores.TABLES + ("sqlite_sequence",):
                self.tables[table] = database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                columns = database.execute(f"PRAGMA table_info({table})").fetchall()
                self.columns[table] = [row[1] for row in columns]
                sql = next((row[4] for row in self.schema if row[1] == table), "")
                keys = (
                    [row[1] for row in columns if row[5]] if "WITHOUT ROWID" in sql else ["rowid"]
                )
                self.keys[table] = ", ".join(keys)
            database.execute("PRAGMA writable_schema = ON")
            for kind, name, _, _, sql in self.schema:
                if kind == "table":
                    database.execute(
                        "UPDATE sqlite_schema SET sql = ? WHERE name = ?", (loosened(sql), name)
                    )
        self.loose = stores.read(path)
        with closing(stores.connect(path)) as database:
            database.execute("PRAGMA writable_schema = ON")
            database.execute("DELETE FROM sqlite_schema WHERE type = 'index' AND sql NOTNULL")
        self.unindexed = stores.read(path)
        stores.remove(path)

    def forge_values(self, path, numbers):
        """Writes a store with one to three forged values; returns a description of them."""
        # Without index definitions the indexes are not updated, and finally differ from the tables.
        is_unindexed = numbers.random() < 0.3
        stores.write(path, self.unindexed if is_unindexed else self.loose)
        words = []
        with closing(stores.connect(path)) as database:
            database.execute("PRAGMA ignore_check_constraints = ON")
            database.execute("PRAGMA synchronous = OFF")
            count = numbers.choice((1, 1, 2, 3))
            # Often in one row, where values can contradict each other.
            is_one_row = numbers.random() < 0.4
            place = None
            for _ in range(30):
                if len(words) < count:
                    place = place if is_one_row and place else self.place(numbers)
                    words += filter(None, [self.forge_value(database, numbers, *place)])
        with closing(stores.connect(path)) as database:
            database.execute("PRAGMA writable_schema = ON")
            for kind, name, table, root, sql in self.schema:
                if kind == "table":
                    database.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql, name))
                elif kind == "index" and is_unindexed:
                    database.execute(
                        "INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)",
                        (kind, name, table, root, sql),
                    )
        return ("; ".join(words) or "nothing") + (", indexes are not" if is_unindexed else "")

    def place(self, numbers):
        """A table and one of its rows."""
        # These have fewer values that matter.
        few = ("settings", "revision", "erasure", "sqlite_sequence")
        table = numbers.choice([name for name in self.tables if name not in few] * 2 + list(few))
        return table, numbers.randrange(max(1, self.tables[table]))

    def forge_value(self, database, numbers, table, row):
        """Overwrites one value; None if SQLite rejects it, for example because a key exists
        already."""
        if not self.tables[table]:
            return self.insert(database, numbers, table)
        column = numbers.choice(self.columns[table])
        keys = self.keys[table]
        old = database.execute(
            f"SELECT CAST({column} AS BLOB), typeof({column}), {column} IS NULL"
            f" FROM {table} LIMIT 1 OFFSET {row}"
        ).fetchone()
        kinds = {
            "integer": int,
            "real": float,
            "text": lambda data: data.decode("utf-8", "replace"),
        }
        before = old[0] if old[2] or old[1] == "blob" else kinds[old[1]](old[0])
        sql, value = nasty.value(numbers, column, before)
        # Sometimes in all rows, because sums overflow only with many large values.
        is_everywhere = numbers.random() < 0.12
        condition = (
            ""
            if is_everywhere
            else f" WHERE ({keys}) = (SELECT {keys} FROM {table} LIMIT 1 OFFSET {row})"
        )
        try:
            database.execute(f"UPDATE {table} SET {column} = {sql}{condition}", (value,))
        except (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.OperationalError):
            return None
        place = "in all rows" if is_everywhere else f"in row {row}"
        return f"{table}.{column} {place} is {described(value)}"

    def insert(self, database, numbers, table):
        values = [nasty.value(numbers, column, None) for column in self.columns[table]]
        if self.columns[table][0] == "only":
            values[0] = ("?", numbers.choice((1, 1, 2, -(2**63))))
        try:
            database.execute(
                f"INSERT OR REPLACE INTO {table} VALUES"
                f" ({', '.join(sql for sql, _ in values)})",
                [value for _, value in values],
            )
        except sqlite3.Error:
            return None
        return f"{table} has the row {', '.join(described(value) for _, value in values)}"


def described(value):
    text = repr(value)
    return text if len(text) < 60 else f"{text[:50]}… ({len(value)})"


def forge_bytes(data, numbers):
    """(bytes, description) of a file in which some bytes are changed."""
    page = struct.unpack(">H", data[16:18])[0]
    pages = len(data) // page
    forged = bytearray(data)
    way = numbers.randrange(12)
    at = numbers.randrange(pages) * page
    if way == 0:
        size = numbers.choice((numbers.randrange(len(data)), (pages - 1) * page, page, 512, 100))
        return bytes(forged[:size]), f"cut after {size} bytes"
    if way == 1:
        forged[at : at + page] = bytes(page)
        return bytes(forged), f"page {at // page + 1} is empty"
    if way == 2:
        other = numbers.randrange(pages) * page
        forged[at : at + page] = data[other : other + page]
        return bytes(forged), f"page {at // page + 1} is a copy of page {other // page + 1}"
    words = []
    for _ in range(numbers.choice((1, 1, 2, 4, 8, 30))):
        start = numbers.randrange(pages) * page
        header = 100 if start == 0 else 0
        # Page headers, cell offsets, and everything else.
        offset = (
            start
            + header
            + numbers.choice(
                (numbers.randrange(8), numbers.randrange(8, 60), numbers.randrange(page - header))
            )
        )
        if way == 3:
            offset = numbers.randrange(100)
        forged[offset] = numbers.choice(
            (0, 0xFF, 0x80, forged[offset] ^ 1 << numbers.randrange(8), numbers.randrange(256))
        )
        words.append(f"{offset}: {data[offset]:#04x} to {forged[offset]:#04x}")
    return bytes(forged), "bytes " + ", ".join(words)
