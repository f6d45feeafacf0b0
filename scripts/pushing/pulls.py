"""A store that was pulled is equal to the one that was pushed."""

import json

from syncing import device

from . import rows
from .bench import require
from .sources import every_kind

# A name that is difficult in SQL and in an address.
NAME = "Großmutter Ayşe's \\ \"Handy\" %41"


def check(bench):
    database, compared = bench.database(), []
    large = bench.large("large", 80)
    kinds = bench.owner("kinds", NAME)
    every_kind(bench, kinds)
    fixes = bench.owner("fixes")
    every_kind(bench, fixes)
    bench.changes.add_zone(fixes)
    fix = fixes.rows("SELECT latitude, longitude FROM roqua_fixes")[7]
    fixes.run("zone", "add", fix["latitude"], fix["longitude"], "--radius", "400m")
    empty = bench.owner("empty")
    empty.run("settings", "visitGapMinutes", "45")
    for owner, options in ((large, ()), (kinds, ()), (fixes, ("--fixes",)), (empty, ())):
        # Whoever asks for achievements makes the store note those that were reached.
        owner.achievements()
        owner.push(database, *options)
        before = rows.contents(database)
        pulled = owner.pull(database, f"{owner.name}-pulled")
        ours, theirs = answers(without_zones(owner)), answers(pulled)
        for name, answer in ours.items():
            require(
                answer == theirs[name],
                f"{owner.name}: {name}: {device.difference(answer, theirs[name])}")
        pulled.check()
        report = pulled.push(database, "--replace")
        require(
            report["written"] == 0 and report["deleted"] == 0,
            f"{owner.name}: pushing what was pulled writes {report['tables']}")
        rows.require_equal(before, rows.contents(database), f"{owner.name}: the rows changed")

        # A second pull into the store is refused; so is one that nobody pushed.
        if owner is not empty:
            refuse(pulled, database, owner.person, "the store has sources")
        compared.append(f"{owner.name} ({owner.source_count()} sources)")
    require(
        int(database.number("SELECT count(*) FROM roqua.source_tiles")) > 0
        and int(database.number("SELECT count(*) FROM roqua.source_regions")) > 0
        and int(database.number("SELECT count(*) FROM roqua.fixes")) > 0,
        "no source brought cells, or none regions, or no fixes were pushed one by one")
    nobody = bench.owner("nobody")
    refuse(nobody, database, "nobody", "the database has no nobody", status=64)
    # Answers that are always equal would prove nothing.
    require(answers(kinds)["stats"] != answers(fixes)["stats"], "all stores are equal")
    return ", ".join(compared)


def without_zones(owner):
    """The store, or a copy of it without its zones: exports hide what is near one, and a store
    that was pulled does not know them."""
    zones = owner.json("zone", "list")["zones"]
    if not zones:
        return owner
    other = owner.copy(f"{owner.name}-open")
    for zone in zones:
        other.run("zone", "remove", zone["id"] if "id" in zone else zone["name"])
    return other


def refuse(owner, database, person, reason, status=1):
    state = owner.state()
    result = owner.result("pull", database.address, "--person", person)
    require(
        result.returncode == status and result.stderr.startswith("roqua: ")
        and result.stderr.count("\n") == 1 and reason in result.stderr,
        f"a pull that must fail: status {result.returncode}: {result.stderr}")
    if state is not None:
        require(owner.state() == state, "a pull that failed changed the store")
    elif owner.store.exists():
        require(owner.source_count() == 0, "a pull that failed left sources")


def answers(owner):
    """What a person sees."""
    sources = owner.json("sources")["sources"]
    for source in sources:
        del source["id"]
    return {
        "stats": owner.json("stats", "--by", "day", "--by", "country"),
        "sources": sources,
        "places": owner.json("places"),
        "achievements": owner.achievements(),
        "settings": owner.json("settings"),
        "fixes": owner.rows(
            "SELECT sha256, f.segment, f.time_ms, f.latitude, f.longitude, f.accuracy, f.flight "
            "FROM roqua_fixes f JOIN sources s ON s.id = f.source_id ORDER BY 1, 2, 3, 4, 5"),
        **{name: layer(owner, name) for name in ("regions", "visits", "tracks", "coverage")},
    }


def layer(owner, name):
    """The features of an export in their order, without the numbers of sources."""
    features = json.loads(owner.run("export", "-", "--format", "geojson", "--only", name))
    for feature in features["features"]:
        for key in ("source_id", "source"):
            feature["properties"].pop(key, None)
    return features["features"]
