"""The same few commands for each browser."""

import base64
import io
import json
import pathlib
import socket
import time

from PIL import Image

#: How long a page may take before a check gives up, in seconds.
PATIENCE = 60


class Chromium:
    """Debian's Chromium."""

    name = "chromium"

    def __init__(self, width, height, scheme="light", ratio=1, reduces_motion=True):
        from playwright.sync_api import sync_playwright

        self.playwright = sync_playwright().start()
        # Pictures are drawn by the processor, the same on every machine.
        self.browser = self.playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        self.page = self.browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            device_scale_factor=ratio,
            reduced_motion="reduce" if reduces_motion else "no-preference",
        )
        self.failures = []
        self.requests = []
        self.page.on("pageerror", lambda error: self.failures.append(str(error)))
        self.page.on("console", self._console)
        self.page.on("request", lambda request: self.requests.append(request.url))

    def _console(self, message):
        if message.type in ("error", "warning"):
            self.failures.append(message.text)

    def open(self, path):
        self.page.goto(pathlib.Path(path).resolve().as_uri())

    def run(self, script):
        """The value of an expression in the page."""
        return self.page.evaluate(script)

    def screenshot(self):
        return Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")

    def print_pdf(self):
        return self.page.pdf(landscape=True, print_background=True)

    def set_scheme(self, scheme):
        self.page.emulate_media(color_scheme=scheme)

    def close(self):
        self.browser.close()
        self.playwright.stop()


class Firefox:
    """Debian's Firefox."""

    name = "firefox"

    def __init__(self, width, height, scheme="light", ratio=1, reduces_motion=True):
        from marionette_driver.marionette import Marionette

        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.client = Marionette(
            bin="/usr/bin/firefox-esr",
            headless=True,
            port=port,
            prefs={
                "layout.css.prefers-color-scheme.content-override": 0 if scheme == "dark" else 1,
                "layout.css.devPixelsPerPx": str(ratio),
                "ui.prefersReducedMotion": 1 if reduces_motion else 0,
                "datareporting.policy.dataSubmissionEnabled": False,
            },
        )
        self.client.start_session()
        # The window has more than the page; the difference is the same at every size.
        self.client.set_window_rect(width=width, height=height)
        inner = self.run("[innerWidth, innerHeight]")
        self.client.set_window_rect(width=2 * width - inner[0], height=2 * height - inner[1])
        self.failures = []
        self.requests = None  # unknown: the page's own policy forbids them all

    def open(self, path):
        self.client.navigate(pathlib.Path(path).resolve().as_uri())

    def run(self, script):
        # The page's own policy forbids eval, so the expression is part of the driver's script.
        text = self.client.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "const page = window.wrappedJSObject || window;"
            "const roqua = page.roqua;"
            f"Promise.resolve({script})"
            ".then((value) => done(JSON.stringify(value ?? null)));",
            script_timeout=PATIENCE * 1000,
        )
        return json.loads(text) if text else None

    def screenshot(self):
        data = base64.b64decode(self.client.screenshot(full=False))
        return Image.open(io.BytesIO(data)).convert("RGB")

    def close(self):
        self.client.quit(in_app=True)


def wait_for(browser, script, patience=PATIENCE):
    """Waits until an expression is true."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if browser.run(script):
            return
        time.sleep(0.05)
    raise TimeoutError(f"{browser.name}: {script} did not become true; {browser.failures}")


def wait_until_drawn(browser):
    """Waits until the page has drawn what it should show."""
    wait_for(browser, "!!(typeof roqua !== 'undefined' && roqua && roqua.firstPicture && roqua.isComplete && !roqua.isAwake)")


BROWSERS = {"chromium": Chromium, "firefox": Firefox}
