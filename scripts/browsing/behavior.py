"""What people do with a page, done with mouse and keyboard in a real browser."""

import datetime
import io
import re
import time
import zlib

import numpy
from PIL import Image

from . import browsers, world
from .checking import Failure, require
from .pixelchecks import mercator

VIENNA = (48.2082, 16.3738)
TOKYO = (35.68, 139.69)


def focused(browser):
    """The focused element: its id, or its role or name and text."""
    return browser.run(
        "(() => { const one = document.activeElement; return one.id || "
        "(one.closest('#list') ? 'entry' : one.tagName + ' ' + one.textContent.trim()); })()"
    )


def center_of(browser, selector, index=0):
    """The middle of an element on the screen."""
    return browser.run(
        f"(() => {{ const box = document.querySelectorAll('{selector}')[{index}]"
        ".getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )


def click_on(browser, selector, index=0):
    browser.click(*center_of(browser, selector, index))


def look_at(browser, latitude, longitude, zoom):
    x, y = mercator(latitude, longitude)
    browser.run(f"(() => {{ roqua.flight = null; roqua.look({{ x: {x!r}, y: {y!r}, "
                f"zoom: {zoom} }}); roqua.wake(); return 1; }})()")
    browsers.wait_until_drawn(browser)


def land(browser):
    """Waits until a flight has ended."""
    browsers.wait_for(browser, "!roqua.flight")
    browsers.wait_until_drawn(browser)


def screen_place(browser, latitude, longitude):
    x, y = mercator(latitude, longitude)
    return browser.run(f"roqua.view.toScreen({x!r}, {y!r})")


def require_near(browser, place, zoom):
    """Fails unless a place is on the screen, at least at a zoom."""
    left, top = screen_place(browser, *place)
    width, height, now = browser.run("[roqua.view.width, roqua.view.height, roqua.view.zoom]")
    require(0 < left < width and 0 < top < height, f"{place} is at {left}, {top}")
    require(now > zoom - 0.01, f"the zoom is {now}")


def start(browser, page):
    """Opens a page and waits until it has its tabs and layers, too."""
    browser.open(page)
    browsers.wait_until_drawn(browser)
    browsers.wait_for(browser, "document.querySelectorAll('#layermenu input').length > 0")


def check_silence(browser, page, data):
    start(browser, page)
    for selector in ("#colors", "#layers", "#play", "#play"):
        click_on(browser, selector)
    look_at(browser, *VIENNA, 14)
    time.sleep(0.3)
    require(not browser.failures, f"the console has {browser.failures}")
    foreign = [one for one in browser.requests if not one.startswith((page.as_uri(), "blob:"))]
    require(not foreign, f"the page asked for {foreign}")
    return "no request, nothing on the console"


def check_watchfulness(browser, page, data):
    """The checks of requests and errors see those of a page that was made to have them."""
    spoiled = page.with_name("spoiled.html")
    html = re.sub(r'<meta http-equiv="Content-Security-Policy".*?>', "", data.html, flags=re.S)
    broken = '<img src="http://127.0.0.1:50009/seen.png"><script>throw new Error("seen")</script>'
    spoiled.write_text(html.replace("<main", broken + "<main"))
    start(browser, spoiled)
    require(any("seen.png" in one for one in browser.requests), "a request was not seen")
    require(any("seen" in one for one in browser.failures), "an error was not seen")
    strict = page.with_name("strict.html")
    shut = '<img src="http://127.0.0.1:50009/shut.png"><main'
    strict.write_text(data.html.replace("<main", shut))
    start(browser, strict)
    require(any("shut.png" in one for one in browser.failures), "the policy let a request pass")
    return "a request and an error are seen; the page's policy forbids requests"


def check_search(browser, page, data):
    start(browser, page)
    click_on(browser, "#search")
    browser.type("vien")
    browsers.wait_for(browser, "!document.getElementById('found').hidden")
    first = browser.run("document.querySelector('#found li').textContent")
    require(first.startswith("Vienna"), f"the first place found is {first}")
    active = browser.run("document.getElementById('search').getAttribute('aria-activedescendant')")
    require(active == "found-0", f"the active option is {active}")
    browser.press("Enter")
    land(browser)
    require_near(browser, VIENNA, 9)
    require(browser.run("document.getElementById('found').hidden"), "the list stays open")
    # A place where nobody was, by a click.
    browser.run("(() => { document.getElementById('search').value = ''; return 1; })()")
    click_on(browser, "#search")
    browser.type("tokyo")
    browsers.wait_for(browser, "!document.getElementById('found').hidden")
    click_on(browser, "#found li")
    land(browser)
    require_near(browser, TOKYO, 9)
    click_on(browser, "#search")
    browser.type("x")
    browser.press("Escape")
    require(browser.run("document.getElementById('found').hidden"), "Escape leaves the list open")
    browser.type("yzzy")
    status = browser.run("document.getElementById('unfound').textContent")
    require(status == "No place found.", f"the status is {status}")
    require(browser.run("document.getElementById('found').hidden"), "an empty list is open")
    browser.press("Escape")
    require(not browser.run("document.getElementById('unfound').textContent"), "the status stays")
    return "Vienna by Enter, Tokyo by a click, Escape closes the list, nothing is a status"


def shown_minute(minute):
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(minutes=minute)
    return f"{moment.day} {moment:%b %Y, %H:%M}"


def card(browser):
    """The title and rows of the card."""
    browsers.wait_for(browser, "!document.getElementById('details').hidden")
    title, *cells = browser.run(
        "[...document.querySelectorAll('#details h2, #details dt, #details dd')]"
        ".map((one) => one.textContent)"
    )
    return title, dict(zip(cells[::2], cells[1::2]))


def check_card(browser, page, data):
    start(browser, page)
    wanted = [one for one in data.regions if one[2] == 2 and abs(one[0] - VIENNA[0]) < 0.1]
    require(wanted, "no region of Vienna has two visits")
    latitude, longitude, visits, first, last, _ = wanted[len(wanted) // 2]
    look_at(browser, latitude, longitude, 16)
    browser.click(*screen_place(browser, latitude, longitude))
    title, rows = card(browser)
    expected = {"Visits": "2", "First": shown_minute(first), "Last": shown_minute(last)}
    # In British English, browsers write "Sept".
    rows = {name: text.replace("Sept ", "Sep ") for name, text in rows.items()}
    require(title == "Vienna" and rows == expected, f"{title}: {rows}, not {expected}")
    browser.press("Escape")
    require(browser.run("document.getElementById('details').hidden"), "Escape leaves the card")
    # Without a region: the day on which the cell was explored.
    row, column = min(cell for cell, day in data.cells.items()
                      if day == world.day_number("2020-07-01"))
    latitude, longitude = ((one + 0.5) * 75 / 111_000 for one in (row, column))
    look_at(browser, latitude - 90, longitude - 180, 4)
    browser.click(*screen_place(browser, latitude - 90, longitude - 180))
    _, rows = card(browser)
    require("Explored" in rows, f"the card has {rows}")
    look_at(browser, 20, -40, 8)
    browser.press("Escape")
    browser.click(*screen_place(browser, 20, -40))
    _, rows = card(browser)
    require(rows == {"Explored": "not yet"}, f"the card has {rows}")
    return "place, visits, first and last; Escape closes it"


def check_double_click(browser, page, data):
    """It zooms in and opens no card, and closes the card that a slow first click opened."""
    start(browser, page)
    look_at(browser, 20, -40, 6)
    place = screen_place(browser, 20, -40)
    browser.double_click(*place)
    land(browser)
    time.sleep(0.6)
    require(browser.run("document.getElementById('details').hidden"), "a double click opens a card")
    zoom = browser.run("roqua.view.zoom")
    require(abs(zoom - 7) < 0.01, f"a double click zooms to {zoom}")
    browser.click(*place)
    card(browser)
    browser.double_click(*place)
    land(browser)
    time.sleep(0.6)
    require(browser.run("document.getElementById('details').hidden"), "a double click keeps a card")
    return "it zooms in, without a card"


def check_forced_colors(browser, page, data):
    """What is drawn with backgrounds only is seen where the system leaves them out."""
    start(browser, page)
    browser.force_colors()
    browsers.wait_for(browser, "matchMedia('(forced-colors: active)').matches", 5)
    browsers.wait_until_drawn(browser)
    time.sleep(0.8)
    picture = browser.screenshot()
    box = lambda selector: browser.run(
        f"(() => {{ const box = document.querySelector('{selector}').getBoundingClientRect();"
        " return [box.left, box.top, box.width, box.height]; })()")
    ground = picture.getpixel((round(box("#date")[0]) - 2, round(box("#date")[1]) - 2))
    left, top, width, height = box("#day")
    places = {"the track": (left + width / 3, top + height / 2)}
    left, top, width, height = box("#list .bar i")
    places["a bar"] = (left + 1, top + height / 2)
    left, top, width, height = box("#tabs [aria-selected=true]")
    places["the selected tab's frame"] = (left + 1, top + height / 2)
    for name, (left, top) in places.items():
        near = [picture.getpixel((round(left) + x, round(top) + y))
                for x in (-1, 0, 1) for y in (-1, 0, 1)]
        far = max(max(abs(a - b) for a, b in zip(one, ground)) for one in near)
        require(far > 90, f"{name} is hardly seen: {near} on {ground}")
    return f"{', '.join(places)} are seen"


def check_lists(browser, page, data):
    start(browser, page)
    for level in ("country", "region", "city"):
        click_on(browser, f"#tab-{level}")
        names = browser.run(
            "[...document.querySelectorAll('#list .name')].map((one) => one.textContent)"
        )
        require(names == [one["name"] for one in data.lists[level]], f"{level}: {names}")
    ends = browser.run(
        "[...document.querySelectorAll('#list .value')]"
        ".map((one) => getComputedStyle(one).textAlign)"
    )
    require(set(ends) == {"end"}, f"the numbers are aligned {set(ends)}")
    require(browser.run("document.querySelector('[role=tabpanel] > ol#list') !== null"),
            "the list is no list in the panel of its tab")
    index = names.index("Vienna")
    click_on(browser, "#list button", index)
    land(browser)
    require_near(browser, VIENNA, 9)
    return "three lists, and a city flies there"


def check_keyboard(browser, page, data):
    start(browser, page)
    order = []
    for _ in range(40):
        browser.press("Tab")
        order.append(focused(browser))
        if order[-1] == "day":
            break
    entries = [one for one in order if one != "entry"]
    wanted = ["A Skip to the search", "map", "fold", "search", "tab-country", "closer", "farther",
              "home", "layers", "colors", "play", "day"]
    # Firefox lets Tab reach what scrolls.
    entries = [one for one in entries if one != "more"]
    require(entries == wanted, f"Tab goes to {entries}")
    browser.run("(() => { document.getElementById('map').focus(); return 1; })()")
    look_at(browser, 45, -38, 6)
    view = lambda: numpy.array(browser.run("[roqua.view.x, roqua.view.y, roqua.view.zoom]"))
    step = 80 / (256 * 2**6)
    for key, change in {
        "ArrowRight": (step, 0, 0), "ArrowLeft": (-step, 0, 0), "ArrowDown": (0, step, 0),
        "ArrowUp": (0, -step, 0), "+": (0, 0, 1), "-": (0, 0, -1),
    }.items():
        before = view()
        browser.press(key)
        land(browser)
        moved = view() - before
        require(numpy.allclose(moved, change, atol=1e-9), f"{key} moves by {moved}")
    browser.press("0")
    land(browser)
    home = browser.run("(() => { const at = roqua.homeView(); "
                       "return [at.x - Math.floor(at.x), at.y, at.zoom]; })()")
    require(numpy.allclose(view()[[0, 2]], [home[0], home[2]], atol=1e-6), "0 does not fly home")
    browser.run("(() => { document.getElementById('map').focus(); return 1; })()")
    look_at(browser, 20, -40, 6)
    browser.press("Enter")
    _, rows = card(browser)
    require(rows == {"Explored": "not yet"}, f"Enter shows {rows}")
    browsers.wait_for(browser, "document.activeElement.id === 'details'", 5)
    browser.press("Escape")
    require(focused(browser) == "map", f"Escape moves the focus to {focused(browser)}")
    for name, menu in (("layers", "layermenu"), ("colors", "colormenu")):
        browser.run(f"(() => {{ document.getElementById('{name}').focus(); return 1; }})()")
        browser.press("Enter")
        is_open = f"!document.getElementById('{menu}').hidden"
        browsers.wait_for(browser, is_open)
        inside = browser.run(f"document.getElementById('{menu}').contains(document.activeElement)")
        require(inside, f"{menu} does not take the focus")
        browser.press("Escape")
        require(not browser.run(is_open), f"Escape leaves {menu} open")
        require(focused(browser) == name, f"Escape moves the focus to {focused(browser)}")
    return f"{len(order)} stops of Tab in order, arrows, + - 0, Escape"


def check_theme(browser, page, data):
    """The browser must have begun with the light scheme."""
    start(browser, page)
    primary = "getComputedStyle(document.documentElement).getPropertyValue('--primary').trim()"
    state = lambda: [browser.run(primary), browser.run("roqua.themes.isDark")]
    themes = {one["name"]: one for one in data.info["themes"]}
    before = browser.screenshot().getpixel((700, 330))
    require(state() == [themes["blue"]["light"]["primary"], False], f"it begins with {state()}")
    click_on(browser, "#colors")
    click_on(browser, "#colormenu input[name=theme]", list(themes).index("forest"))
    browsers.wait_until_drawn(browser)
    require(state() == [themes["forest"]["light"]["primary"], False], f"Forest has {state()}")
    time.sleep(0.8)
    after = browser.screenshot().getpixel((700, 330))
    require(before != after, f"the map keeps its color {after}")
    browser.reload()
    start_again = "!!(roqua && roqua.firstPicture)"
    browsers.wait_for(browser, start_again)
    require(state()[0] == themes["forest"]["light"]["primary"], "the theme is forgotten")
    browser.set_scheme("dark")
    browsers.wait_for(browser, f"{primary} === '{themes['forest']['dark']['primary']}'", 5)
    wanted = themes["forest"]["dark"]["background"]
    numbers = [int(wanted[i : i + 2], 16) for i in (1, 3, 5)]
    time.sleep(0.7)
    background = browser.run("getComputedStyle(document.getElementById('panel')).backgroundColor")
    require(re.findall(r"\d+", background) == [str(one) for one in numbers], f"{background}")
    # A choice of light stays, whatever the system does.
    click_on(browser, "#colors")
    click_on(browser, "#colormenu input[name=scheme]", 1)
    require(not browser.run("roqua.themes.isDark"), "Light is dark")
    browser.set_scheme("light")
    browser.set_scheme("dark")
    time.sleep(0.2)
    require(not browser.run("roqua.themes.isDark"), "Light follows the system")
    click_on(browser, "#colormenu input[name=scheme]", 0)
    require(browser.run("roqua.themes.isDark"), "the system's scheme is not followed again")
    browser.set_scheme("light")
    return "a theme changes the colors, is remembered, and follows the system"


FLY = """(() => {
  window.seen = 0;
  roqua.fly({ place: { x: 0.1, y: 0.3, kind: "region" } });
  const look = () => {
    if (!roqua.flight) return;
    window.seen++;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  return 1;
})()"""


def frames_of_flight(browser, page):
    """The frames that a flight takes, and what is animated when the colors change."""
    start(browser, page)
    browser.run(FLY.replace("window.", "roqua."))
    browsers.wait_for(browser, "!roqua.flight")
    browser.run("(() => { roqua.themes.choose({ theme: 'amber' }); return 1; })()")
    time.sleep(0.1)
    running = browser.run("document.getAnimations().length")
    return browser.run("roqua.seen"), running


def check_stillness(still, moving, page, data):
    """Less motion means none; without the wish there is some, so that the check can fail."""
    frames, running = frames_of_flight(still, page)
    require(frames <= 1 and running == 0, f"{frames} frames of flight, {running} animations")
    frames, running = frames_of_flight(moving, page)
    require(frames > 3 and running > 0, f"without it {frames} frames, {running} animations")
    return f"no frame of flight and no transition, instead of {frames} and {running}"


def check_print(browser, page, data):
    start(browser, page)
    look_at(browser, *VIENNA, 13)
    pdf = browser.print_pdf()
    theme = browser.run("roqua.themes.tokens(roqua.themes.theme)")
    colors = {}
    for image in images_of(pdf):
        for count, color in image.getcolors(1 << 24):
            colors[color] = colors.get(color, 0) + count
    require(colors, "the PDF has no image")
    picture = browser.screenshot()
    found = 0
    for count, color in sorted(picture.getcolors(1 << 24), reverse=True)[:60]:
        near = sum(n for one, n in colors.items()
                   if max(abs(a - b) for a, b in zip(one, color)) <= 2)
        found += count if near > count / 4 else 0
    share = found / picture.width / picture.height
    require(share > 0.3, f"only {share:.0%} of the screen's colors are printed")
    require(theme, "no theme")
    return f"{len(pdf):,} bytes, with the colors of {share:.0%} of the screen"


def images_of(pdf):
    """The large RGB images of a PDF."""
    for found in re.finditer(rb"<<(?:[^<>]|<<[^<>]*>>)*>>\s*stream\r?\n", pdf):
        head = found.group(0)
        number = lambda name: re.search(rb"/%s\s+(\d+)" % name, head)
        if b"/Image" not in head or b"FlateDecode" not in head or b"DeviceGray" in head:
            continue
        width, height = (int(number(name).group(1)) for name in (b"Width", b"Height"))
        if width < 200:
            continue
        data = zlib.decompressobj().decompress(pdf[found.end() :])
        if len(data) == 3 * width * height:
            yield Image.frombytes("RGB", (width, height), data)


def check_text_of_time(browser, page, data):
    """Play moves the date on; the slider and the date say the same day."""
    start(browser, page)
    require(browser.run("!document.getElementById('time').hidden"), "there is no time machine")
    click_on(browser, "#play")
    browsers.wait_for(browser, "roqua.timeline.day > roqua.timeline.first + 20")
    click_on(browser, "#play")
    day = browser.run("roqua.timeline.day")
    value = browser.run("Number(document.getElementById('day').value)")
    require(value == day - browser.run("roqua.timeline.first"), "the slider is elsewhere")
    text = browser.run("document.getElementById('date').textContent")
    date = datetime.date(1970, 1, 1) + datetime.timedelta(days=day - 719_528)
    wanted = f"{date.day} {date:%b %Y}"
    text = text.replace("Sept ", "Sep ")
    require(text.startswith(wanted), f"the date is {text}, not {wanted}")
    browser.run("(() => { document.getElementById('day').focus(); return 1; })()")
    browser.press("ArrowLeft")
    require(browser.run("roqua.timeline.day") == day - 1, "an arrow key does not go back a day")
    return f"play, pause at {wanted}, a key goes back a day"
