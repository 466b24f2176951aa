"""Who knows when everyone is asked, and the paper's table, in a small town where the truth is known by hand."""

from functools import partial

import pytest
from remembered import ADA, BEN, CLEO, EVENING, NOON, remembering, sight, talk, thought

from ville.analysis.asked_facts import AskedFacts, FactQuestion, _says_yes, checked_answer, questions_for
from ville.analysis.end_to_end import end_to_end
from ville.analysis.paper_measures import CANDIDACY

PARTY = "Isabella Rodriguez gives a party"


@pytest.fixture
def recorded(small_town):
    return partial(remembering, small_town.root / "storage" / "base")


def test_everyone_is_asked_each_fact_and_each_other():
    asked = questions_for((ADA, BEN, CLEO))
    assert len({(each.who, each.about) for each in asked}) == len(asked) == 3 * 2 + 3 * 2
    assert all(each.who != each.about for each in asked)


@pytest.mark.parametrize(
    ("answer", "remembers", "verdict"),
    [
        ("Yes, I do.", True, "known"),
        ("There is a party at the cafe.", True, "known"),
        ("There is a party at the cafe.", False, "hallucinated"),
        ("I don't know of any party.", True, "denied"),
        ("No, I have not heard of it.", False, "unknown"),
        ("I like tea.", True, "denied"),
        ("", True, "denied"),
        ("Нет, не слышала.", True, "denied"),
    ],
)
def test_an_answer_is_checked_against_memories(recorded, answer, remembers, verdict):
    """As the paper does: known, made up, denied or unknown. To have overheard it is enough."""
    run = recorded(Ada=[sight("Ben Reed is conversing about the party")] if remembers else [])
    found = checked_answer(run, FactQuestion(ADA, "party", ""), answer)
    kinds = {"known": found.is_known, "hallucinated": found.is_hallucinated, "denied": found.is_denied}
    assert [kind for kind, is_so in kinds.items() if is_so] == ([] if verdict == "unknown" else [verdict])


def test_who_it_is_about_knows_it_in_the_first_person():
    """Sam says that he is running, without his name."""
    said = "I am running for mayor."
    assert _says_yes("Sam Moore", said, CANDIDACY)
    assert not _says_yes(ADA, said, CANDIDACY)


def test_density_counts_pairs_that_know_of_each_other_and_can_say_so(recorded):
    """Both sides, each with a memory of the other: one of three pairs here."""
    run = recorded(Ada=[thought(f"{BEN} and {CLEO} sing")], Ben=[thought(f"{ADA} sings")])
    people = (ADA, BEN, CLEO)
    asked = [each for each in questions_for(people) if each.about in people]
    answers = tuple(checked_answer(run, each, "I know who that is.") for each in asked)
    assert AskedFacts("base", people, answers).density == pytest.approx(1 / 3)
    assert sum(each.is_hallucinated for each in answers) == 3
    assert AskedFacts("base", people, ()).density is None


def test_the_table_of_the_paper_counts_what_its_evidence_lists(recorded):
    """Each number is as large as its evidence; what the run does not reach is left open."""
    told = talk(BEN, (BEN, f"{PARTY}."), (ADA, "I cannot come, sorry."))
    run = recorded(
        Ada=[told],
        Ben=[thought(PARTY), told | {"object": ADA}],
        Cleo=[talk(ADA, (CLEO, f"{PARTY}, I say."), when=EVENING), sight(PARTY, NOON)],
    )
    rows = {row.key: row for row in end_to_end(run)}
    party = rows["know party"]
    assert (party.start, party.end, party.paper_end) == (1, 3, "13")
    assert [(each.who, each.step) for each in party.evidence] == [(BEN, 0), (ADA, 720), (CLEO, 1080)]
    assert [each.who for each in rows["claim party"].evidence] == [CLEO]
    assert all(row.end == len(row.evidence) for row in rows.values() if row.end is not None and row.key != "density")
    assert [rows[key].end for key in ("invited", "came", "no", "away")] == [None] * 4
