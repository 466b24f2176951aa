"""A class of one's own takes the place of a part of a mind: it is called, recorded and gone on with, or refused."""

import json
import sys
from dataclasses import replace
from itertools import count
from textwrap import dedent

import pytest

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.comparison.set_up import compare_set_ups
from ville.assembly.forking import Beginning
from ville.assembly.own_minds import NAMED_HERE, load_minds
from ville.assembly.reading import read_for_interviews
from ville.assembly.run import open_at
from ville.errors import BadMind, BadMoment, BadSetting, CorruptFile
from ville.persona.cognitive_modules.protocols import PROTOCOLS
from ville.settings import Settings, load_settings, settable_by
from ville.settings.mind_names import KINDS
from ville.storage.folder.simulation_folder import SimulationFolder

SAME = '''
from ville.persona.cognitive_modules.conversing.converse import converse
from ville.persona.cognitive_modules.perceive import perceive
from ville.persona.cognitive_modules.planning.plan import plan
from ville.persona.cognitive_modules.react import react
from ville.persona.cognitive_modules.reflect import reflect
from ville.persona.cognitive_modules.retrieve import retrieve
from ville.persona.persona import think

CALLS = []


class Same:
    """Does what the Ville does, and notes it."""

    async def perceive(self, mind, moment):
        CALLS.append("perceive")
        return await perceive(mind, moment)

    def retrieve(self, mind, moment, focus, *, count, about, found_before):
        CALLS.append("retrieve")
        named = [mind.stream.known_as(name, moment.view.names) for name in about]
        tuning, now = mind.scratch.tuning, moment.now
        return retrieve(mind.stream, focus, tuning=tuning, now=now, count=count, about=named, found_before=found_before)

    async def plan(self, mind, moment, day):
        CALLS.append("plan")
        await plan(mind, moment, day)

    async def react(self, mind, moment, recalled):
        CALLS.append("react")
        return await react(mind, moment, recalled)

    async def converse(self, first, second):
        CALLS.append("converse")
        return await converse(first, second)

    async def reflect(self, mind, moment, ending):
        CALLS.append("reflect")
        await reflect(mind, moment, ending)

    async def think(self, mind, moment):
        CALLS.append("persona")
        return await think(mind, moment)
'''
NIGHT, DAY = 100, 700
"""Steps until everyone sleeps, and until people have got up, met and talked."""
ASKED = {"questions": "paper"}
"""The model is asked whether to talk, and always does."""
names = count()


class Code:
    """Modules of minds in a folder, and the settings by which they are found and named here, and nowhere else."""

    def __init__(self, root):
        self.root, self.folder = root, root / "code"
        self.folder.mkdir()

    def write(self, text):
        name = f"mind_of_a_test_{next(names)}"
        (self.folder / f"{name}.py").write_text(dedent(text), "utf-8")
        return name

    def given(self, minds):
        return ASKED | {
            "minds": minds,
            "minds_folder": self.folder,
            "wallet_file": self.root / "state" / "wallet.sqlite3",
        }


@pytest.fixture
def code(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    return Code(tmp_path)


def run_file(small_town, name):
    return json.loads((small_town.root / "storage" / name / "reverie/run.json").read_text("utf-8"))


def test_every_part_can_be_named():
    """The setting and the protocols name the same parts."""
    assert set(KINDS) == set(PROTOCOLS)


@pytest.fixture
def plain(town_after):
    """Return the files of a run without parts of one's own."""
    return town_after(DAY, **ASKED).files("new")


@pytest.mark.parametrize("kind", KINDS)
async def test_a_part_that_does_the_same_leaves_the_same_files(opened, run_for, small_town, code, *, kind, plain):
    """It is called instead of ours, also after the run was resumed by its name; only run.json tells of it."""
    module = code.write(SAME)
    own = opened("own", **code.given(f"{kind}={module}:Same"))
    await run_for(own, NIGHT)
    own.save()
    await own.close()
    calls = sys.modules[module].CALLS
    calls.clear()
    await run_for(again := opened("own", "own", **code.given("")), DAY - NIGHT)
    again.save()
    await again.close()
    assert {*calls} == {kind}
    files, others = {**plain}, small_town.files("own")
    assert json.loads(files.pop("reverie/run.json")) == {
        key: value for key, value in json.loads(others.pop("reverie/run.json")).items() if key != "minds"
    }
    assert files == others
    assert run_file(small_town, "own")["minds"][kind]["class"] == f"{module}:Same"


async def test_a_fork_goes_on_with_the_minds_of_its_origin(opened, run_for, small_town, code):
    """Until it is said otherwise."""
    module = code.write(SAME)
    own = opened("own", **code.given({"plan": f"{module}:Same"}))
    await run_for(own, 5)
    await own.close()
    fork, plain = opened("fork", "own", **code.given("")), opened("plain", "own", **code.given("default"))
    await fork.close()
    await plain.close()
    assert run_file(small_town, "fork")["minds"] == run_file(small_town, "own")["minds"]
    assert "minds" not in run_file(small_town, "plain")


async def test_steps_are_computed_again_only_by_the_code_that_computed_them(opened, run_for, small_town, code):
    """A moment is refused if that has changed; a run goes on, and says so."""
    module = code.write(SAME)
    settings = replace(small_town.settings, **code.given(""))
    own = opened("own", **code.given(f"plan={module}:Same"))
    for _ in range(2):
        await run_for(own, 5)
        own.save()
    await own.close()
    await (await open_at(settings, "own@7", "seventh")).close()
    file = code.folder / f"{module}.py"
    file.write_text(file.read_text("utf-8") + "# changed\n", "utf-8")
    with pytest.raises(BadMoment, match="the code for plan has changed since these steps"):
        await open_at(settings, "own@8", "eighth")
    again = opened("own", "own", **code.given(""))
    assert [line for line in again.notes if "they had other code for plan" in line]
    await again.close()


def test_code_is_imported_only_if_it_was_named_here(opened, small_town, code):
    """A folder from elsewhere cannot have code run that is on this machine by chance."""
    module = code.write("print('imported')\n" + SAME)
    base = small_town.root / "storage" / "base" / "reverie" / "run.json"
    base.write_text(json.dumps({"minds": {"plan": {"class": f"{module}:Same", "code": ""}}}), "utf-8")
    with pytest.raises(BadMind, match=f"code that was never named here.*minds = plan={module}:Same"):
        opened("theirs", **code.given(""))
    assert module not in sys.modules
    assert not (small_town.root / "storage" / "theirs").exists()
    opened("default", **code.given("default")).close_files()
    assert module not in sys.modules
    opened("mine", **code.given(f"plan={module}:Same")).close_files()
    opened("again", **code.given("")).close_files()
    assert (code.root / "state" / NAMED_HERE).read_text("utf-8") == f"{module}:Same\n"


@pytest.mark.parametrize("minds", ["x", {"plan": 3}, {"plan": {"class": "a b:C"}}, {"eat": {"class": "a:B"}}])
def test_malformed_minds_of_a_file_are_refused(minds, small_town):
    """Whoever wrote it."""
    with pytest.raises(CorruptFile, match="its minds are malformed"):
        load_minds(small_town.settings, "theirs", minds)


def test_a_run_whose_code_is_gone_says_what_is_missing(opened, code, monkeypatch):
    """And how to go on without it."""
    module = code.write(SAME)
    opened("own", **code.given(f"plan={module}:Same")).close_files()
    (code.folder / f"{module}.py").unlink()
    monkeypatch.delitem(sys.modules, module)
    with pytest.raises(
        BadMind, match=f"^own-2 goes on with plan={module}:Same: There is no module '{module}'.*default"
    ):
        opened("own-2", "own", **code.given(""))
    opened("own-3", "own", **code.given("default")).close_files()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no class 'Own'"),
        ("Own = 3", "has no class 'Own'"),
        ("import nothing_of_this_name", "cannot be imported .ModuleNotFoundError: .*nothing_of_this_name"),
        ("1 / 0", "cannot be imported .ZeroDivisionError"),
        ("class Own:\n    def __init__(self, size): ...", "cannot be made without arguments"),
        ("class Own: ...", r"has no method plan\. Define async def plan\(self, mind, moment, day\)"),
        ("class Own:\n    def plan(self, mind, moment, day): ...", "plan of .*:Own has another form"),
        ("class Own:\n    async def plan(self, mind): ...", "plan of .*:Own has another form"),
        ("class Own:\n    async def plan(self, a, b, c, d): ...", "plan of .*:Own has another form"),
    ],
)
def test_what_does_not_fit_is_refused_before_the_run(text, said, opened, small_town, code):
    """In one line that names module, class and method; no simulation is made."""
    module = code.write(text)
    with pytest.raises(BadMind, match=said) as refused:
        opened("own", **code.given(f"plan={module}:Own"))
    assert module in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not (small_town.root / "storage" / "own").exists()


WRONG = {
    "perceive": ("async def perceive(self, mind, moment):", "return ['a bird']", "memories of the stream"),
    "retrieve": (
        "def retrieve(self, mind, moment, focus, *, count, about, found_before):",
        "return list(mind.stream)",
        "list of RetrievedMemory",
    ),
    "plan": ("async def plan(self, mind, moment, day):", "pass", "leaves a schedule that is no Schedule"),
    "react": ("async def react(self, mind, moment, recalled):", "return None", "does not return CarryOn, Talk"),
    "converse": ("async def converse(self, first, second):", "return 'Hello.'", "a ConversationResult, or None"),
    "reflect": ("async def reflect(self, mind, moment, ending):", "return [1]", "returns something"),
    "persona": ("async def think(self, mind, moment):", "return mind.name", "does not return an Intent of"),
}


@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize("fails", [False, True])
async def test_what_a_method_returns_is_checked_in_every_step(kind, fails, opened, run_for, code):
    """The line names module, class and method, and where an error of the code was raised."""
    head, body, said = WRONG[kind]
    module = code.write(f"class Own:\n    {head}\n        {'raise LookupError(7)' if fails else body}\n")
    own = opened("own", **code.given(f"{kind}={module}:Own"))
    with pytest.raises(BadMind) as refused:
        await run_for(own, DAY)
    await own.close()
    method = PROTOCOLS[kind].__name__
    told = f"failed at {module}.py:3: LookupError: 7" if fails else said
    assert f"{method} of {module}:Own {told}" in str(refused.value) or (told in str(refused.value) and not fails)


@pytest.mark.parametrize(
    "minds",
    ["retrieve", "retrieve=x", "eat=a:B", "plan=a:B plan=a:C", "default plan=a:B", {"plan": "a b"}, {"plan": 3}],
)
def test_a_setting_in_another_form_is_refused(minds):
    """By an example."""
    with pytest.raises(BadSetting, match="retrieve=my_module:MyMemory"):
        load_settings({"minds": minds})


def test_a_class_can_be_given_itself():
    """If another program can find it, too: it is recorded by its name."""
    assert load_settings({"minds": {"plan": Settings}}).minds == "plan=ville.settings.model:Settings"
    for lost in (type("Here", (), {"__module__": "__main__"}), type("Here", (), {"__qualname__": "f.<locals>.Here"})):
        with pytest.raises(BadSetting, match="at the top of a module"):
            load_settings({"minds": {"plan": lost}})


def test_only_the_owner_names_code():
    """No request can; a study file names it, and its folder follows from where it lies."""
    assert not {"minds", "minds_folder"} & {*settable_by("request")}
    assert {"minds", "minds_folder"} & {*settable_by("study")} == {"minds"}


async def test_a_saved_simulation_is_asked_with_its_own_memory(opened, run_for, small_town, code):
    """The class that it was run with retrieves for interviews, too; a comparison says that the minds differ."""
    module = code.write(SAME)
    for name, minds in (("plain", ""), ("own", f"retrieve={module}:Same")):
        simulation = opened(name, **code.given(minds))
        await run_for(simulation, 5)
        simulation.save()
        await simulation.close()
    sys.modules[module].CALLS.clear()
    interviews, close = await read_for_interviews(replace(small_town.settings, **code.given("")), "own")
    await interviews.ask("Ada Stone", "What do you plan?")
    await close()
    assert sys.modules[module].CALLS == ["retrieve"]
    storage = small_town.settings.fs_storage
    runs = [ComparedRun(SimulationFolder(storage / name)) for name in ("plain", "own")]
    (differs,) = compare_set_ups(*runs).differences
    assert (differs.what, differs.a) == ("minds", "")
    assert differs.b.startswith(f"retrieve {module}:Same (")


async def test_a_replay_thinks_with_the_minds_of_its_recording(small_town, server, code):
    """All answers come from its ledger, because the same is asked."""
    module = code.write(SAME)
    settings = replace(
        small_town.settings, provider="llamacpp", base_url=server.url, fast_model="m", embedder="hashing", fsync=False
    )
    for name, minds, recording in (("recorded", f"plan={module}:Same", ""), ("replayed", "", "recorded")):
        chosen = replace(settings, **code.given(minds))
        simulation = await open_at(chosen, "base", name, beginning=Beginning(recording=recording))
        for _ in range(3):
            await simulation.advance()
        simulation.save()
        await simulation.close()
        assert sys.modules[module].CALLS
        sys.modules[module].CALLS.clear()
    assert run_file(small_town, "replayed")["minds"] == run_file(small_town, "recorded")["minds"]
