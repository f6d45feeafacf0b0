"""`roqua push --schema | psql` makes what a push makes."""

import difflib

from . import rows
from .bench import SAMPLES, require
from .server import run


def check(bench):
    owner = bench.owner("tour")
    owner.run("import", "--quiet", *SAMPLES)
    by_push, by_psql = bench.database(postgis=True), bench.database(postgis=True)
    before = by_push.dump("--schema-only")
    report = owner.push(by_push)
    require(report["madeTables"], "the push found tables in an empty database")
    schema = owner.run("push", "--schema")
    run("psql", by_psql.address, "-X", "-q", "-v", "ON_ERROR_STOP=1", input=schema,
        environment=by_psql.cluster.environment())
    ours, theirs = by_push.dump("--schema-only"), by_psql.dump("--schema-only")
    require(ours != before and ours.count("CREATE TABLE roqua.") >= 10, "the dump has no tables")
    if ours != theirs:
        lines = list(difflib.unified_diff(theirs.splitlines(), ours.splitlines(), n=0))
        require(False, f"the schemas differ: {lines[:8]}")
    about = [rows.contents(database)["about"] for database in (by_push, by_psql)]
    require(about[0] == about[1], f"roqua.about differs: {about}")
    report = owner.push(by_psql)
    require(not report["madeTables"], "the push made the tables that psql had made")
    rows.require_equal(rows.contents(by_push), rows.contents(by_psql), "the rows differ")
    citus(bench, owner)
    return f"{len(ours.splitlines())} lines of pg_dump and all rows are equal"


# Stand-ins for the functions of Citus, which note their calls.
STAND_INS = """
    CREATE TABLE public.calls (relation regclass, distribution text, colocation text);
    CREATE FUNCTION public.create_reference_table(regclass) RETURNS void LANGUAGE sql
      AS 'INSERT INTO public.calls VALUES ($1)';
    CREATE FUNCTION public.create_distributed_table(
      relation regclass, distribution_column text, distribution_type text DEFAULT 'hash',
      colocate_with text DEFAULT 'default') RETURNS void LANGUAGE sql
      AS 'INSERT INTO public.calls VALUES ($1, $2, $4)';"""


def citus(bench, owner):
    """The SQL for Citus, which is not here, distributes every table of people and works without."""
    database = bench.database(postgis=True)
    database.psql(STAND_INS)
    run("psql", database.address, "-X", "-q", "-v", "ON_ERROR_STOP=1",
        input=owner.run("push", "--schema", "--citus"), environment=database.cluster.environment())
    calls = database.lines("SELECT * FROM public.calls")
    tables = set(rows.tables(database)) - {"about", "people"}
    expected = ["roqua.about||", "roqua.people|person|default",
                *(f"roqua.{name}|person|roqua.people" for name in sorted(tables))]
    require(calls == expected, f"the calls of Citus: {calls}")
    owner.push(database)
    require(database.number("SELECT count(*) FROM roqua.union_tiles()") > 0, "there is no union")
