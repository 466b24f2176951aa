"""Planted faults of small towns are found: people who are alike, who grow alike, flatter, or make things up."""

# ruff: noqa: RUF001 - Russian

import json
import shutil
from random import Random
from types import SimpleNamespace

import pytest
from remembered import ADA, BEN, CLEO, EVENING, MIDNIGHT, NOON, put, remembering, talk, thought

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.validity.diversity import diversity
from ville.analysis.validity.grounding import grounding, names_in
from ville.analysis.validity.homogenisation import homogenisation
from ville.analysis.validity.outcome_words import outcome_words, outcomes_of, persona_words
from ville.analysis.validity.politeness import politeness
from ville.analysis.validity.report import measured_findings, parting_steps
from ville.analysis.validity.talk_words import SaidLine, said_lines
from ville.storage.folder.branches import Branch, write_branch
from ville.storage.folder.simulation_folder import SimulationFolder

PEOPLE = ("Ann", "Bob", "Cid", "Dot")
NOUNS = [
    f"{first}{second}"
    for first in ("tree", "lamp", "bird", "coal")
    for second in ("house", "water", "stone", "light", "field")
]


def town(name: str, done) -> SimpleNamespace:
    """A run in which people do things; `done` gives those of a person."""
    memories = {
        who: [{"type": "event", "subject": who, "description": f"{who} is {what}"} for what in done(who)]
        for who in PEOPLE
    }
    return SimpleNamespace(name=name, people=PEOPLE, memories=memories)


def line(who: str, words: str, *, step: int = 0, run: str = "a") -> SaidLine:
    return SaidLine(run, who, "Bob", step, words, step, f"{who} node_{step}")


@pytest.mark.parametrize(
    ("done", "colour"),
    [
        (lambda who: [f"{who[0]} {number}" for number in range(5)], "green"),
        (lambda _: [f"the same {number}" for number in range(5)], "red"),
    ],
)
def test_people_who_are_themselves_with_any_seed_are_told_from_people_who_are_alike(done, colour):
    found = next(diversity([town("a", done), town("b", done)], []))
    assert found.colour == colour


def test_one_run_cannot_tell_people_from_seeds():
    activities, words = diversity([town("a", lambda who: [who[0]])], [line("Ann", "Lemon trees")])
    assert {activities.colour, words.colour} == {"unknown"}
    assert "seed" in activities.todo


@pytest.mark.parametrize(("late", "colour"), [(NOUNS, "green"), (NOUNS[:4], "red")])
def test_people_who_grow_alike_are_found(late, colour):
    """Everyone has twenty nouns at first, and all of them or the same four in the end."""
    random = Random(1)  # noqa: S311 - a sample
    lines = [
        line(PEOPLE[step % 4], " ".join(random.sample(NOUNS if step < 60 else late, 3)), step=step)
        for step in range(120)
    ]
    assert next(homogenisation([], lines)).colour == colour


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ("Yes, that is a good idea.", "polite"), ("I see. Of course.", "polite"), ("Thank you, Ben.", "polite"),
        ("How wonderful!", "polite"), ("Спасибо, с удовольствием.", "polite"), ("No, I don't think so.", "disagrees"),
        ("I'm afraid I cannot come.", "disagrees"), ("Нет, не смогу.", "disagrees"), ("I have two cats.", ""),
        ("You know nothing of tea.", ""),
    ],
)  # fmt: skip
def test_politeness_and_disagreement_are_told_by_words(words, kinds):
    polite, disagreeing = politeness([line("Ann", words)])
    assert (polite.figure, disagreeing.figure) == (float(kinds == "polite"), float(kinds == "disagrees"))


def test_names_are_capitalized_words_within_sentences():
    assert names_in("While I was with Klaus at Hobbs Cafe, Monday passed. Shall we?") == ["Klaus", "Hobbs Cafe"]
    assert names_in("I saw Ada's dog near the Rose and Crown Pub") == ["Ada", "Rose Crown Pub"]


def test_what_is_named_is_supported_by_memories_the_map_or_the_talk(small_town):
    """The wharf is known from a thought, the abbey from the other, the park from the map, Zanzibar from nowhere."""
    base = small_town.root / "storage/base"
    put(base / f"personas/{BEN}/bootstrap_memory/spatial_memory.json", {"the Town": {"Green Park": {"park": []}}})
    told = [
        (ADA, "I was at West Wharf with Cleo."),
        (BEN, "I like Old Abbey, Ada."),
        (ADA, "So Old Abbey it is, or Green Park, or Zanzibar."),
    ]
    run = remembering(
        base,
        Ada=[talk(BEN, *told, when=EVENING), thought("Ada works at West Wharf", NOON)],
        Ben=[thought("Ben grew up near Old Abbey")],
    )
    found = grounding([run], said_lines(run))
    assert found.details[0] == "1 of 7 names are supported by nothing"
    assert "Zanzibar" in found.details[1]


def test_a_conversation_counts_once_and_visitors_do_not(small_town):
    told = talk(BEN, (ADA, "Good day."), (BEN, "Good day."), ("Visitor", "Hello!"))
    run = remembering(small_town.root / "storage/base", Ada=[told], Ben=[told | {"object": ADA}])
    assert [(each.who, each.other) for each in said_lines(run)] == [(ADA, BEN), (BEN, ADA)]


def test_a_run_that_has_nothing_yet_is_reported_without_figures(small_town):
    """Nothing fails where there is nothing to measure."""
    run = remembering(small_town.root / "storage/base", Ada=[thought("Ada sings", MIDNIGHT)])
    found = list(measured_findings([run], outcomes_of([])))
    assert {each.colour for each in found if not each.key.startswith("outcome")} == {"unknown"}
    assert CLEO in run.people
    assert outcome_words([run], outcomes_of(["steps"])).figure == 0


def test_what_runs_share_is_not_counted_once_for_each(small_town):
    """Three runs come from one base at noon: its morning, with a talk and a name from nowhere, is none of theirs.

    What was heard there is known later: who names the abbey after noon has a memory of it.
    """
    base = small_town.root / "storage/base"
    morning = talk(BEN, (ADA, "Thank you, Old Abbey."), when=MIDNIGHT)
    runs = []
    for name in "abc":
        root = base.with_name(name)
        shutil.copytree(base, root)
        evening = talk(BEN, (ADA, f"No, I don't think Old Abbey has {name * 4}."), when=EVENING)
        run = remembering(root, Ada=[evening, thought("Ada saw Old Abbey", MIDNIGHT), morning])
        put(root / "reverie/meta.json", run.meta.as_json() | {"fork_sim_code": "base"})
        write_branch(root, Branch(origin="base", step=720))
        runs.append(ComparedRun(SimulationFolder(root)))
    assert parting_steps(runs) == {"a": 720, "b": 720, "c": 720}
    assert parting_steps(runs[:1]) == {"a": 0}
    found = {each.key: each for each in measured_findings(runs, outcomes_of([]))}
    assert (found["politeness"].figure, found["disagreement"].figure) == (0, 1)
    assert found["disagreement"].details[0] == "3 of 3 lines"
    assert found["grounding"].details[0] == "0 of 3 names are supported by nothing"
    alone = {each.key: each for each in measured_findings(runs[:1], outcomes_of([]))}
    assert alone["disagreement"].details[0] == "1 of 2 lines"


def test_people_whose_description_names_the_outcome_are_named(small_town):
    """They are told so in each of their prompts."""
    base = small_town.root / "storage/base"
    file = base / f"personas/{BEN}/bootstrap_memory/scratch.json"
    put(file, json.loads(file.read_text("utf-8")) | {"currently": "Ben gives a party. He bakes."})
    found = persona_words([remembering(base)], outcomes_of([]))
    assert (found.figure, found.colour) == (pytest.approx(1 / 3), "amber")
    assert found.details == (f"{BEN}: Ben gives a party.",)
