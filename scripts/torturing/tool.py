"""The tool under test: runs commands, watches their time and memory, and collects faults."""

import collections, json, os, resource, signal, subprocess, tempfile, threading, time

# A command that uses more data memory is stopped, to protect the machine.
DATA_BYTES = 3 << 30
# The number of faults of one kind in a stage that are printed in full; the rest are counted.
SHOWN, SHOWN_OF_STAGE = 2, 40


class Outcome:
    """The outcome of a command."""

    def __init__(self, command, status, out, err, seconds, megabytes, is_late):
        self.command = command if len(command) < 200 else command[:200] + "…"
        self.status = status  # negative: the signal
        self.out_bytes, self.err_bytes = out, err
        self.out = out.decode("utf-8", "replace")
        self.err = err.decode("utf-8", "replace")
        self.seconds, self.megabytes, self.is_late = seconds, megabytes, is_late

    def __str__(self):
        end = f"signal {-self.status}" if self.status < 0 else f"status {self.status}"
        return f"`{self.command}` ends with {end}: {printable(self.err or self.out)}"

    @property
    def document(self):
        """The JSON document on standard output, or None."""
        try:
            return json.loads(self.out)
        except ValueError:
            return None

    def has_one_line(self):
        """Whether standard error has exactly one line of plain text."""
        return self.err.count("\n") == 1 and len(self.err.strip()) > 0 and not self.oddity()

    def names(self, *words):
        """Whether the output contains one of some words, in upper or lower case."""
        text = (self.err + self.out).lower()
        return any(word.lower() in text for word in words)

    def oddity(self):
        """A description of any text that a terminal or a program should not receive; None if all is
        plain."""
        # An export to standard output is binary.
        out = b"" if "--export -" in self.command else self.out_bytes
        for name, data in (("stdout", out), ("stderr", self.err_bytes)):
            try:
                text = data.decode("utf-8")
            except UnicodeDecodeError:
                return f"{name} is not UTF-8"
            for character in text:
                if is_control(character):
                    return f"{name} has the control character {ord(character):#04x}"
        return None


def is_control(character):
    """Whether a character controls a terminal: all of C0 except the line feed, DEL and C1."""
    code = ord(character)
    return code < 0x20 and character != "\n" or 0x7F <= code < 0xA0


def printable(text, length=300):
    """A text on one line, for a report."""
    line = "".join("?" if is_control(c) else c for c in text.strip().replace("\n", " | "))
    return line if len(line) <= length else line[:length] + "…"


class Tool:
    """The binary, its environment and its faults. Threads may share it."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.stage = ""
        self.faults = collections.Counter()
        self.runs = self.shown = 0
        self.kinds, self.unseen = collections.Counter(), collections.Counter()
        self.lock = threading.Lock()
        self.home = os.path.join(folder, "home")
        os.makedirs(self.home)
        # Nothing reaches the user's own store, and a crash takes no time for a backtrace.
        self.environment = {**os.environ, "HOME": self.home, "SWIFT_BACKTRACE": "enable=no"}
        for name in ("ROQUA_STORE", "XDG_DATA_HOME"):
            self.environment.pop(name, None)
        self.helps = {}

    def start(self, *arguments, **options):
        """Starts a process; the caller waits for its end."""
        options.setdefault("env", self.environment)
        return subprocess.Popen([self.path, *arguments], **options)

    def run(self, *arguments, seconds=300, binary=None, prefix=(), environment=None, **options):
        """Runs a command to its end, or kills it after `seconds`.

        Output goes to files, because a command may write more than a pipe can hold.
        """
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            options.setdefault("stdout", out)
            started = time.monotonic()
            process = subprocess.Popen(
                [*prefix, binary or self.path, *arguments],
                stderr=err,
                stdin=options.pop("stdin", subprocess.DEVNULL),
                env={**self.environment, **(environment or {})},
                **options,
            )
            if hasattr(resource, "prlimit"):
                try:
                    resource.prlimit(process.pid, resource.RLIMIT_DATA, (DATA_BYTES, DATA_BYTES))
                except OSError:
                    pass  # it has ended already
            late = threading.Event()

            def end():
                late.set()
                try:
                    os.kill(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass  # it has ended at this moment

            timer = threading.Timer(seconds, end)
            timer.start()
            _, state, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(state)
            length = time.monotonic() - started
            out.seek(0)
            err.seek(0)
            with self.lock:
                self.runs += 1
            # ru_maxrss: KiB on Linux, bytes on Apple's systems.
            unit = 1 << 20 if os.uname().sysname == "Darwin" else 1 << 10
            return Outcome(
                " ".join(arguments),
                process.returncode,
                out.read(1 << 26),
                err.read(1 << 20),
                length,
                usage.ru_maxrss // unit,
                late.is_set(),
            )

    def knows(self, command, option):
        """Whether a command has an option."""
        if command not in self.helps:
            self.helps[command] = self.run("help", command).out
        return option in self.helps[command]

    def fault(self, text, kind=None):
        """Reports a fault. Only the first few of one kind are printed."""
        with self.lock:
            self.faults[self.stage] += 1
            if kind is not None:
                self.kinds[kind] += 1
                if self.kinds[kind] > SHOWN or self.shown >= SHOWN_OF_STAGE:
                    self.unseen[kind] += 1
                    return
            self.shown += 1
            text = text.replace(self.folder + os.sep, "")
            print(f"FAULT: {self.stage}: {printable(text, 1_000)}", flush=True)

    def begin(self, stage):
        self.stage = stage
        self.runs = self.shown = 0
        self.kinds.clear()
        self.unseen.clear()

    def end(self):
        """Prints the number of faults of the stage that were not printed."""
        for kind, count in self.unseen.most_common():
            print(f"FAULT: {self.stage}: {count} more: {kind}", flush=True)

    def answers(self, store):
        """All answers about a store, without anything that depends on when it was created."""
        regions = self.run("within", "-90", "-180", "90", "180", "--json", "--store", store)
        statistics = self.run("stats", "--by", "day", "--by", "country", "--json", "--store", store)
        return regions.status, regions.out, statistics.status, statistics.out
