"""Processor time of the front page, of a recording, and of the pages of a run: news, ties, story, why, calls, compare.

`python benchmarks/page_answers.py --storage FOLDER --compressed FOLDER NAME …` asks each address of each run, as a
browser does: until what it shows is computed, then again. Printed is what the server itself takes, in milliseconds of
the processor: at most for a request until the answer is whole, and for the next one, and how large it is. What is
computed in a process of its own is printed in seconds. With `--fresh`, each address is asked in a copy of a server that
has just begun. Of two runs, the comparison is asked for, too. It ends with exit code 1 if an answer takes more than
LIMIT.

`--crowd 40` first writes a recording of so many times the people of the run that is named, each with a life of its own
day (`NAME_x40`); `--calls 150000` a copy of it with so many calls (`NAME_calls`).
"""

import argparse
import json
import os
import random
import resource
import shutil
import sqlite3
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from importlib import import_module
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from crowd import renaming

LIMIT = 200.0
"""Milliseconds."""
WAIT = 4
AGAIN = 4
"""Times that an answer is asked for once it is known; the quickest counts."""
FRAMES = 300
"""Steps that a page fetches at once."""
COMPUTING, FINE = 202, 200
SHORTEST = 0.5
"""Seconds in another process that are worth a word."""
CORRECTED = 0.05
"""Share of calls that send back an answer."""
PEOPLE_OF_CALLS, STEPS_OF_DAY = 1000, 8640
QUESTIONS = ("plan/day", "plan/hour", "react/decide", "converse/line", "reflect/insights", "perceive/poignancy")
MODELS = ("small", "large")


def crowd(origin: Path, target: Path, times: int) -> None:
    """Write a recording in which everyone lives so many times, each time among others of the same kind."""
    meta = json.loads((origin / "meta.json").read_text("utf-8"))
    names, memories = meta["persona_names"], "bootstrap_memory/associative_memory/nodes.json"
    master = (origin / "master_movement.json").read_text("utf-8")
    cast = [renaming(names, number) for number in range(times)]
    frames: dict[str, dict[str, Any]] = {}
    for rename in cast:
        for step, changes in json.loads(rename(master)).items():
            frames.setdefault(step, {}).update(changes)
        for name in names:
            for file in (memories, "bootstrap_memory/scratch.json", "bootstrap_memory/spatial_memory.json"):
                copy = target / "personas" / rename(name) / file
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(rename((origin / "personas" / name / file).read_text("utf-8")), "utf-8")
    everyone = [rename(name) for rename in cast for name in names]
    (target / "master_movement.json").write_text(json.dumps(frames), "utf-8")
    (target / "meta.json").write_text(json.dumps({**meta, "persona_names": everyone}), "utf-8")
    for name in ("run.json",):
        if (origin / name).is_file():
            shutil.copy(origin / name, target / name)


def with_calls(origin: Path, target: Path, count: int) -> None:
    """Write a copy of a saved simulation whose ledger has so many calls, as a day of a thousand people has."""
    from ville.llm.accounting.ledger import Ledger  # noqa: PLC0415 - as below

    shutil.copytree(origin, target, copy_function=os.link)
    draw = random.Random(1)  # noqa: S311 - an example
    with closing(Ledger.open(target / "reverie")):
        pass
    columns = (
        "key, began, seconds, question, persona, step, repair, model, messages, schema, answer, outcome, fault, "
        "prompt_tokens, cached_tokens, completion_tokens, cost"
    )
    with closing(sqlite3.connect(target / "reverie/ledger.sqlite3")) as ledger, ledger:
        rows = (_call(number, count, draw) for number in range(count))
        ledger.executemany(f"INSERT INTO calls ({columns}) VALUES ({', '.join('?' * 17)})", rows)  # noqa: S608 - ours


def _call(number: int, count: int, draw: random.Random) -> tuple[object, ...]:
    step, person = number * STEPS_OF_DAY // count, f"Person {draw.randrange(PEOPLE_OF_CALLS)}"
    began = f"2026-01-01T{number * 23 // count:02}:00:00.000+00:00"
    messages = json.dumps([{"role": "user", "content": f"What does {person} do next?"}])
    tokens = draw.randrange(500, 3000), 0, draw.randrange(10, 200)
    asked = (draw.choice(QUESTIONS), person, step, int(draw.random() < CORRECTED), draw.choice(MODELS), messages, "{}")
    ended = '{"a": 1}', "answered", ""
    return number.to_bytes(8, "big"), began, draw.random() * 9, *asked, *ended, *tokens, tokens[0] / 1e6


class Pages:
    """The environment server, asked in this process by one who may act."""

    def __init__(self, folder: Path, store: str, *, fresh: bool) -> None:
        from django.test import Client  # noqa: PLC0415 - once the folders are named

        from translator.rights.access import LOOPBACK  # noqa: PLC0415 - as above

        self._client, self.store = Client(headers={"host": "127.0.0.1:8000"}, **{LOOPBACK: "1"}), store
        self._folder, self._fresh = folder, fresh
        self.slowest = 0.0

    def meta(self, name: str) -> Any:
        """Return the meta file of a run."""
        file = self._folder / name / ("reverie/meta.json" if self.store == "saved" else "meta.json")
        return json.loads(file.read_text("utf-8"))

    def ask(self, address: str, **query: object) -> Any:
        """Ask until the answer is whole, then again; print what both took. Return the content."""
        where = f"{address}?{urlencode({**query, 'store': self.store, 'wait': WAIT})}"
        took = self._in_fresh_server(where) if self._fresh else self._timed(where)
        self.slowest = max(self.slowest, took.first, took.later)
        size = len(took.content) / 1000
        beside = f"   computed in {took.computed:.1f} s" if took.computed > SHORTEST else ""
        fault = "" if took.status == FINE else f"   {took.status}: {took.content[:80]!r}"
        print(f"{took.first:>7.0f} {took.later:>7.0f} {size:>8.0f} kB  {where[:96]}{beside}{fault}", flush=True)
        return json.loads(took.content) if took.is_data and not fault else took.content.decode()

    def _in_fresh_server(self, where: str) -> "Took":
        """Ask in a copy of this process, which has answered nothing yet, and is over then."""
        with ProcessPoolExecutor(1, get_context("fork"), initializer=_set_server, initargs=(self,)) as server:
            return server.submit(_ask_server, where).result()

    def _timed(self, where: str) -> "Took":
        children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        first, answer = self._asked(where)
        while answer.status_code == COMPUTING:
            again, answer = self._asked(where)
            first = max(first, again)
        computed = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - children
        later = min(self._asked(where)[0] for _ in range(AGAIN))
        is_data = "json" in answer["Content-Type"]
        content = answer.getvalue() if answer.streaming else answer.content
        return Took(first, later, computed, answer.status_code, content, is_data)

    def _asked(self, where: str) -> tuple[float, Any]:
        began = time.process_time()
        answer = self._client.get(where)
        return 1000 * (time.process_time() - began), answer


class Took(NamedTuple):
    """Milliseconds of the processor for the first and later answers, seconds of other processes, and the answer."""

    first: float
    later: float
    computed: float
    status: int
    content: bytes
    is_data: bool


_server: list[Pages] = []


def _set_server(pages: Pages) -> None:
    _server[:] = [pages]


def _ask_server(where: str) -> Took:
    return _server[0]._timed(where)  # noqa: SLF001 - the same class in another process


def ask_all(pages: Pages, name: str) -> None:
    """Ask every address of the pages of a run."""
    for fact, by in (("party", "pattern"), ("candidacy", "pattern"), ("the party at the cafe", "words")):
        pages.ask(f"/news/{name}/", fact=fact, by=by)
        pages.ask(f"/news_data/{name}/", fact=fact, by=by)
    for paper in ("end_to_end", "asked"):
        pages.ask(f"/{paper}/{name}/")
    pages.ask(f"/ties/{name}/")
    graph = pages.ask(f"/ties_data/{name}/")
    for kind, one, other, *_ in graph["ties"][:: max(1, len(graph["ties"]) // 3)]:
        pair = {"a": graph["people"][one], "b": graph["people"][other]}
        pages.ask(f"/ties_between/{name}/", **pair, about=kind)
    pages.ask(f"/story/{name}/")
    days = pages.ask(f"/story_data/{name}/")["days"]
    chapters = [chapter for day in days for chapter in day["chapters"]]
    for chapter in sorted(chapters, key=lambda each: -each["more"])[:2]:
        pages.ask(f"/story_more/{name}/{chapter['number']}/")
    who = graph["people"][0]
    pages.ask(f"/why/{name}/")
    pages.ask(f"/why/{name}/", who=who, step=graph["steps"] // 3)
    pages.ask(f"/why_data/{name}/", who=who, step=graph["steps"] // 3)
    pages.ask(f"/why_data/{name}/", who=who, step=graph["steps"] // 3, memory="node_40")


def ask_recording(pages: Pages, name: str) -> None:
    """Ask for the front page, and for what the page of the recording fetches."""
    meta = pages.meta(name)
    noon, who = meta["step"] // 2, meta["persona_names"][0]
    pages.ask("/")
    pages.ask(f"/replay/{name}/{noon}/" if pages.store == "saved" else f"/demo/{name}/{noon}/3/")
    for part in ("timeline", "feed"):
        pages.ask(f"/{part}/{name}/")
    pages.ask(f"/frames/{name}/{noon}/{noon + FRAMES}/")
    for part in ("memories", "days"):
        pages.ask(f"/{part}/{name}/{who}/", step=noon)


def ask_comparison(pages: Pages, one: str, other: str) -> None:
    """Ask what the page fetches that compares two runs."""
    pages.ask(f"/compare/{one}/{other}/")
    pages.ask(f"/comparison/{one}/{other}/")


def ask_calls(pages: Pages, name: str) -> None:
    """Ask for the calls in every order, group, and choice, once all are read, and for some calls."""
    while pages.ask(f"/calls_part/{name}/")["more"]:
        pass
    for query in _lists():
        pages.ask(f"/calls/{name}/", **query)
        pages.ask(f"/calls_part/{name}/", **query)
    for number in (1, 1000):
        pages.ask(f"/call/{name}/{number}/")


def _lists() -> Iterator[dict[str, object]]:
    yield {}
    orders = product(("slowest", "dearest", "corrected"), ("question", "persona", "model"))
    yield from ({"order": order, "by": by} for order, by in orders)
    yield from ({"person": "Person 7"}, {"question": QUESTIONS[0]}, {"model": MODELS[0]}, {"hour": "2023-02-13T08:00"})
    yield from ({"carried_on": 1}, {"page": 2000}, {"by": "persona", "question": QUESTIONS[1], "order": "slowest"})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", metavar="NAME", help="a saved or compressed simulation")
    parser.add_argument("--storage", type=Path, required=True, help="folder of the simulations")
    parser.add_argument("--compressed", type=Path, required=True, help="folder of the recordings")
    parser.add_argument("--crowd", type=int, metavar="TIMES", help="write a recording with so many times the people")
    parser.add_argument("--calls", type=int, metavar="COUNT", help="write a copy with so many calls")
    parser.add_argument("--fresh", action="store_true", help="ask each address in a server that has just begun")
    choice = parser.parse_args()
    root = Path(__file__).resolve().parents[1]
    sys.path[:0] = [str(root / "environment"), str(root / "environment/frontend_server")]
    os.environ |= {"VILLE_FS_STORAGE": str(choice.storage), "VILLE_FS_COMPRESSED_STORAGE": str(choice.compressed)}
    os.environ |= {"DJANGO_SETTINGS_MODULE": "frontend_server.settings"}
    names = list(choice.names)
    if choice.crowd:
        names = [f"{names[0]}_x{choice.crowd}"]
        crowd(choice.compressed / choice.names[0], choice.compressed / names[0], choice.crowd)
    if choice.calls:
        names = [f"{names[0]}_calls"]
        with_calls(choice.storage / choice.names[0], choice.storage / names[0], choice.calls)
    import django  # noqa: PLC0415 - once the folders are named

    django.setup()
    from translator.management.commands.runserver import prepare  # noqa: PLC0415 - as above

    import_module("translator.urls")
    prepare()
    slowest = 0.0
    for name in names:
        is_saved = (choice.storage / name).is_dir()
        folder, store = (choice.storage, "saved") if is_saved else (choice.compressed, "compressed")
        pages = Pages(folder, store, fresh=choice.fresh)
        print(f"{name}: milliseconds at first, then, size")
        is_asked = (choice.storage / name / "reverie/ledger.sqlite3").exists()
        for ask in (ask_calls,) if is_asked else (ask_recording, ask_all):
            ask(pages, name)
        slowest = max(slowest, pages.slowest)
    if len(names) > 1:
        ask_comparison(pages, *names[:2])
        slowest = max(slowest, pages.slowest)
    print(f"slowest: {slowest:.0f} ms of the processor; at most {LIMIT:.0f} are meant")
    return int(slowest > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
