"""Stores, folders and file systems that cannot be written to, with and without a log.

Queries return the same answers as on writable media. Changes fail with a line that says why, and
nothing in the folder changes. Root may write to all files, so the tool then runs as another user.
"""

import os, shutil, subprocess, time
from . import stores, tracks

USER = 65534
REASONS = (
    "read-only",
    "read only",
    "permission",
    "not permitted",
    "cannot be written",
    "not writable",
)
# Modes of the files and of the folder.
MODES = {
    "a read-only file": (0o444, 0o755),
    "a read-only folder": (0o644, 0o555),
    "a read-only file and folder": (0o444, 0o555),
}
MOUNT = (
    'mount -t tmpfs -o size=256m,mode=755 tmpfs "$1" && cp -a "$2"/. "$1" &&'
    ' mount -o remount,ro "$1" && cd "$1" && shift 2 && exec "$@"'
)


# A mount namespace; without root permissions, a user namespace as well.
UNSHARE = ("unshare", "-m") if os.geteuid() == 0 else ("unshare", "-r", "-m")


def run(tool, supplies, folder, _):
    os.chmod(folder, 0o755)
    media = Media(tool, supplies, folder)
    words = []
    if media.prefix is None:
        words.append("modes NOT RUN, as the tool cannot run as another user")
    for log in media.logs:
        if media.prefix is not None:
            for words_of_mode, modes in MODES.items():
                media.attack(f"{words_of_mode} {log}", log, modes)
        if media.can_mount:
            media.attack(f"a read-only file system {log}", log, None)
    if not media.can_mount:
        words.append("read-only file system NOT RUN, as mounting is not permitted")
    print(
        f"readonly: {media.asked} questions and {media.changed} changes of stores "
        f"that cannot be written to{''.join('; ' + word for word in words)}"
    )


class Media:
    def __init__(self, tool, supplies, folder):
        self.tool, self.supplies, self.folder = tool, supplies, folder
        self.asked = self.changed = 0
        self.before = None
        self.out = self.make("out")
        self.own(self.out)
        # Other users may not have access to the folder where the tool is built.
        binary = shutil.copy(tool.path, os.path.join(folder, "roqua"))
        os.chmod(binary, 0o755)
        self.binary = binary
        self.prefix = self.other_user()
        self.can_mount = self.mounts()
        self.logs = {
            "without a log": None,
            "with a log": ("-wal",),
            "with a log and its index": ("-wal", "-shm"),
        }
        self.prepare()

    def make(self, name):
        path = os.path.join(self.folder, name)
        os.makedirs(path)
        os.chmod(path, 0o755)
        return path

    def other_user(self):
        """A command prefix that makes file modes apply; None if that is impossible."""
        if os.geteuid() != 0:
            return []
        for path in (os.path.dirname(self.folder), self.supplies.folder, self.tool.home):
            os.chmod(path, 0o755)
        prefix = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
        try:
            done = subprocess.run(
                [*prefix, self.binary, "--version"], capture_output=True, env=self.tool.environment
            )
        except OSError:
            return None
        return prefix if done.returncode == 0 else None

    def mounts(self):
        """Whether a file system can be mounted in a separate namespace."""
        if shutil.which("unshare") is None:
            return False
        empty, place = self.make("empty"), self.make("mount")
        done = subprocess.run(
            [*UNSHARE, "sh", "-c", MOUNT, "sh", place, empty, "touch", "x"],
            capture_output=True,
            text=True,
            env={**os.environ, "LC_ALL": "C"},
        )
        return done.returncode != 0 and "ead-only" in done.stderr

    def prepare(self):
        """Stores to copy, one of them with a log, and the answers of the writable originals."""
        for number in (3, 8):
            os.chmod(self.supplies.track(number), 0o644)
        for path in (self.supplies.more, self.supplies.other_app, self.supplies.other_coverage):
            os.chmod(path, 0o644)
        plain = self.make("plain")
        stores.write(os.path.join(plain, "s.sqlite"), self.supplies.small)
        logged = self.killed_import()
        self.sources, self.answers = {}, {}
        for log, suffixes in self.logs.items():
            source = shutil.copytree(
                logged if suffixes else plain, os.path.join(self.folder, f"of {log}")
            )
            for name in os.listdir(source):
                if not name.endswith(("sqlite",) + (suffixes or ())):
                    os.remove(os.path.join(source, name))
            self.sources[log] = source
            # Opening the copy moves the log into the file.
            usual = shutil.copytree(source, os.path.join(self.folder, f"usual {log}"))
            self.answers[log] = [
                self.tool.run(*question, "--store", "s.sqlite", cwd=usual).out_bytes
                for question in self.supplies.questions
            ]

    def killed_import(self):
        """The folder of a store whose last sources are only in its log, as after SIGKILL."""
        source = tracks.write_tracks(
            os.path.join(self.folder, "tracks"), self.supplies.seed + 70, 6, 4_000
        )
        whole = os.path.join(self.make("whole"), "s.sqlite")
        stores.write(whole, self.supplies.small)
        begun = time.monotonic()
        self.tool.run("import", source, "--store", whole)
        seconds = time.monotonic() - begun
        for turn in range(300):
            place = self.make(f"killed-{turn}")
            store = os.path.join(place, "s.sqlite")
            stores.write(store, self.supplies.small)
            size = os.path.getsize(store)
            child = self.tool.start(
                "import",
                source,
                "--store",
                store,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            time.sleep(seconds * (turn % 30 + 1) / 30)
            child.kill()
            child.wait()
            if os.path.exists(store + "-wal") and os.path.exists(store + "-shm"):
                look = shutil.copytree(place, os.path.join(self.folder, "look"))
                stored = len(stores.sources(os.path.join(look, "s.sqlite"))[1])
                shutil.rmtree(look)
                if stored > 3 and os.path.getsize(store) == size:
                    return place
            shutil.rmtree(place)
        raise RuntimeError("no import was killed while its sources were in the log")

    def attack(self, title, log, modes):
        place = os.path.join(self.folder, title)
        if modes:
            self.lay_out(place, log, modes)
        for question, answer in zip(self.supplies.questions, self.answers[log]):
            outcome = self.run(place, log, modes, *question)
            self.asked += 1
            if outcome.status != 0:
                self.tool.fault(f"{title}: {outcome}", f"{title}: a question fails")
            elif outcome.out_bytes != answer:
                self.tool.fault(f"{title}: {outcome}: not as usual", f"{title}: another answer")
            self.judge_folder(title, outcome, place, log, modes, "a question")
        copy = os.path.join(self.out, "copy.sqlite")
        stores.remove(copy)
        outcome = self.run(place, log, modes, "backup", copy)
        self.asked += 1
        if outcome.status != 0 or len(stores.sources(copy)[1]) != self.source_count(log):
            self.tool.fault(f"{title}: {outcome}: the backup is not whole", f"{title}: backup")
        app = os.path.join(self.out, "app.sqlite")
        stores.remove(app)
        outcome = self.run(place, log, modes, "backup", "--app-format", app)
        self.asked += 1
        if outcome.status != 0 or stores.app_rows(app) != stores.row_counts(copy)["regions"]:
            self.tool.fault(
                f"{title}: {outcome}: the app's database is not whole", f"{title}: --app-format"
            )
        for command in self.supplies.changing:
            outcome = self.run(place, log, modes, *command)
            self.changed += 1
            if outcome.status != 1 or not outcome.has_one_line():
                self.tool.fault(
                    f"{title}: {outcome}: not status 1 and one line", f"{title}: not refused"
                )
            elif not outcome.names(*REASONS):
                self.tool.fault(f"{title}: {outcome}: does not say why", f"{title}: no reason")
            self.judge_folder(title, outcome, place, log, modes, "a change")
        if modes:
            os.chmod(place, 0o755)

    def lay_out(self, place, log, modes):
        """A copy of a store's folder, write-protected."""
        if os.path.exists(place):
            os.chmod(place, 0o755)
            shutil.rmtree(place)
        shutil.copytree(self.sources[log], place)
        for name in os.listdir(place):
            self.own(os.path.join(place, name))
            os.chmod(os.path.join(place, name), modes[0])
        self.own(place)
        os.chmod(place, modes[1])
        self.before = stores.snapshot(place)

    def judge_folder(self, title, outcome, place, log, modes, kind):
        """Nothing in the folder may have changed. On a read-only file system nothing can."""
        if not modes:
            return
        after = stores.snapshot(place)
        index = "s.sqlite-shm"
        if modes[0] & 0o200 and index in self.before and index in after:
            # A reader records in the shared-memory file, if it is writable, what it reads.
            after[index] = self.before[index]
        change = stores.changes(self.before, after)
        if change:
            self.tool.fault(f"{title}: {outcome}: {change}", f"{title}: {kind} changes the folder")
            self.lay_out(place, log, modes)

    def source_count(self, log):
        return len(stores.sources(os.path.join(self.folder, f"usual {log}", "s.sqlite"))[1])

    def run(self, place, log, modes, *command):
        environment = {"TMPDIR": self.out}
        if modes:
            return self.tool.run(
                *command,
                "--store",
                "s.sqlite",
                binary=self.binary,
                prefix=self.prefix,
                cwd=place,
                environment=environment,
            )
        mount = [
            *UNSHARE,
            "sh",
            "-c",
            MOUNT,
            "sh",
            os.path.join(self.folder, "mount"),
            self.sources[log],
        ]
        return self.tool.run(*command, "--store", "s.sqlite", prefix=mount, environment=environment)

    def own(self, path):
        if os.geteuid() == 0:
            os.chown(path, USER, USER)
