"""The same town, whatever the parallelism, however often it is interrupted, whether or not a page is open."""

import asyncio
import json
import random
import signal
import threading
import time
from dataclasses import replace

import pytest
from sample_requests import KEY
from step_texts import has_step

from ville.assembly.run import open_simulation
from ville.llm.concurrency import ConcurrencyLimiter, LimitedClient
from ville.settings import Settings
from ville.simulation.running.run_loop import StopRequest, run
from ville.storage.steps.step_store import STEP_FOLDERS, StepStore

DAY = 1440
KILLS = 5
"""Few: `benchmarks/kills.py` kills hundreds of times."""


def test_the_same_seed_gives_the_same_files(storage, whole_day):
    """Twice, in two processes that share nothing, not even the seed of Python's hashes, with steps packed and not;
    another seed gives others.
    """
    loose = replace(storage, forked=False, settings={**storage.settings, "VILLE_PACK_STEPS": "false"})
    loose.run("reverie_offline", "-o", "base", "-t", "again", "-s", DAY)
    assert storage.files("again") == whole_day
    assert len([*storage.folder("again").glob("movement/*")]) == DAY
    storage.run("reverie_offline", "-o", "base", "-t", "other", "-s", DAY // 2, "--seed", 2)
    one, other = (StepStore(storage.folder(name)) for name in ("again", "other"))
    assert sorted(other.shown()) == list(range(DAY // 2))
    assert {path.name for folder in STEP_FOLDERS for path in (other.root / folder).iterdir()} == {"0.pack", "720.json"}
    assert any(one.movement_bytes(step) != other.movement_bytes(step) for step in other.shown())


@pytest.mark.slow
def test_one_line_or_twenty_five(storage, whole_day):
    """How many questions may be open at the same time changes nothing."""
    for lines in ("1", "25"):
        narrow = replace(storage, settings=storage.settings | {"VILLE_MAX_CONCURRENCY": lines})
        assert narrow.run("reverie_offline", "-o", "base", "-t", f"lines{lines}", "-s", DAY)[0] == 0
        assert storage.files(f"lines{lines}") == whole_day


class Slow:
    """A model whose answers come when they like, in an order of their own every time."""

    def __init__(self, chat):
        self._chat, self._chance = chat, random.Random()  # noqa: S311 - the delays must not matter
        self.overtaken = False
        self._newest = 0

    async def complete(self, request):
        number = self._newest = self._newest + 1
        for _ in range(self._chance.randrange(20)):
            await asyncio.sleep(0)
        self.overtaken |= number < self._newest
        return await self._chat.complete(request)


@pytest.mark.parametrize("lines", [1, pytest.param(4, marks=pytest.mark.slow), 25])
async def test_answers_may_come_in_any_order(storage, whole_day, lines):
    """However many questions are open and however long each takes, the files are those of the run at once."""
    name, slow = f"slow{lines}", await live(storage, "base", f"slow{lines}", steps=DAY, lines=lines)
    assert slow.overtaken == (lines > 1)
    assert storage.files(name) == whole_day


@pytest.mark.slow
async def test_a_morning_of_many_people_too(ville):
    """25 people who wake, plan, meet and talk: one line and no delay, or 25 lines and any delay."""
    steps = 8 * 360
    base, settings = "base_the_ville_n25", ["-s", steps, "--seed", 1]
    narrow = replace(ville, settings={"VILLE_MAX_CONCURRENCY": "1"})
    assert narrow.run("reverie_offline", "-o", base, "-t", "prompt", *settings)[0] == 0
    await live(ville, base, "slow", steps=steps, lines=25)
    assert ville.files("slow") == ville.files("prompt")


async def live(storage, base, name, *, steps, lines):
    """Fork and run a simulation whose telephone is slow, in this process."""
    places = {"fs_storage": "storage", "fs_temp_storage": "temp", "assets": "assets"}
    settings = Settings(**{key: storage.root / place for key, place in places.items()}, seed=1)
    simulation = open_simulation(settings, base, name)
    slow = Slow(simulation.models.chat)
    simulation.models = replace(simulation.models, chat=LimitedClient(slow, ConcurrencyLimiter(lines)))
    await run(simulation, steps, autosave=0, watch=lambda _: None, stop=StopRequest())
    simulation.save()
    await simulation.close()
    return slow


@pytest.mark.slow
def test_a_killed_run_resumes_as_if_nothing_had_happened(storage, whole_day):
    """Several times, saved every seven steps: what is on disk always loads, and in the end the files are the same."""
    chance = random.Random(7)  # noqa: S311 - any moments will do
    assert storage.run("reverie_offline", "-o", "base", "-t", "parts", "-s", 0)[0] == 0
    for left in range(KILLS, 0, -1):
        step = saved_step(storage, "parts")
        ahead = chance.randrange((DAY - step) // (left + 1) + 1)
        process = storage.start("reverie_offline", "-o", "parts", "-t", "parts", "-s", DAY, "--autosave", 7)
        await_step(process, has_step(storage.folder("parts"), step + ahead))
        time.sleep(chance.uniform(0, 0.05))
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
    step = saved_step(storage, "parts")
    assert DAY / 4 < step < DAY
    assert storage.run("reverie_offline", "-o", "parts", "-t", "parts", "-s", DAY - step)[0] == 0
    assert storage.files("parts") == whole_day


def saved_step(storage, name):
    return json.loads((storage.folder(name) / "reverie/meta.json").read_text("utf-8"))["step"]


def await_step(process, is_there):
    """Until a process has shown it, or the last one it will."""
    while not is_there() and process.poll() is None:
        time.sleep(0.002)


PEOPLE = ("Ada Stone", "Ben Reed", "Cleo Adams Moor")
QUESTIONS = ("Who are you?", "What do you think of Ben Reed?", "I love you", "Who are you?")
OF_EVERYBODY = (
    "print current time", "print all persona schedule", "print tile event 1, 2", "print tile details 1, 2",
    "print ledger", "estimate 2 hours", "help", "call -- load history nowhere.csv", "print nothing",
)  # fmt: skip
OF_SOMEBODY = (
    "print persona schedule", "print hourly org persona schedule", "print persona current tile",
    "print persona chatting with buffer", "print persona associative memory (event)",
    "print persona associative memory (thought)", "print persona associative memory (chat)",
    "print persona spatial memory",
)  # fmt: skip
LOOKED = "\n".join([*OF_EVERYBODY, *(f"{look} {name}" for look in OF_SOMEBODY for name in PEOPLE)])
ASKED = "\n".join("\n".join([f"call -- analysis {name}", *QUESTIONS, "end_convo"]) for name in PEOPLE)


@pytest.mark.parametrize("provider", ["offline", pytest.param("openai", marks=pytest.mark.slow)])
def test_asking_and_looking_changes_nothing(storage, server, provider):
    """Everybody is interviewed and everything is printed, on a saved simulation and in the midst of a run: what is
    saved is the same, and what comes later is the same. Only ledgers have what a model answered.
    """
    storage.settings.update(
        VILLE_PROVIDER=provider, VILLE_EMBEDDER="hashing" if provider == "offline" else provider,
        VILLE_BASE_URL="" if provider == "offline" else server.url, OPENAI_API_KEY=KEY,
    )  # fmt: skip

    def live(origin, name, *typed):
        code, out = storage.run("reverie", typed="\n".join([origin, name, *typed, "fin", ""]))
        assert (code, "Traceback" in out) == (0, False), out
        return out, {file: text for file, text in storage.files(name).items() if ".sqlite3" not in file}

    _, saved = live("base", "plain", "run 600")
    out, after = live("plain", "plain", LOOKED, ASKED, LOOKED)
    assert "Ada Stone: " in out
    assert after == saved
    _, later = live("plain", "plain", "run 120")
    _, between = live("base", "asked", "run 600", ASKED, LOOKED, ASKED, "run 120")
    assert between == later


@pytest.mark.slow
def test_a_watched_run_gives_the_files_of_an_unwatched_one(storage):
    """A browser walks everybody from tile to tile and reports what it was told."""
    steps = 60
    assert storage.run("reverie", typed=f"base\nalone\nrun {steps}\nfin\n")[0] == 0
    over = threading.Event()
    page = threading.Thread(target=browse, args=(storage, "shown", over))
    page.start()
    try:
        code, out = storage.run("reverie", typed=f"base\nshown\nrun {steps}\nfin\n")
    finally:
        over.set()
        page.join()
    assert (code, "Browser connected." in out) == (0, True)
    assert storage.files("shown") == storage.files("alone")


def browse(storage, name, over):
    """A page and its environment server: ask for a step, walk, report."""
    step, folder = 0, storage.folder(name)
    while not over.is_set():
        if folder.exists():
            (storage.root / "temp").mkdir(exist_ok=True)
            (storage.root / "temp" / "last_poll.json").touch()
        if (movement := folder / "movement" / f"{step}.json").exists():
            moves = json.loads(movement.read_text("utf-8"))["persona"]
            places = {
                name: {"maze": "small", "x": m["movement"][0], "y": m["movement"][1]} for name, m in moves.items()
            }
            step += 1
            (folder / "environment" / f"{step}.json").write_text(json.dumps(places, indent=2), "utf-8")
        time.sleep(0.002)
