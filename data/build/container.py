"""The packed file: a header, a table of sections, the sections, as in docs/formats/geodata.md."""

import struct
import zlib

MAGIC = b"RoquaGeo"
FORMAT_VERSION = 1
KINDS = {"boundaries": 1, "regions": 2, "land": 3, "places": 4, "names": 5, "seas": 6, "basemap": 7}
ALIGNMENT = 8


def country_index(code):
    """Two letters as one number, 0 ("AA") to 675 ("ZZ")."""
    assert len(code) == 2 and code.isascii() and code.isupper(), code
    return (ord(code[0]) - 65) * 26 + ord(code[1]) - 65


class StringPool:
    """Strings, each after one byte of length, every distinct string once; a string is identified by
    its offset."""

    def __init__(self):
        self.bytes = bytearray(b"\0")  # offset 0 is the empty string
        self.offsets = {"": 0}

    def offset(self, text):
        if text not in self.offsets:
            data = text.encode("utf-8")
            assert len(data) < 256, text
            self.offsets[text] = len(self.bytes)
            self.bytes += bytes([len(data)]) + data
        return self.offsets[text]


def pack(kind, vintage, sections):
    """One file. `sections` is a list of (four-letter tag, number of elements, bytes)."""
    table_end = 32 + 16 * len(sections)
    table, body = bytearray(), bytearray()
    for tag, count, data in sections:
        body += b"\0" * (-(table_end + len(body)) % ALIGNMENT)
        table += struct.pack("<4sIII", tag.encode(), table_end + len(body), len(data), count)
        body += data
    rest = struct.pack("<II", vintage, 0) + table + body
    head = struct.pack("<8sHHII", MAGIC, FORMAT_VERSION, KINDS[kind], len(sections), 24 + len(rest))
    return head + struct.pack("<I", zlib.crc32(rest)) + bytes(rest)


def unpack(data):
    """The sections of a file that pack made."""
    count = struct.unpack_from("<I", data, 12)[0]
    sections = []
    for index in range(count):
        tag, offset, length, elements = struct.unpack_from("<4sIII", data, 32 + 16 * index)
        sections.append((tag.decode(), elements, data[offset:offset + length]))
    return sections
