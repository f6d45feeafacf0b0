"""A slow scan of every cell: which cells are explored, and what color each pixel must have.

It shares nothing with Roqua but the rules, which doc comments state: GridHash/Disc/ExactDisc.swift
for cells, page/worker/fog.js for colors.
"""

import math
from fractions import Fraction

import numpy

#: The side of a cell in degrees, at the exploration radius of 150 m.
STEP = Fraction(75, 111_000)
ROWS, COLUMNS = 266_400, 532_800
RADIUS_METERS = 150
SPHERE_METERS = 6_371_007.1809
#: The pixels along each side of a tile.
TILE = 512


def cells_around(fix):
    """The cells whose center is within the exploration radius of a fix."""
    latitude, longitude = Fraction(fix.latitude), Fraction(fix.longitude)
    limit = math.sin(RADIUS_METERS / SPHERE_METERS / 2) ** 2
    cosine = math.cos(math.radians(latitude))
    own_row = math.floor((latitude + 90) / STEP)
    own_column = math.floor((longitude + 180) / STEP)
    # Wide enough up to 86°: a cell is 5.2 m wide there.
    reach = math.ceil(RADIUS_METERS / (75 * math.cos(math.radians(abs(latitude) + 0.01)))) + 2
    for row in range(max(0, own_row - 3), min(ROWS, own_row + 4)):
        center = (row + Fraction(1, 2)) * STEP - 90
        north = math.sin(math.radians(center - latitude) / 2) ** 2
        cosines = cosine * math.cos(math.radians(center))
        for column in range(own_column - reach, own_column + reach + 1):
            east = (column + Fraction(1, 2)) * STEP - 180 - longitude
            if north + cosines * math.sin(math.radians(east) / 2) ** 2 <= limit:
                yield row, column % COLUMNS


def first_days(fixes):
    """The explored cells with the day since 1970 on which each was explored first."""
    days = {}
    for fix in fixes:
        for cell in cells_around(fix):
            days[cell] = min(fix.day, days.get(cell, fix.day))
    return days


class Window:
    """Pixels of a Mercator world of `world` pixels: some columns and rows from the top left."""

    def __init__(self, world, left, top, width, height):
        self.world, self.left, self.width, self.height = world, left, width, height
        edges = (top + numpy.arange(height + 1)) / world
        #: The sine of the latitude of each edge between rows of pixels: sin φ = tanh(π (1 - 2 y)).
        self.sines = numpy.tanh(math.pi * (1 - 2 * edges))

    def shares(self, cells):
        """The explored share of each pixel by area: longitude times the sine of latitude."""
        shares = numpy.zeros((self.height, self.width))
        step = float(STEP)
        per_column = self.world * step / 360
        for row, column in cells:
            south, north = (math.sin(math.radians((row + i) * step - 90)) for i in (0, 1))
            top = numpy.minimum(self.sines[:-1], north)
            heights = numpy.clip(top - numpy.maximum(self.sines[1:], south), 0, None)
            rows = numpy.nonzero(heights)[0]
            if not len(rows):
                continue
            west = (column * per_column - self.left) % self.world
            for copy in (west - self.world, west):
                first, last = math.floor(copy), math.ceil(copy + per_column)
                first, last = max(0, first), min(self.width, last)
                if first >= last:
                    continue
                columns = numpy.arange(first, last)
                ends = numpy.minimum(columns + 1, copy + per_column)
                widths = ends - numpy.maximum(columns, copy)
                share = heights[rows] / (self.sines[rows] - self.sines[rows + 1])
                shares[rows[0] : rows[-1] + 1, first:last] += numpy.outer(share, widths.clip(0))
        return shares


def parts(color):
    """A color `#rrggbb` or `#rrggbbaa` as three numbers to 255 and an alpha to 1."""
    values = [int(color[i : i + 2], 16) for i in range(1, len(color), 2)]
    return numpy.array(values[:3], float), (values[3] / 255 if len(values) > 3 else 1)


def colors_of_shares(theme, level, clear):
    """The color of each of the 256 bytes of a share over open sea.

    `clear` is the color of explored ground: the theme's, or that of what is recent.
    """
    fog, fog_alpha = parts(theme["fog"])
    water, _ = parts(theme["water"])
    tint, tint_alpha = clear
    # Far away any explored pixel is lifted enough to be seen; near, the share itself is shown.
    near = min(1, max(0, (level - 4) / 7))
    strength = max(tint_alpha, 0.95 + (tint_alpha - 0.95) * near)
    colors = numpy.zeros((256, 3))
    for byte in range(256):
        share = byte / 255
        lifted = 0.6 + 0.4 * share**0.4
        clearness = (lifted + (share - lifted) * near) if byte else 0
        # Mixed as premultiplied colors, and laid over the sea.
        alpha = fog_alpha + (strength - fog_alpha) * clearness
        mixed = fog * fog_alpha * (1 - clearness) + tint * strength * clearness
        colors[byte] = mixed + water * (1 - alpha)
    return colors


def bytes_of_shares(shares):
    """0 if nothing and 255 if all is explored, 1 to 254 between."""
    found = numpy.clip(numpy.round(shares * 255), 1, 254).astype(int)
    found[shares < 1e-6] = 0
    found[shares > 1 - 1e-5] = 255
    return found


def pictures(theme, window, level, days, day=None, recent=None):
    """The colors that pixels must have, in two ways: with shares a little lower and higher.

    A share at the border of two bytes may be rounded either way.

    :param days: the cells with the day on which each was explored first.
    :param day: show what was explored by this day; all if it is None.
    :param recent: what was explored after this day has the color of recent ground.
    """
    shown = [cell for cell, first in days.items() if day is None or first <= day]
    shares = window.shares(shown)
    tables = [colors_of_shares(theme, level, parts(theme["explored"]))]
    is_recent = numpy.zeros(shares.shape, int)
    if recent is not None:
        is_recent = (window.shares([cell for cell in shown if days[cell] > recent]) > 0).astype(int)
        tables.append(colors_of_shares(theme, level, (parts(theme["primary"])[0], 0.85)))
    tables = numpy.array(tables)
    found = []
    for slack in (-1e-5, 1e-5):
        # Untouched pixels stay so, and full ones stay full.
        is_part = (shares > 1e-6) & (shares < 1 - 1e-5)
        moved = numpy.where(is_part, numpy.clip(shares + slack, 2e-6, 1 - 2e-5), shares)
        found.append(tables[is_recent, bytes_of_shares(moved)])
    return found, shares
