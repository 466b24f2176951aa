"""The public API does what the command lines do, from any folder, in scripts and notebooks."""

import asyncio
import sys
import threading
import time
from dataclasses import replace

import pytest
from step_texts import shown_in

import ville
from ville.api.town_session import TownSession
from ville.errors import (
    BadArgument,
    BadIntervention,
    BadSimulationName,
    CorruptFile,
    MissingPackage,
    SessionBusy,
    SessionClosed,
    SimulationExists,
    SimulationInUse,
    SimulationNotFound,
    UnknownPersona,
)
from ville.storage.files import read_object
from ville.storage.folder.storage import find
from ville.storage.records.intervention_log import read_rows


@pytest.fixture
def town(small_town):
    with TownSession(replace(small_town.settings, seed=1), "base", "study") as town:
        yield town


def test_a_run_reports_what_it_did_and_is_saved(town, small_town):
    """Steps, game time and questions; the files end at the same step."""
    report = town.run(steps=30)
    assert (report.steps, report.step, town.step) == (30, 30, 30)
    assert report.questions > 0
    assert report.now == town.now
    assert find(small_town.settings.fs_storage, "study").meta.step == 30


def test_until_counts_to_a_clock_time_or_a_moment(town):
    """The next time the clock shows it; a past time is refused, and so are neither and both."""
    first = town.now
    town.run(until=f"{first:%H}:05")
    assert f"{town.now:%H:%M:%S}" == f"{first:%H}:05:00"
    for span in ({}, {"steps": 5, "until": "18:00"}, {"until": first}, {"until": "half past"}):
        with pytest.raises(BadArgument):
            town.run(**span)


def test_a_run_through_the_api_writes_the_files_of_the_shell(town, small_town):
    """Same base, seed and steps: same movement, environment and memory files."""
    town.run(steps=40)
    with TownSession(replace(small_town.settings, seed=1), "base", "again") as again:
        again.run(steps=15)
        again.run(steps=25)
    one, other = (
        {path.relative_to(root): path.read_bytes() for path in root.rglob("*.json") if path.name != "meta.json"}
        for root in (small_town.settings.fs_storage / name for name in ("study", "again"))
    )
    assert one == other


def test_what_personas_remember_can_be_read(town):
    """Memories oldest first with the columns of nodes.json, the plan of the day, the place."""
    town.run(steps=10)
    ada = town.personas["Ada Stone"]
    assert [node.number for node in ada.memories] == list(range(1, len(ada.memories) + 1))
    assert ada.memories["node_1"] is ada.memories[0]
    assert ada.schedule[-1][1] == 24 * 60
    assert ada.tile == tuple(shown_in(town.folder, 9)[ada.name]["movement"])


def test_an_interview_is_answered_and_a_whisper_is_remembered(town):
    """Part of a name is enough; an unknown one is refused."""
    town.run(steps=5)
    assert town.interview("Ada", "What do you do?").text
    (thought,) = town.whisper("Ada Stone", "Ben plays the piano well")
    assert thought in [node.description for node in town.personas["Ada Stone"].memories]
    with pytest.raises(UnknownPersona):
        town.interview("Nobody", "Hello?")


def test_a_user_asks_while_a_run_goes_on_and_talks_after_it(town, small_town):
    """Interviews in any number beside a run, of the saved simulation, too; a talk is remembered when it ends."""

    async def both() -> list[object]:
        asked = [town.ainterview(name, "Who are you?", role="a news reporter") for name in ("Ada", "Ben", "Ada")]
        return await asyncio.gather(town.arun(until="09:30"), *asked)

    report, *replies = asyncio.run(both())
    assert (report.step, all(reply.text for reply in replies)) == (town.step, True)
    again = town.interview("Ada", "And then?", history=replies[0].transcript)
    assert again.transcript[:2] == replies[0].transcript
    settings = {"fs_storage": small_town.settings.fs_storage, "assets": small_town.settings.assets}
    saved = ville.interview("study", "Ada", "And then?", history=replies[0].transcript, **settings)
    assert (saved.text, len(saved.memories)) == (again.text, len(again.memories))
    with town.talk("Ada", "What is new?", role="a news reporter") as talk:
        assert talk.text
        transcript = talk.transcript
    town.run(steps=2)
    assert transcript in [node.transcript for node in town.personas["Ada"].memories if node.kind == "chat"]


def test_objects_and_events_are_set_by_name(town):
    """By any address that is clear; the state ends at the game time named. An address that is not clear is refused."""
    assert "burning" in town.set_object("ada's flat > bed", "burning", until="00:05")
    assert "the alarm rings" in asyncio.run(town.ahappen("Hill Cafe", "the alarm rings", steps=2))
    rows = read_rows(town.folder / "reverie/interventions.jsonl")
    assert [(row["kind"], row["where"]) for row in rows] == [
        ("object", "the Town:Ada's flat:main room:bed"),
        ("event", "the Town:Hill Cafe"),
    ]
    with pytest.raises(BadIntervention, match="can mean"):
        asyncio.run(town.aset_object("bed", "burning"))
    with pytest.raises(BadArgument, match="in the past"):
        town.set_object("ada's flat > bed", "burning", until=town.now)
    with pytest.raises(BadIntervention, match="'the moon' is not a place"):
        town.happen("the moon", "an eclipse")
    assert len(read_rows(town.folder / "reverie/interventions.jsonl")) == len(rows)
    assert town.run(until="00:05").step == rows[0]["until"]


def test_a_rule_is_an_intervention(town):
    """It is saved with the town until it is ended."""
    assert "no longer talk" in town.intervene({"kind": "rule", "rule": "cut", "who": "Ada", "other": "Ben"})
    town.save()
    assert read_object(town.folder / "reverie/town.json")["rules"] == {"cut": [["Ada Stone", "Ben Reed"]]}
    town.intervene({"kind": "rule", "rule": "cut", "who": "Ben", "other": "Ada", "on": False})
    town.save()
    assert not (town.folder / "reverie/town.json").exists()


def test_a_notebook_awaits_the_same_calls(town):
    """Where an event loop already runs, both the plain calls and their awaitable twins work."""

    async def cell() -> tuple[int, str]:
        report = await town.arun(steps=5)
        town.run(steps=1)
        return report.steps, (await town.ainterview("Ada", "What do you do?")).text

    steps, text = asyncio.run(cell())
    assert steps == 5
    assert text


@pytest.mark.usefixtures("town")
def test_a_fault_is_raised_and_leaves_nothing(small_town):
    """As an exception of the package; the thread of the failed session has ended."""
    threads = threading.active_count()
    with pytest.raises(SimulationExists):
        TownSession(small_town.settings, "base", "study")
    assert threading.active_count() == threads
    assert issubclass(SimulationExists, ville.ReverieError)


def test_everything_public_is_there():
    """Every name in __all__ can be loaded, and unknown names raise AttributeError."""
    assert all(getattr(ville, name) for name in ville.__all__)
    with pytest.raises(AttributeError, match="nothing_like_this"):
        _ = ville.nothing_like_this


def test_a_second_run_is_refused_while_one_goes_on(town):
    """Two runs would interleave, and save each other's half steps."""

    async def both() -> list[object]:
        return await asyncio.gather(town.arun(steps=20), town.arun(steps=20), return_exceptions=True)

    one, other = asyncio.run(both())
    assert one.steps == 20
    assert isinstance(other, SessionBusy)
    assert town.run(steps=1).step == 21


def test_closing_ends_a_run_at_a_step_and_saves_it(small_town):
    """Closed from another thread: the run returns, everything it did is saved, and further calls are refused."""
    town = TownSession(replace(small_town.settings, seed=1), "base", "closed")
    reports = []
    runner = threading.Thread(target=lambda: reports.append(town.run(steps=100_000)))
    runner.start()
    while not town.step:
        time.sleep(0.01)
    town.close()
    runner.join()
    (report,) = reports
    assert 0 < report.step < 100_000
    assert find(small_town.settings.fs_storage, "closed").meta.step == report.step
    for call in (lambda: town.run(1), town.save, town.__enter__, lambda: town.interview("Ada", "How are you?")):
        with pytest.raises(SessionClosed, match="ville.open"):
            call()
    town.close()


@pytest.mark.parametrize(
    "call",
    [
        lambda town: town.run(steps=-1),
        lambda town: town.run(steps=2.5),
        lambda town: town.run(steps=True),
        lambda town: town.run(until=""),
        lambda town: town.run(until=8),
        lambda town: town.interview(None, "How are you?"),
        lambda town: town.interview("Ada", 5),
        lambda town: town.interview("Ada", " "),
        lambda town: town.whisper("Ada", None),
        lambda town: town.whisper("Ada", ["It rains"]),
        lambda town: town.set_object(None, "burning"),
        lambda town: town.happen("Hill Cafe", 5),
        lambda town: town.load_history(None),
        lambda town: town.personas[3],
    ],
)
def test_an_argument_of_another_kind_is_named(town, call):
    """One line, and nothing has changed."""
    before = {name: len(persona.memories) for name, persona in town.personas.items()}
    with pytest.raises(BadArgument, match=r"^(steps|until|name|question|thought|where|words|path)="):
        call(town)
    assert town.step == 0
    assert {name: len(persona.memories) for name, persona in town.personas.items()} == before


def test_a_persona_is_found_by_part_of_its_name(town):
    """As in interviews; an unknown one is refused with the known ones."""
    assert town.personas["Ada"].name == "Ada Stone"
    with pytest.raises(UnknownPersona, match="Ada Stone"):
        town.personas["Nobody"]


def test_tables_without_pandas_say_what_to_install(town, monkeypatch):
    """Pandas is optional."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingPackage, match="pip install"):
        town.personas["Ada"].memories.to_frame()


@pytest.mark.parametrize("name", ["", "a b", "../up", "x" * 101, "con", "Com1", 5, None])
def test_a_name_that_no_folder_can_have_is_refused(small_town, name):
    """Everywhere, Windows included; nothing is created."""
    before = sorted(small_town.settings.fs_storage.iterdir())
    with pytest.raises(BadSimulationName):
        TownSession(small_town.settings, "base", name)
    assert sorted(small_town.settings.fs_storage.iterdir()) == before


def test_a_simulation_that_is_open_here_or_taken_says_how_to_go_on(town, small_town):
    """Opened twice in one process; forked twice; forked onto itself; a folder instead of a history."""
    with pytest.raises(SimulationInUse, match="in this process"):
        TownSession(small_town.settings, "study", "study")
    with pytest.raises(SimulationExists, match=r"ville\.open\('base'\)"):
        ville.fork("base", "base")
    with pytest.raises(CorruptFile, match="is a folder"):
        town.load_history(small_town.settings.fs_storage)


def test_a_visitor_walks_talks_and_leaves(town):
    """It goes up to a persona, hears the answer once, and is found again by name while it is there."""
    town.run(until="10:00")
    nora = town.visitor("Nora", look="visitor 3", about="a painter", at="Ada Stone")
    assert "Nora to Ada Stone: Hello!" in nora.say("Ada", "Hello!")
    town.run(steps=1)
    ((who, words),) = nora.hear()
    assert (who, bool(words), nora.hear()) == ("Ada Stone", True, [])
    nora.walk("the Town:Green:lawn")
    town.run(steps=25)
    assert nora.tile in town._simulation.town.maze.address_tiles["the Town:Green:lawn"]
    assert town.visitor("Nora").tile == nora.tile
    for place in ("nowhere", (0, 0), "", 7):
        with pytest.raises(BadArgument):
            nora.walk(place)
    nora.leave()
    assert (nora.is_present, nora.tile) == (False, None)
    with pytest.raises(BadArgument, match="No visitor is called 'Nora'"):
        town.visitor("Nora")
    asyncio.run(_await_a_visitor(town))


async def _await_a_visitor(town):
    max_ = await town.avisitor("Max", look="visitor 1", about="a pianist", at=(2, 6))
    await max_.awalk((3, 6))
    with pytest.raises(BadArgument):
        await max_.asay("Ben Reed", "Can you hear me?" * 1000)
    await max_.aleave()
    assert not max_.is_present


def test_simulations_are_kept_in_order(town, small_town):
    """Renamed, described, marked, deleted and restored, by the names of the settings; never while they are open."""
    keep = {"fs_storage": small_town.settings.fs_storage, "fs_temp_storage": small_town.settings.fs_temp_storage}
    town.run(steps=10)
    with pytest.raises(SimulationInUse):
        ville.rename("study", "party", **keep)
    assert ville.describe("study", title="A party", tags=["pilot"], **keep).tags == ("pilot",)
    assert ville.mark("study", "5", "They meet", **keep) == ville.marks("study", **keep) == [(5, "They meet")]
    town.close()
    ville.rename("study", "party", **keep)
    assert ville.describe("party", **keep).title == "A party"
    assert ville.delete("party", **keep)
    assert not ville.delete("party", **keep)
    ville.restore("party", **keep)
    ville.make_smaller("party", **keep)
    assert ville.marks("party", **keep) == [(5, "They meet")]
    with TownSession(small_town.settings, "party", "party") as party:
        assert party.run(steps=5).step == 15


def test_a_recording_can_be_forked_at_a_moment(town, small_town):
    """As from a page: it becomes a saved simulation, too. It does not go on by itself."""
    town.run(steps=10)
    town.close()
    settings = small_town.settings
    keep = {"fs_storage": settings.fs_storage, "fs_temp_storage": settings.fs_temp_storage}
    ville.make_smaller("study", "recording", **keep)
    with pytest.raises(SimulationNotFound):
        TownSession(settings, "study", "study")
    with TownSession(settings, "study@6", "other") as other:
        assert other.run(steps=1).step == 7
