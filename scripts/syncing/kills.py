"""Kills syncs of both sides at random moments: nothing is half, and the next sync completes."""

import os
import random
import shutil
import time

from . import sealed
from .changes import Changes
from .device import Device, files, require, require_equal

# After so many kills, the two devices begin again with new stores and a new folder.
LIFE = 50
# The age of a partial file that no running sync can have, in seconds.
DAY = 2 * 86_400


class Couple:
    """Two devices that share one folder, and what was seen of it."""

    def __init__(self, roqua, folder, changes):
        shared = folder / "Shared"
        shared.mkdir(parents=True)
        self.laptop = Device(roqua, folder / "laptop", "Laptop", shared)
        self.phone = Device(roqua, folder / "phone", "Phone", shared)
        self.both = (self.laptop, self.phone)
        self.shared, self.changes = shared, changes
        self.opened = set()
        self.is_joined = False

    def join(self):
        """Both are members afterward, also if the first sync was killed."""
        self.laptop.sync()
        self.laptop.run("sync", "add", self.phone.public_key(), "--name", self.phone.name)
        self.is_joined = True

    def check(self, with_age, after_kill=False):
        """Both stores are sound, and no file of the folder is half."""
        for device in self.both:
            if device.store.exists() and device.store.stat().st_size > 0:
                device.check(after_kill)
        if with_age and any(name.startswith("keys/") for name in self.whole_files()):
            sealed.open_all(self.laptop, self.opened)

    def whole_files(self):
        return [name for name in files(self.shared) if ".roqua-part-" not in name]

    def settle(self):
        """Syncs until both know all, and compares."""
        for device in (*self.both, *self.both):
            report = device.sync()
            require(
                not report["problems"],
                f"{device.name} misses something: {report}")
        require_equal(self.laptop, self.phone)
        report = self.laptop.sync()
        require(
            report["filesWritten"] == 0 and not any(report["received"].values()),
            f"something is new after everything was synced: {report}")


    def clean(self):
        """Files that were never completed are removed once nobody can be writing them any more.
        Returns how many there were."""
        left = sealed.partials(self.shared)
        past = time.time() - DAY
        for name in left:
            os.utime(self.shared / name, (past, past))
        for device in self.both:
            device.sync()
        left_still = sealed.partials(self.shared)
        require(not left_still, f"{len(left_still)} partial files are left: {left_still[:1]}")
        return len(left)


def mark(store):
    """What changes when a store does."""
    found = []
    for path in (store, store.with_name(store.name + "-wal")):
        try:
            status = path.stat()
        except FileNotFoundError:
            continue
        if status.st_size:
            found.append((path.name, status.st_size, status.st_mtime_ns))
    return found


def kill_after(process, seconds):
    """Kills by time. Returns whether it was still running."""
    end = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < end:
        time.sleep(0.0005)
    return kill(process)


def kill_after_files(process, shared, count, extra):
    """Kills when so many names have appeared or gone in the folder, and a moment later."""
    folders = [shared / name for name in ("", "keys", "devices", "sources")]

    def names():
        found = set()
        for folder in folders:
            try:
                found.update((folder, name) for name in os.listdir(folder))
            except FileNotFoundError:
                pass
        return found

    before, seen = names(), set()
    while process.poll() is None and len(seen) < count:
        now = names()
        seen |= now ^ before
        before = now
    end = time.monotonic() + extra
    while time.monotonic() < end:
        pass
    return kill(process)


def kill_after_log(process, store, extra):
    """Kills when SQLite's log of the store changes, which is at the commit, or a moment later."""
    log = store.with_name(store.name + "-wal")

    def state():
        try:
            status = log.stat()
        except FileNotFoundError:
            return None
        return (status.st_size, status.st_mtime_ns) if status.st_size else None

    before = state()
    while process.poll() is None and state() == before:
        pass
    end = time.monotonic() + extra
    while time.monotonic() < end:
        pass
    return kill(process)


def kill(process):
    if process.poll() is not None:
        return False
    process.kill()
    process.wait()
    return process.returncode < 0


def check(roqua, folder, samples, seed, count):
    order = random.Random(seed + 3)
    changes = Changes(order, folder / "tracks")
    with_age = shutil.which("age") is not None
    couple, number = None, 0
    killed = writing = storing = completed = founding = partial = 0
    length = 0.2
    for moment in range(count):
        if couple is None:
            couple = Couple(roqua, folder / f"life{number}", changes)
            number += 1
            for device in couple.both:
                changes.import_new(device, 4)
        if couple.is_joined:
            for device in couple.both:
                changes.thin_out(device, 25)
                if order.random() < 0.7:
                    changes.change(device)
                changes.import_new(device, order.randrange(1, 8))
        device = order.choice(couple.both) if couple.is_joined else couple.laptop
        before, logged = set(files(couple.shared)), mark(device.store)
        process = device.start("sync", couple.shared, "--name", device.name)
        kind = order.random()
        if kind < 0.25:
            was_killed = kill_after(process, order.uniform(0, length * 1.2))
        elif kind < 0.5:
            was_killed = kill_after_log(process, device.store, order.uniform(0, 0.002))
        else:
            was_killed = kill_after_files(
                process, couple.shared, order.randrange(1, 10), order.uniform(0, 0.004))
        if was_killed:
            killed += 1
            if set(files(couple.shared)) != before:
                writing += 1
            elif mark(device.store) != logged:
                storing += 1
            founding += not couple.is_joined
        couple.check(with_age, after_kill=True)
        if not couple.is_joined:
            couple.join()
            continue
        # The next sync completes: of the one that was killed, or of the other one first.
        start = time.monotonic()
        for one in order.sample(couple.both, order.randrange(1, 3)):
            report = one.sync()
            one.check()
            completed += 1
            require(
                not report["problems"],
                f"kill {moment}: {one.name} misses something: {report}")
        length = min(1, 0.9 * length + 0.1 * (time.monotonic() - start))
        is_last = moment == count - 1 or moment % LIFE == LIFE - 1
        if is_last or moment % 10 == 9:
            couple.settle()
        if is_last:
            couple.check(with_age)
            partial += couple.clean()
            shutil.rmtree(folder / f"life{number - 1}")
            couple = None
    require(
        killed >= count / 2 and writing + storing >= count / 4,
        f"the moments were badly chosen: {killed} of {count} killed, "
        f"{writing + storing} while writing")
    return (
        f"{killed} of {count} syncs killed, {writing} while they wrote files, {storing} while they "
        f"changed the store, {founding} of a new folder; {completed} syncs completed, {number} "
        f"pairs equal, {partial} partial files removed")
