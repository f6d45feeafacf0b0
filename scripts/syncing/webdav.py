"""Two devices whose folders rclone joins through a WebDAV server on the loopback interface."""

import pathlib
import random
import shutil
import subprocess
import time
import urllib.error
import urllib.request

from . import sealed
from .changes import Changes
from .device import Device, Failure, files, require, require_equal
from .syncthing import free_port

PATIENCE = 60


class Server:
    """`rclone serve webdav` on a folder, with a password."""

    def __init__(self, folder, home):
        self.folder, self.home = folder, home
        folder.mkdir(parents=True)
        home.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.environment = {
            "HOME": str(home), "PATH": "/usr/bin:/bin", "RCLONE_CONFIG": str(home / "rclone.conf"),
            "RCLONE_USER": "anna", "RCLONE_PASS": "secret"}
        log = open(home / "server.log", "ab")
        self.process = subprocess.Popen(
            ["rclone", "serve", "webdav", folder, "--addr", f"127.0.0.1:{self.port}",
             "--dir-cache-time", "0s", "--vfs-cache-mode", "off"],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        password = self.rclone("obscure", "secret").strip()
        (home / "rclone.conf").write_text(
            f"[dav]\ntype = webdav\nurl = http://127.0.0.1:{self.port}\nvendor = other\n"
            f"user = anna\npass = {password}\n")

    def __enter__(self):
        end = time.monotonic() + PATIENCE
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=PATIENCE)
            except urllib.error.HTTPError:
                return self  # it asks for the password
            except OSError:
                require(time.monotonic() < end, "the WebDAV server did not start")
                time.sleep(0.05)
            else:
                raise Failure("the WebDAV server asks for no password")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(PATIENCE)

    def rclone(self, *arguments):
        done = subprocess.run(
            ["rclone", *map(str, arguments)], env=self.environment, capture_output=True, text=True,
            timeout=PATIENCE)
        require(done.returncode == 0, f"rclone {arguments}: {done.stderr}")
        return done.stdout

    def up(self, device):
        """Sends what is new, as a line of cron would. Nothing is deleted on the server."""
        self.rclone("copy", device.shared, "dav:", "--immutable")

    def down(self, device):
        self.rclone("copy", "dav:", device.shared, "--immutable")

    def mirror(self, device):
        """Makes the server equal to a device: what the device has removed is removed there."""
        self.rclone("sync", device.shared, "dav:")

    def fetch(self, device):
        """Makes a device equal to the server."""
        self.rclone("sync", "dav:", device.shared)


def check(roqua, folder, samples, seed, rounds):
    """Rounds of changes on both devices. Deletions do not travel, then they do."""
    if not shutil.which("rclone"):
        return "skipped: rclone is not installed (scripts/install-checkers)"
    order = random.Random(seed + 1)
    laptop = Device(roqua, folder / "laptop", "Laptop", folder / "laptop" / "Roqua")
    phone = Device(roqua, folder / "phone", "Phone", folder / "phone" / "Roqua")
    changes = Changes(order, folder / "tracks")
    for number, sample in enumerate(samples):
        (phone, laptop)[number % 2].run("import", "--quiet", sample)
    with Server(folder / "server", folder / "home") as server:
        laptop.found()
        server.up(laptop)
        server.down(phone)
        laptop.run("sync", "add", phone.public_key(), "--name", phone.name)
        server.up(laptop)
        server.down(phone)
        for number in range(rounds):
            for device in order.sample((laptop, phone), 2):
                for _ in range(order.randrange(1, 4)):
                    changes.change(device)
                # Half of the time, only a part of what is there arrives.
                if order.random() < 0.5:
                    server.down(device)
                device.sync(status=(0, 2))
                server.up(device)
        for device in (laptop, phone, laptop, phone):
            server.down(device)
            device.sync(status=(0, 2))
            server.up(device)
        require_equal(laptop, phone)
        # Copying both ways brings back what a device removed; the other files are all needed.
        copied = len(files(server.folder))
        server.down(laptop)
        laptop.sync()
        server.mirror(laptop)
        server.fetch(phone)
        phone.sync()
        server.mirror(phone)
        server.fetch(laptop)
        mirrored = len(files(server.folder))
        require_equal(laptop, phone)
        nothing = laptop.sync()
        require(
            nothing["filesWritten"] == 0 and not any(nothing["received"].values()),
            f"something is new after everything was synced: {nothing}")
        half = check_half(folder, laptop, phone, server, changes)
        sealed.open_all(laptop)
        opened = len(files(server.folder))
    return (
        f"{rounds} rounds, {laptop.source_count()} sources, {len(laptop.contents()):,} equal rows; "
        f"{copied} files, {mirrored} after deletions traveled, {opened} in the end; {half}")


def check_half(folder, laptop, phone, server, changes):
    """Files that arrive late, in part, or as rclone names them until they are whole."""
    changes.import_new(laptop, 3)
    laptop.sync()
    server.up(laptop)
    before = files(phone.shared)
    server.down(phone)
    new = sorted(
        name for name in set(files(phone.shared)) - set(before) if name.startswith("sources/"))
    require(len(new) == 3, f"the new sources are {new}")
    kept = {}
    for place, name in enumerate(new):
        path = phone.shared / name
        kept[name] = path.read_bytes()
        if place == 0:
            path.write_bytes(kept[name][:700])
        elif place == 1:
            path.rename(path.with_name(path.name + ".1a2b3c4d.partial"))
        else:
            path.write_bytes(b"")
    report = phone.sync(status=2)
    reported = {one.get("file") for one in report["problems"]}
    require(reported == set(new), f"of {new}, {reported} were reported")
    for name, data in kept.items():
        path = phone.shared / name
        path.with_name(path.name + ".1a2b3c4d.partial").unlink(missing_ok=True)
        path.write_bytes(data)
    phone.sync()
    server.mirror(phone)
    server.fetch(laptop)
    laptop.sync()
    require_equal(laptop, phone)
    return "half, renamed and empty files are waited for"
