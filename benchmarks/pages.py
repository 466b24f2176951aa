"""Cost of the town in a browser: frames a second with all its people, beside those of the bare map.

`python benchmarks/pages.py SIMULATION [ADDRESS]` plays a compressed simulation of a running environment server in
Chromium, in both renderers, near and far, by day and by night. One page does nothing but draw; what else the machine
does is seen in both columns, so look at their ratio.
"""

import argparse
import time

from developer_packages import developer_packages

with developer_packages():
    from playwright.sync_api import Page, sync_playwright

CHROMIUM = "/usr/bin/chromium"
PATIENCE = 300_000
"""Milliseconds that a page may take, on a machine that has others to serve."""
COUNT = """
async (milliseconds) => {
  const start = performance.now();
  let frames = 0;
  while (performance.now() - start < milliseconds) {
    await new Promise(requestAnimationFrame);
    frames += 1;
  }
  return (1000 * frames) / (performance.now() - start);
}
"""
SHOW = """
([zoom, step]) => {
  const { viewer, player } = ville;
  viewer.choose(null);
  viewer.town.camera.look(2400, 1200, { zoom: zoom === null ? viewer.town.camera.minZoom : zoom, at: "once" });
  player.seek(step);
  player.play();
}
"""
BARE = """
(bare) => {
  const { town } = ville.viewer;
  ville.full ??= [town.onTick, town.people.layOut];
  [town.onTick, town.people.layOut] = bare ? [() => {}, () => {}] : ville.full;
  if (bare) town.daylight.image.setVisible(false);
  for (const { figure, ring, bubble } of town.people.sprites.values()) {
    for (const image of [figure, ring, bubble.image]) image.setAlpha(bare ? 0 : 1);
  }
}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("simulation", help="a compressed simulation that reaches the afternoon")
    parser.add_argument("address", nargs="?", default="http://127.0.0.1:8000", help="of the environment server")
    parser.add_argument("--day", type=int, default=3600, help="a step by day")
    parser.add_argument("--night", type=int, default=1000, help="a step by night")
    parser.add_argument("--seconds", type=float, default=3.0, help="how long frames are counted in each view")
    choice = parser.parse_args()
    print(f"{'':24} {'bare map':>10} {'people':>10} {'ratio':>7}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--enable-unsafe-swiftshader"])
        for renderer in ("canvas", "webgl"):
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            page.set_default_timeout(PATIENCE)
            started = time.monotonic()
            page.goto(f"{choice.address}/demo/{choice.simulation}/{choice.day}/3/?renderer={renderer}")
            page.wait_for_selector("html[data-ready=town]")
            print(f"{renderer}: shown after {time.monotonic() - started:.1f} s")
            for moment in ("day", "night"):
                for view, zoom in {"whole town": None, "zoom 1": 1, "zoom 2": 2}.items():
                    shown = [zoom, getattr(choice, moment)]
                    compare(page, f"  {moment}, {view}", shown, choice.seconds)
            page.close()
        browser.close()


def compare(page: Page, name: str, shown: list[int | None], seconds: float) -> None:
    """One line: the same view, its zoom and step, with and without what moves."""
    rates = []
    for bare in (True, False):
        page.evaluate(BARE, bare)
        page.evaluate(SHOW, shown)
        page.wait_for_timeout(300)
        rates.append(float(page.evaluate(COUNT, seconds * 1000)))
    print(f"{name:24} {rates[0]:10.1f} {rates[1]:10.1f} {rates[1] / rates[0]:7.2f}", flush=True)


if __name__ == "__main__":
    main()
