"""Studies as pages ask for them: checked as the command does, and run by it in a process that can be stopped."""

import asyncio
import json

import pytest

from ville.errors import BadArgument, ReverieError
from ville.service.page_studies import PageStudies
from ville.settings import load_settings
from ville.simulation.requests.engine_requests import parse_engine_request
from ville.storage.studies.study_folder import StudyFolder
from ville.studies.reading.study_file import read_study

WHISPER = {"step": 3, "kind": "whisper", "who": "Ada Stone", "words": "The zebra is closed"}
SMALL = {
    "base": "base",
    "steps": 6,
    "seeds": 2,
    "arms": {"plain": {}, "told": {"interventions": [WHISPER]}},
    "measures": ["conversations"],
}
LONG = {**SMALL, "steps": 40_000}


@pytest.fixture
def flags(small_town):
    root = small_town.root
    places = {"fs_storage": root / "storage", "fs_temp_storage": root / "temp", "assets": root / "assets"}
    return {name: str(path) for name, path in places.items()} | {"seed": None, "provider": "offline", "fsync": False}


@pytest.fixture
async def pages(flags):
    made = PageStudies(flags, lambda _: None)
    yield made
    await made.close()


def folder(flags, name):
    return StudyFolder(load_settings(flags).studies, name)


async def told(pages, request, **fields):
    answer = await pages.answer(parse_engine_request({"id": "1", "request": request, **fields}))
    json.dumps(answer)
    return answer


async def until(true):
    while not true():  # noqa: ASYNC110 - another process makes it true
        await asyncio.sleep(0.05)


def states(flags, name):
    return {job.run: job.state for job in folder(flags, name).jobs()}


async def test_a_study_is_checked_like_a_file_and_each_fault_has_its_place(pages, flags, tmp_path):
    """The text is that of a file which the command reads; nothing is made by a check."""
    checked = await told(pages, "check_study", name="party", study=SMALL)
    assert checked["faults"] == []
    estimate = checked["estimate"]
    assert (estimate["runs"], estimate["calls"], estimate["dollars"], estimate["paid"]) == (4, 0, 0.0, False)
    (file := tmp_path / "party.yaml").write_text(checked["text"], "utf-8")
    study = read_study(file, settings={name: value for name, value in flags.items() if value is not None})
    assert ([arm.name for arm in study.arms], study.seeds) == (["plain", "told"], (1, 2))
    wrong = {
        **SMALL, "base": "nowhere", "measures": ["conversations", "magic"],
        "arms": {"plain": {}, "told": {"interventions": [{**WHISPER, "kind": "magic"}]}},
    }  # fmt: skip
    found = await told(pages, "check_study", name="party", study=wrong)
    assert [each["path"][:2] for each in found["faults"]] == [["base"], ["arms", "told"], ["measures", 1]]
    assert found["estimate"] is None
    assert not folder(flags, "party").root.exists()


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"measures": ["os:getcwd"]}, "a page cannot name a function"),
        ({"settings": {"minds": "retrieve=os:getcwd"}}, "cannot set 'minds'"),
        ({"settings": {"embedder": "openai"}}, "cannot set 'embedder'"),
        ({"settings": {"base_url": "http://127.0.0.1"}}, "cannot set 'base_url'"),
        ({"settings": {"provider": "ollama", "fast_model": "m"}}, "another server"),
        ({"interventions": "../../secret.yaml"}, "a page cannot name a file"),
        ({"history": "../../secret.csv"}, "is not a history"),
        ({"seeds": 10_000}, "200"),
        ({"seeds": [*range(300)]}, "too many seeds"),
    ],
)
async def test_a_page_brings_no_code_files_or_servers(pages, flags, part, words):
    """Whoever may act from a page may not do on this machine what its owner may; nor keep it busy with a check."""
    found = await told(pages, "check_study", name="party", study={**SMALL, **part})
    assert any(words in each["says"] for each in found["faults"]), found["faults"]
    with pytest.raises(ReverieError, match=words):
        await told(pages, "run_study", name="party", study={**SMALL, **part})
    assert not folder(flags, "party").is_there


async def test_a_study_that_was_never_begun_is_not_known(pages):
    """It is no damaged file."""
    with pytest.raises(ReverieError, match="There is no study"):
        await told(pages, "check_study", name="party")


@pytest.mark.slow
async def test_a_study_is_run_to_its_end_once(pages, flags):
    """Its page is there as soon as it is begun. Asked for again, it is done; another one cannot take its name."""
    assert (await told(pages, "run_study", name="party", study=SMALL))["name"] == "party"
    assert folder(flags, "party").is_there
    await until(lambda: not pages.running)
    assert set(states(flags, "party").values()) == {"done"}
    left = await told(pages, "check_study", name="party")
    assert left["estimate"]["runs"] == 0
    with pytest.raises(ReverieError, match="there is a study 'party' already"):
        await told(pages, "run_study", name="party", study=LONG)
    for name in ("../party", "a" * 60):
        with pytest.raises(ReverieError):
            await told(pages, "run_study", name=name, study=SMALL)


@pytest.mark.slow
async def test_what_is_stopped_is_saved_and_goes_on(pages, flags):
    """Not twice at once; what was computed before a stop is there after it; with the engine, its studies stop."""
    begun = lambda: any(job.state == "running" and job.step > 0 for job in folder(flags, "party").jobs())  # noqa: E731
    await told(pages, "run_study", name="party", study=LONG)
    await until(begun)
    with pytest.raises(BadArgument, match="is being run"):
        await told(pages, "run_study", name="party")
    await told(pages, "stop_study", name="party")
    await until(lambda: not folder(flags, "party").is_running)
    steps = {job.run: job.step for job in folder(flags, "party").jobs()}
    assert "stopped" in states(flags, "party").values()
    with pytest.raises(BadArgument, match="not being run"):
        await told(pages, "stop_study", name="party")
    await until(lambda: not pages.running)
    await told(pages, "run_study", name="party")
    await until(begun)
    await pages.close()
    assert not folder(flags, "party").is_running
    assert all(job.step >= steps[job.run] for job in folder(flags, "party").jobs())
