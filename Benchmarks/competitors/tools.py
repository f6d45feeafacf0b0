"""Running programs, installing missing ones, and the rows of tables."""

import dataclasses, functools, importlib.util, json, os, pathlib, shutil, statistics, subprocess
import sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent


def say(line):
    print(line, file=sys.stderr, flush=True)


@dataclasses.dataclass
class Row:
    """One contender of one query; Roqua's is the first."""

    question: str
    contender: str
    value: str  #: the measurement, with its unit
    ratio: str = ""  #: the multiple of Roqua's time
    memory: str = ""
    note: str = ""


@dataclasses.dataclass
class Must:
    """A figure with a limit that it must meet."""

    what: str
    measured: str
    must: str
    is_met: bool | None  #: None if it is not judged here
    aim: str = ""


@dataclasses.dataclass
class Section:
    title: str
    rows: list
    musts: list = dataclasses.field(default_factory=list)
    notes: list = dataclasses.field(default_factory=list)


class Run:
    """The state that all parts share."""

    def __init__(self, folder, is_quick, seed):
        self.folder, self.is_quick, self.seed = folder, is_quick, seed
        self.left_out = []

    @functools.cached_property
    def roqua(self):
        """The release build, as `make build` builds it."""
        return build(ROOT, "roqua", *self.release)

    @property
    def release(self):
        """Options of `make build`: on Linux, the Swift runtime is linked into the tool."""
        return ["--static-swift-stdlib"] if sys.platform == "linux" else []

    @functools.cached_property
    def with_spatialite(self):
        """The release build with SpatiaLite in the same process, if its library is installed. It
        takes four times as long to start and uses 14 MB more memory, so whole processes are timed
        without it."""
        if not self.has_debian("libspatialite-dev"):
            return self.roqua
        return build(
            ROOT,
            "roqua",
            *self.release,
            "--traits",
            "SpatiaLite",
            "--scratch-path",
            str(ROOT / ".build-spatialite"),
        )

    @functools.cached_property
    def generator(self):
        self.has_debian("libexpat1-dev")
        return build(HERE, "ingest-benchmark")

    @functools.cached_property
    def bench(self):
        """One run of `roqua bench` with all parts: its report, and the folder with its answers."""
        folder = self.folder / "bench"
        regions, questions = ("200k", "50") if self.is_quick else ("1M", "200")
        say(f"  roqua bench, {regions} regions")
        result = execute(
            [
                self.with_spatialite,
                "bench",
                "--json",
                "--regions",
                regions,
                "--questions",
                questions,
                "--seed",
                str(self.seed),
                "--keep",
                str(folder),
            ]
        )
        return json.loads(result.output), folder

    def leave_out(self, what, why):
        line = f"{what} was left out: {why}."
        say("  " + line)
        self.left_out.append(line)

    def has_debian(self, package):
        """Whether a Debian package is installed, or could be installed."""
        state = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Status}", package], capture_output=True, text=True
        )
        if "install ok installed" in state.stdout:
            return True
        if shutil.which("apt-get") is None or os.geteuid() != 0:
            return False
        say(f"  installing {package}")
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (
            ["update", "-qq"],
            ["install", "-y", "-qq", "--no-install-recommends", package],
        ):
            done = subprocess.run(["apt-get", *command], env=environment, capture_output=True)
        return done.returncode == 0

    def has_python(self, module, package):
        if importlib.util.find_spec(module) is not None:
            return True
        self.leave_out(package, "it could not be installed from PyPI")
        return False


def build(folder, product, *options):
    # SwiftPM notices new files of a dependency only when it reads the manifests again.
    pathlib.Path(folder, "Package.swift").touch()
    command = [
        "swift",
        "build",
        "-c",
        "release",
        "--package-path",
        str(folder),
        "--product",
        product,
        *options,
    ]
    subprocess.run(command, check=True, stdout=sys.stderr)
    path = subprocess.run([*command, "--show-bin-path"], check=True, capture_output=True, text=True)
    return os.path.join(path.stdout.strip(), product)


@dataclasses.dataclass
class Execution:
    seconds: float  #: wall-clock time
    processor: float  #: processor time on all cores
    memory: int  #: peak resident memory in bytes
    output: str


def execute(command, stdin=None, allow_failure=False):
    """Runs a program to its end."""
    command = [str(part) for part in command]
    launch = [sys.executable, "-S", "-E", str(HERE / "competitors" / "launch.py")]
    with tempfile.NamedTemporaryFile("r") as report:
        source = [str(stdin)] if stdin else []
        done = subprocess.run(
            [*launch, report.name, *source, "--", *command],
            capture_output=True,
            text=True,
            errors="replace",
        )
        if done.returncode:
            sys.exit(f"{command[0]} cannot be run: {done.stderr}")
        code, seconds, processor, memory = map(float, report.read().split())
    if code and not allow_failure:
        sys.exit(f"{' '.join(command[:4])} … failed with exit status {code:.0f}")
    scale = 1 if sys.platform == "darwin" else 1024
    return Execution(seconds, processor, int(memory) * scale, done.stdout)


def interleave(rounds, contenders):
    """Runs contenders in turns; returns a list of results for each name."""
    results = {name: [] for name in contenders}
    for number in range(rounds):
        for name, work in contenders.items():
            say(f"  round {number + 1} of {rounds}: {name}")
            results[name].append(work())
    return results


def median(values):
    return statistics.median(list(values))


def wrong(message):
    sys.exit("wrong answer: " + message)


def mega(bytes_):
    return f"{bytes_ / 1e6:,.0f} MB"


def times(ratio):
    return f"{ratio:,.2f}" if ratio < 10 else f"{ratio:,.0f}"


def span(seconds):
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6), ("ns", 1e9)):
        if seconds * factor >= 1 or unit == "ns":
            return f"{seconds * factor:.3g} {unit}"


def rate(value, unit):
    for prefix, factor in (("M ", 1e6), ("k ", 1e3), ("", 1)):
        if value >= factor or factor == 1:
            return f"{value / factor:.3g} {prefix}{unit}/s"
