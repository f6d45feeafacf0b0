"""Values that Roqua never writes into a store, selected by seed."""

import struct
from .cells import crc32c, varint

INTEGERS = (
    -(2**63),
    2**63 - 1,
    -1,
    0,
    1,
    2**53,
    2**53 + 1,
    2**31,
    2**31 - 1,
    -(2**31),
    2**32,
    4097,
    253_402_300_800_000,
    -62_135_596_800_001,
    2**62,
    10**18,
)
REALS = (
    1e308,
    -1e308,
    float("inf"),
    float("-inf"),
    5e-324,
    -0.0,
    90.0000001,
    -180.0,
    180.0,
    1e19,
    -9.3e18,
    0.1,
    360.5,
    1e-300,
)
TEXTS = (
    "",
    "9999-12-31T23:59:59Z",
    "-0001-01-01T00:00:00Z",
    "-9999-12-31T23:59:59Z",
    "2024-13-45T99:99:99Z",
    "2024-05-01",
    "0000-00-00T00:00:00Z",
    "10000-01-01T00:00:00Z",
    "2024-05-01T10:00:00.999999999Z",
    "\x1b[2J\x1b]0;title\x07",
    "a\nb\rc\td",
    "a\0b",
    "\x9b31m",
    "\u202egpj.exe",
    "\ufeff",
    "'; DROP TABLE x",
    "s" * 9,
    "zzzzzzzzz",
    "000000000",
    "DE",
    "0:1",
    "0:1,7200:0.5",
    "0:999999999999",
    "999999999999:1",
    "0:0,1:0,",
    "XX",
    "de",
    "\U0001f1e9",
    "%s%n%d",
    "é" * 300,
    "nan",
    "1e999",
    "9223372036854775808",
    "-1",
    "0x10",
    "{}",
    "../../etc/passwd",
    "e" * 63 + "\x1b",
    "countryCode",
    "maximumAccuracyMeters",
    "explorationRadiusMeters",
    "clusteringRadiusMeters",
)
REPORTS = (
    '{"forgotten": 9e999}',
    '{"forgotten": {"fixes": -9223372036854775808, "cells": 1e400}}',
    '{"kept": 1e308, "points": -1}',
    '{"kept": "x"}',
    '{"kept": 99999999999999999999999}',
    "[]",
    "null",
    '""',
    "{",
    "",
    "{}}",
    "[" * 100_000,
    '{"a":' * 5_000,
    '{"kept": 1, "kept": 2}',
    '{"path": "\\u001b[2J", "sha256": "\\u0000"}',
    '{"cut": true, "forgotten": true}',
    '{"bounds": {"south": 9e999, "west": -9e999, "north": null, "east": []}}',
    '{"warnings": [{"code": "\\u001b", "line": -1, "message": "\\u009b31m"}]}',
    '{"firstTime": "9999-12-31T23:59:59Z", "lastTime": 5}',
    '{"dropped": {"tooClose": -1e99}}',
    '{"segments": 18446744073709551616}',
    '{"a": "\\ud800"}',
    "nan",
    '{"kept": 1e-999}',
)
INVALID = (
    b"\xff\xfe",
    b"\xc3",
    b"abc\x80def",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xc0\xaf",
    b"\x1b[2J\xff",
)


def tile(numbers):
    """The bits of a tile with a valid checksum; the rest need not be valid."""
    full = b"\x01\x01" + bytes(7) + b"\x80"
    data = numbers.choice(
        (
            full,
            b"\x01" + bytes(8),
            b"\x01\x01" + bytes(7) + b"\xc0",
            b"\x02" + bytes(512),
            b"\x02" + b"\xff" * 512,
            b"\x02" + numbers.randbytes(512),
            b"\x01" + b"\xff" * 8 + b"\x80" * 64,
            b"\x03" + bytes(20),
            b"\x01\x03" + bytes(7) + b"\x80\x80",
            b"",
        )
    )
    return data + struct.pack("<I", crc32c(data))


def chunk(numbers):
    """A chunk of kept fixes that contains odd numbers."""
    odd = [varint(n) for n in (0, 1, 2, 4096, 2**31, 2**32 - 1, 2**63, 2**64 - 1, 1_799_999_999)]
    flags = numbers.choice((0, 1, 3, 5, 8, 9, 24, 25, 31, 63, 0xFF))
    length = numbers.choice((1, 2, 4, 4096))
    body = b"".join(numbers.choice(odd) for _ in range(2 * length + 4))
    return bytes([1, flags]) + varint(length) + b"\x01\x00" + body


def blob(numbers, old):
    """A blob, often nearly the original one."""
    way = numbers.randrange(10)
    if old and way < 4:
        data = bytearray(old)
        for _ in range(numbers.randrange(1, 4)):
            data[numbers.randrange(min(len(data), 40) if way < 2 else len(data))] = numbers.choice(
                (0, 1, 0x7F, 0x80, 0xFF, numbers.randrange(256))
            )
        return bytes(data)
    if way < 5:
        return old[: numbers.randrange(len(old) + 1)]
    if way < 6:
        return old + numbers.randbytes(numbers.randrange(1, 9))
    if way < 7:
        return chunk(numbers)
    if way < 8:
        return tile(numbers)
    return numbers.choice(
        (
            b"",
            b"\0",
            b"\xff" * 16,
            numbers.randbytes(100),
            bytes(3_000_000),
            b"\x01" + b"\x80" * 5_000,
            varint(2**63) * 4,
        )
    )


def value(numbers, column, old):
    """(SQL, value) to write into a column. The SQL takes the value as its parameter."""
    way = numbers.random()
    if isinstance(old, bytes) and way < 0.6:
        return "?", blob(numbers, old)
    if column in ("report", "original") and way < 0.6:
        return "?", numbers.choice(REPORTS)
    if isinstance(old, (int, float)) and way < 0.5:
        return "?", numbers.choice(INTEGERS + REALS)
    if isinstance(old, str) and way < 0.5:
        return "?", numbers.choice(TEXTS)
    kind = numbers.randrange(8)
    if kind == 0:
        return "?", None
    if kind == 1:
        return "?", numbers.choice(INTEGERS)
    if kind == 2:
        return "?", numbers.choice(REALS)
    if kind in (3, 4):
        return "?", numbers.choice(TEXTS)
    if kind == 5:
        return "CAST(? AS TEXT)", numbers.choice(INVALID)
    if kind == 6:
        return "?", numbers.choice(("x" * 1_000_000, "\x1b[31m" * 20, "a" * 70, "long " * 3_000))
    return "?", blob(numbers, old if isinstance(old, bytes) else b"")
