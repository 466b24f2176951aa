"""A run in which memories come to mind by chance: reproducible, branchable, and not dearer in calls."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from short_runs import different, went

from ville.assembly.run import open_at
from ville.persona.prompt_template.answers.clock_times import in_24_hours
from ville.persona.prompt_template.situated_words import with_short_names
from ville.simulation.running.run_loop import StopRequest, run

DAY = 1440
PLANNED = {"day/fill_the_day": 3, "day/step_by_step": 5}
"""Questions that get memories, and how many."""


@pytest.fixture
def settings(small_town):
    return replace(small_town.settings, fsync=False, mind_wandering=True)


@pytest.mark.slow
async def test_the_same_seed_gives_the_same_files_and_a_branch_goes_on_as_its_origin(settings):
    """Whenever it was saved, also on the first day, and in the first steps of the second."""
    chance = random.Random(5)  # noqa: S311 - any moments will do
    whole = await went(settings, "base", "whole", 2 * DAY, autosave=200)
    again = await went(settings, "base", "again", 2 * DAY, autosave=360)
    assert different(again, whole) == []
    for number, step in enumerate([1, DAY, DAY + 1, *chance.sample(range(2 * DAY), 3)]):
        stopped = await went(settings, "base", f"stopped_{number}", step)
        branch = await went(settings, f"whole@{step}", f"branch_{number}", 0)
        assert different(branch, stopped) == [], step
        later = await went(settings, f"branch_{number}", f"branch_{number}", 2 * DAY - step, autosave=77)
        assert different(later, whole) == [], step


def as_asked(text, request):
    """Return a memory in the words of questions: with times of a 24-hour clock and the first name of the persona."""
    return with_short_names(in_24_hours(text), [request.persona], named=True)


async def asked(settings, name):
    """Run two days; return the requests."""
    simulation = await open_at(settings, "base", name)
    requests, chat = [], simulation.models.chat

    class Heard:
        async def complete(self, request):
            requests.append(request)
            return await chat.complete(request)

    simulation.models = replace(simulation.models, chat=Heard())
    await run(simulation, 2 * DAY, autosave=0, watch=lambda _: None, stop=StopRequest())
    await simulation.close()
    return requests


@pytest.mark.slow
async def test_memories_of_earlier_days_are_part_of_plans_and_of_nothing_else(settings):
    """On the second day every plan has as many as it should; each is in the prompt, and from before that day."""
    requests = await asked(settings, "on")
    told = Counter()
    for request in requests:
        given = request.fields.get("by_chance")
        assert not given or request.question in PLANNED
        if request.step > DAY and request.question in PLANNED:
            assert len(given.memories) == PLANNED[request.question]
            assert all(as_asked(memory.text, request)[:40] in request.messages[0].content for memory in given.memories)
            assert all(memory.when.day <= 14 for memory in given.memories)
            assert all(memory.when.day == 13 or memory.when.hour == 0 for memory in given.memories)
            told[request.question] += 1
    assert told["day/fill_the_day"] > 0


@pytest.mark.slow
async def test_without_the_setting_no_question_has_any(settings):
    """Nor has a run with it one question more for each day."""
    without = await asked(replace(settings, mind_wandering=False), "off")
    assert not [request for request in without if request.fields.get("by_chance")]
    with_it = await asked(settings, "on")
    counted = [Counter(request.question for request in each) for each in (without, with_it)]
    planned = [{title for title in each if title.startswith("day/")} for each in counted]
    assert planned[0] == planned[1] >= {"day/fill_the_day"}
    days = [each["day/fill_the_day"] for each in counted]
    assert days[0] == days[1] > 0
