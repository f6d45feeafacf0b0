"""Percentages on the page are written like those of `roqua stats`."""

import json
import math
import random
import re

from . import behavior
from .checking import require


def percentage(value):
    """A percentage as the tool writes it."""
    if value in (0, 100):
        return f"{value:.0f} %"
    value = min(value, 99.9)

    def digits(one):
        return 1 if one >= 10 else max(1, 1 - math.floor(math.log10(one)))

    rounded = float(f"{value:.{digits(value)}f}")
    return f"{value:.{min(digits(value), digits(rounded))}f} %"


def samples():
    """Percentages of every size, with those just below and above a power of ten, and halves."""
    chance = random.Random(7)
    values = [0, 100, 99.95, 99.99999, 0.125, 0.375, 10.25, 10.75, 62.5, 1.25, 0.00100, 0.0009999]
    for power in range(-12, 2):
        for part in (1, 1.04, 1.05, 2.5, 9.4, 9.949, 9.95, 9.96, 9.999):
            values.append(part * 10.0**power)
    values += [10 ** chance.uniform(-12, 2) for _ in range(5000)]
    return values + [chance.randrange(1, 6400) / 64 for _ in range(1000)]


def check_percentages(browser, page, data):
    behavior.start(browser, page)
    values = samples()
    texts = browser.run(
        f"{json.dumps(values)}.map((percentage) => roqua.panel.entry("
        "{ name: '', within: '', area: 0, percentage }, 1)"
        ".querySelector('small.value').textContent)"
    )
    for value, text in zip(values, texts):
        require(text == percentage(value), f"{value!r} is {text}, not {percentage(value)}")
        require(value == 0 or re.search("[1-9]", text), f"{value!r} is {text}")
    return f"{len(values):,} are as in the tool"


def check_bars(browser, page, data):
    """A bar is as long as the share, and nothing above zero is without one."""
    behavior.start(browser, page)
    values = [0, 1e-7, 0.3, 1, 10, 50, 99.5, 100]
    widths = browser.run(
        f"{json.dumps(values)}.map((percentage) => roqua.panel.entry("
        "{ name: '', within: '', area: 0, percentage }, 1)"
        ".querySelector('.bar i')?.style.width ?? '')"
    )
    for value, width in zip(values, widths):
        is_right = abs(float(width[:-1]) - value) < 0.01 if width else value == 0
        require(is_right, f"{value} % has a bar of {width or 'no width'}")
    least = browser.run("getComputedStyle(document.querySelector('#list .bar i')).minWidth")
    require(least == "2px", f"the shortest bar is {least} wide")
    return f"{len(values)} are as long as the shares"
