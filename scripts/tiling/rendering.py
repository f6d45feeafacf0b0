"""MapLibre draws the tiles, and its pictures show the explored pixels."""

import io
import json
import os

import numpy
from PIL import Image

from browsing import slowlook, world
from browsing.checking import require

from . import archives, outlines

#: Pixels along each side of a picture.
SIDE = 512
#: The color of fog in pictures, as docs/formats/map-tiles.md has it, and its opacity.
FOG, OPACITY = numpy.array([24, 28, 38]), 0.85
WHITE = numpy.array([255, 255, 255])


def render(source, layer, place, zoom):
    """A picture of one source over white. Draws without a window and without a graphics card."""
    os.environ.setdefault("EGL_PLATFORM", "surfaceless")
    from pymgl import Map

    latitude, longitude = world.PLACES[place]
    background = {"id": "white", "type": "background", "paint": {"background-color": "#ffffff"}}
    style = {
        "version": 8,
        "sources": {"tiles": source},
        "layers": [background, layer | {"id": "tiles", "source": "tiles"}],
    }
    with Map(json.dumps(style), SIDE, SIDE, 1, longitude, latitude, zoom) as map:
        picture = Image.open(io.BytesIO(map.renderPNG())).convert("RGB")
    return numpy.asarray(picture).astype(float)


def window(place, pixels):
    """The left and top edge of a picture, in pixels of the whole map."""
    latitude, longitude = world.PLACES[place]
    return ((longitude / 360 + 0.5) * pixels - SIDE / 2,
            outlines.mercator(latitude) * pixels - SIDE / 2)


def check_pictures(tiles, days):
    """Pixels of the walk have the color of their share, but for those that edges cross.

    MapLibre places the map at any fraction of a pixel and takes the nearest pixel of a tile, so a
    pixel is compared if it and its neighbors have one share.
    """
    # Tiles of 256 pixels are drawn pixel by pixel one zoom before their own.
    source = {"type": "raster", "url": f"mbtiles://{tiles.pictures}", "tileSize": 256}
    paint = {"raster-fade-duration": 0, "raster-resampling": "nearest"}
    picture = render(source, {"type": "raster", "paint": paint}, "walk", archives.ZOOM - 1)
    pixels = 256 * 2**archives.ZOOM
    left, top = window("walk", pixels)
    shares = slowlook.Window(pixels, round(left), round(top), SIDE, SIDE).shares(days)
    calm = numpy.ones_like(shares, bool)
    for shift in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)):
        calm &= numpy.abs(numpy.roll(shares, shift, (0, 1)) - shares) < 1e-6
    right = WHITE * shares[..., None] + (FOG * OPACITY + WHITE * (1 - OPACITY)) * (
        1 - shares[..., None])
    wrong = (numpy.abs(picture - right).max(axis=2) > 3) & calm
    require(not wrong.any(), f"{int(wrong.sum())} pixels have another color")
    clear = int((calm & (shares > 0.999)).sum())
    require(clear > 500, f"only {clear} clear pixels are compared")
    return f"{int(calm.sum()):,} pixels, {clear:,} of them clear"


def check_polygons(tiles, days):
    """The middle of each explored cell is filled, and that of its unexplored neighbors is not."""
    source = {"type": "vector", "url": f"mbtiles://{tiles.polygons}"}
    paint = {"fill-color": "#ff0000", "fill-antialias": False}
    layer = {"type": "fill", "source-layer": "explored", "paint": paint}
    picture = render(source, layer, "walk", archives.ZOOM)
    pixels = 512 * 2**archives.ZOOM
    left, top = window("walk", pixels)
    seen = []
    for centers in outlines.points_of_cells(days):
        places = numpy.floor(centers * pixels - (left, top)).astype(int)
        places = places[((places >= 0) & (places < SIDE)).all(axis=1)]
        seen.append(picture[places[:, 1], places[:, 0]])
    explored, others = seen
    red = numpy.array([255, 0, 0])
    require(len(explored) > 500 and len(others) > 100, "too few cells are in the picture")
    missing = int((explored != red).any(axis=1).sum())
    require(missing == 0, f"{missing} explored cells are not filled")
    wrong = int((others != WHITE).any(axis=1).sum())
    require(wrong == 0, f"{wrong} unexplored cells are filled")
    return f"{len(explored):,} cells filled, {len(others):,} neighbors not"
