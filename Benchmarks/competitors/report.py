"""The tables, as Markdown."""

import datetime, importlib.metadata, os, platform, re, subprocess

from .tools import ROOT


def markdown(run, sections, arguments, seconds):
    lines = [header(run, arguments, seconds)]
    for section in sections:
        lines.append(f"### {section.title}\n")
        lines += table(
            ["question", "contender", "measured", "ratio", "memory", ""],
            [
                [row.question, row.contender, row.value, row.ratio, row.memory, row.note]
                for row in section.rows
            ],
        )
        lines += [f"{note}\n" for note in section.notes]
    musts = [must for section in sections for must in section.musts]
    if musts:
        lines.append("### Limits\n")
        lines += table(
            ["figure", "measured", "must", "aim", ""],
            [[must.what, must.measured, must.must, must.aim, verdict(must)] for must in musts],
        )
    if run.left_out:
        lines += ["### Left out\n"] + [f"- {line}" for line in run.left_out]
    return "\n".join(lines) + "\n"


def verdict(must):
    """Whether the limit and the aim are reached. Compares the figure's first number with that of
    the aim, in the same unit."""
    if must.is_met is None:
        return "not judged here"
    if not must.is_met:
        return "**missed**"
    return (
        "reached"
        if not must.aim or amount(must.measured) >= amount(must.aim)
        else "reached, aim missed"
    )


def amount(text):
    """The number at the start of a text, with its M or k: 2.11 M lookups/s is 2110000."""
    number, prefix = re.match(r"([\d.,]+)\s*(M\b|k\b)?", text).groups()
    return float(number.replace(",", "")) * {"M": 1e6, "k": 1e3, None: 1}[prefix]


def table(head, rows):
    used = [index for index, name in enumerate(head) if any(row[index] for row in rows)]
    lines = ["| " + " | ".join(head[index] for index in used) + " |", "|" + " --- |" * len(used)]
    last = None
    for row in rows:
        cells = [("" if index == 0 and row[0] == last else row[index]) for index in used]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        last = row[0]
    return lines + [""]


def header(run, arguments, seconds):
    command = "Benchmarks/run" + (" --quick" if run.is_quick else "")
    if len(arguments.only) < 6:
        command += " --only " + " ".join(arguments.only)
    command += f" --seed {run.seed}" if run.seed != 1 else ""
    commit = subprocess.run(
        ["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True
    )
    date = datetime.date.today().isoformat()
    return "\n".join(
        [
            f"`{command}`, {date}, commit {commit.stdout.strip()}, seed {run.seed}, "
            f"{seconds / 60:.0f} minutes.",
            f"{processor()}, {os.cpu_count()} cores; {system()}; "
            f"load {os.getloadavg()[0]:.1f} at the end.",
            "Versions: " + "; ".join(versions(run)) + ".",
            "",
        ]
    )


def versions(run):
    """The versions of the programs that were used."""
    found = []
    if "bench" in vars(run):  # only where `roqua bench` has run
        machine = run.bench[0]["machine"]
        found += [f"Swift {machine['swift']}", f"SQLite {machine['sqlite']}"]
    for name, package in (
        ("SpatiaLite", "libspatialite-dev"),
        ("ogr2ogr", "gdal-bin"),
        ("gpsbabel", "gpsbabel"),
        ("expat", "libexpat1-dev"),
        ("CRoaring", "libroaring-dev"),
        ("PostGIS", "postgresql-postgis"),
        ("Boost", "libboost-dev"),
        ("nanoflann", "libnanoflann-dev"),
    ):
        version = said(["dpkg-query", "-W", "-f", "${Version}", package])
        found += [f"{name} {version}"] if version else []
    for package in ("duckdb", "geoindex-rs", "gpxpy", "reverse_geocoder", "reverse_geocode"):
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            pass
    return found or ["unknown"]


def said(command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next(
                line.split(":", 1)[1].strip() for line in file if line.startswith("model name")
            )
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"


def system():
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return platform.platform()
