"""Reads the data of a map page, by docs/formats/coverage.md and the comments of FogMap/Page."""

import base64
import json
import re
import zlib

#: The number of 1970-01-01 in a page's days.
DAY_OF_1970 = 719_528
#: Minutes from 0001-01-01 to 1970-01-01.
ZERO_MINUTE = 1_035_593_280


class Reader:
    """Reads numbers from bytes."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self):
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def word(self):
        self.at += 8
        return int.from_bytes(self.data[self.at - 8 : self.at], "little")


class PageData:
    """What a page holds."""

    def __init__(self, path):
        self.html = path.read_text()
        self.info = json.loads(self.text("page"))
        self.lists = json.loads(self.blob("lists"))
        self.cells = self.read_cells(self.blob("cells"))
        self.regions = self.read_regions(self.blob("regions"))
        self.tracks = self.read_tracks(self.blob("tracks"))

    def text(self, name):
        return re.search(rf'<script id="{name}"[^>]*>(.*?)</script>', self.html, re.S).group(1)

    def blob(self, name):
        """The bytes of a part: base64 of a raw deflate stream."""
        return zlib.decompress(base64.b64decode(self.text(name)), -15)

    @staticmethod
    def read_cells(data):
        """Row and column of each cell, and its day since 1970; None for no day."""
        reader = Reader(data)
        assert reader.varint() == 1, "version of the cells"
        millimeters, squares, groups, runs = (reader.varint() for _ in range(4))
        columns = -(-79_920_000_000 // millimeters)
        across = -(-columns // 64)
        cells, key, seen = {}, 0, [0, 0]
        for _ in range(squares):
            key += reader.varint()
            day = 0
            for _ in range(reader.varint()):
                day += reader.varint()
                seen[0] += 1
                for row, bits in enumerate(PageData.read_tile(reader)):
                    seen[1] += bin(bits & ~(bits << 1)).count("1")
                    for column in range(64):
                        if bits >> column & 1:
                            cell = (key // across * 64 + row, key % across * 64 + column)
                            assert cell not in cells, "a cell came twice"
                            cells[cell] = day - DAY_OF_1970 if day else None
        assert reader.at == len(data) and seen == [groups, runs], "counts of the cells"
        return cells

    @staticmethod
    def read_tile(reader):
        """The 64 rows of a square as numbers of 64 bits."""
        if reader.byte() == 2:
            return [reader.word() for _ in range(64)]
        mask, rows, bits = reader.word(), [], 0
        for row in range(64):
            if mask >> row & 1:
                bits, byte = 0, reader.byte()
                while byte != 0xC0:
                    # From a transition on, all bits are turned.
                    bits ^= (1 << 64) - (1 << (byte & 63))
                    if byte & 128:
                        break
                    byte = reader.byte()
            rows.append(bits)
        return rows

    @staticmethod
    def read_regions(data):
        """Latitude, longitude, visits, first and last minute since 1970 (or None), and place."""
        reader = Reader(data)
        count = reader.varint()
        columns = []
        for _ in range(2):
            value, column = 0, []
            for _ in range(count):
                value += reader.signed()
                column.append(value / 1e5)
            columns.append(column)
        columns += [[reader.varint() for _ in range(count)] for _ in range(4)]
        assert reader.at == len(data), "rest of the regions"
        regions = []
        for latitude, longitude, visits, start, length, place in zip(*columns):
            first = start - ZERO_MINUTE if start else None
            last = first + length if start else None
            regions.append((latitude, longitude, visits, first, last, place))
        return regions

    @staticmethod
    def read_tracks(data):
        """Lines: the day since 1970, and points of latitude and longitude."""
        reader = Reader(data)
        lines = []
        for _ in range(reader.varint() if data else 0):
            day, count = reader.varint(), reader.varint()
            latitude = longitude = 0
            points = []
            for _ in range(count):
                latitude += reader.signed()
                longitude += reader.signed()
                points.append((latitude / 1e5, longitude / 1e5))
            lines.append((day - DAY_OF_1970 if day else None, points))
        return lines
