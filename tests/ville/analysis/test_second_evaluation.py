"""Numbers of the paper's second evaluation over seeds, from answers that are written by hand."""

import pytest

from ville.analysis.asked_facts import AskedFact, AskedFacts
from ville.analysis.second_evaluation import EvaluatedRun, arm_differences, evaluation_rows, stated_reason

PEOPLE = ("Ada", "Ben", "Cleo", "Dan")


def asked(knowing: int, made_up: int = 0) -> AskedFacts:
    """So many know of the party; of twelve answers about others, so many are made up, and all others are known."""
    facts = [AskedFact(who, "party", "", n < knowing, "node_1" if n < knowing else "") for n, who in enumerate(PEOPLE)]
    others = [(who, other) for who in PEOPLE for other in PEOPLE if who != other]
    known = [
        AskedFact(*pair, "I do", says_yes=True, memory="" if n < made_up else "node_2") for n, pair in enumerate(others)
    ]
    return AskedFacts("a", PEOPLE, (*facts, *known))


def evaluated(seed: int, knowing: int, *, arm: str = "plain", made_up: int = 0, came: int | None = 1) -> EvaluatedRun:
    reasons = (stated_reason("Ben", "I was busy painting."), stated_reason("Cleo", "I wanted to, but forgot."))
    people = {"people": 4, "invited": 3, "reasons": reasons, "cheap": (("party, by words in memories", 0.25, 0.5),)}
    return EvaluatedRun(
        run=f"{arm}{seed}", arm=arm, seed=seed, start=asked(1), end=asked(knowing, made_up), came=came, **people
    )


def test_numbers_are_means_over_seeds_with_the_interval_of_student():
    """1, 2 and 3 of 4 know: 0.5 ± 4.303 · 0.25 / √3, as far as shares go. Each run is listed."""
    rows = {row.key: row for row in evaluation_rows([evaluated(seed, seed) for seed in (1, 2, 3)])}
    party = rows["know party"]
    assert (party.start.mean, party.end.mean, party.paper_start, party.paper_end) == (0.25, 0.5, "4 %", "52 %")
    assert (party.end.low, party.end.high) == (0, 1)
    assert party.runs == (("plain1", 0.25, 0.25), ("plain2", 0.25, 0.5), ("plain3", 0.25, 0.75))
    assert rows["cheap party"].end.mean == 0.5
    assert (rows["came"].end.mean, rows["why conflict"].end.mean, rows["why meant_to"].end.mean) == (1, 1, 1)
    assert rows["density"].end.mean == 1


def test_a_rate_of_a_single_run_has_the_interval_of_its_answers():
    rows = {row.key: row for row in evaluation_rows([evaluated(1, 2, made_up=3)])}
    assert (rows["made up"].end.mean, rows["made up"].over) == (0.25, "12 answers of 1 run")
    assert 0 < rows["made up"].end.low < 0.25 < rows["made up"].end.high < 1
    assert rows["density"].end.low is None


def test_equal_runs_are_no_further_answers():
    """Where all seeds have the same, at the start and at the end, there is a count and no interval."""
    rows = {row.key: row for row in evaluation_rows([evaluated(seed, 2, made_up=3) for seed in (1, 2, 3)])}
    party = rows["know party"]
    assert (party.start.low, party.end.low, party.counts, party.over) == (None, None, ("1 of 4", "2 of 4"), "3 runs")
    assert (rows["made up"].end.low, rows["made up"].counts) == (None, ("", "3 of 12"))


def test_arms_are_compared_by_seed():
    """Whether a sentence that speaks of news makes a difference: told minus plain, seed by seed."""
    runs = [evaluated(seed, 1 + seed % 2, arm="plain") for seed in range(8)]
    runs += [evaluated(seed, 3 + seed % 2, arm="told") for seed in range(8)]
    found = {what: change for what, _, change in arm_differences(runs)}
    party = found["say that they know of the party, and remember it"]
    assert (party.estimate.mean, party.is_paired, party.exceeds_noise) == (pytest.approx(0.5), True, True)
    assert not found["of these came"].exceeds_noise


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("I had to work on my show.", "conflict"), ("I'd love to have come, but lost track of time.", "meant_to"),
        ("I didn't know of it.", "unaware"), ("No.", "other"), ("Я был занят.", "conflict"), ("Забыл.", "meant_to"),
    ],
)  # fmt: skip
def test_reasons_are_told_by_words(answer, reason):
    assert stated_reason("Ben", answer).reason == reason
