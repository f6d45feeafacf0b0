"""Builds letters.bin: the outlines of the letters that pictures are written with.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt
    venv/bin/python build.py FOLDER

FOLDER has InterDisplay-SemiBold.otf and Inter-Medium.otf of Debian's package fonts-inter
4.0~beta7+ds-1 (usr/share/fonts/opentype/inter). ../../docs/formats/letters.md describes the bytes.
The same fonts and tools give the same bytes.
"""

import pathlib
import string
import sys
import unicodedata
import zlib

import uharfbuzz
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.recordingPen import RecordingPen
from fontTools.ttLib import TTFont

HERE = pathlib.Path(__file__).resolve().parent
VERSION = 1
FACES = ["InterDisplay-SemiBold.otf", "Inter-Medium.otf"]
#: Basic Latin to Latin Extended-B, Greek, Cyrillic, Latin Extended Additional, and some signs.
RANGES = [(0x20, 0x7E), (0xA0, 0x24F), (0x370, 0x3FF), (0x400, 0x45F), (0x490, 0x4FF),
          (0x1E00, 0x1EFF)]
SIGNS = "ʻʼ‐‑–—‘’‚“”„†•…‰′″‹›€₺№™−≈"
KERNED = string.ascii_letters + string.digits + ".,-–’'&:"
TOLERANCE = 1.0  # how far a quadratic curve may be from a cubic one, in units of the font
UNITS = 2048


def varint(value):
    """An unsigned integer, seven bits a byte, the low ones first."""
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)


def signed(value):
    """A signed integer: 0, -1, 1, -2, …"""
    return varint(2 * value if value >= 0 else -2 * value - 1)


def characters():
    """The characters, ascending."""
    wanted = {chr(code) for first, last in RANGES for code in range(first, last + 1)} | set(SIGNS)
    return sorted(character for character in wanted
                  if unicodedata.category(character)[0] in "LNPSZ")


def contours(recording):
    """The contours of a glyph: lists of (x, y, whether the point is on the curve)."""
    found = []
    for operation, points in recording.value:
        if operation == "moveTo":
            found.append([(*points[0], True)])
        elif operation == "lineTo":
            found[-1].append((*points[0], True))
        elif operation == "qCurveTo":
            # The points between two off the curve are not written.
            found[-1] += [(*point, False) for point in points[:-1]] + [(*points[-1], True)]
    for contour in found:
        if len(contour) > 1 and contour[0] == contour[-1]:
            contour.pop()
    return [contour for contour in found if len(contour) > 2]


def outline(glyphs, name, scale):
    """A glyph's contours in whole units."""
    recording = RecordingPen()
    glyphs[name].draw(Cu2QuPen(recording, TOLERANCE / scale, reverse_direction=False))
    return [[(round(x * scale), round(y * scale), on) for x, y, on in contour]
            for contour in contours(recording)]


def kerning(path, scale, advances):
    """The distances by which pairs of characters are moved closer or apart."""
    face = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(path)))
    font = uharfbuzz.Font(face)
    pairs = {}
    for left in KERNED:
        for right in KERNED:
            buffer = uharfbuzz.Buffer()
            buffer.add_str(left + right)
            buffer.guess_segment_properties()
            features = {"kern": True, "liga": False, "calt": False, "clig": False, "dlig": False}
            uharfbuzz.shape(font, buffer, features)
            moved = round(buffer.glyph_positions[0].x_advance * scale) - advances[left]
            if len(buffer.glyph_infos) == 2 and moved:
                pairs[left, right] = moved
    return pairs


def face_bytes(path):
    """A face: its heights, its characters, its pairs."""
    font = TTFont(path)
    scale = UNITS / font["head"].unitsPerEm
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    wanted = [character for character in characters() if ord(character) in names]
    body = bytearray(varint(round(font["OS/2"].sCapHeight * scale)))
    body += varint(len(wanted))
    code, advances = 0, {}
    for character in wanted:
        name = names[ord(character)]
        advances[character] = round(glyphs[name].width * scale)
        body += varint(ord(character) - code) + varint(advances[character])
        code = ord(character)
        found = outline(glyphs, name, scale)
        body += varint(len(found))
        x = y = 0
        for contour in found:
            body += varint(len(contour))
            for px, py, on in contour:
                body += signed((px - x) * 2 + (0 if on else 1)) + signed(py - y)
                x, y = px, py
    pairs = kerning(path, scale, advances)
    body += varint(len(pairs))
    last = 0
    for (left, right), moved in sorted(pairs.items()):
        key = wanted.index(left) * len(wanted) + wanted.index(right)
        body += varint(key - last) + signed(moved)
        last = key
    print(f"{path.name}: {len(wanted)} characters, {len(pairs)} pairs, {len(body):,} bytes")
    return bytes(body)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    body = varint(VERSION) + varint(UNITS) + varint(len(FACES))
    body += b"".join(face_bytes(folder / name) for name in FACES)
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    packed = compressor.compress(body) + compressor.flush()
    (HERE / "letters.bin").write_bytes(packed)
    print(f"letters.bin: {len(packed):,} bytes")


if __name__ == "__main__":
    main()
