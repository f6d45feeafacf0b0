"""Two devices whose folders Syncthing carries: two real instances on the loopback interface."""

import datetime
import json
import random
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
import xml.etree.ElementTree as xml

from . import sealed
from .changes import Changes
from .device import Device, Failure, files, require, require_equal

PATIENCE = 60
FOLDER = "history"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Instance:
    """A running Syncthing that knows nobody but the other one."""

    def __init__(self, home, shared):
        self.home, self.shared = home, shared
        home.mkdir(parents=True)
        shared.mkdir(parents=True, exist_ok=True)
        self.environment = {
            "HOME": str(home), "PATH": "/usr/bin:/bin", "STNOUPGRADE": "1", "STNORESTART": "1",
            "GOMAXPROCS": "2"}
        done = subprocess.run(
            ["syncthing", "generate", f"--home={home}", "--no-default-folder",
             "--skip-port-probing"],
            env=self.environment, capture_output=True, text=True, timeout=PATIENCE)
        require(done.returncode == 0, f"syncthing generate: {done.stderr}")
        self.config = xml.parse(home / "config.xml")
        self.id = self.config.find("device").get("id")
        self.key = self.config.find("gui/apikey").text
        self.port, self.gui = free_port(), free_port()
        self.process = None

    def configure(self, other):
        """Names the other one; nothing but the loopback interface is used."""
        root = self.config.getroot()
        options = root.find("options")

        def set_option(name, value):
            for old in options.findall(name):
                options.remove(old)
            xml.SubElement(options, name).text = value

        for name, value in {
            "listenAddress": f"tcp://127.0.0.1:{self.port}", "globalAnnounceEnabled": "false",
            "localAnnounceEnabled": "false", "relaysEnabled": "false", "natEnabled": "false",
            "startBrowser": "false", "urAccepted": "-1", "autoUpgradeIntervalH": "0",
            "crashReportingEnabled": "false", "reconnectionIntervalS": "1",
            "progressUpdateIntervalS": "-1", "stunKeepaliveStartS": "0", "setLowPriority": "false",
        }.items():
            set_option(name, value)
        root.find("gui/address").text = f"127.0.0.1:{self.gui}"
        root.find("device/address").text = f"tcp://127.0.0.1:{self.port}"
        device = xml.SubElement(root, "device", id=other.id, name="other", compression="never")
        xml.SubElement(device, "address").text = f"tcp://127.0.0.1:{other.port}"
        # The watcher of Syncthing waits for ten seconds; a scan is asked for instead.
        folder = xml.SubElement(
            root, "folder", id=FOLDER, path=str(self.shared), type="sendreceive",
            rescanIntervalS="3600", fsWatcherEnabled="false")
        for one in (self.id, other.id):
            xml.SubElement(folder, "device", id=one)
        xml.SubElement(folder, "minDiskFree", unit="").text = "0"
        # Deleted and replaced files are no one's backup here.
        xml.SubElement(folder, "maxConflicts").text = "10"
        self.config.write(self.home / "config.xml")

    def start(self):
        log = open(self.home / "log", "ab")
        self.process = subprocess.Popen(
            ["syncthing", "serve", f"--home={self.home}", "--no-browser", "--no-restart",
             "--no-upgrade", "--logfile=-"],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def stop(self):
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def ask(self, path, body=None):
        """An answer of the REST interface; None while it is not there."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.gui}/rest/{path}", data=body)
        request.add_header("X-API-Key", self.key)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                text = answer.read()
        except (urllib.error.URLError, OSError):
            return None
        return json.loads(text) if text.strip() else {}

    def scan(self):
        wait_until(
            lambda: self.ask(f"db/scan?folder={FOLDER}", b"") is not None,
            f"a scan of {self.shared}")

    def is_connected_to(self, other):
        found = self.ask("system/connections") or {}
        return found.get("connections", {}).get(other.id, {}).get("connected", False)

    def is_done(self, other):
        """Whether this one has everything, and knows that the other one has."""
        status = self.ask(f"db/status?folder={FOLDER}")
        completion = self.ask(f"db/completion?folder={FOLDER}&device={other.id}")
        return (
            bool(status and completion) and status["state"] == "idle"
            and status["needTotalItems"] == 0 and completion["completion"] == 100
            and completion["needItems"] == 0 and completion["needDeletes"] == 0)


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise Failure(f"waited in vain for {what}")
        time.sleep(0.05)


class Pair:
    """Two instances that carry one folder between two places."""

    def __init__(self, folder, places):
        self.both = [Instance(folder / f"home{n}", place) for n, place in enumerate(places)]
        one, other = self.both
        one.configure(other)
        other.configure(one)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        for one in self.both:
            one.start()
        one, other = self.both
        wait_until(
            lambda: one.is_connected_to(other) and other.is_connected_to(one), "the connection")

    def stop(self):
        for one in self.both:
            one.stop()

    def carry(self):
        """Waits until both folders have the same files."""
        for one in self.both:
            one.scan()
        one, other = self.both
        wait_until(
            lambda: one.is_done(other) and other.is_done(one)
            and carried(one.shared) == carried(other.shared),
            "Syncthing")


def carried(folder):
    """The files that are carried, with their sizes."""
    return {
        name: size for name, size in files(folder).items() if not sealed.is_carried(name)}


def check(roqua, folder, samples, seed, rounds):
    """Rounds of changes on both devices, then conflicts."""
    if not shutil.which("syncthing"):
        return "skipped: syncthing is not installed (scripts/install-checkers)"
    order = random.Random(seed)
    laptop = Device(roqua, folder / "laptop", "Laptop", folder / "laptop" / "Sync")
    phone = Device(roqua, folder / "phone", "Phone", folder / "phone" / "Sync")
    changes = Changes(order, folder / "tracks")
    for number, sample in enumerate(samples):
        (laptop, phone)[number % 2].run("import", "--quiet", sample)
    laptop.run("settings", "colorScheme", "dark")
    with Pair(folder, [laptop.shared, phone.shared]) as pair:
        laptop.found()
        pair.carry()
        laptop.run("sync", "add", phone.public_key(), "--name", phone.name)
        pair.carry()
        kinds = set()
        for _ in range(rounds):
            for device in order.sample((laptop, phone), 2):
                for _ in range(order.randrange(1, 4)):
                    kinds.add(changes.change(device))
                device.sync(status=(0, 2))
            pair.carry()
        # What went last needs one way there, and what the other one makes of it one way back.
        for device in (laptop, phone, laptop, phone):
            device.sync(status=(0, 2))
            pair.carry()
        require_equal(laptop, phone)
        require(
            phone.json("settings")["colorScheme"] == "system", "colors are not of this device only")
        sealed.open_all(laptop)
        conflicts = check_conflicts(roqua, folder, laptop, phone, pair)
        sealed.open_all(phone)
    count = laptop.source_count()
    return (
        f"{rounds} rounds with {len(kinds)} kinds of changes, {count} sources, "
        f"{len(laptop.contents()):,} equal rows; {conflicts}")


def check_conflicts(roqua, folder, laptop, phone, pair):
    """Both sides write a file of one name while they are apart; Syncthing renames one."""
    # The same contents, encrypted twice, as when both devices write what was lost.
    found, _ = sealed.open_key_files(laptop)
    identity = folder / "both"
    sealed.write_identities(found, identity)
    names = sorted(name for name in files(laptop.shared) if name.startswith("sources/"))
    require(len(names) >= 3, "too few sources for conflicts")
    twice, foreign, renamed = names[:3]
    # Two devices may have imported one file while they were apart.
    before = {name for name in files(laptop.shared) if ".sync-conflict-" in name}
    pair.stop()
    recipient = subprocess.run(
        ["age-keygen", "-y", identity], capture_output=True, text=True).stdout.split()[0]
    for device in (laptop, phone):
        path = device.shared / twice
        write_sealed(path, sealed.opened(path, identity), recipient)
        # One of them has rubbish; the right one is the renamed copy, or the other way around.
        if device is phone:
            (device.shared / foreign).write_bytes(bytes(range(256)) * 4)
        else:
            path = device.shared / foreign
            write_sealed(path, sealed.opened(path, identity), recipient)
    pair.start()
    pair.carry()
    made = [
        name for name in files(laptop.shared)
        if ".sync-conflict-" in name and name not in before]
    require(len(made) == 2, f"Syncthing made the copies {made}")
    # A file that is there only under such a name, and its own name gone.
    mark = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    path = laptop.shared / renamed
    path.rename(path.with_name(f"{path.stem}.sync-conflict-{mark}-ABCDEFG.age"))
    # Something that belongs to nobody is left alone.
    (laptop.shared / "sources" / "holiday.jpg").write_bytes(b"JPEG")
    pair.carry()
    # A device that has nothing must read all of it.
    tablet = Device(roqua, folder / "tablet", "Tablet", phone.shared)
    phone.run("sync", "add", tablet.public_key(), "--name", tablet.name)
    report = tablet.sync()
    require(not report["problems"], f"{report}")
    # Twice: looking at achievements gives them a time on each device, and the earlier one counts.
    for device in (phone, laptop, tablet, phone, laptop, tablet):
        device.sync()
        pair.carry()
    require_equal(laptop, phone)
    require_equal(laptop, tablet)
    require((phone.shared / "sources" / "holiday.jpg").exists(), "a foreign file was removed")
    (laptop.shared / "sources" / "holiday.jpg").unlink()
    # Rubbish alone: reported, and everything else is read; then the right file is there again.
    names = sorted(one.name for one in (phone.shared / "sources").iterdir())
    path = phone.shared / "sources" / next(
        name for name in names if ".sync-conflict-" not in name
        and sum(other.startswith(name[:32]) for other in names) == 1)
    kept = path.read_bytes()
    path.write_bytes(kept[:-1] + bytes([kept[-1] ^ 1]))
    watch = Device(roqua, folder / "watch", "Watch", phone.shared)
    phone.run("sync", "add", watch.public_key(), "--name", watch.name)
    report = watch.sync(status=2)
    reported = [one.get("file") for one in report["problems"]]
    require(reported == [f"sources/{path.name}"], f"a damaged file was reported as {reported}")
    path.write_bytes(kept)
    for device in (watch, phone, laptop, watch, phone, laptop):
        device.sync()
        pair.carry()
    require_equal(laptop, watch)
    # The rubbish that Syncthing kept as a copy.
    for name in files(laptop.shared):
        if ".sync-conflict-" in name:
            (laptop.shared / name).unlink()
    pair.carry()
    laptop.sync()
    pair.carry()
    return f"{len(made)} conflicts of Syncthing, a renamed, a foreign and a damaged file"


def write_sealed(path, data, recipient):
    path.unlink()
    done = subprocess.run(
        ["age", "-r", recipient, "-o", path], input=data, capture_output=True, timeout=PATIENCE)
    require(done.returncode == 0, f"age: {done.stderr}")
