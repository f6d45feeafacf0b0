"""The files of a sync folder, read without Roqua: `age -d`, and docs/formats/sync.md."""

import pathlib
import subprocess

from .device import Failure, files, require

LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def bech32(prefix, data):
    """Bytes in Bech32, in upper case as age writes secret keys (BIP 173)."""

    def remainder(values):
        check = 1
        for value in values:
            top = check >> 25
            check = (check & 0x1FFFFFF) << 5 ^ value
            for bit, generator in enumerate(
                    (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
                check ^= generator if top >> bit & 1 else 0
        return check

    number, bits, values = 0, 0, []
    for byte in data:
        number, bits = number << 8 | byte, bits + 8
        while bits >= 5:
            bits -= 5
            values.append(number >> bits & 31)
    if bits:
        values.append(number << 5 - bits & 31)
    prefix_values = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix]
    check = remainder(prefix_values + values + [0] * 6) ^ 1
    values += [check >> 5 * (5 - place) & 31 for place in range(6)]
    return (prefix + "1" + "".join(LETTERS[value] for value in values)).upper()


def opened(path, identity):
    """The contents of an age file, or a failure."""
    done = subprocess.run(["age", "-d", "-i", identity, path], capture_output=True, timeout=60)
    require(done.returncode == 0, f"age -d {path.name}: {done.stderr.decode().strip()}")
    return done.stdout


def payload(data, name, kind):
    """The payload of an envelope."""
    require(data[:4] == b"RQSY", f"{name} begins with {data[:4]!r}")
    require(data[4] == 1 and data[5] == kind, f"{name} is of version {data[4]}, kind {data[5]}")
    length = int.from_bytes(data[38:46], "little")
    require(46 + length <= len(data), f"{name} has {len(data)} bytes and should have {length}")
    require(not any(data[46 + length:]), f"{name} is padded with other bytes than zeros")
    return data[46:46 + length]


def varint(data, place):
    number = shift = 0
    while True:
        byte = data[place]
        number |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return number, place


def identities(key_payload):
    """The folder's identities in a key file, as (generation, secret)."""
    count, place = varint(key_payload, 32)
    found = []
    for _ in range(count):
        generation, place = varint(key_payload, place)
        found.append((generation, key_payload[place:place + 32]))
        place += 32
    return found


KINDS = {"keys": 1, "devices": 2, "sources": 3, "backups": 4}
# Files that Roqua, or a program that carries the folder, keeps there; not in the age format.
OTHERS = ("About this folder.txt",)


def is_carried(path):
    """Whether a path belongs to the program that carries the folder."""
    parts = pathlib.PurePosixPath(path).parts
    return parts[0] in (".stfolder", ".stversions") or parts[-1].startswith(".syncthing.")


def open_key_files(device):
    """Opens every key file with the device's own key; returns the folder's identities."""
    found = set()
    names = sorted(path for path in files(device.shared) if path.startswith("keys/"))
    readable = 0
    for name in names:
        if ".roqua-part-" in name:
            continue
        try:
            data = opened(device.shared / name, device.home / "device.key")
        except Failure as failure:
            # A key file from before the device was added is not for it.
            if "no identity matched" not in str(failure):
                raise
            continue
        readable += 1
        found.update(identities(payload(data, name, 1)))
    require(readable, f"{device.name} can open none of {names}")
    return found, readable


def write_identities(found, path):
    """Writes identities as age reads them, the current one first."""
    current = sorted(found, key=lambda one: (-one[0], one[1]))
    path.write_text("".join(bech32("age-secret-key-", secret) + "\n" for _, secret in current))
    path.chmod(0o600)


def open_all(device, known=None):
    """Opens every file of the folder with age; returns the contents by path.

    known: files that were opened before, as (path, inode, size, time); files are never changed,
    so they are not opened again.
    """
    found, _ = open_key_files(device)
    identity = device.folder / "identities"
    write_identities(found, identity)
    contents = {}
    for name in sorted(files(device.shared)):
        path = device.shared / name
        if name in OTHERS or is_carried(name) or ".roqua-part-" in name:
            continue
        try:
            status = path.stat()
        except FileNotFoundError:
            continue
        mark = (name, status.st_ino, status.st_size, status.st_mtime_ns)
        if known is not None and mark in known:
            continue
        folder = name.split("/")[0]
        require(folder in KINDS and name.endswith(".age"), f"{name} does not belong here")
        if folder == "keys":
            continue
        data = opened(path, identity)
        payload(data, name, KINDS[folder])
        contents[name] = data
        if known is not None:
            known.add(mark)
    return contents


def partials(folder):
    return [name for name in files(folder) if ".roqua-part-" in name]
