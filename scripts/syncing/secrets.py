"""What the folder gives away: `age` opens every file, and nothing in it can be read without.

The bytes and the names of all files are searched for what the store knows, in every form in which a
program might write it. The same search finds it in the decrypted files.
"""

import json
import random
import re
import shutil
import struct

from . import sealed
from .changes import Changes
from .device import Device, Failure, files, require

# Forms of at most this many bytes are found by chance in random bytes. A handful of them proves
# nothing; a leak of all fixes would be hundreds.
SHORT = 5
CHANCE = 3


def zigzag(number):
    return number << 1 if number >= 0 else (-number << 1) - 1


def leb128(number):
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    found.append(number)
    return bytes(found)


def integers(number, sizes):
    """A number in both orders of bytes, and as varint."""
    found = [number.to_bytes(size, order, signed=True) for size in sizes
             for order in ("little", "big")]
    return found + [leb128(zigzag(number))]


def coordinate_forms(degrees):
    units = round(degrees * 1e7)
    found = integers(units, (4, 8))
    for form in ("<d", ">d", "<f", ">f"):
        found.append(struct.pack(form, degrees))
        found.append(struct.pack(form, units / 1e7))
    # Three decimals are the beginning of all longer texts.
    whole = f"{degrees:.7f}"
    return found + [whole[:whole.index(".") + 4].encode()]


def time_forms(milliseconds, text):
    return integers(milliseconds, (8,)) + integers(milliseconds // 1000, (4, 8)) + [
        text[:10].encode(), text[:19].encode(), struct.pack("<d", milliseconds / 1000),
        struct.pack(">d", milliseconds / 1000)]


def needles(device):
    """What may not be found, by kind."""
    found = {"coordinate": set(), "date": set(), "name": set(), "hash": set()}
    fixes = device.rows(
        "SELECT source_id, latitude, longitude, time, time_ms FROM roqua_fixes WHERE time NOTNULL")
    require(len(fixes) > 500, f"only {len(fixes)} fixes")
    # The first of each source is the one that the format writes as it is.
    first = {fix["source_id"]: fix for fix in reversed(fixes)}
    for fix in fixes[::max(1, len(fixes) // 300)] + list(first.values()):
        for degrees in (fix["latitude"], fix["longitude"]):
            found["coordinate"].update(coordinate_forms(degrees))
        found["date"].update(time_forms(fix["time_ms"], fix["time"]))
    for zone in device.json("zone", "list")["zones"]:
        found["coordinate"].update(coordinate_forms(zone["latitude"]))
        found["coordinate"].update(coordinate_forms(zone["longitude"]))
        found["name"].update(texts(zone["name"]))
        found["date"].add(zone["addedAt"][:10].encode())
    for source in device.json("sources")["sources"]:
        name = source["path"].rsplit("/", 1)[-1]
        found["name"].update(texts(source["path"]) | texts(name) | texts(name.split(".")[0]))
        found["hash"].add(source["sha256"][:16].encode())
        found["hash"].add(source["sha256"][:16].upper().encode())
        found["hash"].add(bytes.fromhex(source["sha256"])[:8])
        found["date"].update(
            source[key][:10].encode() for key in ("firstTime", "lastTime", "importedAt"))
    for one in device.json("sync", "status")["devices"]:
        found["name"].update(texts(one["name"]))
    return found


def texts(text):
    return {text.encode(), text.encode("utf-16-le"), text.encode("utf-16-be")}


class Search:
    """A search for many byte strings at once."""

    def __init__(self, needles):
        self.patterns = {}
        for kind, wanted in needles.items():
            for name, part in (
                    ("", {one for one in wanted if len(one) > SHORT}),
                    ("short ", {one for one in wanted if 3 < len(one) <= SHORT})):
                # Text that names a place in a few characters is still text.
                if part:
                    alternatives = b"|".join(re.escape(one) for one in sorted(part))
                    self.patterns[name + kind] = re.compile(b"(?=(" + alternatives + b"))", re.S)

    def hits(self, data):
        """The hits in some bytes, by kind."""
        found = {}
        for kind, pattern in self.patterns.items():
            hits = {match.group(1) for match in pattern.finditer(data)}
            if hits:
                found[kind] = hits
        return found

    def leaks(self, pieces):
        """What was found in many pieces and cannot be chance."""
        total = {}
        for name, data in pieces:
            for kind, hits in self.hits(data).items():
                total.setdefault(kind, []).extend((name, hit) for hit in hits)
        return {
            kind: hits for kind, hits in total.items()
            if not kind.startswith("short ") or len(hits) > CHANCE}


def check(roqua, folder, samples, seed):
    if not shutil.which("age"):
        return "skipped: age is not installed (scripts/install-checkers)"
    order = random.Random(seed + 2)
    shared = folder / "Shared"
    laptop = Device(roqua, folder / "laptop", "Annas-Notebook", shared)
    phone = Device(roqua, folder / "phone", "Annas-Telefon", shared)
    changes = Changes(order, folder / "tracks")
    for sample in samples:
        laptop.run("import", "--quiet", sample)
    changes.import_new(phone, 12)
    changes.add_zone(laptop)
    laptop.found()
    laptop.run("sync", "add", phone.public_key(), "--name", phone.name)
    # A key file of the next generation.
    lost = Device(roqua, folder / "lost", "Verlorenes-Telefon", shared)
    laptop.run("sync", "add", lost.public_key(), "--name", lost.name)
    lost.sync()
    for device in (phone, laptop, phone, laptop):
        device.sync(status=(0, 2))
    laptop.run("sync", "remove", lost.name)
    changes.import_new(phone, 4)
    for device in (phone, laptop, phone):
        device.sync()
    contents = sealed.open_all(laptop)
    found, key_files = sealed.open_key_files(laptop)
    require(len(found) == 2, f"{len(found)} identities after a device was removed")
    check_lost(lost, laptop, found)
    kinds = {name.split("/")[0] for name in contents}
    require(kinds == {"devices", "sources"}, f"age opened only {kinds}")
    key_payloads = {
        name: sealed.opened(shared / name, laptop.home / "device.key")
        for name in files(shared) if name.startswith("keys/")}
    search = Search(needles(laptop))
    names = sorted(files(shared))
    raw = [(name, (shared / name).read_bytes()) for name in names]
    leaks = search.leaks(raw + [(name, name.encode()) for name in names])
    for kind, hits in leaks.items():
        raise Failure(f"the folder gives away a {kind}: {hits[0][1]!r} in {hits[0][0]}")
    # The same search must find all kinds in the decrypted files.
    plain = search.leaks([*contents.items(), *key_payloads.items()])
    for kind in ("name", "date", "hash", "short coordinate", "short date"):
        require(kind in plain, f"the search does not find a {kind} in the decrypted files")
    for name in (laptop.name, phone.name):
        require(
            any(name.encode() in data for data in key_payloads.values()),
            f"{name} is not in a key file")
    check_search(search, laptop)
    sizes = {len(data) for _, data in raw}
    return (
        f"{key_files} key files and {len(contents)} others opened with 2 identities; "
        f"{sum(len(data) for _, data in raw):,} bytes and {len(names)} names searched for "
        f"{sum(len(one) for one in needles(laptop).values()):,} forms; {len(sizes)} sizes")


def check_lost(lost, laptop, found):
    """The removed device cannot read what was written after it was removed."""
    shared = laptop.shared
    current = max(found)[0]
    readable = unreadable = 0
    identity = lost.folder / "old"
    sealed.write_identities({one for one in found if one[0] < current}, identity)
    for name in files(shared):
        if not name.startswith(("sources/", "devices/")):
            continue
        try:
            sealed.opened(shared / name, identity)
            readable += 1
        except Failure as failure:
            require("no identity matched" in str(failure), str(failure))
            unreadable += 1
    require(
        readable and unreadable >= 4,
        f"with the old identity, {readable} files can be read and {unreadable} cannot")
    # Roqua on it says so. It gets a copy of the folder, because it may still write there.
    lost.shared = lost.folder / "Copy"
    shutil.copytree(shared, lost.shared)
    reported = lost.sync(status=2)
    require(reported["problems"], f"a removed device reads everything: {reported}")
    require(
        lost.source_count() < laptop.source_count(),
        "a removed device has what was written after it was removed")


def check_search(search, device):
    """Each form is found when it is there."""
    fix = device.rows("SELECT latitude, longitude, time, time_ms FROM roqua_fixes LIMIT 1")[0]
    text = json.dumps(fix).encode()
    filler = random.Random(1).randbytes(4_096)
    for data, kind in (
            (text, "coordinate"), (text, "date"),
            (struct.pack("<d", fix["latitude"]), "coordinate"),
            (struct.pack(">d", fix["longitude"]), "coordinate"),
            (round(fix["latitude"] * 1e7).to_bytes(8, "big", signed=True), "coordinate"),
            (fix["time_ms"].to_bytes(8, "little"), "date")):
        require(kind in search.hits(filler + data + filler), f"{data!r} is not found as a {kind}")
    require(not search.leaks([("filler", filler)]), "random bytes have hits")
