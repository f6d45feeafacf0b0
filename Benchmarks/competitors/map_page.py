"""A map page in a real browser: the first picture, moving the map, and another day."""

import json
import statistics

from browsing import browsers

#: Adds measuring functions to the page.
SCRIPT = """
roqua.measureFrames = (count) => new Promise((resolve) => {
  const times = [];
  let last = 0;
  const step = (now) => {
    if (last) times.push(now - last);
    last = now;
    roqua.view.moveBy(-13, times.length < count / 2 ? -5 : 5);
    roqua.draw(now);
    if (times.length < count) requestAnimationFrame(step);
    else resolve(times);
  };
  requestAnimationFrame(step);
});
roqua.measureDays = async (count) => {
  const { timeline } = roqua;
  const times = [];
  for (let i = 1; i <= count; i++) {
    const share = ((i * 17) % (count + 1)) / (count + 1);
    const start = performance.now();
    timeline.show(Math.round(timeline.first + (timeline.last - timeline.first) * share));
    await new Promise((resolve) => {
      const look = () => (roqua.isComplete && !roqua.isAwake ? resolve() : setTimeout(look, 1));
      look();
    });
    times.push(performance.now() - start);
  }
  return times;
};
"""


def middle_and_most(times):
    return f"{statistics.median(times):.0f} ms, at most {max(times):.0f}"


def measure(kind, page, zooms=(3, 8, 11)):
    """What is measured of a page in one browser: its name, the limit and the figure."""
    firsts = []
    for _ in range(3):
        browser = kind(1920, 1080)
        browser.open(page)
        browsers.wait_until_drawn(browser)
        firsts.append(browser.run("roqua.firstPicture"))
        browser.close()
    yield "first complete picture", "1 s", f"{statistics.median(firsts):.0f} ms"
    browser = kind(1920, 1080)
    browser.open(page)
    browsers.wait_until_drawn(browser)
    source = json.dumps(SCRIPT)
    browser.run("(() => { const one = document.createElement('script'); one.textContent = "
                f"{source}; document.head.append(one); return 1; }})()")
    for zoom in zooms:
        browser.run(f"(() => {{ roqua.look({{ x: 0.53, y: 0.36, zoom: {zoom} }}); roqua.wake();"
                    " return 1; })()")
        browsers.wait_until_drawn(browser)
        frames = browser.run("roqua.measureFrames(180)")
        yield (f"between two frames, zoom {zoom}", "median 20 ms, none above 100",
               middle_and_most(frames))
        days = browser.run("roqua.measureDays(40)")
        yield f"another day, zoom {zoom}", "50 ms", middle_and_most(days)
    browser.close()
