"""Coverage files as defined in docs/formats/coverage.md."""

import struct


def entry(value):
    for _ in range(8):
        value = value >> 1 ^ (0x82F6_3B78 if value & 1 else 0)
    return value


SUMS = [entry(byte) for byte in range(256)]


def crc32c(data):
    crc = 0xFFFF_FFFF
    for byte in data:
        crc = crc >> 8 ^ SUMS[crc & 0xFF ^ byte]
    return crc ^ 0xFFFF_FFFF


def varint(number):
    data = bytearray()
    while number >= 0x80:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(data) + bytes([number])


def random_file(numbers, tiles):
    """A coverage file of the default grid: tiles whose cells are explored at random."""
    data = bytearray(b"RQCV" + struct.pack("<HI", 1, 150_000))
    key, cells = -1, 0
    for _ in range(tiles):
        step = numbers.randrange(1, 1_000)
        key += step
        bits = numbers.randbytes(512)
        cells += bin(int.from_bytes(bits, "little")).count("1")
        data += varint(step) + b"\x02" + bits
    data += b"\0" + varint(tiles) + varint(cells)
    return bytes(data) + struct.pack("<I", crc32c(data))
