"""Nothing near what is hidden is in a page, in whatever form."""

import math

from . import pagedata, world
from .checking import require

#: What is hidden: a point of the walk in Vienna.
CENTER = (48.2082, 16.3738)
RADIUS = 400
#: A center that lies in the same blocks.
OTHER = (48.2085, 16.3742)


def meters(one, other):
    """The distance of two places on the sphere."""
    north = math.sin(math.radians(one[0] - other[0]) / 2) ** 2
    east = math.sin(math.radians(one[1] - other[1]) / 2) ** 2
    cosines = math.cos(math.radians(one[0])) * math.cos(math.radians(other[0]))
    return 2 * 6_371_007 * math.asin(math.sqrt(north + cosines * east))


def center(cell):
    """The middle of a cell in degrees."""
    return [(one + 0.5) * 75 / 111_000 - least for one, least in zip(cell, (90, 180))]


def require_hidden(data, what):
    near = [cell for cell in data.cells if meters(center(cell), CENTER) < RADIUS + 150]
    require(not near, f"{what}: {len(near)} cells are near the center")
    near = [one for one in data.regions if meters(one[:2], CENTER) < RADIUS]
    require(not near, f"{what}: {len(near)} regions are near the center")
    points = [point for _, line in data.tracks for point in line]
    require(not [one for one in points if meters(one, CENTER) < RADIUS],
            f"{what}: tracks come near the center")
    require(data.cells and points, f"{what}: nothing is left")


def check_privacy(store, whole):
    """`whole` is the data of a page of the same store that hides nothing."""
    near = [cell for cell in whole.cells if meters(center(cell), CENTER) < RADIUS]
    require(near, "the whole page has no cell near the center: the check could not fail")
    pages = []
    for latitude, longitude in (CENTER, OTHER):
        hide = ["--hide", str(latitude), str(longitude), "--radius", f"{RADIUS}m", "--tracks"]
        pages.append(pagedata.PageData(store.page(*hide)))
    require_hidden(pages[0], "--hide")
    require(pages[0].blob("cells") == pages[1].blob("cells"),
            "two centers in the same blocks have different cells")
    zoned = world.Store(store.roqua, store.folder / "zoned", world.tracks(),
                        [(*CENTER, RADIUS)])
    require_hidden(pagedata.PageData(zoned.page("--tracks")), "a zone")
    for data in pages:
        days = {whole.cells[cell] == day for cell, day in data.cells.items()}
        require(days == {True}, "a day of a cell comes from another fix")
    return f"{len(whole.cells) - len(pages[0].cells)} of {len(whole.cells)} cells are hidden"
