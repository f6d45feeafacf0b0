"""The same few commands for each browser."""

import atexit
import base64
import functools
import io
import json
import logging
import os
import pathlib
import socket
import tempfile
import time

from PIL import Image

#: How long a page may take before a check gives up, in seconds.
PATIENCE = 60


#: Code points of WebDriver for keys without a letter.
KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}


class Chromium:
    """Debian's Chromium."""

    name = "chromium"

    @staticmethod
    @functools.cache
    def driver():
        """Playwright, which one process starts once."""
        from playwright.sync_api import sync_playwright

        playwright = sync_playwright().start()
        atexit.register(playwright.stop)
        return playwright

    def __init__(self, width, height, scheme="light", ratio=1, reduces_motion=True):
        # Pictures are drawn by the processor, the same on every machine.
        self.browser = self.driver().chromium.launch(
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

    def reload(self):
        self.page.reload()

    def resize(self, width, height):
        self.page.set_viewport_size({"width": width, "height": height})

    def click(self, left, top):
        self.page.mouse.click(left, top)

    def double_click(self, left, top):
        self.page.mouse.dblclick(left, top)

    def press(self, key):
        """Presses a key by its name in the DOM: "ArrowLeft", "Tab", "+"."""
        self.page.keyboard.press(key)

    def type(self, text):
        self.page.keyboard.type(text)

    def screenshot(self):
        return Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")

    def print_pdf(self):
        return self.page.pdf(landscape=True, print_background=True)

    def set_scheme(self, scheme):
        self.page.emulate_media(color_scheme=scheme)

    def force_colors(self):
        """Shows the page as a system with a high contrast does."""
        self.page.emulate_media(forced_colors="active")

    def close(self):
        self.browser.close()


class Firefox:
    """Debian's Firefox."""

    name = "firefox"

    def __init__(self, width, height, scheme="light", ratio=1, reduces_motion=True):
        from marionette_driver.marionette import Marionette

        # The driver would print the browser's version in ten lines.
        logging.getLogger("mozversion").setLevel(logging.ERROR)
        self.folder = tempfile.TemporaryDirectory(prefix="roqua-firefox-")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.client = Marionette(
            bin="/usr/bin/firefox-esr",
            headless=True,
            port=port,
            # The driver replaces this file, so that it must not be a device.
            gecko_log=os.path.join(self.folder.name, "firefox.log"),
            prefs={
                "layout.css.prefers-color-scheme.content-override": 0 if scheme == "dark" else 1,
                "layout.css.devPixelsPerPx": str(ratio),
                "ui.prefersReducedMotion": 1 if reduces_motion else 0,
                "datareporting.policy.dataSubmissionEnabled": False,
            },
        )
        self.client.start_session()
        self.resize(width, height)
        self._chrome(
            """
            globalThis.asked = [];
            globalThis.watcher = { observe(subject) {
              const channel = subject.QueryInterface(Ci.nsIChannel);
              // The browser's own requests are the system's.
              if (channel.loadInfo.triggeringPrincipal.isSystemPrincipal) return;
              globalThis.asked.push(channel.URI.spec);
            } };
            Services.obs.addObserver(globalThis.watcher, "http-on-opening-request");
            """
        )

    def _chrome(self, script):
        """Runs a script of the browser itself."""
        with self.client.using_context("chrome"):
            return self.client.execute_script(script, sandbox="system", new_sandbox=False)

    @property
    def failures(self):
        """Errors and warnings of the page's scripts, and what its policy blocked."""
        return self._chrome(
            """
            return Services.console.getMessageArray()
              .filter((one) => one instanceof Ci.nsIScriptError)
              .filter((one) => /^(file|blob):/.test(one.sourceName))
              .map((one) => `${one.errorMessage} ${one.lineNumber}`);
            """
        )

    @property
    def requests(self):
        """What the page asked of the network, and the resources that it knows of."""
        known = self.run("performance.getEntriesByType('resource').map((one) => one.name)")
        return self._chrome("return globalThis.asked;") + known

    def open(self, path):
        self.client.navigate(pathlib.Path(path).resolve().as_uri())

    def reload(self):
        self.client.refresh()

    def resize(self, width, height):
        self.client.set_window_rect(width=width, height=height)
        for _ in range(3):
            inner = self.run("[innerWidth, innerHeight]")
            rect = self.client.window_rect
            self.client.set_window_rect(
                width=rect["width"] + width - inner[0], height=rect["height"] + height - inner[1]
            )

    def _act(self, kind, name, options=None):
        from marionette_driver.marionette import ActionSequence

        return ActionSequence(self.client, kind, name, options)

    def click(self, left, top):
        mouse = self._act("pointer", "mouse", {"pointerType": "mouse"})
        mouse.pointer_move(round(left), round(top)).pointer_down(0).pointer_up(0).perform()

    def double_click(self, left, top):
        mouse = self._act("pointer", "mouse", {"pointerType": "mouse"})
        mouse.pointer_move(round(left), round(top))
        mouse.pointer_down(0).pointer_up(0).pointer_down(0).pointer_up(0).perform()

    def press(self, key):
        """Presses a key by its name in the DOM: "ArrowLeft", "Tab", "+"."""
        code = KEYS.get(key, key)
        self._act("key", "keyboard").key_down(code).key_up(code).perform()

    def type(self, text):
        for letter in text:
            self.press(letter)

    def print_pdf(self):
        options = {"orientation": "landscape", "background": True}
        return base64.b64decode(self.client._send_message("WebDriver:Print", options, key="value"))

    def set_scheme(self, scheme):
        name = "layout.css.prefers-color-scheme.content-override"
        self.client.set_pref(name, 0 if scheme == "dark" else 1)

    def force_colors(self):
        """Shows the page as a system with a high contrast does."""
        self.client.set_pref("browser.display.document_color_use", 2)

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
        self.client.cleanup()
        self.folder.cleanup()


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
    wait_for(
        browser,
        "!!(typeof roqua !== 'undefined' && roqua && roqua.firstPicture && roqua.isComplete"
        " && !roqua.isAwake)",
    )


BROWSERS = {"chromium": Chromium, "firefox": Firefox}
