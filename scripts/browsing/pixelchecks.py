"""Pixels of screenshots against a slow scan of every cell."""

import math

import numpy

from . import browsers, slowlook, world
from .checking import Failure

#: How far a color may be off, of 255: canvases keep premultiplied bytes.
TOLERANCE = 2
#: Around each place this many degrees are open sea.
SEA_DEGREES = 6
#: What pixels are compared without.
BARE = """(() => {
  for (const one of document.querySelectorAll("#panel, #controls, #time, #details, #credits")) {
    one.style.visibility = "hidden";
  }
  for (const layer of roqua.layers) layer.isShown = false;
  return 1;
})()"""


def mercator(latitude, longitude):
    """A position of the world whose side is 1."""
    sine = math.sin(math.radians(latitude))
    return longitude / 360 + 0.5, 0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)


def look_at(browser, name, zoom):
    """Looks at a place; the pixels of the screen as a window, and where the open sea is in it."""
    latitude, longitude = world.PLACES[name]
    size = 256 * 2**zoom
    width, height = browser.run("[roqua.view.width, roqua.view.height]")
    x, y = mercator(latitude, longitude)
    # Pixels of the world are pixels of the screen.
    x, y = (round(x * size) + width % 2 / 2) / size, (round(y * size) + height % 2 / 2) / size
    browser.run(f"(() => {{ roqua.look({{ x: {x!r}, y: {y!r}, zoom: {zoom} }}); roqua.wake(); "
                "return 1; })()")
    browsers.wait_until_drawn(browser)
    x, y = browser.run("[roqua.view.x, roqua.view.y]")
    left, top = x * size - width / 2, y * size - height / 2
    if abs(top - round(top)) > 1e-3 or abs(left - round(left)) > 1e-3:
        raise Failure(f"{name} at zoom {zoom}: the view is not at whole pixels: {left}, {top}")
    left, top = round(left), round(top)
    west, north = mercator(min(85.0511, latitude + SEA_DEGREES), longitude - SEA_DEGREES)
    east, south = mercator(latitude - SEA_DEGREES, longitude + SEA_DEGREES)
    # At ±180° the place may be a whole world away from the left edge.
    turn = round((x - mercator(latitude, longitude)[0])) * size
    box = [
        max(0, math.ceil(west * size + turn - left)), max(0, math.ceil(north * size - top)),
        min(width, math.floor(east * size + turn - left)),
        min(height, math.floor(south * size - top)),
    ]
    if box[2] - box[0] < 8 or box[3] - box[1] < 4:
        raise Failure(f"{name} at zoom {zoom} is not on the screen: {box}")
    window = slowlook.Window(size, left + box[0], top + box[1], box[2] - box[0], box[3] - box[1])
    return window, box


def compare(browser, name, zoom, days, what, day=None, recent=None):
    """Compares the pixels around a place; the number of pixels with explored ground."""
    window, box = look_at(browser, name, zoom)
    theme = browser.run("roqua.themes.tokens(roqua.themes.theme)")
    wanted, shares = slowlook.pictures(theme, window, zoom - 1, days, day, recent)
    picture = numpy.array(browser.screenshot(), float)[box[1] : box[3], box[0] : box[2]]
    off = numpy.minimum.reduce([numpy.abs(picture - one).max(axis=2) for one in wanted])
    if off.max() > TOLERANCE:
        top, left = numpy.unravel_index(off.argmax(), off.shape)
        raise Failure(
            f"{what}: {(off > TOLERANCE).sum()} of {off.size} pixels differ, most of all "
            f"{left + box[0]}, {top + box[1]}: {picture[top, left]}, not {wanted[0][top, left]} "
            f"for a share of {shares[top, left]:.6f}"
        )
    return int((shares > 0).sum())


def check_space(browser, days, zooms):
    """All of the time, at all places."""
    browser.run(BARE)
    pixels = 0
    for name in world.PLACES:
        for zoom in zooms:
            found = compare(browser, name, zoom, days, f"{name} at zoom {zoom}")
            if not found:
                raise Failure(f"{name} at zoom {zoom}: nothing is explored there")
            pixels += found
    return f"{pixels:,} explored pixels at zooms {zooms} equal the slow scan"


def has_dot(browser, name, zoom, are_shown):
    """Whether a pixel within 4 of a place has the color of dots."""
    browser.run("(() => { roqua.layers.find((one) => one.name === 'spots').isShown = "
                f"{str(are_shown).lower()}; return 1; }})()")
    look_at(browser, name, zoom)
    x, y = mercator(*world.PLACES[name])
    left, top = map(round, browser.run(f"roqua.view.toScreen({x!r}, {y!r})"))
    color = browser.run("roqua.themes.map.primary")
    wanted = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    picture = numpy.array(browser.screenshot(), float)
    near = picture[max(0, top - 4) : top + 5, max(0, left - 4) : left + 5, :3]
    return bool((numpy.abs(near - wanted).max(axis=2) <= TOLERANCE).any())


def check_dots(browser, _):
    """Dots are where little is explored, from afar and if they are wanted."""
    browser.run(BARE)
    for name in world.PLACES:
        for zoom, are_shown in ((2, True), (2, False), (8, True)):
            if has_dot(browser, name, zoom, are_shown) != (zoom == 2 and are_shown):
                shown = "shown" if are_shown else "hidden"
                raise Failure(f"{name} at zoom {zoom}, dots {shown}: there should be "
                              f"{'one' if zoom == 2 and are_shown else 'none'}")
    return f"one at each of {len(world.PLACES)} places, from afar only"


def check_time(browser, days, zooms, dates):
    """Several days, with what is recent in another color."""
    browser.run(BARE)
    first, last = min(days.values()) - 1, max(days.values())
    span = max(30, math.floor((last - first) / 60 + 0.5))
    pixels = []
    for date in dates:
        day = world.day_number(date)
        browser.run(f"(() => {{ roqua.timeline.show({day + 719528}); return 1; }})()")
        browsers.wait_until_drawn(browser)
        is_end = day >= last
        for name in ("walk", "antimeridian"):
            for zoom in zooms:
                what = f"{name} on {date} at zoom {zoom}"
                recent = None if is_end else day - span
                pixels.append(compare(browser, name, zoom, days, what, day, recent))
    if len(set(pixels)) < len(dates):
        raise Failure(f"the days show the same: {pixels}")
    return f"{sum(pixels):,} explored pixels on {len(dates)} days equal the slow scan"
