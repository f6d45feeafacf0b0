"""The tables, as Markdown."""
import datetime, os, platform, subprocess

from .tools import ROOT


def markdown(run, sections, arguments, seconds):
    lines = [header(run, arguments, seconds)]
    for section in sections:
        lines.append(f"### {section.title}\n")
        lines += table(["question", "contender", "measured", "ratio", "memory", ""],
                       [[row.question, row.contender, row.value, row.ratio, row.memory, row.note] for row in section.rows])
        lines += [f"{note}\n" for note in section.notes]
    musts = [must for section in sections for must in section.musts]
    if musts:
        lines.append("### What was asked for\n")
        lines += table(["figure", "measured", "must", "aim", ""],
                       [[must.what, must.measured, must.must, must.aim,
                         {True: "reached", False: "**missed**", None: "not judged here"}[must.is_met]] for must in musts])
    if run.left_out:
        lines += ["### Left out\n"] + [f"- {line}" for line in run.left_out]
    return "\n".join(lines) + "\n"


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
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True)
    date = datetime.date.today().isoformat()
    return "\n".join([
        f"`{command}`, {date}, commit {commit.stdout.strip()}, {seconds / 60:.0f} minutes.",
        f"{processor()}, {os.cpu_count()} cores; {system()}; load {os.getloadavg()[0]:.1f} at the end.", ""])


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"


def system():
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return platform.platform()
