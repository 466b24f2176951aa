"""A run with a lifestyle policy: reproducible, branchable, and warm when it is forked."""

import json
import random
from dataclasses import replace

import pytest
from short_runs import different, timeless, went

from ville.assembly.forking import Beginning
from ville.assembly.run import open_at
from ville.simulation.running.run_loop import StopRequest, run
from ville.storage.compressed.compression import compress
from ville.storage.compressed.unpacking import unpack_once

DAY = 1440
PLAN = [
    {"step": 300, "kind": "object", "where": "piano", "state": "out of tune", "until": 700},
    {"step": 500, "kind": "whisper", "who": "Cleo Adams Moor", "words": "You want to run for mayor"},
    {"step": 2000, "kind": "resident_out", "who": "Cleo Adams Moor"},
]
POLICY = "reverie/lifestyle_policy.json"


@pytest.fixture
def settings(small_town):
    (small_town.root / "plan.yaml").write_text(json.dumps(PLAN), "utf-8")
    return replace(small_town.settings, fsync=False, policy_store="simulation")


@pytest.mark.slow
async def test_the_same_seed_gives_the_same_files_and_a_branch_goes_on_as_its_origin(settings, small_town, tmp_path):
    """With people who come and go, whenever it was saved; also after it was compressed and unpacked."""
    chance, plan = random.Random(3), small_town.root / "plan.yaml"  # noqa: S311 - any moments will do
    whole = await went(settings, "base", "whole", 2 * DAY, autosave=200, plan=plan)
    again = await went(settings, "base", "again", 2 * DAY, autosave=360, plan=plan)
    assert different(again, whole) == []
    assert whole[POLICY]
    for number, step in enumerate([*chance.sample(range(DAY), 2), 2000]):
        stopped = await went(settings, "base", f"stopped_{number}", step, plan=plan)
        branch = await went(settings, f"whole@{step}", f"branch_{number}", 0)
        assert different(branch, stopped) == [], step
        later = await went(settings, f"branch_{number}", f"branch_{number}", 2 * DAY - step, autosave=77)
        assert different(later, whole) == [], step
    compress(settings.fs_storage / "whole", tmp_path / "packed")
    unpack_once(tmp_path / "packed", settings.fs_storage / "unpacked")
    assert different(timeless(settings.fs_storage / "unpacked"), whole) == []


async def asked(settings, origin, name, steps, title):
    """Run a simulation; return how often a question was asked."""
    simulation = await open_at(settings, origin, name)
    questions, chat = [], simulation.models.chat

    class Counted:
        async def complete(self, request):
            questions.append(request.question)
            return await chat.complete(request)

    simulation.models = replace(simulation.models, chat=Counted())
    await run(simulation, steps, autosave=0, watch=lambda _: None, stop=StopRequest())
    simulation.save()
    await simulation.close()
    return questions.count(title)


@pytest.mark.slow
async def test_a_fork_of_a_simulation_that_has_lived_a_day_asks_less(settings):
    """It has the policy of its origin, which lives on what it did before; the one without a policy asks as ever.

    Situated questions ask hardly any steps, so that there is little to save.
    """
    settings, title = replace(settings, questions="paper"), "plan/subtasks"
    first = await asked(settings, "base", "first", DAY, title)
    second = await asked(settings, "first", "second", DAY, title)
    never = await asked(replace(settings, policy_store="none"), "first", "third", DAY, title)
    assert second < first / 2
    assert second < never / 2


async def test_without_a_policy_there_is_no_file_of_it(settings):
    files = await went(replace(settings, policy_store="none"), "base", "none", 600)
    assert POLICY not in files


@pytest.mark.parametrize("store", ["simulation", pytest.param("public", marks=pytest.mark.slow)])
async def test_a_recorded_run_is_replayed_and_branched_without_a_call(settings, server, store):
    """Also one that began with public pools, which others have added to since."""
    model = replace(
        settings, provider="llamacpp", base_url=server.url, fast_model="m", embedder="llamacpp", embedding_model="v",
        policy_store=store,
    )  # fmt: skip
    if store == "public":
        await went(model, "base", "giver", 600)
    whole = await went(model, "base", "whole", 600, autosave=200)
    if store == "public":
        await went(model, "base", "other", 900)
    server.requests.clear()
    again = await open_at(model, "base", "again", beginning=Beginning(recording="whole"))
    await run(again, 600, autosave=0, watch=lambda _: None, stop=StopRequest())
    again.save()
    await again.close()
    files = timeless(again.folder.root)
    assert [name for name in whole if name.startswith(("movement", "personas")) and files[name] != whole[name]] == []
    later = await went(model, "whole@333", "later", 600 - 333)
    assert different(later, whole) == []
    assert server.requests == []
