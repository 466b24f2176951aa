"""The command line that shares what others may see."""

import json
import os
import re
import sys
from pathlib import Path

import pytest
from drawn_map import draw_map
from PIL import Image
from scripts import run_to_end

from ville.home import SHIPPED

SHELL = SHIPPED / "reverie" / "share.py"
META = {
    "fork_sim_code": "base", "start_date": "February 13, 2023", "curr_time": "February 13, 2023, 00:01:00",
    "sec_per_step": 10, "maze_name": "small", "persona_names": ["Ada Stone"], "step": 6,
}  # fmt: skip
MEMORIES = "personas/Ada Stone/bootstrap_memory/associative_memory"


@pytest.fixture
def shell(tmp_path, write_small_town):
    """Run the command line on a storage folder with the simulations `first` and `second`, in a folder of its own."""
    draw_map(write_small_town(tmp_path), 30, 20)
    environment = os.environ | {"VILLE_ASSETS": str(tmp_path / "assets")}
    for name in ("first", "second"):
        root = tmp_path / "storage" / name
        for folder in ("reverie", "movement", MEMORIES):
            (root / folder).mkdir(parents=True)
        (root / "reverie/meta.json").write_text(json.dumps(META), "utf-8")
        (root / MEMORIES / "nodes.json").write_text("{}", "utf-8")
        for step in range(6):
            record = {"movement": [2 + step, 5], "pronunciatio": "🙂", "description": f"a{step} @ b", "chat": None}
            content = {"persona": {"Ada Stone": record}, "meta": {}}
            (root / "movement" / f"{step}.json").write_text(json.dumps(content), "utf-8")
    where = ["--storage", str(tmp_path / "storage"), "--compressed", str(tmp_path / "compressed")]
    (tmp_path / "here").mkdir()

    def run(*arguments):
        return run_to_end([sys.executable, str(SHELL), *arguments, *where], tmp_path / "here", environment)

    return run


def test_several_simulations_are_a_site(shell, tmp_path):
    """A file for each and an index that names them; the command says what is in them and what is not."""
    ended = shell("first", "second", "--out", "site")
    assert ended.code == 0, ended.err
    assert sorted(path.name for path in (tmp_path / "here/site").iterdir()) == [
        "first.html",
        "index.html",
        "second.html",
    ]
    assert ended.out.count("Not in it: interviews") == 2
    assert re.search(r"In it: 1 person, 0 conversations, 0 memories", ended.out)


def test_a_picture_shows_a_step_and_a_clip_all(shell, tmp_path):
    """A still is of the beginning of the part; a clip has as many pictures as there are steps, if they are few."""
    ended = shell("first", "--still", "a.png", "--clip", "a.gif", "--from", "2", "--follow", "Ada Stone")
    assert ended.code == 0, ended.err
    with Image.open(tmp_path / "here/a.png") as still, Image.open(tmp_path / "here/a.gif") as clip:
        assert still.size == (960, 640)
        assert clip.n_frames == 4
    assert "00:00:20" in ended.out
    assert not list((tmp_path / "here").glob("*.html"))


@pytest.mark.parametrize("arguments", [("--out", "mine.html"), ("--still", "mine.png"), ("second", "--out", ".")])
def test_nothing_is_replaced_unasked(shell, arguments, tmp_path):
    """A file of the user stays as it is, to the byte, until it may be replaced."""
    mine = [tmp_path / "here" / name for name in ("mine.html", "mine.png", "second.html")]
    for path in mine:
        path.write_text("my notes", "utf-8")
    refused = shell("first", *arguments)
    assert (refused.code, len(refused.err.splitlines())) == (1, 1)
    assert "--replace" in refused.err
    assert {path.read_text("utf-8") for path in mine} == {"my notes"}
    assert sorted((tmp_path / "here").iterdir()) == sorted(mine)
    assert shell("first", *arguments, "--replace").code == 0
    assert [path.read_bytes() for path in mine].count(b"my notes") == len(mine) - 1


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("third",), "There is no simulation 'third'"),
        (("first", "second"), "name it with --out FOLDER"),
        (("first", "--from", "99"), "first has no step 99"),
        (("first", "--from", "3", "--to", "3"), "There is nothing of first between 3 and 3"),
        (("first", "--still", "a.jpg"), r"end its name with \.png or \.svg"),
        (("first", "--still", "a.png", "--follow", "Zoe"), "'Zoe' is not in the recording. There are: Ada Stone."),
        (("first", "--out", f"{__file__}/a.html"), "is a file, so nothing can be put into it"),
        (("nothing", "--study"), "There is no study 'nothing'"),
    ],
)
def test_a_fault_is_one_line(shell, arguments, fault, tmp_path):
    """It says what is wrong and what to do; nothing is left behind."""
    ended = shell(*arguments)
    assert ended.code == 1
    assert re.search(fault, ended.err)
    assert len(ended.err.splitlines()) == 1
    assert not list(Path(tmp_path / "here").iterdir())
