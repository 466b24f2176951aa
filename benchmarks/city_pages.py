"""A city in a browser: how soon it is shown over a slow line, and how many frames a second the processor draws.

`python benchmarks/city_pages.py FOLDER` takes what `build_town.py city` wrote: FOLDER/out with the map and the looks
of people, FOLDER/storage with the base simulation. People walk in a recording that is made up here. The town of
twenty-five is measured in the same run: seconds and frames depend on the machine, ratios to that town less, bytes not.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from developer_packages import developer_packages
from first_picture import CHROMIUM, PATIENCE, PORT, ROOT, Load, answers, opened, report, wait_for
from pages import COUNT

with developer_packages():
    from playwright.sync_api import Browser, sync_playwright

PAGES = ROOT / "environment" / "frontend_server"
TOWN = "a_day_of_twenty_five"
CITY = "made_up_city"
STEPS = 240
AWAY, WALKING, TURNS = 0.5, 0.3, 0.01
"""Shares of people who are not where they began, who walk, and who begin or end to walk in a step."""
WAYS = ((1, 0), (-1, 0), (0, 1), (0, -1))
VIEWS = {"whole": None, "half": 0.5, "zoom 1": 1.0}
"""Zooms: from afar, where people of a city are dots, and with faces."""
LOOK = """
([zoom]) => {
  const { viewer, player } = ville;
  const { camera, map } = viewer.town;
  viewer.choose(null);
  camera.look(map.width / 2, map.height / 3, { zoom: zoom ?? camera.minZoom, at: "once" });
  player.play();
}
"""
SETTLED = "() => !ville.viewer.town.map.asked?.size"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where a city was built")
    parser.add_argument("--times", type=int, default=3, help="openings of each page")
    parser.add_argument("--seconds", type=float, default=4.0, help="how long frames are counted in each view")
    choice = parser.parse_args()
    with tempfile.TemporaryDirectory() as root, sync_playwright() as playwright:
        people = make_recording(choice.folder, Path(root) / "compressed")
        arguments = ["--no-sandbox"] if os.getuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        with served(choice.folder, Path(root)) as address:
            towns = {"25": f"{address}/demo/{TOWN}/3600/3/", str(people): f"{address}/demo/{CITY}/60/3/"}
            for town in towns.values():
                opened(browser, town)  # the server keeps copies of pictures, and the recording
            loads = {name: [opened(browser, town) for _ in range(choice.times)] for name, town in towns.items()}
            rates = {name: frames(browser, town, choice.seconds) for name, town in towns.items()}
        browser.close()
    show(loads, rates)


def make_recording(city: Path, shelf: Path) -> int:
    """Write a recording of everybody in a city, and the town of 25 beside it; return how many people there are."""
    base = next((city / "storage").iterdir())
    meta = json.loads((base / "reverie/meta.json").read_text("utf-8"))
    matrix = city / "out" / meta["maze_name"] / "matrix"
    free = walkable(matrix)
    places = json.loads((base / "environment/0.json").read_text("utf-8"))
    chance = random.Random(1)  # noqa: S311 - the same people every time
    everywhere = sorted(free)
    people = {name: Stroller((places[name]["x"], places[name]["y"]), chance) for name in meta["persona_names"]}
    for walker in people.values():
        if chance.random() < AWAY:
            walker.tile = chance.choice(everywhere)
    steps = {str(step): {name: walker.record(free) for name, walker in people.items()} for step in range(STEPS)}
    folder = shelf / CITY
    (folder / "personas").mkdir(parents=True)
    changed = {step: changes(steps, int(step)) for step in steps}
    (folder / "master_movement.json").write_text(json.dumps(changed), "utf-8")
    meta |= {"step": STEPS, "start_date": "February 13, 2023", "curr_time": "February 13, 2023, 12:00:00"}
    (folder / "meta.json").write_text(json.dumps(meta), "utf-8")
    shutil.copytree(PAGES / "compressed_storage" / TOWN, shelf / TOWN)
    return len(people)


def changes(steps: dict[str, dict[str, Any]], step: int) -> dict[str, Any]:
    before = steps.get(str(step - 1), {})
    return {name: record for name, record in steps[str(step)].items() if before.get(name) != record}


def walkable(matrix: Path) -> set[tuple[int, int]]:
    width = int(json.loads((matrix / "maze_meta_info.json").read_text("utf-8"))["maze_width"])
    text = (matrix / "maze/collision_maze.csv").read_text("utf-8").replace("\n", ",")
    cells = [cell.strip() for cell in text.split(",") if cell.strip()]
    return {(number % width, number // width) for number, cell in enumerate(cells) if cell == "0"}


class Stroller:
    """Somebody who walks straight on as long as possible, and stands now and then."""

    def __init__(self, tile: tuple[int, int], chance: random.Random) -> None:
        self.tile, self.chance = tile, chance
        self.way = chance.choice(WAYS)
        self.walks = chance.random() < WALKING

    def record(self, free: set[tuple[int, int]]) -> dict[str, Any]:
        if self.chance.random() < TURNS:
            self.walks = not self.walks
        for way in (self.way, *WAYS) if self.walks else ():
            ahead = (self.tile[0] + way[0], self.tile[1] + way[1])
            if ahead in free:
                self.tile, self.way = ahead, way
                break
        words = "walking @ city:street" if self.walks else "resting @ city:street"
        return {"movement": list(self.tile), "pronunciatio": "🚶", "description": words, "chat": None}


@contextmanager
def served(city: Path, root: Path) -> Iterator[str]:
    """Serve the pages over a city, without an engine."""
    (root / "temp").mkdir()
    places = {
        "FS_STORAGE": city / "storage",
        "FS_TEMP_STORAGE": root / "temp",
        "FS_COMPRESSED_STORAGE": root / "compressed",
    }
    places |= {"DATABASE": root / "db", "ASSETS": city / "out"}
    given = {**os.environ, **{f"VILLE_{name}": str(place) for name, place in places.items()}}
    given["PYTHONPATH"] = str(ROOT / "reverie" / "backend_server")
    command = [sys.executable, "manage.py", "runserver", "--noreload", f"127.0.0.1:{PORT}"]
    server = subprocess.Popen(command, cwd=PAGES, env=given, stdout=subprocess.DEVNULL)
    try:
        wait_for(answers)
        yield f"http://127.0.0.1:{PORT}"
    finally:
        server.terminate()
        server.wait()


def frames(browser: Browser, address: str, seconds: float) -> dict[str, float]:
    """Frames a second in each view, drawn by the processor."""
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(f"{address}?renderer=canvas")
    page.wait_for_selector("html[data-ready=town]")
    page.wait_for_function("() => ville.viewer.frame")
    page.evaluate("() => ville.viewer.town.painted")
    rates = {}
    for name, zoom in VIEWS.items():
        page.evaluate(LOOK, [zoom])
        page.wait_for_timeout(1000)
        page.wait_for_function(SETTLED)
        rates[name] = statistics.median(float(page.evaluate(COUNT, seconds * 1000 / 3)) for _ in range(3))
    page.close()
    return rates


def show(loads: dict[str, list[Load]], rates: dict[str, dict[str, float]]) -> None:
    report("people: " + ", ".join(loads), list(loads.values()))
    print(f"\n{'frames a second':<22}" + "".join(f"{name:>10}" for name in [*rates, "ratio"]))
    for view in VIEWS:
        values = [rate[view] for rate in rates.values()]
        print(f"{view:<22}" + "".join(f"{value:10.1f}" for value in values) + f"{values[1] / values[0]:10.2f}")


if __name__ == "__main__":
    main()
