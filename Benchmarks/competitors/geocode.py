"""Reverse geocoding in batches, as codes by the library and as names by the tool, compared with
PyPI's nearest-town geocoders."""

import contextlib, io, json, time

from .tools import Must, Row, Section, execute, median, mega, rate, say, span, times, wrong


def measure(run):
    report, folder = run.bench
    lines = [line.split("\t") for line in (folder / "places.tsv").read_text().splitlines()]
    points = [(float(line[0]), float(line[1])) for line in lines]
    codes = [line[2] for line in lines]
    zones = [line[3] for line in lines]
    text = run.folder / "points.csv"
    text.write_text("".join(f"{latitude},{longitude}\n" for latitude, longitude in points))

    contenders = {}
    if run.has_python("reverse_geocoder", "reverse_geocoder"):
        import reverse_geocoder

        with contextlib.redirect_stdout(io.StringIO()):
            for mode, name in (
                (1, "reverse_geocoder, one process"),
                (2, "reverse_geocoder, all cores"),
            ):
                geocoder = reverse_geocoder.RGeocoder(mode=mode, verbose=False)
                contenders[name] = lambda geocoder=geocoder: [
                    found["cc"] for found in geocoder.query(points)
                ]
    if run.has_python("reverse_geocode", "reverse_geocode"):
        import reverse_geocode

        contenders["reverse_geocode"] = lambda: [
            found["country_code"] for found in reverse_geocode.search(points)
        ]

    # Time zones, from the same polygons of OpenStreetMap, one position at a time.
    if run.has_python("tzfpy", "tzfpy"):
        import tzfpy

        contenders["tzfpy"] = lambda: [
            tzfpy.get_tz(longitude, latitude) for latitude, longitude in points
        ]
    if run.has_python("timezonefinder", "timezonefinder"):
        import timezonefinder

        finder = timezonefinder.TimezoneFinder(in_memory=True)
        contenders["timezonefinder"] = lambda: [
            finder.timezone_at(lng=longitude, lat=latitude) for latitude, longitude in points
        ]

    rounds = 3
    seconds, answers, tool = {}, {}, []
    for number in range(rounds):
        say(f"  round {number + 1} of {rounds}: roqua where --batch")
        done = execute([run.roqua, "where", "--batch", "--json"], stdin=text)
        tool.append(done)
        if number == 0:
            found = [json.loads(line)["countryCode"] or "" for line in done.output.splitlines()]
            if found != codes:
                wrong("the tool and the library differ about countries")
        for name, ask in contenders.items():
            say(f"  round {number + 1} of {rounds}: {name}")
            # Processor time, like Roqua's; by the wall clock only if other processes help.
            clock = time.perf_counter if "all cores" in name else time.process_time
            start = clock()
            with contextlib.redirect_stdout(io.StringIO()):
                answers[name] = ask()
            seconds.setdefault(name, []).append(clock() - start)

    rows, musts = [], []
    question = f"{len(points):,} positions in populated places"
    measured = {
        item["question"]: item
        for item in report["measurements"]
        if item["part"] == "geocode" and item["contender"] == "Roqua"
    }
    whole = measured["whole place as codes, in populated places"]
    for name, item in measured.items():
        rows.append(
            Row(
                name,
                "Roqua",
                f"{span(item['medianSeconds'])}, {rate(item['throughputPerSecond'], 'lookups')}",
            )
        )
    rows.append(
        Row(
            question,
            "Roqua: country, region, district, city, time zone as codes",
            rate(whole["throughputPerSecond"], "lookups"),
            "1.00",
        )
    )
    pace = len(points) / median(done.processor for done in tool)
    rows.append(
        Row(
            question,
            "roqua where --batch --json, the whole process",
            rate(pace, "lookups"),
            times(whole["throughputPerSecond"] / pace),
            mega(max(done.memory for done in tool)),
        )
    )
    zone = measured["time zone as text, in populated places"]
    for name in ("tzfpy", "timezonefinder"):
        if name not in seconds:
            continue
        pace = len(points) / median(seconds.pop(name))
        known = sum(1 for ours in zones if ours)
        same = sum(ours == theirs for ours, theirs in zip(zones, answers[name]) if ours)
        if same < 0.9 * known:
            wrong(f"{name} and Roqua agree on {same} time zones of {known}")
        rows.append(
            Row(
                question,
                name + ": time zone",
                rate(pace, "lookups"),
                times(zone["throughputPerSecond"] / pace),
                note=f"another zone at {100 * (1 - same / known):.2f} % of the positions; the "
                "ratio is to Roqua's time zone as text",
            )
        )
    for name, taken in seconds.items():
        pace = len(points) / median(taken)
        same = sum(ours == theirs for ours, theirs in zip(codes, answers[name]) if ours)
        known = sum(1 for code in codes if code)
        if same < 0.9 * known:
            wrong(f"{name} and Roqua agree on {same} countries of {known}")
        rows.append(
            Row(
                question,
                name + ": nearest town" + (", wall clock" if "all cores" in name else ""),
                rate(pace, "lookups"),
                times(whole["throughputPerSecond"] / pace),
                note=f"another country at {100 * (1 - same / known):.2f} % of the positions "
                "for which Roqua returns one",
            )
        )
        if "one process" in name:
            ratio = whole["throughputPerSecond"] / pace
            musts.append(
                Must(
                    "whole place against reverse_geocoder in batch",
                    f"{times(ratio)} times",
                    "1 time",
                    ratio >= 1,
                )
            )
    for name, must, aim in (
        ("country, on land", 10e6, ""),
        ("country, in populated places", 10e6, ""),
        ("whole place as codes, on land", 1.5e6, "3 M"),
        ("whole place as codes, in populated places", 3e6, ""),
        ("whole place as codes, along tracks", 5e6, "15 M"),
        ("time zone as text, in populated places", 25e6, ""),
        ("whole place as text, in populated places", 2e6, ""),
    ):
        value = measured[name]["throughputPerSecond"]
        musts.append(Must(name, rate(value, "lookups"), rate(must, "lookups"), value >= must, aim))
    first = [execute([run.roqua, "where", "48.486", "13.438", "--json"]) for _ in range(9)]
    spent = median(done.processor for done in first)
    musts.append(
        Must(
            "first lookup of a fresh process, in words: the whole process",
            f"{spent * 1e3:.1f} ms of processor",
            "10 ms",
            spent <= 0.01,
        )
    )
    held = median(done.memory for done in first)
    musts.append(
        Must(
            "resident memory of a process that looks up one place",
            mega(held),
            "25 MB",
            held <= 25e6,
        )
    )
    held = max(done.memory for done in tool)
    musts.append(
        Must(
            "resident memory of `roqua where --batch`, Foundation and the data",
            mega(held),
            "25 MB",
            held <= 25e6,
        )
    )
    notes = [
        "The nearest town does not decide the country of a point: most differences are their "
        "errors at borders and coasts; [geocode-accuracy.md](geocode-accuracy.md) measures ours "
        "against independent truth.",
        "Times are processor times, of the whole process for `roqua where --batch`, and "
        "wall-clock times only if all cores work. A nearest-town geocoder answers inside Python "
        "and prints nothing; `where --batch` reads and prints lines.",
    ]
    return [Section("Places", rows, musts, notes)]
