"""People on several servers: the coordinator gives the rows that one server would."""

from . import refusals, rows
from .bench import SAMPLES, Failure, Findings, require, until
from .devices import at_once
from .server import run
from syncing.kills import kill, kill_after

SERVERS = ("east", "west", "north")
NAMES = ",".join(SERVERS)


def check(bench, kills):
    owner = bench.owner("anna")
    owner.run("import", "--quiet", *SAMPLES)
    coordinator, servers = clusters(bench, owner)
    one = bench.database()
    owner.push(one)

    def compare(what, person=None):
        rows.require_equal(
            rows.contents(one, person), rows.contents(coordinator, person, like=one), what)

    # Enough people that every server has some.
    people = [owner, *(small(bench, f"person{number}") for number in range(9))]
    for person in people:
        person.push(one)
        require(person.push(coordinator, "--fixes")["written"] > 0, "nothing was pushed")
        person.push(one, "--fixes")
        require(person.push(coordinator)["written"] == 0, "a second push writes")
    compare("several servers and one differ")
    home = {
        name: int(server.value("SELECT count(*) FROM roqua.people"))
        for name, server in servers.items()}
    require(min(home.values()) > 0 and sum(home.values()) == 10, f"people of servers: {home}")
    own = coordinator.value("SELECT roqua.server_of(roqua.person_key('anna'))")
    other = next(name for name in SERVERS if name != own)

    findings = Findings()
    with findings.part():
        bench.changes.forget(owner)
        bench.changes.import_new(owner, 5)
        owner.push(one)
        owner.push(coordinator)
        compare("after a source was forgotten")
    with findings.part():
        # Straight to the server that has the person, with the coordinator knowing it at once.
        bench.changes.import_new(owner, 3)
        owner.push(servers[own])
        owner.push(one)
        compare("after a push straight to a server")
        require(owner.push(coordinator)["written"] == 0, "the coordinator does not know the push")
        refusals.run(owner, servers[other], "a push to another server", reason="no partition")
    with findings.part():
        bench.changes.import_new(owner, 4)
        phone, tablet = owner.copy("phone"), owner.copy("tablet")
        met = at_once(coordinator, [owner, phone, tablet], "LOCK roqua.about")
        owner.push(one)
        compare("after three devices at once")
    with findings.part():
        pulled = owner.pull(coordinator, "pulled")
        require(pulled.push(coordinator, "--replace")["written"] == 0, "a pull is not equal")
        require(
            owner.json("stats") == pulled.json("stats"), "a store that was pulled differs")
    killed = 0
    with findings.part():
        for moment in range(kills):
            before = rows.contents(coordinator, like=one)
            bench.changes.import_new(owner, 6)
            process = owner.start_push(coordinator)
            until(lambda: coordinator.pushes() or process.poll() is not None, "no push")
            killed += kill_after(process, bench.random.uniform(0, 0.5))
            kill(process)
            process.wait()
            for database in (coordinator, *servers.values()):
                until(lambda: not served(database), f"kill {moment}: it is still served")
            now = rows.contents(coordinator, like=one)
            owner.copy("reference").push(one, "--replace")
            complete = rows.contents(one)
            require(now in (before, complete), f"kill {moment}: the rows are of no complete push")
            owner.push(coordinator)
            compare(f"after kill {moment}")
    with findings.part():
        # A server that cannot be reached: questions about everybody and its people wait for it.
        coordinator.psql(f"ALTER SERVER {own} OPTIONS (SET dbname 'nowhere')")
        neighbor = next(
            person for person in people
            if coordinator.value(
                f"SELECT roqua.server_of(roqua.person_key('{person.person}'))") != own)
        bench.changes.import_new(neighbor, 1)
        require(neighbor.push(coordinator)["written"] > 0, "a push to another server fails")
        bench.changes.import_new(owner, 1)
        refusals.run(owner, coordinator.address, "a push to a lost server", reason="connect")
        try:
            coordinator.psql("SELECT count(*) FROM roqua.union_tiles()")
        except Failure:
            pass
        else:
            require(False, "a union without one of the servers is an answer")
    findings.end()
    return (f"10 people on {len(SERVERS)} servers ({home}), three devices that met: {met}, "
            f"{killed} of {kills} pushes killed")


def small(bench, name):
    owner = bench.owner(name)
    bench.changes.import_new(owner, 2)
    return owner


def clusters(bench, owner):
    """A coordinator and its servers, which are databases here."""
    def make(database, *options):
        schema = owner.run("push", "--schema", "--servers", NAMES, *options)
        run("psql", database.address, "-X", "-q", "-v", "ON_ERROR_STOP=1", input=schema,
            environment=database.cluster.environment())
        return database

    servers = {
        name: make(bench.database(postgis=True), "--server", name) for name in SERVERS}
    coordinator = bench.database(postgis=True)
    script = "CREATE EXTENSION postgres_fdw;"
    for name, server in servers.items():
        script += (
            f"CREATE SERVER {name} FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host "
            f"'{server.cluster.folder}', port '{server.cluster.port}', dbname '{server.name}', "
            f"extensions 'postgis');"
            f"CREATE USER MAPPING FOR postgres SERVER {name} OPTIONS (user 'postgres');")
    coordinator.psql(script)
    return make(coordinator), servers


def served(database):
    """Whether the server does something for somebody else in a database."""
    return int(database.number(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid() AND state <> 'idle' AND backend_type = 'client backend'"))
