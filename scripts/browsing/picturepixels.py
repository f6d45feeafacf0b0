"""Pixels of pictures have the colors that a slow scan of every cell gives."""

import csv
import math

import numpy
from PIL import Image

from . import slowlook, world
from .checking import require

SIDE = 420
#: The pixels of the map of the world at zoom 0 (docs/formats/pictures.md).
WORLD = 256
#: The part of a page's fog that a picture has (docs/formats/pictures.md).
FOG = 0.6
#: The zooms, at which pixels are smaller than cells and about as large as they are. From zoom 10 on
#: trails are not widened.
ZOOMS = (15, 12, 10)
#: Colors are rounded a few times, and shares at the border of two bytes may fall on either side.
TOLERANCE = 4


def theme(path, name, scheme):
    """The colors of a theme, with the fog of pictures."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("# ")]
    rows = csv.DictReader(lines)
    found = next(row for row in rows if (row["name"], row["scheme"]) == (name, scheme))
    color = found["fog"]
    alpha = round(int(color[7:9] or "ff", 16) * FOG)
    return found | {"fog": f"{color[:7]}{alpha:02x}"}


def check_pixels(store, days, themes):
    """Mercator pictures at sea: across ±180° and up to the northern edge of the map."""
    compared = explored = 0
    for place, (latitude, longitude) in world.PLACES.items():
        for zoom in ZOOMS:
            path = store.folder / f"{place}-{zoom}.png"
            scheme = "dark" if zoom == ZOOMS[0] else "light"
            store.run(
                "map", str(path), "--projection", "mercator", "--center", str(latitude),
                str(longitude), "--zoom", str(zoom), "--size", f"{SIDE}x{SIDE}", "--theme", "blue",
                "--scheme", scheme, "--force")
            pixels = WORLD * 2**zoom
            left = (longitude / 360 + 0.5) * pixels - SIDE / 2
            y = math.asinh(math.tan(math.radians(latitude)))
            top = (0.5 - y / math.pi / 2) * pixels - SIDE / 2
            shares = slowlook.Window(pixels, left, top, SIDE, SIDE).shares(days)
            colors = slowlook.colors_of_shares(
                colored := theme(themes, "blue", scheme), zoom - 1,
                slowlook.parts(colored["explored"]))
            right = colors[slowlook.bytes_of_shares(shares)]
            with Image.open(path) as image:
                seen = numpy.asarray(image.convert("RGB")).astype(float)
            # The map ends at 85.05°.
            inside = top + numpy.arange(SIDE) >= 0
            wrong = (numpy.abs(seen - right).max(axis=2) > TOLERANCE)[inside]
            require(not wrong.any(), f"{place}, zoom {zoom}: {int(wrong.sum())} pixels differ")
            compared += wrong.size
            explored += int((shares[inside] > 0).sum())
    require(explored > 20_000, f"only {explored} explored pixels")
    return f"{compared:,} pixels, {explored:,} of them explored, have the right color"
