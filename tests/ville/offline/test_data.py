"""The data files: what is written there can be said, done and understood, or is refused with its line."""

import re
import shutil
from random import Random

import pytest

from ville.errors import BadRules
from ville.offline import conditions, table
from ville.offline.answers.interview_rules import BLANKS as INTERVIEW_BLANKS
from ville.offline.day import place_rules, whims, work
from ville.offline.day.day import liking
from ville.offline.day.place_rules import UNKNOWN, look_of
from ville.offline.day.subtask_rules import activities, activity_of, steps_of
from ville.offline.grammar import gerund
from ville.offline.profile import Profile
from ville.offline.reflect_rules import OF_ONESELF
from ville.offline.talks import sayings, speech, ties
from ville.offline.talks.dialogue import FAREWELLS, OF_WORK, QUESTIONS
from ville.offline.talks.sayings import heard

BLANKS = {
    "other": "Ben", "name": "Ada Stone", "news": "Cleo Vance is giving a party at Hill Cafe today, on May 4th.",
    "told": "I have heard that",
    "who": "Cleo Vance", "teller": "Ove", "topic": "mending nets", "doing": "reading a book",
    "their_topic": "mending nets", "their_doing": "reading a book", "unfinished": "reading a book",
    "thought": "I like boats", "fact": "I have a boat.", "more": "It is blue.",
    "when": "this morning", "incident": "the stove was burning", "since": "this morning", "daypart": "Good morning",
    "part": "morning", "weekday": "Monday", "place": "Hobbs Cafe", "what": "party", "shift": "stand there",
    "host": "Cleo", "reason": "I fell asleep",
}  # fmt: skip
FRAGMENTS = ("told", "turn", "decline shift", "excuse reason", "see doing")
"""Sayings that go on, or that a doing completes."""


@pytest.fixture(scope="module")
def said():
    """Every line of every form, filled in, with its key."""
    found = [(key, form, line) for key in sayings.keys("") for form in sayings.FORMS for line in
             (sayings.filled(line, BLANKS) for line in sayings.templates(key, form))]  # fmt: skip
    return sorted(set(found))


def test_every_saying_is_good_english(said, sentences):
    """Whole sentences, but for those that introduce something."""
    assert [
        (line, found) for key, _, line in said if not key.startswith(FRAGMENTS) and (found := sentences(line))
    ] == []


def test_whoever_hears_a_question_knows_it_and_has_an_answer(said):
    """Each line of a question is recognised as that question alone, and its answer exists."""
    asked = [(key, line) for key, _, line in said if key.startswith(QUESTIONS)]
    assert [(key, line) for key, line in asked if heard(line)[-1].key != key] == []
    answered = {key.replace("ask ", "answer ", 1) for key, _ in asked if key.startswith("ask ")}
    assert [key for key in sorted(answered) if not sayings.exists(key)] == []


def test_a_farewell_is_understood_and_nothing_else_is_one(said):
    """Every farewell is recognised; no other saying is mistaken for one."""
    for key, _, line in said:
        assert any(each.key in FAREWELLS for each in heard(line)) == (key in FAREWELLS), (key, line)


def test_work_that_is_told_is_heard_the_same(said):
    """However it is told."""
    assert {heard(line)[-1].blanks["topic"] for key, _, line in said if key in OF_WORK} == {"mending nets"}


def test_news_is_heard_as_it_is_told(said):
    """Whoever it is said to come from: the sentence is whole, and nothing of its source belongs to it."""
    news = BLANKS["news"]
    sources = [line for key, _, line in said if key in {"told", "told by", "told in person"}]
    for key in ("invite", "announce", "pass on", "announce on", "about yourself"):
        for source in sources:
            for line in sayings.templates(key):
                said = sayings.filled(line, BLANKS | {"told": source})
                assert [each.blanks["news"] for each in heard(f"Hello, Ben. {said}") if "news" in each.blanks] == [
                    news
                ], line


def test_free_words_are_heard_as_such():
    """Between two lines of the tables."""
    keys = [each.key for each in heard("Hello, Ben. The moon fell into the well. What are you working on?")]
    assert keys[1:] == ["", "ask work"]


def test_rows_of_talk_name_lines_and_conditions_that_exist():
    """Every key of a row has lines, every condition is used, and every blank of the lines has a function."""
    rows = [row for section in speech.table().values() for row in section]
    keys = {key for row in rows for part in row.say for key in re.split(r" [|/] ", part.removesuffix("?"))}
    chosen = {"answer", "ask about", "interest in subject", "question on subject"}
    assert [key for key in sorted(keys - chosen) if not sayings.exists(key)] == []
    assert {name.removeprefix("not ") for row in rows for name in row.when} == set(conditions.CONDITIONS)
    assert set(conditions.BLANKS) | {"told"} == sayings.BLANKS


def test_every_step_begins_with_a_doing_and_has_a_picture(english):
    """An emoji and an object of its own, small letters, no mark at the end."""
    rows = [row for section in activities().values() for row in section]
    steps = {one for row in rows for step in (*row.first, *row.then, *row.last) for one in step.split(" / ")}
    assert [step for step in sorted(steps) if look_of(step) is UNKNOWN] == []
    assert [step for step in sorted(steps) if english(step) or not step.split()[0].endswith("ing")] == []


def test_a_whim_can_be_planned_and_has_steps_and_a_picture(english):
    """Whatever comes to mind, what it leads to is divided into steps, and shown."""
    named = {"person": "Ada"}
    for row in whims._table():
        what, step = row.what.format(**named), row.step.format(**named)
        assert activity_of(gerund(what)), what
        assert look_of(step) is not UNKNOWN, step
        assert not english(step)
        assert row.first <= row.last


@pytest.mark.parametrize("seed", range(10))
def test_a_morning_has_an_order_and_a_meal_one_dish(seed):
    """The shower comes before the clothes; it is soup or salad, not one after the other."""
    morning = _steps("waking up and completing the morning routine", seed)
    done = [
        morning.index(step) for step in ("getting out of bed", "taking a shower", "getting dressed") if step in morning
    ]
    assert done == sorted(done)
    assert len({step for step in _steps("having lunch at the cafe", seed) if step.startswith("eating a")}) <= 1


def _steps(activity, seed):
    return [step for step, _ in steps_of(activity, 60, Profile("Ada"), Random(seed))]  # noqa: S311 - which steps


def test_answers_and_conclusions_that_files_name_exist():
    """Names that connect a file with the code are the same on both sides."""
    answers = [answer for row in table.load("interviews.yaml")["questions"] for answer in row["answers"]]
    named = {name for answer in answers for name in re.findall(r"\{([^}]+)\}", answer) if "one of" not in name}
    assert named == set(INTERVIEW_BLANKS)
    assert set(OF_ONESELF) <= set(table.load("conclusions.yaml")["conclusions"])
    gists = table.load("gists.yaml")["parts"]
    assert [key for key in gists if not sayings.exists(key)] == []
    assert liking(Profile("Ada"))


@pytest.mark.parametrize(
    "fault",
    [
        ("sayings/tidings.yaml", "'{news} Can you come?'", "'{newss} Can you?'", r"tidings\.yaml, line \d+: .*newss"),
        ("sayings/courtesies.yaml", "  plain:\n    - '{daypart}", "  plane:\n    - '{daypart}", r"line \d+: 'plane'"),
        ("trades.yaml", "  work:", "  works:", r"trades\.yaml, line \d+: unknown key 'works'"),
        ("looks.yaml", "  emoji: 😴\n", "", r"looks\.yaml, line \d+: 'emoji' is missing"),
        ("looks.yaml", "means: teeth", "means: (teeth", r"looks\.yaml, line \d+: not a regular expression"),
        ("ties.yaml", "\nties:\n", "\nties: [\n", r"ties\.yaml:\d+: this is not YAML"),
    ],
)  # fmt: skip
def test_a_fault_in_a_file_is_told_with_its_line(tmp_path, monkeypatch, fault):
    """One line: file, line, what is wrong."""
    file, good, bad, words = fault
    folder = tmp_path / "data"
    shutil.copytree(table.FOLDER, folder)
    text = (folder / file).read_text("utf-8")
    assert good in text
    (folder / file).write_text(text.replace(good, bad, 1), "utf-8")
    monkeypatch.setattr(table, "FOLDER", folder)
    monkeypatch.setattr(sayings, "FOLDER", folder)
    with pytest.raises(BadRules, match=words) as raised:
        _read_again(file)
    assert "\n" not in str(raised.value)


def _read_again(file):
    readers = {"sayings": sayings._table, "trades": work._trades, "looks": place_rules._looks, "ties": ties._ties}
    reader = readers[file.split("/")[0].split(".")[0]]
    table.load.cache_clear()
    reader.cache_clear()
    try:
        reader()
    finally:
        table.load.cache_clear()
        reader.cache_clear()
