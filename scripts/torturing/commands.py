"""Kills backup, also with --app-format, coverage --export and adopt at random moments.

The next run must succeed, and leave nothing in the folder but the store, the input and the output.
"""

import os, random, shutil, sqlite3, subprocess, time
from contextlib import closing
from . import cells, stores, tracks


def run_backup(tool, supplies, folder, count):
    Backup(tool, supplies, folder).run(count)


def run_app_format(tool, supplies, folder, count):
    AppFormat(tool, supplies, folder).run(count)


def run_export(tool, supplies, folder, count):
    Export(tool, supplies, folder).run(count)


def run_adopt(tool, supplies, folder, count):
    Adopt(tool, supplies, folder).run(count)


class Killed:
    """A command to kill. A subclass defines the command and how its result is verified."""

    name = ""

    def __init__(self, tool, supplies, folder):
        self.tool, self.supplies = tool, supplies
        self.place = os.path.join(folder, "here")
        self.temporary = os.path.join(folder, "tmp")
        os.makedirs(self.place)
        os.makedirs(self.temporary)
        self.environment = {**tool.environment, "TMPDIR": self.temporary}
        self.command = ()
        self.prepare()

    def path(self, name):
        return os.path.join(self.place, name)

    def run(self, count):
        numbers = random.Random(f"{self.supplies.seed} {self.name}")
        length = self.length()
        killed = completed = 0
        for moment in range(count):
            child = self.tool.start(
                *self.command,
                env=self.environment,
                cwd=self.place,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            try:
                child.wait(numbers.uniform(0, 1.2 * length))
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
                killed += 1
            problem = self.after_kill()
            if problem:
                self.tool.fault(f"kill {moment}: {problem}", "after a kill")
            if numbers.random() < 0.1 or moment == count - 1:
                self.complete(moment)
                completed += 1
        print(
            f"{self.name}: {count} times, {killed} killed, {completed} run again and compared; "
            f"it takes {length * 1000:.0f} ms"
        )
        if killed < count / 10:
            self.tool.fault("the moments were badly chosen: too few were killed")

    def length(self):
        """The duration of the command: the shortest of three runs."""
        lengths = []
        for _ in range(3):
            self.reset()
            started = time.monotonic()
            outcome = self.tool.run(*self.command, cwd=self.place, environment=self.environment)
            lengths.append(time.monotonic() - started)
            if outcome.status != 0:
                self.tool.fault(outcome)
        self.reset()
        return min(lengths)

    def complete(self, moment):
        """Runs the command to its end, checks that it has done its work, then resets everything."""
        outcome = self.tool.run(*self.command, cwd=self.place, environment=self.environment)
        if outcome.status != 0:
            self.tool.fault(f"kill {moment}: the next run fails: {outcome}", "the next run fails")
        else:
            problem = self.problem()
            if problem:
                self.tool.fault(f"kill {moment}: the next run: {problem}", "the next run")
        own = {"s.sqlite", "s.sqlite-wal", "s.sqlite-shm"} | self.files
        left = sorted(set(os.listdir(self.place)) - own)
        if left:
            self.tool.fault(
                f"kill {moment}: after the next run there is still {left}",
                "something is left in the folder",
            )
        left = os.listdir(self.temporary)
        if left:
            self.tool.fault(
                f"kill {moment}: the temporary folder still has {left}",
                "something is left in the temporary folder",
            )
        for path in set(os.listdir(self.place)) - own:
            os.remove(self.path(path))
        shutil.rmtree(self.temporary)
        os.makedirs(self.temporary)
        self.reset()


class Backup(Killed):
    name, files = "backup", {"bk"}

    def prepare(self):
        shutil.copy(self.supplies.big, self.path("s.sqlite"))
        self.command = ("backup", "--force", "bk", "--store", "s.sqlite")
        self.rows = stores.row_counts(self.path("s.sqlite"))
        self.former = self.supplies.small
        stores.write(self.path("bk"), self.former)
        self.former_rows = stores.row_counts(self.path("bk"))

    def reset(self):
        stores.remove(self.path("bk"))
        stores.write(self.path("bk"), self.former)

    def after_kill(self):
        try:
            rows = stores.row_counts(self.path("bk"))
        except sqlite3.Error as error:
            return f"the backup cannot be read: {error}"
        return None if rows in (self.rows, self.former_rows) else f"the backup has the rows {rows}"

    def problem(self):
        check = self.tool.run("check", "--quick", "--store", self.path("bk"))
        if check.status != 0:
            return f"{check}"
        rows = stores.row_counts(self.path("bk"))
        return None if rows == self.rows else f"the backup has the rows {rows}"


class AppFormat(Killed):
    """SQLite sorts in unnamed files in the temporary folder."""

    name, files = "app-format", {"app"}

    def prepare(self):
        shutil.copy(self.supplies.big, self.path("s.sqlite"))
        self.command = ("backup", "--app-format", "--force", "app", "--store", "s.sqlite")
        self.regions = stores.row_counts(self.path("s.sqlite"))["regions"]
        self.former = stores.read(self.supplies.app)
        self.reset()

    def reset(self):
        stores.remove(self.path("app"))
        stores.write(self.path("app"), self.former)

    def after_kill(self):
        if stores.read(self.path("app")) == self.former:
            return None
        return self.problem()

    def problem(self):
        try:
            rows = stores.app_rows(self.path("app"))
        except sqlite3.Error as error:
            return f"the app's database cannot be read: {error}"
        return None if rows == self.regions else f"the app's database has {rows} rows"


class Export(Killed):
    name, files = "export", {"cells"}

    def prepare(self):
        # Many tiles that compress badly, so that the export takes a while.
        numbers = random.Random(f"{self.supplies.seed} cells")
        cells_file = stores.write(self.path("random"), cells.random_file(numbers, 6_000))
        self.supplies.must("import", self.supplies.track(0), "--store", self.path("s.sqlite"))
        self.supplies.must("coverage", "--import", cells_file, "--store", self.path("s.sqlite"))
        os.remove(cells_file)
        self.command = ("coverage", "--export", "cells", "--store", "s.sqlite")
        if self.tool.knows("coverage", "--force"):
            self.command += ("--force",)
        else:
            self.tool.fault("coverage --export has no --force")
        self.former = stores.read(self.supplies.coverage)
        self.supplies.must(
            "coverage", "--export", self.path("calm"), "--store", self.path("s.sqlite")
        )
        self.whole = stores.read(self.path("calm"))
        os.remove(self.path("calm"))

    def reset(self):
        stores.write(self.path("cells"), self.former)

    def after_kill(self):
        found = stores.read(self.path("cells"))
        return None if found in (self.whole, self.former) else f"{len(found)} bytes of cells"

    def problem(self):
        return None if stores.read(self.path("cells")) == self.whole else "other cells"


class Adopt(Killed):
    """The app's database has a log, so the tool reads a copy of it in a temporary folder."""

    name, files = "adopt", {"app", "app-wal"}

    def prepare(self):
        source = self.path("source")
        with closing(sqlite3.connect(source)) as database:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute(tracks.APP_TABLE)
            database.executemany(tracks.INSERT_APP_ROW, tracks.app_rows(self.supplies.seed, 800))
            database.commit()
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.executemany(
                tracks.INSERT_APP_ROW, tracks.app_rows(self.supplies.seed + 1, 200)
            )
            database.commit()
            # As an open app leaves it: the last rows are only in the log.
            for suffix in ("", "-wal"):
                shutil.copy(source + suffix, self.path("app") + suffix)
        stores.remove(source)
        self.input = [stores.digest(self.path(name)) for name in sorted(self.files)]
        self.command = ("adopt", "app", "--store", "s.sqlite")
        store = self.path("s.sqlite")
        self.supplies.must("import", self.supplies.track(0), "--store", store)
        self.former, self.former_rows = stores.read(store), stores.row_counts(store)
        self.tool.run(*self.command, cwd=self.place, environment=self.environment)
        self.rows = stores.row_counts(store)

    def reset(self):
        stores.remove(self.path("s.sqlite"))
        stores.write(self.path("s.sqlite"), self.former)

    def after_kill(self):
        rows = stores.row_counts(self.path("s.sqlite"))
        return None if rows in (self.rows, self.former_rows) else f"the store has the rows {rows}"

    def problem(self):
        if [stores.digest(self.path(name)) for name in sorted(self.files)] != self.input:
            return "the app's database changed"
        check = self.tool.run("check", "--store", self.path("s.sqlite"))
        if check.status != 0:
            return f"{check}"
        rows = stores.row_counts(self.path("s.sqlite"))
        return None if rows == self.rows else f"the store has the rows {rows}"
