"""Runs the queries of docs/formats/parquet-dataset.md in DuckDB and in Spark, and compares their
answers with slow ones in Python.

A block of the page begins with a comment: the programs that run it, and what it answers.
"""

import collections
import contextlib
import datetime
import importlib.util
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys

import duckdb

from browsing.checking import Failure, require
from exports import datasets

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "docs" / "formats" / "parquet-dataset.md"
BLOCK = re.compile(r"```sql\n-- (DuckDB and Spark|DuckDB|Spark): ([^\n]*)\n(.*?)```", re.S)
REWRITING = "one dataset of everybody"
FEW = 5


def blocks(program):
    """The statements of each block for a program, by title, in their order."""
    page = PAGE.read_text()
    found = [
        (title, [one.strip() for one in re.split(r";\n", sql) if one.strip()])
        for programs, title, sql in BLOCK.findall(page) if program in programs]
    require(
        len(BLOCK.findall(page)) == page.count("```sql\n"), "a block does not say what runs it")
    definitions, *questions, (last, _) = found
    require(last == REWRITING, f"the last block for {program} is “{last}”")
    unknown = {title for title, _ in questions} ^ set(ANSWERS[program])
    require(not unknown, f"questions of {program} without an answer, or the reverse: {unknown}")
    return found


# MARK: Slow answers


def counts(people):
    """How many people explored each cell of each tile, by grid."""
    found = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
    for person in people:
        for tile, bits in person.cells.items():
            found[person.grid.millimeters][tile].update(
                cell for cell in range(4_096) if bits >> cell & 1)
    return found


def visitors(people):
    return [
        (person.grid.millimeters, tile) for person in people for tile in person.cells]


def in_bits(cells):
    return datasets.in_bytes(sum(1 << cell for cell in cells)).hex()


def union(people):
    people_of = collections.Counter(visitors(people))
    return [
        (tile, people_of[150_000, tile], len(cells), in_bits(cells))
        for tile, cells in sorted(counts(people)[150_000].items())]


def explored_cells(people):
    return [(sum(len(cells) for cells in counts(people)[150_000].values()),)]


def area(people):
    return [
        (grid, sum(
            datasets.Grid(grid).area(tile, sum(1 << cell for cell in cells))
            for tile, cells in tiles.items()) / 1e6)
        for grid, tiles in counts(people).items()]


def people_per_tile(people):
    return [(*key, count) for key, count in collections.Counter(visitors(people)).items()]


def regions(people):
    return [row for person in people for row in person.regions]


def cities(people):
    found = collections.defaultdict(list)
    for row in regions(people):
        if row["city"] is not None:
            found[row["country_code"], row["city"]].append(row)
    answer = [
        (*city, len({row["person"] for row in own}), len(own),
         sum(row["visit_count"] for row in own))
        for city, own in found.items()]
    return sorted(answer, key=lambda row: (*(-number for number in row[2:]), row[:2]))[:100]


def years(people):
    found = collections.defaultdict(list)
    for row in regions(people):
        if row["first_time"] is not None:
            moment = datetime.datetime.fromtimestamp(row["first_time"] / 1_000, datetime.UTC)
            found[moment.year].append(row["person"])
    return [(year, len(set(own)), len(own)) for year, own in sorted(found.items())]


def in_box(people):
    return [
        (person.name, *(row[name] for name in ("region", "latitude", "longitude", "city")))
        for person in people if person.grid.millimeters == 150_000 for row in person.regions
        if 47 <= row["latitude"] <= 49 and 7 <= row["longitude"] <= 18]


def shared_bits(people):
    people_of = collections.Counter(visitors(people))
    answer = []
    for (grid, tile), count in people_of.items():
        if count >= FEW:
            found = [cell for cell, of in counts(people)[grid][tile].items() if of >= FEW]
            answer.append((grid, tile, count, len(found), in_bits(found)))
    return answer


def shared_cells(people):
    return [
        (grid, tile, cell, count)
        for grid, tiles in counts(people).items() for tile, cells in tiles.items()
        for cell, count in cells.items() if count >= FEW]


#: The answer to each question, and whether its order counts.
BOTH = {
    "what all people have explored together, tile by tile": (union, True),
    "how many cells they have explored together": (explored_cells, False),
    "how large that area is": (area, False),
    "how many people have explored something of each tile": (people_per_tile, False),
    "the 100 cities that the most people have visited": (cities, True),
    "how many regions people have discovered in each year": (years, True),
    "regions between 47° and 49° N and 7° and 18° E": (in_box, False),
}
SHARED = "the cells that at least five people have explored"
ANSWERS = {
    "DuckDB": BOTH | {SHARED: (shared_bits, False)},
    "Spark": BOTH | {SHARED: (shared_cells, False)},
}


def compare(people, program, answers):
    """Compares the rows of each question; returns how many there are in all."""
    total = 0
    for title, found in answers.items():
        answer, is_sorted = ANSWERS[program][title]
        found, wanted = [tuple(row) for row in found], answer(people)
        if not is_sorted:
            found, wanted = sorted(found, key=repr), sorted(wanted, key=repr)
        require(wanted, f"{title}: nothing to compare")
        same = len(found) == len(wanted) and all(map(same_row, found, wanted))
        require(same, f"{title}: {found!s:.400} instead of {wanted!s:.400}")
        total += len(found)
    return f"{len(answers)} questions, {total} rows equal"


def same_row(one, other):
    return len(one) == len(other) and all(
        math.isclose(value, expected, rel_tol=1e-9) if isinstance(expected, float)
        else value == expected for value, expected in zip(one, other))


# MARK: Programs


def check_duckdb(people, folder):
    (_, definitions), *questions, (_, rewriting) = blocks("DuckDB")
    database = duckdb.connect()
    with contextlib.chdir(folder):
        for statement in definitions:
            database.execute(statement)
        answers = {}
        for title, statements in questions:
            for statement in statements:
                rows = database.execute(statement).fetchall()
            answers[title] = [
                [value.hex() if isinstance(value, bytes) else value for value in row]
                for row in rows]
        compared = compare(people, "DuckDB", answers)
        opened = check_skipping(people, database, questions)
        pathlib.Path("everybody").mkdir()
        for statement in rewriting:
            database.execute(statement)
        require(
            database.execute("FROM 'everybody/person.parquet' ORDER BY name").fetchall()
            == sorted(((one.key, one.name, one.grid.millimeters) for one in people),
                      key=lambda row: row[1]),
            "everybody's person.parquet differs")
    for kind in datasets.COLUMNS:
        datasets.check_rewritten(people, folder / "everybody" / kind, kind, is_sorted=False)
    return f"{compared}; {opened}; one dataset has the same rows"


def check_skipping(people, database, questions):
    """A query by box opens only files of the squares that the box touches."""
    query = next(one[-1] for title, one in questions if BOTH.get(title, [None])[0] is in_box)
    plan = database.execute(f"EXPLAIN ANALYZE {query}").fetchall()[0][1]
    found = re.search(r"Scanning Files: (\d+)/(\d+)", plan)
    require(found, "DuckDB skips no files")
    opened, files = map(int, found.groups())
    squares = tuple(f"/grid_mm=150000/tile_prefix={name}" for name in ("r12c16", "r12c17"))
    wanted = sum(
        part.endswith(squares)
        for person in people for part in datasets.partitions([person], "regions"))
    require(opened == wanted < files, f"DuckDB opens {opened} of {files} files, not {wanted}")
    return f"{opened} of {files} files opened"


def check_spark(people, folder):
    if importlib.util.find_spec("pyspark") is None:
        return "NOT TESTED: pyspark is not installed (scripts/install-checkers)"
    if not shutil.which("java"):
        return "NOT TESTED: Java is not installed (scripts/install-checkers)"
    found = blocks("Spark")
    warehouse = folder / "warehouse"
    done = subprocess.run(
        [sys.executable, HERE / "in_spark.py", warehouse], cwd=folder, capture_output=True,
        text=True, input=json.dumps([statements for _, statements in found]), timeout=600)
    if done.returncode != 0:
        raise Failure(done.stderr.strip()[-1_500:])
    answers = dict(zip((title for title, _ in found), json.loads(done.stdout)))
    _, *questions, _ = found
    compared = compare(people, "Spark", {title: answers[title] for title, _ in questions})
    for kind in datasets.COLUMNS:
        datasets.check_rewritten(people, warehouse / f"everybody_{kind}", kind)
    return f"{compared}; one dataset has the same rows"
