"""Peak memory of imports: a large file from disk and from standard input, and thousands of small
files."""

import json, shutil

from .imports import remove
from .tools import ROOT, Must, Row, Section, execute, mega, wrong


def count_points(folder):
    """The number of points that the generator wrote, counted by their tags; it writes no comments.
    """
    return sum(line.count(b"<trkpt ") for path in folder.iterdir() for line in path.open("rb"))


def measure(run):
    size, count = (100_000_000, 500) if run.is_quick else (1_000_000_000, 3_000)
    store = run.folder / "memory.sqlite"
    # All of the bundled data, and only that; the runtime and Foundation count toward the import.
    data = sum(path.stat().st_size for path in (ROOT / "data" / "packed").glob("*.bin"))
    rows, musts = [], []

    def take(question, command, points, stdin=None):
        remove(store)
        done = execute([run.roqua, "import", "--json", "--store", store, *command], stdin=stdin)
        totals = json.loads(done.output)["totals"]
        if totals["points"] != points:
            wrong(f"{totals['points']:,} points of {points:,} are imported: {question}")
        more = done.memory - data
        rows.append(Row(question, "Roqua", f"{done.seconds:.1f} s", memory=mega(done.memory)))
        musts.append(
            Must(
                f"memory of importing {question}",
                f"{mega(done.memory)}, {mega(more)} above the {mega(data)} of data",
                "48 MB",
                done.memory <= 48e6,
            )
        )
        if "files" in question and not run.is_quick:
            musts.append(
                Must(
                    f"importing {question}",
                    f"{done.seconds:.2f} s",
                    "0.5 s",
                    done.seconds <= 0.5,
                )
            )

    folder = run.folder / "large"
    folder.mkdir()
    execute([run.generator, "write", folder, size, 1])
    path = next(folder.iterdir())
    points = count_points(folder)
    take(f"a file of {mega(size)}", [path], points)
    take(f"{mega(size)} from standard input", ["-"], points, stdin=path)
    shutil.rmtree(folder)
    folder.mkdir()
    execute([run.generator, "write", folder, count * 20_000, count])
    take(f"{count:,} files of 20 kB", [folder], count_points(folder))
    shutil.rmtree(folder)
    remove(store)
    return [Section("Memory of imports", rows, musts)]
