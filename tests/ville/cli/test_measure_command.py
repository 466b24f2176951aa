"""Measures of small towns that can be counted by hand: news, acquaintances, a party, introductions."""

# ruff: noqa: RUF001 - Russian

import os
import re
import subprocess
import sys
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from remembered import ADA, BEN, CLEO, MIDNIGHT, NOON, put, remembering, sight, talk, thought
from scripts import run_to_end

from ville.analysis.measures import Gathering, NewsTopic, acquaintances, density, hearings, talks, turnout
from ville.analysis.meetings import accepted, introductions
from ville.analysis.paper_measures import appointments
from ville.cli import offline_command as reverie_offline

HOUSE = Path(__file__).resolve().parents[3]
FAIR = NewsTopic("the fair", re.compile(r"\bfair\b"))


def promise(outcome: str, ended: datetime | None) -> dict:
    end = {"ended": str(ended)} if ended else {}
    return {"what": "tea", "day": "2023-02-13", "made": str(MIDNIGHT), "source": "node_1", "outcome": outcome} | end


@pytest.fixture
def recorded(small_town):
    """Return the small town with memories written by hand."""
    return partial(remembering, small_town.root / "storage" / "base")


def test_knowing_begins_with_a_thought_or_a_conversation(recorded):
    """Knowing begins with an own thought or the words of another; each persona is counted once."""
    told = talk(ADA, (ADA, "There is a fair."), (BEN, "A fair!"))
    run = recorded(
        Ada=[thought("Ada Stone wants to see the fair"), told | {"object": BEN}],
        Ben=[told, thought("Ben Reed likes a fair", NOON)],
    )
    assert hearings(run, FAIR) == [(MIDNIGHT, ADA, ""), (NOON, BEN, ADA)]


def test_seeing_is_not_knowing(recorded):
    """Seeing a conversation about the news does not count."""
    run = recorded(Cleo=[sight("Ada Stone is conversing about the fair"), thought("It is unfair of Ben")])
    assert hearings(run, FAIR) == []


def test_news_about_a_persona_must_name_it(recorded):
    """Another fair is not Ada's; what Ada says about a fair is."""
    fair = NewsTopic("Ada's fair", FAIR.pattern, ADA)
    run = recorded(
        Ada=[thought("There is a fair")],
        Ben=[thought("There is a fair in the city")],
        Cleo=[talk(ADA, (ADA, "I have a fair."), (CLEO, "Lovely!"))],
    )
    assert [(hearing.who, hearing.teller) for hearing in hearings(run, fair)] == [(ADA, ""), (CLEO, ADA)]


def test_an_acquaintance_has_two_sides(recorded):
    """Thoughts on one side are not enough, nor is seeing each other; a conversation is, from then on."""
    run = recorded(
        Ada=[thought(f"Ada knows {BEN}"), thought(f"Ada knows {CLEO}"), talk(BEN, (ADA, "Hello."))],
        Ben=[sight(f"{ADA} is asleep"), talk(ADA, (ADA, "Hello."))],
        Cleo=[thought(f"Cleo is a friend of {ADA}")],
    )
    at_first, at_last = acquaintances(run, run.begins), acquaintances(run, run.ends)
    assert at_first == {frozenset((ADA, CLEO))}
    assert at_last == at_first | {frozenset((ADA, BEN))}
    assert density(run, at_last) == pytest.approx(2 * 2 / (3 * 2))
    assert talks(run) == {frozenset((ADA, BEN)): 1}


def test_appointments_are_those_that_fitted(recorded, small_town):
    """With a day; promises without one, and what was refused, are none. One that ends after the run is open still."""
    run = recorded()
    assert (appointments(run), appointments(run, "kept")) == (0, 0)
    outcomes = {"kept": NOON, "broken": NOON, "refused": NOON, "called off": NOON + timedelta(days=2), "open": None}
    made = [promise(outcome, ended) for outcome, ended in outcomes.items()]
    facts = {ADA: {"commitments": [*made, promise("kept", NOON) | {"day": ""}]}, BEN: {"commitments": made[:1]}}
    put(small_town.root / "storage/base/reverie/facts.json", facts)
    found = run.read_again()
    assert (appointments(found), appointments(found, "kept"), appointments(found, "broken")) == (5, 2, 1)


@pytest.mark.parametrize(
    ("named", "full", "first"),
    [
        (f"{ADA}'s", True, True), (f"{ADA}у", True, True), (f"Jo-{ADA}", False, False), (f"Jo{ADA}", False, False),
        (f"{ADA}-Hall", False, True), ("Adamant", False, False),
    ],
)  # fmt: skip
def test_a_name_is_a_whole_word(recorded, named, full, first):
    """Not a part of another name; a Russian ending may follow it. News may have the first name alone."""
    run = recorded(Ada=[thought(f"{BEN} is here")], Ben=[thought(f"The fair is {named}")])
    assert acquaintances(run, run.begins) == ({frozenset((ADA, BEN))} if full else set())
    assert [hearing.who for hearing in hearings(run, NewsTopic("", FAIR.pattern, ADA))] == [BEN] * first


def test_attending_means_staying(recorded, small_town):
    """Twenty minutes at the place count; passing by does not, nor being there earlier. The host does not count.

    Only words after the last @ are a place.
    """
    begins, ends = NOON, NOON + timedelta(hours=1)
    run = recorded(Ada=[thought("the fair")], Cleo=[thought("the fair", ends)])
    stays = {ADA: range(10, 70), BEN: range(30, 50), CLEO: range(-30, 10)}
    for step in range(1440):
        minute = step - 720
        doings = {
            name: {
                "movement": [0, 0],
                "pronunciatio": "",
                "description": f"dreaming @ Green of it @ the Town:{'Green' if minute in stay else 'flat'}",
                "chat": None,
            }
            for name, stay in stays.items()
        }
        put(small_town.root / f"storage/base/movement/{step}.json", {"persona": doings})
    found = turnout(run, Gathering(FAIR, begins, ends, "Green"))
    assert found is not None
    assert (found.invited, found.there) == ({ADA}, {ADA, BEN})
    assert turnout(run, Gathering(FAIR, begins, run.ends + timedelta(hours=1), "Green")) is None
    hosted = turnout(run, Gathering(NewsTopic("Ada's fair", FAIR.pattern, ADA), begins, ends, "Green"))
    assert hosted is not None
    assert (hosted.invited, hosted.there) == (frozenset(), {BEN})


@pytest.mark.parametrize(
    ("said", "remembered", "comes"),
    [
        (["A fair? I'd love to!"], "", True),
        (["A fair! I cannot come, sorry."], "", False),
        (["I'll be there."], "", True),
        (["I'll be there."], "Ben Reed knows of Ada's fair, but Ben cannot go", False),
        (["Perhaps."], "Ben Reed was invited by Ada Stone to the fair, and Ben wants to go", True),
        (["Я обязательно приду!"], "", True),
        (["Спасибо, но я не смогу."], "", False),
        (["I'd love to have a dog."], None, False),
    ],
)
def test_accepting_is_the_last_word_before_a_gathering(recorded, said, remembered, comes):
    """In a conversation or thought about it; words after it begins or about other things do not count."""
    asked = (ADA, "Will you come to my fair?") if remembered is not None else (ADA, "What would you like?")
    run = recorded(
        Ben=[
            talk(ADA, asked, *((BEN, words) for words in said)),
            *([thought(remembered, NOON)] if remembered else []),
            talk(ADA, asked, (BEN, "Now I'll come, and I cannot come."), when=NOON + timedelta(hours=2)),
        ],
        Ada=[talk(BEN, asked, (ADA, "I'll be there."))],
    )
    fair = Gathering(
        NewsTopic("Ada's fair", FAIR.pattern, ADA), NOON + timedelta(hours=1), NOON + timedelta(hours=3), "Green"
    )
    assert accepted(run, fair) == ({BEN} if comes else set())


@pytest.mark.parametrize(
    ("words", "introduces"),
    [
        ("Hello, I'm Ada Stone.", True),
        ("You must be Ben.", True),
        ("You are Ben, aren't you?", True),
        ("I believe we haven't met, Ben.", True),
        ("Меня зовут Ада.", True),
        ("Мы не знакомы?", True),
        ("I'm Ada's sister's friend.", False),
        ("You are Ben's friend, aren't you proud?", False),
        ("Have you met Cleo? I'm tired.", False),
        ("We haven't met the deadline.", False),
        ("Не знаю, Ben.", False),
    ],
)
def test_who_introduces_itself_is_told_by_words(recorded, words, introduces):
    """In English and Russian; words about third persons do not count, nor what the other says."""
    run = recorded(Ada=[talk(BEN, (BEN, "I'm Ben."), (ADA, words))])
    assert [(each.who, each.other) for each in introductions(run)] == ([(ADA, BEN)] if introduces else [])


@pytest.mark.parametrize(
    ("before", "contradicts"),
    [
        ([talk(BEN, (BEN, "Hello."), when=MIDNIGHT)], True),
        ([thought(f"{ADA} shares a house with {BEN}")], True),
        ([], False),
        ([talk(CLEO, (CLEO, f"I know {BEN}."), when=MIDNIGHT)], False),
        ([thought(f"{ADA} has never met {BEN}")], False),
        ([thought(f"{ADA} sees {BEN} at noon") | {"predicate": "plan"}], False),
        ([thought(f"{CLEO} has told Ada of {BEN}") | {"filling": ["node_7"]}], False),
        ([sight(f"{BEN} is asleep")], False),
        ([thought(f"{ADA} shares a house with Ru{BEN}")], False),
    ],
)
def test_a_past_makes_an_introduction_a_contradiction(recorded, before, contradicts):
    """An earlier conversation, or a history or whisper about both; not hearsay, plans, sights or what comes later."""
    hello = talk(BEN, (ADA, "I don't think we have met. I'm Ada."))
    later = thought(f"{ADA} likes {BEN}", NOON + timedelta(hours=1))
    (found,) = introductions(recorded(Ada=[*before, hello, later]))
    assert found.contradicts == contradicts


@pytest.fixture
def shell(small_town):
    def run(*arguments):
        command = [sys.executable, str(HOUSE / "reverie/measure.py"), *arguments]
        storage = ["--storage", str(small_town.root / "storage")]
        return run_to_end([*command, *storage], small_town.root)

    return run


def test_simulations_stand_side_by_side(shell, recorded):
    """One column each and their mean; a dash where a value does not exist yet."""
    recorded(Ada=[thought("Isabella Rodriguez gives a party")])
    lines = shell("base", "base").out.splitlines()
    assert lines[0].split() == ["base", "base", "mean", "paper"]
    assert next(line.split()[-4:-1] for line in lines if line.startswith("know of Isabella's party")) == ["1"] * 3
    assert next(line.split()[-3:] for line in lines if line.startswith("came uninvited")) == ["–"] * 3
    told = shell("base", "--news", "PARTY").out.splitlines()
    assert told[0] == "base: 1 of 3 know of 'PARTY'"
    assert told[1] == f"  February 13, 2023, 00:00:00  {ADA}, own news"


@pytest.mark.parametrize(("arguments", "fault"), [(["nowhere"], "There are: base."), (["base", "--news", "("], "'('")])
def test_a_fault_is_one_line(shell, arguments, fault):
    """On standard error, with exit code 1."""
    outcome = shell(*arguments)
    assert outcome.code == 1
    assert fault in outcome.err
    assert len(outcome.err.splitlines()) == 1


@pytest.mark.slow
def test_the_scripts_of_the_document_run(small_town, tmp_path, monkeypatch):
    """As printed in the document: personas are interviewed without changes, and the hours add up."""
    town = tmp_path / "environment/frontend_server"
    (town).mkdir(parents=True)
    (small_town.root / "storage").rename(town / "storage")
    (tmp_path / "reverie").symlink_to(HOUSE / "reverie")
    monkeypatch.setenv("VILLE_FS_STORAGE", str(town / "storage"))
    monkeypatch.setenv("VILLE_FS_TEMP_STORAGE", str(tmp_path / "temp"))
    monkeypatch.setenv("VILLE_ASSETS", str(small_town.root / "assets"))
    assert reverie_offline.main(["-o", "base", "-t", "study_1", "-s", "600"]) == 0
    before = small_files(town)
    text = (HOUSE / "docs/studies.md").read_text("utf-8")
    scripts = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    interview, ask, count = (script for script in scripts if "study_1" in script)
    assert carried_out(interview.replace("Klaus Mueller", ADA), tmp_path)
    answers = carried_out(ask, tmp_path)
    assert [answers.count(f"Enter Input: {name}: ") for name in (ADA, BEN, CLEO)] == [2] * 3
    hours = [float(line.split()[0]) for line in carried_out(count, tmp_path).splitlines()]
    assert sum(hours) == pytest.approx(3 * 10, abs=0.05 * len(hours))
    assert all(one >= other for one, other in pairwise(hours))
    assert small_files(town) == before


def small_files(town: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in (town / "storage/study_1").rglob("*.json")}


def carried_out(script: str, folder: Path) -> str:
    surroundings = {**os.environ, "PYTHONUTF8": "1"}
    command = [sys.executable, "-c", script]
    return subprocess.run(
        command, cwd=folder, env=surroundings, check=True, capture_output=True, encoding="utf-8"
    ).stdout
