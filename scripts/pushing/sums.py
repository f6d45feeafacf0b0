"""Areas and counts from SQL are those of the tool."""

from .bench import require


def check(bench):
    database = bench.database()
    people = [bench.large("large"), bench.owner("small"), bench.owner("coarse")]
    bench.changes.import_new(people[1], 20)
    people[2].run("settings", "explorationRadiusMeters", "400")
    bench.changes.import_new(people[2], 20)
    compared = 0
    for owner in people:
        key = owner.push(database)["key"]
        stats = owner.json("stats")
        ours = dict(zip(
            ("area", "cells", "bits", "regions", "visits", "sources", "keptFixes", "visitRows"),
            map(float, database.value(f"""
                SELECT sum(square_meters) / 1e6, sum(cells), sum(bit_count(bits)),
                  (SELECT count(*) FROM roqua.regions WHERE person = {key}),
                  (SELECT sum(visit_count) FROM roqua.regions WHERE person = {key}),
                  (SELECT count(*) FROM roqua.sources WHERE person = {key}),
                  (SELECT sum(count) FROM roqua.kept_fixes WHERE person = {key}),
                  (SELECT count(*) FROM roqua.visits WHERE person = {key})
                FROM roqua.tiles WHERE person = {key}""").split("|"))))
        area = stats["areaSquareKilometers"]
        require(
            area > 1 and abs(ours["area"] / area - 1) < 1e-9,
            f"{owner.name}: {ours['area']!r} km² in SQL, {area!r} in the store")
        computed = database.number(
            f"SELECT roqua.explored_area(ARRAY[{key}::bigint], grid_mm) / 1e6 FROM roqua.people "
            f"WHERE person = {key}")
        require(
            abs(computed / area - 1) < 1e-9,
            f"{owner.name}: explored_area gives {computed!r} km², not {area!r}")
        for name, expected in (
            ("cells", stats["cells"]), ("bits", stats["cells"]),
            ("regions", stats["visitedRegions"]), ("visits", stats["visits"]),
            ("sources", stats["sources"]), ("keptFixes", stats["keptFixes"]),
            # A region without times has visits but no rows of visits; no track here is one.
            ("visitRows", owner.rows("SELECT count(*) AS n FROM visits WHERE start_ms NOTNULL")[0]
                ["n"]),
        ):
            require(
                expected > 0 and ours[name] == expected,
                f"{owner.name}: {name} {ours[name]:.0f} in SQL, {expected} in the store")
            compared += 1
    return f"{len(people)} areas within 1e-9, {compared} counts equal"
