"""The stage: with a browser, without one, and with one that comes and goes."""

import asyncio
import json
import os
import time
from itertools import pairwise

import pytest

from ville.errors import CorruptFile
from ville.simulation.stepping.stage import ALONE, BACK, LOST, SILENT
from ville.storage.exchange.temp_storage import REPORT, SIGN_OF_LIFE, STEP

STEPS = 560
NIGHT = range(20, 300)
"""Steps in which everybody sleeps, and nobody walks."""


class Browser:
    """Moves all personas as a page and the environment server do."""

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
    """Return the steps in which a persona moved."""
    stood = [json.loads(steps[f"environment/{step}.json"]) for step in range(STEPS + 1)]
    return [step for step, (before, after) in enumerate(pairwise(stood)) if before != after]


@pytest.fixture
def alone(town_after):
    """Return the files of a run without a browser."""
    return town_after(STEPS).steps("new")


@pytest.fixture
def still(alone):
    """Return in how many steps nobody moves, before the first one does."""
    return walks(alone)[0]


@pytest.mark.parametrize("manners", [{}, {"classic": True}, {"torn": True}])
async def test_with_a_browser_the_files_are_those_without(opened, run_for, small_town, alone, manners):
    """It moves the personas in every step with moves; half-written reports are read again."""
    notices = []
    simulation = opened("shown", notice=notices.append, patience=1000)
    browser = Browser(small_town, "shown", **manners)
    page = asyncio.create_task(browser.watch())
    await asyncio.sleep(0.01)
    await run_for(simulation, STEPS)
    await browser.finished()
    page.cancel()
    assert small_town.steps("shown") == alone
    assert notices == [BACK]
    assert browser.walked >= len(walks(alone)) > 0


async def test_without_a_browser_the_run_does_not_wait(opened, run_for, small_town, alone):
    """The run continues at once, with the same files."""
    notices = []
    simulation = opened("shown", notice=notices.append, patience=1000)
    await run_for(simulation, STEPS)
    assert notices == [ALONE]
    assert small_town.steps("shown") == alone


async def test_a_lost_browser_is_waited_for_once(opened, run_for, small_town, alone, still):
    """After the patience is used up the run goes on by itself; a browser that returns is taken back.

    However slow the machine, a page that is there is not missed: patience is short only without one.
    """
    notices = []
    simulation = opened("shown", notice=notices.append, patience=1000)
    browser = Browser(small_town, "shown")
    page = asyncio.create_task(browser.watch())
    await asyncio.sleep(0.01)
    await run_for(simulation, still)
    await browser.finished(still)
    page.cancel()
    simulation.stage._patience = 0.2
    await run_for(simulation, 20)
    simulation.stage._patience = 1000
    assert notices == [BACK, LOST]
    page = asyncio.create_task(browser.watch())
    await asyncio.sleep(0.01)
    await run_for(simulation, STEPS - still - 20)
    await browser.finished()
    page.cancel()
    assert notices == [BACK, LOST, BACK]
    assert small_town.steps("shown") == alone


async def test_a_silent_browser_is_waited_for_once(opened, run_for, small_town, alone, still):
    """The run continues without it, and waits for it again once it reports."""
    notices = []
    simulation = opened("shown", notice=notices.append, patience=1000)
    browser = Browser(small_town, "shown")
    page = asyncio.create_task(browser.watch())
    await asyncio.sleep(0.01)
    await run_for(simulation, still)
    await browser.finished(still)
    browser.reports = False
    simulation.stage._patience = 0.2
    await asyncio.wait_for(run_for(simulation, 20), timeout=300)
    assert (notices, simulation.browser) == ([BACK, SILENT], "silent")
    simulation.stage._patience = 1000
    browser.reports = True
    await browser.finished(still + 20)
    await run_for(simulation, STEPS - still - 20)
    await browser.finished()
    page.cancel()
    assert (notices, simulation.browser) == ([BACK, SILENT, BACK], "watching")
    assert small_town.steps("shown") == alone


async def test_a_request_from_the_future_does_not_count(opened, run_for, small_town, still):
    """A request with a future timestamp does not count."""
    notices = []
    simulation = opened("shown", notice=notices.append, patience=5)
    sign = small_town.root / "temp" / SIGN_OF_LIFE
    sign.touch()
    os.utime(sign, (time.time() + 3600, time.time() + 3600))
    await asyncio.wait_for(run_for(simulation, still), timeout=300)
    assert notices == [ALONE]
    os.utime(sign, (time.time() + 3601, time.time() + 3601))
    await asyncio.wait_for(run_for(simulation, 20), timeout=300)
    assert notices == [ALONE, BACK, LOST]


async def test_a_night_is_not_waited_for(opened, run_for, small_town):
    """Steps without moves need no report."""
    notices = []
    before = opened("shown")
    await run_for(before, NIGHT.start)
    before.save()
    await before.close()
    simulation = opened("shown", "shown", notice=notices.append, patience=1000)
    (small_town.root / "temp" / SIGN_OF_LIFE).touch()
    await asyncio.wait_for(run_for(simulation, len(NIGHT)), timeout=300)
    assert notices == [BACK]


async def test_an_old_request_does_not_count(opened, run_for, small_town):
    """A request made before the last few seconds does not count."""
    notices = []
    simulation = opened("shown", notice=notices.append, patience=5)
    (small_town.root / "temp" / SIGN_OF_LIFE).touch()
    long_ago = time.time() - 60
    os.utime(small_town.root / "temp" / SIGN_OF_LIFE, (long_ago, long_ago))
    await run_for(simulation, 2)
    assert notices == [ALONE]


async def test_the_pages_know_what_runs_until_it_ends(opened, small_town):
    """Both files exist from the start; curr_step.json is removed at the end."""
    simulation = opened("shown", notice=print)
    assert json.loads((small_town.root / "temp/curr_sim_code.json").read_text("utf-8")) == {"sim_code": "shown"}
    assert json.loads((small_town.root / "temp/curr_step.json").read_text("utf-8")) == {"step": 0}
    await simulation.close()
    assert not (small_town.root / "temp/curr_step.json").exists()


async def test_malformed_initial_positions_are_a_one_line_error(opened, run_for):
    """Without the initial positions, the run does not start."""
    simulation = opened("new")
    (simulation.folder.root / "environment/0.json").write_text("{", "utf-8")
    with pytest.raises(CorruptFile, match="0.json:1 is not JSON"):
        await run_for(simulation, 1)


async def test_a_page_of_another_simulation_does_not_count(opened, run_for, small_town):
    """Two engines share one folder: neither waits for a page of the other."""
    notices = []
    simulation = opened("shown", notice=notices.append, patience=1000)
    other = opened("other", notice=[].append)
    (small_town.root / "temp" / SIGN_OF_LIFE).touch()
    await run_for(simulation, 2)
    await other.close()
    await run_for(simulation, 2)
    assert notices == [ALONE]
