"""Notebooks: memories by place, tables that are safe to show, faults in one line, names that are free."""

import os
import subprocess
import sys
import tomllib
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from repository import ROOT

import ville
from ville.analysis.comparison.compared_run import find_run
from ville.analysis.comparison.noise import compare_repeats
from ville.api.town_session import TownSession
from ville.errors import BadSimulationName, SessionClosed, SimulationExists, SimulationInUse, SimulationNotFound
from ville.html_table import html_table

END = "end of a cell"
EVIL = "<script>alert(1)</script>&\x1b[2J\u202e\n"


@pytest.fixture
def town(small_town):
    """An open fork of the small town, twenty steps old."""
    with TownSession(replace(small_town.settings, seed=1), "base", "study") as opened:
        opened.run(steps=20)
        yield opened


@pytest.fixture
def places(small_town):
    """Settings that lead to the small town."""
    return {name: getattr(small_town.settings, name) for name in ("fs_storage", "assets")} | {"provider": "offline"}


def test_memories_are_a_sequence(town):
    """By place and by slice like a list, and by id."""
    memories = town.personas["Ada Stone"].memories
    listed = list(memories)
    assert len(listed) > 2
    assert (memories[0], memories[-1], memories[:2]) == (listed[0], listed[-1], listed[:2])
    assert (memories[::-2], list(reversed(memories))) == (listed[::-2], listed[::-1])
    assert all(memories[node.node_id] is node for node in listed)
    for beyond in (len(listed), -len(listed) - 1):
        with pytest.raises(IndexError):
            memories[beyond]
    for unknown in ("node_0", f"node_{len(listed) + 1}", "nonsense"):
        with pytest.raises(KeyError):
            memories[unknown]


async def test_a_session_is_closed_behind_an_async_block(small_town):
    """Also after an exception in it."""
    with pytest.raises(ZeroDivisionError):
        async with TownSession(small_town.settings, "base", "waited") as opened:
            assert (await opened.arun(steps=1)).steps == 1
            raise ZeroDivisionError
    with pytest.raises(SessionClosed):
        opened.run(steps=1)


class Shown(HTMLParser):
    """The tags of a piece of HTML, and its text."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.text = set(), ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):  # noqa: ARG002 - the signature is the library's
        self.tags.add(tag)

    def handle_data(self, data):
        self.text += f"{data} "


def test_a_notebook_shows_sessions_personas_and_memories(town):
    """Their content is shown as tables."""
    town.whisper("Ada Stone", "The zebra dances at noon")
    for shown, words in [
        (town, ("study", "step 20", "Ada Stone", "Ben Reed")),
        (town.personas, ("Ada Stone", "Ben Reed")),
        (town.personas["Ada"], ("Ada Stone", town.personas["Ada"].activity)),
        (town.personas["Ada"].memories, ("zebra", f"{len(town.personas['Ada'].memories)} memories")),
    ]:
        found = Shown(shown._repr_html_())
        assert "table" in found.tags
        assert [word for word in words if word not in found.text] == []


def test_a_notebook_shows_comparisons(town, small_town, places):
    """Differences are shown with the step of each."""
    town.save()
    with TownSession(replace(small_town.settings, seed=1), "study", "other") as other:
        other.whisper("Ada Stone", "The zebra dances at noon")
        other.run(steps=20)
    town.run(steps=20)
    found = Shown(ville.compare("study", "other", **places)._repr_html_())
    assert "differs from step 20" in found.text
    assert "zebra" in found.text
    runs = [find_run(small_town.settings.fs_storage, small_town.settings.replays, name) for name in ("study", "other")]
    assert "conversations" in Shown(compare_repeats(runs[:1], runs[1:])._repr_html_()).text


def test_a_table_shows_texts_as_they_are_and_runs_nothing():
    """No matter who has written them."""
    html = html_table(EVIL, [(EVIL, 1_234_567, None, True)], (EVIL, "a", "b", "c"))
    found = Shown(html)
    assert found.tags <= {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert found.text.count("<script>alert(1)</script>&") == 3
    assert not set(html) & {"\x1b", "\u202e", "\n"}
    assert "1,234,567" in found.text


def test_a_simulation_is_deleted_unless_somebody_needs_it(town, small_town, places):
    """Not one that is open, not a base, and nothing that is no simulation."""
    storage = small_town.settings.fs_storage
    assert not ville.delete("nothing", **places)
    with pytest.raises(SimulationInUse):
        ville.delete("study", **places)
    town.save()
    town.close()
    ville.fork("study", "base_of_mine", **places).close()
    with pytest.raises(BadSimulationName, match="is a base"):
        ville.delete("base_of_mine", **places)
    (storage / "notes").mkdir()
    (storage / "notes" / "diary.txt").write_text("Dear diary", "utf-8")
    (storage / "linked").symlink_to(storage / "study")
    for name in ("notes", "../storage/study", ".", "*", "linked"):
        try:
            assert not ville.delete(name, **places)
        except ville.ReverieError:
            continue
    assert (storage / "notes" / "diary.txt").exists()
    assert (storage / "study").is_dir()
    assert ville.delete("study", **places)
    assert not (storage / "study").exists()
    assert not [path for path in storage.iterdir() if path.name.startswith(".study")]


def test_a_fork_may_replace_an_earlier_one(small_town, places):
    """As if it had never been there. What it begins with stays, and so does the earlier one if it cannot begin."""
    storage = small_town.settings.fs_storage
    with ville.fork("base", "again", seed=1, **places) as first:
        first.run(steps=3)
        with pytest.raises(SimulationInUse):
            ville.fork("base", "again", replace=True, **places)
    with pytest.raises(SimulationExists):
        ville.fork("base", "again", **places)
    for origin, fault in {
        "nothing": SimulationNotFound,
        "again": SimulationExists,
        "again@2": SimulationExists,
    }.items():
        with pytest.raises(fault):
            ville.fork(origin, "again", replace=True, **places)
        assert (storage / "again" / "movement" / "2.json").exists()
    with ville.fork("base", "again", replace=True, seed=1, **places) as second:
        assert second.step == 0
    assert not (storage / "again" / "movement" / "2.json").exists()


def test_a_mistake_in_a_notebook_is_one_line(small_town, tmp_path):
    """Of ours, without the frames of the package; other faults have their traceback."""
    cells = "import ville; ville.open('nothing_like_this')", "1 / 0"
    ours, other = in_ipython(cells, tmp_path, VILLE_FS_STORAGE=str(small_town.root / "storage"))
    said = f"SimulationNotFound: There is no simulation 'nothing_like_this' in {small_town.root / 'storage'}."
    (line,) = [line for line in ours.splitlines() if line.strip()]
    assert line.startswith(said)
    assert "Traceback" in other


def in_ipython(cells, folder, **environment):
    """Return what IPython prints after each cell."""
    code = f"for cell in {cells!r}: get_ipython().run_cell(cell); print({END!r})"
    command = [sys.executable, "-m", "IPython", "--colors=NoColor", "-c", code]
    ipython = {"IPYTHONDIR": str(folder), "PYTHONPATH": str(ROOT / "reverie" / "backend_server"), "PYTHONUTF8": "1"}
    done = subprocess.run(
        command, env=os.environ | ipython | environment, cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return done.stdout.split(f"{END}\n")[:-1]


def test_type_checkers_read_the_types_of_the_package():
    """Also of the package that is installed."""
    assert files("ville").joinpath("py.typed").is_file()
    packaged = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-data"]
    assert "py.typed" in packaged["ville"]
