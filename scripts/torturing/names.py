"""Paths of one character, relative to the working folder, in every command that takes a path."""

import json, os, shutil
from . import stores, tracks

# "-" is standard input or output, and "." is a folder: neither is a file name.
NAMES = ("s", "b", "~", "é", "0", " ", "\\", "%", "*")
POLYGON = {"type": "Polygon", "coordinates": [[[13, 52], [14, 52], [14, 53], [13, 53], [13, 52]]]}


def run(tool, supplies, folder, _):
    paths = Paths(tool, supplies, folder)
    for name in NAMES:
        for use in (
            paths.store,
            paths.variable,
            paths.track,
            paths.folder_of_tracks,
            paths.backup,
            paths.app_format,
            paths.export,
            paths.cells,
            paths.app,
            paths.circles,
            paths.hashes,
            paths.polygon,
            paths.bench,
        ):
            use(name)
    paths.this_folder()
    print(f"names: {paths.uses} uses of {len(NAMES)} names of one character")


class Paths:
    """The uses of a path. Each begins in an empty folder with a store `store`."""

    def __init__(self, tool, supplies, folder):
        self.tool, self.supplies, self.folder = tool, supplies, os.path.join(folder, "here")
        self.uses = 0

    def begin(self, name, content=None):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        stores.write(os.path.join(self.folder, "store"), self.supplies.small)
        if content is not None:
            stores.write(os.path.join(self.folder, name), content)
        self.uses += 1

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *command, environment=None):
        return self.tool.run(*command, cwd=self.folder, environment=environment)

    def good(self, outcome, *files):
        """Expects status 0, and exactly these files and the store in the folder."""
        expected, found = sorted({"store", *files}), sorted(os.listdir(self.folder))
        if outcome.status != 0 or outcome.oddity():
            self.tool.fault(f"{outcome}", "a name of one character fails")
        elif found != expected:
            self.tool.fault(f"{outcome}: the folder has {found}", "other files")

    def store(self, name):
        self.begin(name)
        self.good(self.run("import", self.supplies.more, "--store", name), name)
        self.good(self.run("stats", "--store", name), name)
        if os.path.exists(self.path(name)) and not stores.fixes(self.path(name)):
            self.tool.fault(f"the store {name!r} has no fixes")

    def variable(self, name):
        self.begin(name, self.supplies.small)
        self.good(self.run("stats", environment={"ROQUA_STORE": name}), name)

    def track(self, name):
        self.begin(name, stores.read(self.supplies.more))
        self.good(self.run("import", name, "--store", "store"), name)

    def folder_of_tracks(self, name):
        self.begin(name)
        os.mkdir(self.path(name))
        shutil.copy(self.supplies.more, os.path.join(self.path(name), name))
        outcome = self.run("import", name, "--json", "--store", "store")
        self.good(outcome, name)
        if outcome.document and outcome.document["totals"]["imported"] != 1:
            self.tool.fault(f"{outcome}: not one file is imported")

    def backup(self, name):
        """A name without an ending is that of a folder, which must exist."""
        self.begin(name)
        outcome = self.run("backup", name, "--store", "store")
        if outcome.status != 1 or not outcome.has_one_line() or os.path.exists(self.path(name)):
            self.tool.fault(f"{outcome}: not status 1 and one line", "a backup into no folder")
        name += ".sqlite"
        self.begin(name)
        self.good(self.run("backup", name, "--store", "store"), name)
        self.good(self.run("backup", "--force", name, "--store", "store"), name)
        if os.path.exists(self.path(name)):
            if stores.row_counts(self.path(name)) != stores.row_counts(self.path("store")):
                self.tool.fault(f"the backup {name!r} has other rows")

    def app_format(self, name):
        self.begin(name)
        write = ("backup", "--app-format", name, "--store", "store")
        self.good(self.run(*write), name)
        self.good(self.run(*write, "--force"), name)
        if os.path.exists(self.path(name)):
            if stores.app_rows(self.path(name)) != stores.row_counts(self.path("store"))["regions"]:
                self.tool.fault(f"the app's database {name!r} has other rows")

    def export(self, name):
        self.begin(name)
        self.good(self.run("coverage", "--export", name, "--store", "store"), name)

    def cells(self, name):
        self.begin(name, stores.read(self.supplies.other_coverage))
        self.good(self.run("coverage", "--import", name, "--store", "store"), name)

    def app(self, name):
        self.begin(name, stores.read(self.supplies.other_app))
        self.good(self.run("adopt", name, "--store", "store"), name)

    def circles(self, name):
        self.begin(name, stores.read(self.supplies.lists[0]))
        self.good(self.run("adopt", "--explored-circles", name, "--store", "store"), name)

    def hashes(self, name):
        self.begin(name, stores.read(self.supplies.lists[1]))
        self.good(self.run("adopt", "--grid-hashes", name, "--store", "store"), name)

    def polygon(self, name):
        self.begin(name, json.dumps(POLYGON).encode())
        self.good(self.run("within", "--polygon", name, "--store", "store"), name)

    def bench(self, name):
        # It creates a store each time, so two names are enough.
        if name not in NAMES[:2]:
            return
        self.begin(name)
        outcome = self.run("bench", "near", "--regions", "1k", "--questions", "1", "--keep", name)
        if outcome.status != 0 or not os.path.exists(self.path(name)):
            self.tool.fault(f"{outcome}: {sorted(os.listdir(self.folder))}", "bench --keep fails")

    def this_folder(self):
        """The path `.`: importing the folder works, and so would a backup into it; every other
        use is refused in one line."""
        self.begin("a.gpx", stores.read(self.supplies.more))
        store = os.path.join(os.path.dirname(self.folder), "outside.sqlite")
        outcome = self.run("import", ".", "--store", store)
        if outcome.status != 0:
            self.tool.fault(outcome)
        for command in (
            ("stats", "--store", "."),
            ("import", "a.gpx", "--store", "."),
            ("backup", "--app-format", "."),
            ("backup", "--app-format", "--force", "."),
            ("coverage", "--export", "."),
            ("coverage", "--import", "."),
            ("adopt", "."),
            ("adopt", "--explored-circles", "."),
            ("adopt", "--grid-hashes", "."),
            ("within", "--polygon", "."),
        ):
            self.uses += 1
            before = stores.snapshot(self.folder)
            outcome = self.run(*command, *(() if "--store" in command else ("--store", "store")))
            if outcome.status != 1 or not outcome.has_one_line():
                self.tool.fault(f"{outcome}: not status 1 and one line", "the path .")
            if stores.changes(before, stores.snapshot(self.folder)):
                self.tool.fault(f"{outcome}: changed the folder", "the path . changes something")
