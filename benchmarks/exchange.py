"""Cost of the environment server: a step's exchange, and a two-day run of 25 people opened for the first time.

`python benchmarks/exchange.py` makes runs in a temporary folder, starts a real server, and leaves nothing behind.
"""

import argparse
import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "environment" / "frontend_server"
PORT = 8765
PEOPLE = [f"Person Number{number}" for number in range(25)]
DAYS = 17_280
"""Steps of two days."""
PIECE = 100
"""Steps."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=500, help="exchanges to time")
    parser.add_argument("--steps", type=int, default=DAYS, help="length of the runs that are opened")
    choice = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        size = fabricate(root, choice.steps)
        print(f"{choice.steps} steps, {len(PEOPLE)} people; compressed {size / 1e6:.0f} MB")
        with server(root) as line:
            exchange(line, root / "storage" / "run", choice)
            for store in ("compressed", "saved"):
                opening(line, store, choice.steps)


def exchange(line: http.client.HTTPConnection, run: Path, choice: argparse.Namespace) -> None:
    """A page asks for a step and reports the next, on one kept-alive connection."""
    asking, reporting = [], []
    for number in range(choice.requests):
        step = choice.steps - 1 - number % 1000
        asking.append(ask(line, "POST", "/update_environment/", {"step": step, "sim_code": "run"}))
        places = {name: {"maze": "the_ville", "x": 5, "y": 5} for name in PEOPLE}
        body = {"step": choice.steps, "sim_code": "run", "environment": places}
        (run / "environment" / f"{choice.steps}.json").unlink(missing_ok=True)
        reporting.append(ask(line, "POST", "/process_environment/", body))
    for name, times in (("update_environment", asking), ("process_environment", reporting)):
        p50, p99 = statistics.median(times), statistics.quantiles(times, n=100)[98]
        print(f"{name:<22} p50 {p50 * 1000:6.2f} ms   p99 {p99 * 1000:6.2f} ms")


def opening(line: http.client.HTTPConnection, store: str, steps: int) -> None:
    """The first page anybody opens, then what scrubbing asks for."""
    middle = steps // 2
    first = ask(line, "GET", f"/frames/run/{middle}/{middle + PIECE - 1}/?store={store}")
    times = [
        ask(line, "GET", f"/frames/run/{step}/{step + PIECE - 1}/?store={store}")
        for step in range(0, steps - PIECE, steps // 50 + 1)
    ]
    marks = [ask(line, "GET", f"/timeline/run/?store={store}") for _ in range(2)]
    print(
        f"{store:<11} first frames {first * 1000:6.0f} ms   others p50 {statistics.median(times) * 1000:5.1f} ms   "
        f"timeline {marks[0] * 1000:6.0f} ms, again {marks[1] * 1000:5.1f} ms"
    )


def ask(line: http.client.HTTPConnection, method: str, address: str, body: Any = None) -> float:
    """Seconds until the answer is there whole."""
    text = json.dumps(body) if body is not None else None
    began = time.perf_counter()
    line.request(method, address, text)
    answer = line.getresponse()
    content = answer.read()
    took = time.perf_counter() - began
    if answer.status != http.client.OK:
        raise SystemExit(f"{method} {address}: {answer.status} {content[:200]!r}")
    return took


@contextmanager
def server(root: Path) -> Iterator[http.client.HTTPConnection]:
    """The environment server as a process of its own, over the storage folders in `root`."""
    places = {"FS_STORAGE": "storage", "FS_TEMP_STORAGE": "temp", "FS_COMPRESSED_STORAGE": "compressed"}
    environment = {**os.environ, **{f"VILLE_{name}": str(root / place) for name, place in places.items()}}
    command = [sys.executable, "manage.py", "runserver", "--noreload", f"127.0.0.1:{PORT}"]
    process = subprocess.Popen(command, cwd=PAGES, env=environment, stdout=subprocess.DEVNULL)
    line = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)
    try:
        for _ in range(200):
            try:
                ask(line, "GET", "/status/")
                break
            except (OSError, http.client.HTTPException):
                line.close()
                time.sleep(0.1)
        yield line
    finally:
        process.terminate()
        process.wait()


def fabricate(root: Path, steps: int) -> int:
    """A run on both shelves in which a quarter of the people does something new in every step; the size of one file."""
    lot = random.Random(1)  # noqa: S311 - the same run every time
    meta = {
        "fork_sim_code": "run", "start_date": "February 13, 2023", "curr_time": "February 13, 2023, 00:00:00",
        "sec_per_step": 10, "maze_name": "the_ville", "persona_names": PEOPLE, "step": 0,
    }  # fmt: skip
    saved, compressed = root / "storage" / "run", root / "compressed" / "run"
    for folder in (saved / "reverie", saved / "movement", saved / "environment", compressed):
        folder.mkdir(parents=True)
    for path in (saved / "reverie" / "meta.json", compressed / "meta.json"):
        path.write_text(json.dumps(meta, indent=2), "utf-8")
    master: dict[str, dict[str, Any]] = {}
    shown: dict[str, Any] = {}
    for step in range(steps):
        master[str(step)] = {name: record(name, lot) for name in PEOPLE if step == 0 or lot.random() < 0.25}  # noqa: PLR2004
        shown |= master[str(step)]
        (saved / "movement" / f"{step}.json").write_text(json.dumps({"persona": shown, "meta": {}}, indent=2), "utf-8")
    (compressed / "master_movement.json").write_text(json.dumps(master, indent=2), "utf-8")
    return (compressed / "master_movement.json").stat().st_size


def record(name: str, lot: random.Random) -> dict[str, Any]:
    """Few are in a talk."""
    said = f"{name} says something that is neither short nor long, and asks for an answer."
    return {
        "movement": [lot.randrange(140), lot.randrange(100)],
        "pronunciatio": "\N{HOT BEVERAGE}",
        "description": f"having a cup of coffee @ the Ville:Hobbs Cafe:cafe:table {lot.randrange(9)}",
        "chat": [[name, said]] * 6 if lot.random() < 0.005 else None,  # noqa: PLR2004
    }


if __name__ == "__main__":
    main()
