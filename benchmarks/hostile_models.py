"""The attacks of a server: every fault, in runs and questions with limits of their own, and on a common wallet."""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from hostile_faults import faults
from hostile_watch import API, BACKEND, ROOT, Day

BEGINS = "February 13, 2023, 06:30:00"
"""Everyone gets up soon after that."""
STEPS = 60
MOST_CALLS = 25
OFFLINE = BACKEND / "reverie_offline.py"
WALLET = 0.02
"""Dollars that all may spend together."""
STUDY = """\
base: base
steps: 60
seeds: 2
arms: {one: {}, other: {settings: {conversations: whole}}}
questions: [{ask: Who are you?}]
measures: [conversations]
"""


def attack_by_server(day: Day, *, smallest: bool) -> None:
    """Try all faults: each run, and each question, meets some of them, with a key and a limit of its own."""
    begin_in_the_morning(day)
    every = faults(day.server.other)
    day.server.then(every[::40] if smallest else every)
    for number in range(len(every)):
        if not day.server.faults:
            return
        name, key = f"faults_{number}", day.new_key()
        _run(day, name, key, most_calls=MOST_CALLS if number % 3 == 0 else 0)
        if number % 4 == 0 and day.folder(name).exists():
            question = ["-o", name, "-q", "What are your plans?", "-c", "Ada Stone"]
            day.run("faults of a server, in questions", [OFFLINE, *question], key=key)


def _run(day: Day, name: str, key: str, *, most_calls: int) -> None:
    """Run a new town. No more may arrive than was allowed, and all that arrived has to be in the ledger."""
    what = "faults of a server, in a run"
    settings = {"max_calls": str(most_calls)} if most_calls else {}
    day.run(what, [OFFLINE, "-o", "base", "-t", name, "-s", STEPS], key=key, **settings)
    if most_calls and day.server.calls[key] > most_calls:
        day.wrong(what, f"{day.server.calls[key]} requests for max_calls = {most_calls}")
    check_ledger(day, what, name, key)


def begin_in_the_morning(day: Day) -> None:
    path = day.folder("base") / "reverie" / "meta.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"curr_time": BEGINS}), "utf-8")


def check_ledger(day: Day, what: str, name: str, key: str) -> None:
    """Every request that arrived is in the ledger."""
    path = day.folder(name) / "reverie" / "ledger.sqlite3"
    if not path.exists():
        return
    with closing(sqlite3.connect(path)) as ledger:
        (rows,) = ledger.execute("SELECT count(*) FROM calls").fetchone()
    if rows < day.server.calls[key]:
        day.wrong(what, f"{day.server.calls[key]} requests arrived, but {rows} are in the ledger")


def attack_wallet(day: Day, *, smallest: bool) -> None:
    """Draw on one wallet from all sides at once, none of which has a limit of its own, while the server lies."""
    begin_in_the_morning(day)
    day.server.then([fault for fault in faults(day.server.other) if fault[0].startswith("lies")])
    study = day.root / "work" / "wallet.yaml"
    study.write_text(STUDY, "utf-8")
    ask = "t = ville.fork('base', 'by_api'); t.run(steps=60); t.interview('Ada Stone', 'Who are you?'); t.close()"
    commands = [
        [OFFLINE, "-o", "base", "-t", "fork_1", "-s", STEPS],
        [ROOT / "reverie" / "study.py", "run", study, "--yes"],
        [OFFLINE, "-o", "base", "-q", "Who are you?"],
        ["-c", API.format(ask)],
        *([OFFLINE, "-o", "base", "-t", f"fork_{number}", "-s", STEPS] for number in range(2, 9)),
    ][: 2 if smallest else None]
    settings = {"key": day.new_key(WALLET), "wallet": str(WALLET), "max_cost": ""}
    what = "forks, studies and questions on one wallet"
    with ThreadPoolExecutor(2) as together:
        list(together.map(lambda command: day.run(what, command, **settings), commands))
    if not smallest and day.server.dollars[settings["key"]] < WALLET / 2:
        day.wrong(what, f"the wallet was hardly used: {day.server.dollars}")
