"""The page in Chromium: it shows what a phone sends while it is open."""

import pathlib
import time

from .server import Server, require

PROGRAM = pathlib.Path("/usr/bin/chromium")


def wait(page, condition, seconds=30):
    """Waits until an expression is true. The page's policy forbids it to evaluate texts itself."""
    end = time.monotonic() + seconds
    while not page.evaluate(f"Boolean({condition})"):
        require(time.monotonic() < end, f"after {seconds} s, this is not true: {condition}")
        time.sleep(0.05)


def check(place, pictures):
    if not PROGRAM.exists():
        return f"skipped, {PROGRAM} is not installed"
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        from browsing import drivers
        import subprocess
        import sys

        if drivers.PYTHON.exists() and pathlib.Path(sys.executable) != drivers.PYTHON:
            code = (
                "import sys, pathlib; sys.path.insert(0, sys.argv[1]); "
                "from serving import livepage, server\n"
                "place = server.Place(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))\n"
                "try: print(livepage.check(place, pathlib.Path(sys.argv[4]) if "
                "sys.argv[4] else None))\n"
                "except server.Failure as failure: print(failure); sys.exit(1)")
            result = subprocess.run(
                [drivers.PYTHON, "-c", code, str(pathlib.Path(__file__).parents[1]),
                 str(place.executable), str(place.folder), str(pictures or "")],
                capture_output=True, text=True)
            require(result.returncode == 0, (result.stdout + result.stderr).strip())
            return result.stdout.strip()
        return f"skipped ({error}; scripts/install-checkers)"
    phone, reader = place.token("phone"), place.token("browser", "--read")
    with Server(place) as server, sync_playwright() as playwright:
        def send(first, count):
            for index in range(first, first + count):
                path = (f"/osmand/{phone}?lat={48.57 + index * 0.0008}&lon={7.74 + index * 0.0011}"
                        f"&timestamp={1714557600 + index * 60}")
                require(server.get(path)[0] == 200, "a fix was refused")

        send(0, 30)
        time.sleep(1)
        browser = playwright.chromium.launch(
            executable_path=str(PROGRAM), args=["--no-sandbox", "--disable-gpu"])
        for scheme in ("light", "dark"):
            page = browser.new_page(
                viewport={"width": 1100, "height": 720}, color_scheme=scheme,
                reduced_motion="reduce")
            complaints = []
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("console", lambda message: message.type == "error"
                    and complaints.append(message.text))
            page.goto(f"{server.address}/?token={reader}")
            require(reader not in page.url, "the token stays in the address")
            wait(page, "window.roqua && roqua.isComplete && roqua.regions")
            wait(page, "document.getElementById('live')?.textContent.startsWith('Live')")
            before = page.evaluate("page.stats.cells")
            send(30 if scheme == "light" else 60, 30)
            start = time.monotonic()
            wait(page, f"page.stats.cells > {before}")
            waited = time.monotonic() - start
            wait(page, "roqua.isComplete")
            time.sleep(0.5)
            compare_lists(browser, page, server, scheme)
            require(not complaints, f"the page complains: {complaints[:2]}")
            if pictures:
                pictures.mkdir(parents=True, exist_ok=True)
                page.screenshot(path=str(pictures / f"serve-{scheme}.png"))
            page.close()
        missed = reconnect(browser, place, server, phone, reader)
        browser.close()
    return (f"new cells and lists are on the page after {waited:.1f} s, in light and dark, and "
            f"what it missed {missed:.1f} s after a restart")


LISTS = """[document.getElementById('list').innerText, JSON.stringify(roqua.lists),
    roqua.regions.count, roqua.search.matches('stra').length].join('\\n')"""


def compare_lists(browser, page, server, scheme):
    """An open page has the lists of one that is opened now."""
    page.evaluate("roqua.panel.choose('city')")
    other = browser.new_page(color_scheme=scheme, reduced_motion="reduce")
    other.context.add_cookies(page.context.cookies())
    other.goto(server.address)
    wait(other, "window.roqua && roqua.isComplete && roqua.regions")
    other.evaluate("roqua.panel.choose('city')")
    end = time.monotonic() + 15
    while (mine := page.evaluate(LISTS)) != (others := other.evaluate(LISTS)):
        require(time.monotonic() < end, f"the lists are old:\n{mine[:200]}\n{others[:200]}")
        time.sleep(0.2)
    other.close()


def reconnect(browser, place, server, phone, reader):
    """What a page missed while the server was away is there once it is back."""
    page = browser.new_page(reduced_motion="reduce")
    page.goto(f"{server.address}/?token={reader}")
    wait(page, "document.getElementById('live')?.textContent.startsWith('Live')")
    before = page.evaluate("page.stats.cells")
    server.stop()
    wait(page, "document.getElementById('live').textContent === 'Not connected'")
    with Server(place) as other:
        for index in range(30):
            path = (f"/osmand/{phone}?lat={48.7 + index * 0.0008}&lon=7.9"
                    f"&timestamp={1714657600 + index * 60}")
            require(other.get(path)[0] == 200, "a fix was refused")
    with Server(place, port=server.port):
        start = time.monotonic()
        wait(page, "document.getElementById('live').textContent.startsWith('Live')")
        now = page.evaluate("page.stats.cells")
        require(now > before, f"the page says Live with {now} cells as before")
        page.close()
        return time.monotonic() - start
