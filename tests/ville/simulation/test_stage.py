"""The stage: with a browser, without one, and with one that comes and goes."""

import asyncio
import json
import os
import time
from itertools import pairwise

import pytest

from ville.errors import CorruptFile
from ville.simulation.stage import ALONE, BACK, LOST, SILENT
from ville.storage.temp_storage import REPORT, SIGN_OF_LIFE, STEP

STEPS = 360
NIGHT = range(10, 300)
"""Steps in which everybody sleeps; behind it they get up and about."""


class Browser:
    """Walks everybody to their tiles, as a page and the environment server do, for as long as it lives."""

    def __init__(self, town, name, *, classic=False, torn=False):
        self.folder, self.temp = town.root / "storage" / name, town.root / "temp"
        self.classic, self.torn, self.step, self.walked = classic, torn, 0, 0
        self.reports = True

    async def watch(self):
        if self.classic:
            (self.temp / STEP).unlink(missing_ok=True)
        while True:
            if not self.classic:
                (self.temp / SIGN_OF_LIFE).touch()
            movement = self.folder / "movement" / f"{self.step}.json"
            if movement.exists() and self.reports:
                await self.walk(json.loads(movement.read_text("utf-8"))["persona"])
            await asyncio.sleep(0.001)

    async def finished(self, step=STEPS):
        while self.step < step:  # noqa: ASYNC110 - it watches files
            await asyncio.sleep(0.01)

    async def walk(self, moves):
        places = {name: dict(zip("xy", move["movement"], strict=True)) for name, move in moves.items()}
        text = json.dumps({name: {"maze": "small", **place} for name, place in places.items()}, indent=2)
        file = self.folder / "environment" / f"{self.step + 1}.json"
        if self.torn:
            file.write_text(text[: len(text) // 2], "utf-8")
            await asyncio.sleep(0.01)
        self.walked += not file.exists() or self.torn
        file.write_text(text, "utf-8")
        if not self.classic:
            (self.temp / REPORT).touch()
        self.step += 1


def walks(steps):
    """In how many steps somebody went somewhere."""
    stood = [steps[f"environment/{step}.json"] for step in range(STEPS + 1)]
    return sum(before != after for before, after in pairwise(stood))


@pytest.fixture
async def alone(opened, run_for, small_town):
    """The files of a run without a browser."""
    simulation = opened("alone")
    await run_for(simulation, STEPS)
    return small_town.steps("alone")


@pytest.mark.parametrize("manners", [{}, {"classic": True}, {"torn": True}])
async def test_with_a_browser_the_files_are_those_without(opened, run_for, small_town, alone, manners):
    """It walks every step in which somebody moves; half-written reports are read again."""
    notices = []
    simulation = opened("shown", notice=notices.append)
    browser = Browser(small_town, "shown", **manners)
    page = asyncio.create_task(browser.watch())
    await asyncio.sleep(0.01)
    await run_for(simulation, STEPS)
    await browser.finished()
    page.cancel()
    assert small_town.steps("shown") == alone
    assert notices == [BACK]
    assert browser.walked >= walks(alone)


async def test_nobody_watching_is_said_once_and_not_waited_for(opened, run_for, small_town, alone):
    """The run goes on at once, with the same files."""
    notices = []
    simulation = opened("shown", notice=notices.append, patience=1000)
    await run_for(simulation, STEPS)
    assert notices == [ALONE]
    assert small_town.steps("shown") == alone


async def test_a_browser_that_dies_is_waited_for_and_missed_once(opened, run_for, small_town, alone):
    """After the patience is used up the run goes on by itself; a browser that returns is taken back.

    However slow the machine, nobody is missed who is there: patience is short only while nobody is.
    """
    notices = []
    simulation = opened("shown", notice=notices.append, patience=1000)
    browser = Browser(small_town, "shown")
    page = asyncio.create_task(browser.watch())
    await asyncio.sleep(0.01)
    await run_for(simulation, 320)
    await browser.finished(320)
    page.cancel()
    simulation._stage._patience = 0.2
    await run_for(simulation, 20)
    simulation._stage._patience = 1000
    assert notices == [BACK, LOST]
    page = asyncio.create_task(browser.watch())
    await asyncio.sleep(0.01)
    await run_for(simulation, STEPS - 340)
    await browser.finished()
    page.cancel()
    assert notices == [BACK, LOST, BACK]
    assert small_town.steps("shown") == alone


async def test_a_browser_that_asks_but_does_not_report_is_waited_for_once(opened, run_for, small_town, alone):
    """Then the run goes on without it, and waits for it again as soon as it reports."""
    notices = []
    simulation = opened("shown", notice=notices.append, patience=1000)
    browser = Browser(small_town, "shown")
    page = asyncio.create_task(browser.watch())
    await asyncio.sleep(0.01)
    await run_for(simulation, 320)
    await browser.finished(320)
    browser.reports = False
    simulation._stage._patience = 0.2
    await asyncio.wait_for(run_for(simulation, 20), timeout=300)
    assert (notices, simulation.browser) == ([BACK, SILENT], "silent")
    simulation._stage._patience = 1000
    browser.reports = True
    await browser.finished(340)
    await run_for(simulation, STEPS - 340)
    await browser.finished()
    page.cancel()
    assert (notices, simulation.browser) == ([BACK, SILENT, BACK], "watching")
    assert small_town.steps("shown") == alone


async def test_a_clock_that_was_set_back_holds_nobody_up(opened, run_for, small_town):
    """A sign of life from the future is none, until it is given again."""
    notices = []
    simulation = opened("shown", notice=notices.append, patience=5)
    sign = small_town.root / "temp" / SIGN_OF_LIFE
    sign.touch()
    os.utime(sign, (time.time() + 3600, time.time() + 3600))
    await asyncio.wait_for(run_for(simulation, 320), timeout=300)
    assert notices == [ALONE]
    os.utime(sign, (time.time() + 3601, time.time() + 3601))
    await asyncio.wait_for(run_for(simulation, 20), timeout=300)
    assert notices == [ALONE, BACK, LOST]


async def test_a_night_is_not_waited_for(opened, run_for, small_town):
    """A page that watches and has not reported yet holds up nobody while all stand still."""
    notices = []
    before = opened("shown")
    await run_for(before, NIGHT.start)
    before.save()
    await before.close()
    simulation = opened("shown", "shown", notice=notices.append, patience=1000)
    (small_town.root / "temp" / SIGN_OF_LIFE).touch()
    await asyncio.wait_for(run_for(simulation, len(NIGHT)), timeout=300)
    assert notices == [BACK]


async def test_an_old_sign_of_life_is_none(opened, run_for, small_town):
    """What a page touched before the last few seconds does not hold anybody up."""
    notices = []
    simulation = opened("shown", notice=notices.append, patience=5)
    (small_town.root / "temp" / SIGN_OF_LIFE).touch()
    long_ago = time.time() - 60
    os.utime(small_town.root / "temp" / SIGN_OF_LIFE, (long_ago, long_ago))
    await run_for(simulation, 2)
    assert notices == [ALONE]


async def test_the_pages_know_what_runs_until_it_ends(opened, small_town):
    """The two files are there from the start; at the end the step is taken away."""
    simulation = opened("shown", notice=print)
    assert json.loads((small_town.root / "temp/curr_sim_code.json").read_text("utf-8")) == {"sim_code": "shown"}
    assert json.loads((small_town.root / "temp/curr_step.json").read_text("utf-8")) == {"step": 0}
    await simulation.close()
    assert not (small_town.root / "temp/curr_step.json").exists()


async def test_a_first_position_that_cannot_be_read_is_one_clear_line(opened, run_for):
    """Where nobody knows where everybody stands, nothing is guessed."""
    simulation = opened("new")
    (simulation.folder.root / "environment/0.json").write_text("{", "utf-8")
    with pytest.raises(CorruptFile, match="0.json:1 is not JSON"):
        await run_for(simulation, 1)


async def test_a_page_that_watches_another_simulation_is_no_sign(opened, run_for, small_town):
    """Two engines share one mailbox: neither a page of the other nor its end makes this one wait."""
    notices = []
    simulation = opened("shown", notice=notices.append, patience=1000)
    other = opened("other", notice=[].append)
    (small_town.root / "temp" / SIGN_OF_LIFE).touch()
    await run_for(simulation, 2)
    await other.close()
    await run_for(simulation, 2)
    assert notices == [ALONE]
