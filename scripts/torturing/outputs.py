"""Exports and backups onto the store itself, the files next to it, and existing files."""

import os, shutil
from . import stores

RESERVED = stores.SIDE_FILES


def run(tool, supplies, folder, _):
    outputs = Outputs(tool, supplies, os.path.join(folder, "here"))
    for command in (("coverage", "--export"), ("backup",), ("backup", "--app-format")):
        for force in (False, True):
            if force and not tool.knows(command[0], "--force"):
                tool.fault(f"{' '.join(command)} has no --force")
                continue
            outputs.onto_store(command, force)
            outputs.onto_side_files(command, force)
            outputs.onto_files(command, force)
    outputs.onto_standard_output()
    print(f"outputs: {outputs.tries} outputs onto the store, its side files and other files")


class Outputs:
    """Each try begins in a folder with a store, another store, a track, and links."""

    def __init__(self, tool, supplies, folder):
        self.tool, self.supplies, self.folder, self.tries = tool, supplies, folder, 0

    def begin(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.store = self.supplies.small_store(self.path("s.sqlite"))
        stores.write(self.path("other.sqlite"), self.supplies.other)
        shutil.copy(self.supplies.more, self.path("track.gpx"))
        shutil.copy(self.supplies.other_coverage, self.path("cells.rqcv"))
        os.mkdir(self.path("folder"))
        os.symlink("s.sqlite", self.path("symlink"))
        os.symlink("symlink", self.path("symlink-to-symlink"))
        os.symlink(".", self.path("same"))
        os.symlink("track.gpx", self.path("symlink-to-track"))
        self.tries += 1

    def path(self, name):
        return os.path.join(self.folder, name)

    def attempt(self, command, name, force, **options):
        """Runs a command; returns its outcome and what it changed."""
        before = stores.snapshot(self.folder)
        outcome = self.tool.run(
            *command,
            name,
            *(["--force"] if force else []),
            "--store",
            self.store,
            cwd=self.folder,
            **options,
        )
        return outcome, stores.changes(before, stores.snapshot(self.folder))

    def refused(self, command, name, force, kind, **options):
        outcome, changed = self.attempt(command, name, force, **options)
        if changed:
            self.tool.fault(f"{outcome}: {changed}", f"{command[0]}: {kind}: changed")
        if outcome.status != 1 or not outcome.has_one_line():
            self.tool.fault(
                f"{outcome}: not status 1 and one line", f"{command[0]}: {kind}: not refused"
            )

    def onto_store(self, command, force):
        for name in (
            "s.sqlite",
            "./s.sqlite",
            "../here/s.sqlite",
            "same/s.sqlite",
            "same/same/s.sqlite",
            "folder/../s.sqlite",
            "symlink",
            "symlink-to-symlink",
            "same/symlink",
            self.path("s.sqlite"),
            "/proc/self/cwd/s.sqlite",
        ):
            if name.startswith("/proc") and not os.path.exists("/proc/self/cwd"):
                continue
            self.begin()
            self.refused(command, name, force, "the store by another path")
        self.begin()
        os.link(self.store, self.path("hardlink"))
        self.refused(command, "hardlink", force, "a hard link of the store")
        # A store that is named through a link, and an output that names the file itself.
        self.begin()
        self.store = self.path("symlink")
        self.refused(command, "s.sqlite", force, "the store by another path")

    def onto_side_files(self, command, force):
        for suffix in RESERVED:
            for name in ("s.sqlite" + suffix, "same/s.sqlite" + suffix):
                self.begin()
                self.refused(command, name, force, "a side file of the store")
            # SQLite puts its files next to the target of a link.
            self.begin()
            self.store = self.path("symlink")
            self.refused(command, "s.sqlite" + suffix, force, "a side file of the store")

    def onto_files(self, command, force):
        head = b"RQCV" if command[0] == "coverage" else b"SQLite format 3\0"
        for name in ("track.gpx", "cells.rqcv", "other.sqlite", "symlink-to-track"):
            self.begin()
            if not force:
                self.refused(command, name, force, "a file that is there")
                continue
            outcome, changed = self.attempt(command, name, force)
            target = "track.gpx" if name == "symlink-to-track" else name
            if name == "other.sqlite" and command[0] == "coverage" and outcome.status == 1:
                # Replacing a store with cells may be refused.
                if changed:
                    self.tool.fault(f"{outcome}: {changed}", "a refused output changed a file")
            elif outcome.status != 0 or not stores.read(self.path(name)).startswith(head):
                self.tool.fault(f"{outcome}: --force does not replace the file", "--force")
            elif changed not in (f"{target} changed", f"{name} changed"):
                self.tool.fault(f"{outcome}: {changed}", "--force: other changes")
        self.begin()
        if command != ("backup",):
            self.refused(command, "folder", force, "a folder")
        elif not force:
            # Into a folder it writes a backup of another kind. A name without an ending is one,
            # except with --force, which is only for files.
            self.refused(command, "new", force, "a folder that is not there")
        self.begin()
        new = "new.rqcv" if command[0] == "coverage" else "new.sqlite"
        outcome, changed = self.attempt(command, new, force)
        if outcome.status != 0 or changed != f"{new} came":
            self.tool.fault(f"{outcome}: {changed}", "a new file")

    def onto_standard_output(self):
        """The shell has opened the store as standard output, also through a link."""
        export = ("coverage", "--export")
        for mode in ("ab", "r+b"):
            for target in ("s.sqlite", "symlink"):
                for command, name in (
                    (export, "-"),
                    (export, "/dev/stdout"),
                    (("backup",), "/dev/stdout"),
                    (("backup", "--app-format"), "/dev/stdout"),
                ):
                    for force in (False, True):
                        if force and not self.tool.knows(command[0], "--force"):
                            continue
                        self.begin()
                        with open(self.path(target), mode) as out:
                            self.refused(
                                command, name, force, "standard output is the store", stdout=out
                            )
        # An export to standard output that goes to another file works as usual.
        self.begin()
        with open(self.path("new"), "wb") as out:
            outcome, changed = self.attempt(export, "-", False, stdout=out)
        if outcome.status != 0 or not stores.read(self.path("new")).startswith(b"RQCV"):
            self.tool.fault(f"{outcome}: {changed}", "an export to standard output")
