"""Opens map pages in real browsers, without a window: Chromium by Playwright, Firefox by
Marionette. Both are Debian's; the drivers come from PyPI."""
