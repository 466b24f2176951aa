"""How soon a page shows the town, with an empty cache, over a slow line.

`python benchmarks/first_picture.py` opens the front page, the live page and the demo of twenty-five people in Chromium,
at 4 Mbit/s with 40 ms of latency, which Chromium itself imposes. `--against FOLDER` measures another checkout too and
prints the ratios. Seconds depend on the machine; bytes, requests and the seconds that the bytes alone take do not.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from developer_packages import developer_packages

with developer_packages():
    from playwright.sync_api import Browser, CDPSession, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = "/usr/bin/chromium"
PORT = 8766
BASE = "base_the_ville_n25"
PAGES = {"front": "/", "demo": "/demo/a_day_of_twenty_five/2400/3/", "live": "/simulator_home"}
BYTES_PER_SECOND = 500_000
"""4 Mbit/s."""
LATENCY = 40
"""Milliseconds."""
PATIENCE = 180
"""Seconds."""
REST = 1.0
"""Seconds after everything has been loaded, in which it is painted."""
WATCH = """
window.seen = {};
new PerformanceObserver((list) => {
  const painted = list.getEntries().find((entry) => entry.identifier === "map");
  if (painted) seen.picture ??= painted.renderTime || painted.loadTime;
}).observe({ type: "element", buffered: true });
new PerformanceObserver((list) => { seen.largest = list.getEntries().at(-1).startTime; })
  .observe({ type: "largest-contentful-paint", buffered: true });
new MutationObserver(() => {
  if (!document.documentElement.dataset.ready || seen.waiting) return;
  seen.waiting = true;
  requestAnimationFrame(() => setTimeout(() => { seen.usable = performance.now(); }));
}).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-ready"] });
const look = () => {
  if (window.ville?.viewer?.frame) seen.people = performance.now();
  else requestAnimationFrame(look);
};
look();
"""
"""Notes down when a picture of the map and the largest content were painted, when the page was ready and had drawn
that, and when people were first drawn."""
KINDS = {
    "Document": "page",
    "Script": "scripts",
    "Stylesheet": "styles",
    "Image": "pictures",
    "XHR": "data",
    "Fetch": "data",
}


@dataclass
class Load:
    """One opening of a page."""

    picture: float = 0.0
    """Seconds until the map was seen."""
    largest: float = 0.0
    """Seconds until the largest content was painted (LCP)."""
    usable: float = 0.0
    """Seconds until the page could be used."""
    people: float = 0.0
    """Seconds until people were seen; 0 on a page without a town."""
    busy: float = 0.0
    """Seconds that the main thread worked."""
    bytes: Counter[str] = field(default_factory=Counter)
    """Received before the page could be used, by kind."""
    requests: int = 0

    @property
    def least(self) -> float:
        """Seconds that the bytes alone take."""
        return sum(self.bytes.values()) / BYTES_PER_SECOND


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=Path, help="another checkout to compare with")
    parser.add_argument("--times", type=int, default=3, help="openings of each page")
    choice = parser.parse_args()
    checkouts = [*([choice.against.resolve()] if choice.against else []), ROOT]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"] if os.getuid() == 0 else []
        )
        loads: dict[tuple[Path, str], list[Load]] = {}
        for number, checkout in enumerate(checkouts):
            with served(checkout, Path(folder) / str(number)) as address:
                for kind, path in PAGES.items():
                    loads[checkout, kind] = [opened(browser, address + path) for _ in range(choice.times)]
        browser.close()
    for kind in PAGES:
        report(kind, [loads[checkout, kind] for checkout in checkouts])


@contextmanager
def served(checkout: Path, root: Path) -> Iterator[str]:
    """Serve a checkout over folders of its own, with a simulation that waits for commands."""
    pages, backend = checkout / "environment" / "frontend_server", checkout / "reverie" / "backend_server"
    (root / "temp").mkdir(parents=True)
    shutil.copytree(pages / "storage" / BASE, root / "storage" / BASE)
    places = {
        "VILLE_FS_STORAGE": root / "storage",
        "VILLE_FS_TEMP_STORAGE": root / "temp",
        "VILLE_DATABASE": root / "db",
    }
    given = {**os.environ, "PYTHONPATH": str(backend), **{name: str(place) for name, place in places.items()}}
    given["VILLE_FS_COMPRESSED_STORAGE"] = str(pages / "compressed_storage")
    commands = (
        (pages, "manage.py", "runserver", "--noreload", f"127.0.0.1:{PORT}"),
        (backend, "reverie.py", "--origin", BASE, "--name", "measured"),
    )
    started = [
        subprocess.Popen(
            [sys.executable, *words], cwd=place, env=given, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
        )
        for place, *words in commands
    ]
    try:
        wait_for((root / "temp" / "curr_step.json").exists)
        wait_for(answers)
        yield f"http://127.0.0.1:{PORT}"
    finally:
        for process in started:
            process.terminate()
            process.wait()


def wait_for(condition: Any) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            sys.exit("The servers did not start.")
        time.sleep(0.1)


def answers() -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/status/", timeout=10):
            return True
    except OSError:
        return False


def opened(browser: Browser, address: str) -> Load:
    """Open a page in a new context, whose cache is empty."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.add_init_script(WATCH)
    session = context.new_cdp_session(page)
    load = Load()
    count(session, load)
    limits = {"downloadThroughput": BYTES_PER_SECOND, "uploadThroughput": BYTES_PER_SECOND, "latency": LATENCY}
    session.send("Network.emulateNetworkConditions", {"offline": False, **limits})
    session.send("Performance.enable")
    page.goto(address, wait_until="commit")
    page.wait_for_function("() => seen.usable")
    page.wait_for_load_state("load")
    page.wait_for_timeout(1000 * REST)
    seen = page.evaluate("seen")
    load.usable = seen["usable"] / 1000
    load.largest = seen["largest"] / 1000
    load.people = seen.get("people", 0.0) / 1000
    load.picture = seen.get("picture", seen["usable"]) / 1000
    metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    load.busy = metrics["TaskDuration"]
    context.close()
    return load


def count(session: CDPSession, load: Load) -> None:
    """Count requests and bytes as they arrive, headers included."""
    kinds: dict[str, str] = {}

    def responded(event: dict[str, Any]) -> None:
        kinds[event["requestId"]] = KINDS.get(event["type"], "other")

    def finished(event: dict[str, Any]) -> None:
        load.bytes[kinds.get(event["requestId"], "other")] += event["encodedDataLength"]
        load.requests += 1

    session.on("Network.responseReceived", responded)
    session.on("Network.loadingFinished", finished)
    session.send("Network.enable")


def report(kind: str, columns: list[list[Load]]) -> None:
    """Print a table: medians of each checkout, and the ratio of the last to the first."""
    print(
        f"\n{kind:<22}"
        + "".join(f"{name:>10}" for name in (["before", "after", "ratio"] if len(columns) > 1 else ["now"]))
    )
    figures = {
        "map seen, s": lambda load: load.picture,
        "largest content, s": lambda load: load.largest,
        "usable, s": lambda load: load.usable,
        "people seen, s": lambda load: load.people,
        "main thread, s": lambda load: load.busy,
        "bytes alone, s": lambda load: load.least,
        "requests": lambda load: load.requests,
        "kB": lambda load: sum(load.bytes.values()) / 1000,
        **{f"  {name}": lambda load, name=name: load.bytes[name] / 1000 for name in dict.fromkeys(KINDS.values())},
    }
    for name, figure in figures.items():
        values = [statistics.median(map(figure, loads)) for loads in columns]
        ratio = f"{values[-1] / values[0]:10.2f}" if len(values) > 1 and values[0] else ""
        print(f"{name:<22}" + "".join(f"{value:10.2f}" for value in values) + ratio)


if __name__ == "__main__":
    main()
