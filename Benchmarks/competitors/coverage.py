"""Discs, unions and statistics by place, with `coverage-benchmark`, which checks its results."""

import re

from .tools import HERE, Must, Row, Section, build, execute


def measure(run):
    if not run.has_debian("libroaring-dev"):
        run.leave_out("CRoaring, and so all of coverage", "libroaring-dev cannot be installed here")
        return []
    program = build(HERE, "coverage-benchmark")
    parts = ["discs", "ground"] if run.is_quick else ["discs", "union", "ground"]
    text = execute([program, *(["--rounds", "3"] if run.is_quick else []), *parts]).output
    rows, musts = [], []
    blocks = 0
    for place, ours, app, roaring, again, bitmap, app_pace in re.findall(
        r"discs at ([^,]+),.*?new area\s+([\d.]+) M/s, ×([\d.]+) the app baseline, "
        r"×([\d.]+) roaring.*?"
        r"known area\s+([\d.]+) M/s.*?roaring bitmap\s+([\d.]+) M/s.*?app baseline\s+([\d.]+) M/s",
        text,
        re.S,
    ):
        blocks += 1
        question = f"discs along tracks at {place}"
        rows += [
            Row(question, "Roqua, newly explored area", f"{ours} M/s", "1.00"),
            Row(question, "Roqua, already explored area", f"{again} M/s"),
            Row(question, "CRoaring, cell numbers", f"{bitmap} M/s", roaring),
            Row(question, "app baseline: a Set<String> of hashes", f"{app_pace} M/s", app),
        ]
        musts += [
            Must(f"{question}", f"{ours} M/s", "10 M/s", float(ours) >= 10, "30 M/s"),
            Must(
                f"{question}: against the app baseline",
                f"{app} times",
                "40 times",
                float(app) >= 40,
                "120",
            ),
            Must(
                f"{question}: against CRoaring",
                f"{roaring} times",
                "2 times",
                float(roaring) >= 2,
                "5",
            ),
        ]
    if blocks != 2:
        raise SystemExit(f"coverage-benchmark measured discs at {blocks} latitudes of 2: {text}")
    found = re.search(
        r"a new coverage\s+(\d+) ms, ×([\d.]+) memcpy.*?in place\s+(\d+) ms, ×([\d.]+)", text, re.S
    )
    if found:
        milliseconds, ratio, in_place, ratio_in_place = found.groups()
        rows += [
            Row(
                "union of two coverages of 100 M cells",
                "Roqua, into a new coverage",
                f"{milliseconds} ms",
            ),
            Row("union of two coverages of 100 M cells", "Roqua, in place", f"{in_place} ms"),
            Row(
                "union of two coverages of 100 M cells",
                "memcpy of the bytes of both",
                f"{float(milliseconds) / float(ratio):.0f} ms",
                f"{1 / float(ratio):.2f}",
            ),
        ]
        musts.append(
            Must(
                "union of two coverages of 100 M cells",
                f"{ratio} times memcpy (in place {ratio_in_place})",
                "10 times",
                float(ratio) <= 10,
            )
        )
    elif not run.is_quick:
        raise SystemExit(f"coverage-benchmark did not measure the union: {text}")
    ground = re.search(r"rows\s+(\d+) ms", text)
    memory, stored, file = (
        re.search(rf"{name}\s+([\d.]+)", text) for name in ("in memory", "in a store", "in a file")
    )
    rows.append(Row("statistics by country of 10 M cells", "Roqua", f"{ground.group(1)} ms"))
    musts += [
        Must(
            "statistics by country of 10 M cells",
            f"{ground.group(1)} ms",
            "1 s",
            int(ground.group(1)) <= 1000,
        ),
        Must(
            "bytes per cell along tracks, in memory",
            memory.group(1),
            "2.5",
            float(memory.group(1)) <= 2.5,
        ),
        Must(
            "bytes per cell along tracks, in the store",
            stored.group(1),
            "1.5",
            float(stored.group(1)) <= 1.5,
        ),
    ]
    return [Section("Coverage", rows, musts)]
