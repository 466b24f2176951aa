"""Answers in interviews by the rules: a standing set of questions, asked in one town."""

import os
import re
import shutil
from pathlib import Path

import pytest
import yaml
from few_people import copy_base, history_of

import ville
from ville.persona.cognitive_modules import react
from ville.world.address import Tile
from ville.world.maze_files import load_maze

ROOT = Path(__file__).resolve().parents[3]
FRONTEND = ROOT / "environment/frontend_server"
SITUATION = yaml.safe_load(Path(__file__).with_name("interview_questions.yaml").read_text("utf-8"))
QUESTIONS = [each for name, values in SITUATION.items() if name.startswith("questions") for each in values]
WORD = re.compile(r"[a-z]{4,}")
RELEASED = "base_the_ville_isabella_maria_klaus"
FILLER = {"with", "from", "home", "being", "having", "time"}


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    """Some of the people of the Ville, after a morning in which things happened, and all who met talked."""
    root = tmp_path_factory.mktemp("town")
    people = SITUATION["people"]
    copy_base(root / "few", people)
    with pytest.MonkeyPatch.context() as patch, ville.fork("few", "asked", seed=1, fs_storage=str(root)) as town:
        patch.setattr(react, "talks", lambda *_: True)
        town.intervene(history_of(people))
        town.plan(SITUATION["happenings"])
        town.run(until=SITUATION["asked"])
        yield town


def _meant(pattern, town, who):
    """Return a pattern with its blanks filled from the state of the town."""
    persona = town.personas[who]

    def filled(found):
        match found[1].split():
            case ["partners"]:
                chats = (node for node in persona.memories if node.kind == "chat")
                return "|".join(node.object for node in chats if node.created.date() == town.now.date()) or "nobody"
            case ["place"]:
                maze = load_maze(FRONTEND / "static_dirs/assets/the_ville/matrix", "the_ville")
                return re.escape(maze.place(Tile(*persona.tile)).sector)
            case ["doing"]:
                return _any_word(persona.activity)
            case ["at", clock]:
                hours, minutes = map(int, clock.split(":"))
                planned = (what for start, end, what in persona.schedule if start <= 60 * hours + minutes < end)
                return _any_word(next(planned))

    return re.sub(r"\{([a-z][^}]*)\}", filled, pattern)


def _any_word(text):
    """Return a pattern of the words of an activity: `tidying` is told as something that one means to tidy."""
    words = (word for word in WORD.findall(text.lower()) if word not in FILLER)
    return "|".join(word.removesuffix("ing") for word in words) or re.escape(text)


def test_there_are_many_and_twenty_were_written_without_the_rules():
    """They ask every person of the situation."""
    assert len(QUESTIONS) == 92
    assert len(SITUATION["questions_without_the_rules"]) == 20
    assert {each["who"] for each in QUESTIONS} == set(SITUATION["people"])


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: f"{asked['who'].split()[0]}: {asked['question']}")
def test_answers_are_honest(town, sentences, asked):
    """They say what the persona knows, and never deny what it remembers."""
    answer = town.interview(asked["who"], asked["question"]).text
    for pattern in asked["says"]:
        assert re.search(_meant(pattern, town, asked["who"]), answer, re.IGNORECASE), answer
    for pattern in asked.get("never", ()):
        assert not re.search(_meant(pattern, town, asked["who"]), answer, re.IGNORECASE), answer
    assert sentences(answer) == [], answer


@pytest.mark.reference
def test_who_has_just_talked_says_with_whom(tmp_path):
    """Also among the people of the released base, five minutes after their first talk."""
    if not (data := os.environ.get("REFERENCE_DATA")):
        pytest.skip("REFERENCE_DATA is not set")
    shutil.copytree(Path(data) / "matrix", tmp_path / "assets/the_ville/matrix")
    shutil.copytree(Path(data) / "storage" / RELEASED, tmp_path / "storage" / RELEASED)
    folders = {"fs_storage": str(tmp_path / "storage"), "assets": str(tmp_path / "assets")}
    with ville.fork(RELEASED, "july1", seed=1, **folders) as town:
        while not town.run(60).talks:
            assert town.now.hour < 22
        town.run(30)
        talked = [
            name for name, persona in town.personas.items() if any(node.kind == "chat" for node in persona.memories)
        ]
        assert len(talked) > 1
        for name in talked:
            answer = town.interview(name, "Who did you talk to today?").text
            assert any(other in answer for other in talked if other != name), answer
