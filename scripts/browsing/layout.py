"""Nothing outside of the window, nothing over anything else, and room for fingers."""

import json

from . import behavior, browsers
from .checking import Failure, require

#: Phones, screens, and phones held sideways.
SIZES = [
    (320, 568), (390, 844), (1440, 900), (568, 320), (1920, 1080), (480, 270), (667, 375),
    (740, 360), (844, 390), (1024, 481), (1280, 540),
]
#: The least height and width of a button, in CSS pixels.
FINGER = 36

#: The boxes of all visible elements: [name, left, top, right, bottom].
BOXES = """(() => {
  const found = [];
  for (const one of document.querySelectorAll(SELECTOR)) {
    if (!one.checkVisibility({ visibilityProperty: true })) continue;
    let box = one.getBoundingClientRect();
    let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
    // What scrolls is cut off by its container.
    for (let at = one.parentElement; at; at = at.parentElement) {
      if (getComputedStyle(at).overflow === "visible") continue;
      box = at.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    if (right <= left || bottom <= top) continue;
    const name = one.id || `${one.tagName.toLowerCase()} ${one.textContent.trim().slice(0, 20)}`;
    found.push([name, left, top, right, bottom]);
  }
  return found;
})()"""
PARTS = "#panel, #controls, #time, #credits"
ALL = "#panel, #panel *, #controls, #controls *, #time, #time *, #credits, .menu, .menu *, "
ALL += "#details, #details *, .failure"


def boxes(browser, selector):
    return browser.run(BOXES.replace("SELECTOR", f"'{selector}'"))


def require_inside(browser, what):
    width, height = browser.run("[innerWidth, innerHeight]")
    for name, left, top, right, bottom in boxes(browser, ALL):
        inside = left > -1 and top > -1 and right < width + 1 and bottom < height + 1
        place = f"{left:.0f} to {right:.0f}, {top:.0f} to {bottom:.0f}"
        require(inside, f"{what}: {name} is at {place}")
    scrolls = browser.run(
        "['#panel', '#time', '#controls', '#layermenu', '#colormenu', '#details']"
        ".filter((one) => { const e = document.querySelector(one);"
        " return e.scrollWidth > e.clientWidth + 1; })"
    )
    require(not scrolls, f"{what}: {scrolls} are wider than their room")


def require_apart(browser, what, selector=PARTS):
    found = boxes(browser, selector)
    for i, (name, left, top, right, bottom) in enumerate(found):
        for other, *box in found[:i]:
            meets = left < box[2] and box[0] < right and top < box[3] and box[1] < bottom
            require(not meets, f"{what}: {name} covers {other}")


def require_fingers(browser, what):
    small = browser.run(
        "[...document.querySelectorAll('button, .menu label, #found li')]"
        ".filter((one) => one.checkVisibility())"
        ".map((one) => [one.id || one.className || one.textContent, one.offsetWidth,"
        f" one.offsetHeight]).filter(([, width, height]) => Math.min(width, height) < {FINGER})"
    )
    require(not small, f"{what}: too small: {small}")


def require_names(browser, what):
    nameless = browser.run(
        "[...document.querySelectorAll('button, input, [role], section')].filter((one) => {"
        " const by = one.getAttribute('aria-labelledby');"
        " const label = one.getAttribute('aria-label') || (by && document.getElementById(by)"
        "?.textContent) || one.textContent || one.closest('label')?.textContent;"
        " return !label?.trim() && !['alert', 'status'].includes(one.getAttribute('role')); })"
        ".map((one) => one.outerHTML.slice(0, 80))"
    )
    require(not nameless, f"{what}: no name: {nameless}")
    broken = browser.run(
        "[...document.querySelectorAll('[aria-controls], [aria-describedby], [aria-labelledby]')]"
        ".flatMap((one) => ['aria-controls', 'aria-describedby', 'aria-labelledby']"
        ".map((name) => one.getAttribute(name)))"
        ".filter((id) => id && !document.getElementById(id))"
    )
    require(not broken, f"{what}: names of no element: {broken}")
    twice = browser.run(
        "(() => { const all = [...document.querySelectorAll('[id]')].map((one) => one.id);"
        " return all.filter((one, i) => all.indexOf(one) !== i); })()"
    )
    require(not twice, f"{what}: ids used twice: {twice}")
    tabs = browser.run(
        "[...document.querySelectorAll('[role=tab]')].map((one) =>"
        " one.getAttribute('aria-selected') + one.tabIndex)"
    )
    require(sorted(tabs) == ["false-1", "false-1", "true0"], f"{what}: the tabs are {tabs}")


def require_contained(browser, what):
    """Nothing of the panel is drawn outside of it."""
    [(_, *panel)] = boxes(browser, "#panel")
    for name, left, top, right, bottom in boxes(browser, "#panel *"):
        inside = left > panel[0] - 1 and top > panel[1] - 1
        inside = inside and right < panel[2] + 1 and bottom < panel[3] + 1
        require(inside, f"{what}: {name} is outside of the panel")


def require_all(browser, what):
    require_inside(browser, what)
    require_contained(browser, what)
    require_fingers(browser, what)
    require_apart(browser, what)


def live_long(browser):
    """Gives the page the numbers and notes of a long life."""
    browser.run(
        "(() => { const { page } = roqua.panel;"
        " Object.assign(page.stats, { cities: 13435, visitedRegions: 9876543, visits: 9999999,"
        " cells: 141937920000 }); page.notes = ['Only the 7,500 most visited of 1,568,104 visited"
        " regions are listed.', 'Tracks are drawn to 500 m.', 'Cells have no dates.'];"
        " roqua.panel.writeNumbers(); roqua.panel.writeNotes(); return 1; })()"
    )


def require_numbers(browser, what):
    """Each number has room in its column, and the columns in the panel."""
    wide = browser.run(
        "[document.getElementById('numbers'), ...document.querySelectorAll('#numbers dd')]"
        ".filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    )
    require(not wide, f"{what}: wider than their room: {wide}")


def require_credits(browser, what):
    """The credits are shown whole."""
    cut = browser.run(
        "(() => { const e = document.getElementById('credits');"
        " return e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight"
        " || !e.textContent.includes('© OpenStreetMap contributors'); })()"
    )
    require(not cut, f"{what}: the credits are cut")


def check_layout(browser, page, data, sizes):
    behavior.start(browser, page)
    live_long(browser)
    # Firefox has no window narrower than this.
    sizes = [one for one in sizes if browser.name != "firefox" or one[0] >= 500]
    for width, height in sizes:
        what = f"{width} x {height}"
        browser.resize(width, height)
        browsers.wait_for(browser, f"innerWidth === {width} && innerHeight === {height}", 10)
        browsers.wait_until_drawn(browser)
        require_names(browser, what)
        require_credits(browser, what)
        for is_folded in ("true", "false"):
            browser.run(f"(() => {{ roqua.panel.fold({is_folded}); return 1; }})()")
            require_all(browser, f"{what}, {'folded' if is_folded == 'true' else 'unfolded'}")
        require_numbers(browser, what)
        behavior.click_on(browser, "#search")
        browser.type("san")
        browsers.wait_for(browser, "!document.getElementById('found').hidden")
        require_inside(browser, f"{what}, searching")
        require_fingers(browser, f"{what}, searching")
        browser.press("Escape")
        browser.run("(() => { document.getElementById('search').value = ''; "
                    f"roqua.panel.fold({json.dumps(width < 720 or height < 480)});"
                    " return 1; })()")
        for name, menu in (("layers", "layermenu"), ("colors", "colormenu")):
            behavior.click_on(browser, f"#{name}")
            require_inside(browser, f"{what}, {menu}")
            require_fingers(browser, f"{what}, {menu}")
            require_apart(browser, f"{what}, {menu}", f"#{menu}, #controls, #panel")
            browser.press("Escape")
        behavior.look_at(browser, 20, -40, 6)
        middle = behavior.screen_place(browser, 20, -40)
        for left, top in (middle, (width - 8, height / 2), (8, height / 2)):
            if browser.run(f"document.elementFromPoint({left}, {top}).id") != "map":
                continue
            browser.click(left, top)
            browsers.wait_for(browser, "!document.getElementById('details').hidden")
            browsers.wait_until_drawn(browser)
            require_inside(browser, f"{what}, a card at {left}")
            require_apart(browser, f"{what}, a card at {left}", "#details, #time, #credits")
            require_fingers(browser, f"{what}, a card at {left}")
            browser.press("Escape")
    return f"{len(sizes)} sizes: all inside, apart, at least {FINGER} pixels, and named"
