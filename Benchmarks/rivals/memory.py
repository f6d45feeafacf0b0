"""The most memory that an import holds: one large file from disk and from standard input, and thousands of small ones."""
import shutil

from .imports import remove
from .tools import Must, Row, Section, execute, mega


def measure(run):
    size, count = (100_000_000, 500) if run.is_quick else (1_000_000_000, 3_000)
    store = run.folder / "memory.sqlite"
    # What a process holds that looks up one place: the bundled data as far as they are touched, and the runtime.
    base = execute([run.roqua, "where", "48.486", "13.438"]).memory
    rows, musts = [], []

    def take(question, command, stdin=None):
        remove(store)
        done = execute([run.roqua, "import", "--json", "--store", store, *command], stdin=stdin)
        more = done.memory - base
        rows.append(Row(question, "Roqua", f"{done.seconds:.1f} s", memory=mega(done.memory)))
        musts.append(Must(f"memory of importing {question}", f"{mega(done.memory)}, {mega(more)} above a lookup of one place",
                          "64 MB above the bundled data", more <= 64e6))

    folder = run.folder / "large"
    folder.mkdir()
    execute([run.generator, "write", folder, size, 1])
    path = next(folder.iterdir())
    take(f"a file of {mega(size)}", [path])
    take(f"{mega(size)} from standard input", ["-"], stdin=path)
    shutil.rmtree(folder)
    folder.mkdir()
    execute([run.generator, "write", folder, count * 20_000, count])
    take(f"{count:,} files of 20 kB", [folder])
    shutil.rmtree(folder)
    remove(store)
    return [Section("Memory of imports", rows, musts)]
