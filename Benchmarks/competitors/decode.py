"""Decoding and filtering from memory on one core against expat, and `roqua bench import`."""

import re

from .tools import Must, Row, Section, execute, rate, span, times

#: The styles that the generator writes; all must be measured.
STYLES = {
    ("GPX", "logger"),
    ("GPX", "watch"),
    ("GPX", "site"),
    ("NMEA", "plain"),
    ("NMEA", "chatty"),
}


def measure(run):
    megabytes, rounds = ("16", "5") if run.is_quick else ("64", "9")
    text = execute(
        [run.generator, "--megabytes", megabytes, "--rounds", rounds], allow_failure=True
    ).output
    rows, musts = [], []
    pattern = r"(GPX|NMEA) (\w+)\s+([\d.]+) MB/s\s+expat\s+([\d.]+) MB/s\s+ratio\s+([\d.]+)"
    lowest, styles = {}, set()
    for kind, style, ours, expat, ratio in re.findall(pattern, text):
        question = f"{kind} as a {style} writes it" if kind == "GPX" else f"NMEA, {style}"
        rows += [
            Row(question, "Roqua: decode and filter", f"{ours} MB/s"),
            Row(
                question,
                "expat: tokenize" + (" GPX" if kind == "NMEA" else ""),
                f"{expat} MB/s",
                times(float(ratio)),
            ),
        ]
        styles.add((kind, style))
        lowest[kind] = min(lowest.get(kind, 1e9), float(ratio))
    if styles != STYLES:
        raise SystemExit(f"ingest-benchmark did not measure all styles: {text}")
    for kind, must, aim in (("GPX", 3, "5"), ("NMEA", 1.2, "2")):
        musts.append(
            Must(
                f"{kind}: decode and filter against expat, the slowest style",
                f"{times(lowest[kind])} times",
                f"{must} times",
                lowest[kind] >= must,
                aim,
            )
        )
    report, _ = run.bench
    for item in report["measurements"]:
        if item["part"] != "import":
            continue
        pace = rate(
            item["throughputPerSecond"],
            item["unit"] + "s" if item["unit"] != "kept fix" else "kept fixes",
        )
        bytes_ = f", {item['bytesPerSecond'] / 1e6:,.0f} MB/s" if item["bytesPerSecond"] else ""
        cores = ", all cores, wall clock" if item["question"].startswith("whole import") else ""
        rows.append(
            Row(
                item["question"] + cores,
                item["contender"],
                f"{span(item['medianSeconds'])}, {pace}{bytes_}",
                times(item["ratio"]) if item["ratio"] and item["ratio"] != 1 else "",
            )
        )
        # Recorded fixes are judged by the wall clock, because disk and checkpoints count: by
        # the mean of all, not the median of each.
        if item["contender"].startswith("Roqua, with") and "each" not in item["question"]:
            if "recorded" in item["question"]:
                must, name = 20_000, "live"
            else:
                must, name = (400_000 if "grows" in item["question"] else 600_000), "bulk"
            musts.append(
                Must(
                    f"{name}: {item['question']}",
                    rate(item["throughputPerSecond"], "fixes"),
                    rate(must, "fixes"),
                    item["throughputPerSecond"] >= must,
                )
            )
    return [Section("From bytes to kept fixes, one core", rows, musts)]
