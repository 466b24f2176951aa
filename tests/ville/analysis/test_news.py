"""How a fact spread in small towns where the truth is known by hand, also where people claim what they do not know."""

import json
from datetime import timedelta
from functools import partial

import pytest
from remembered import ADA, BEN, CLEO, EVENING, MIDNIGHT, NOON, put, remembering, sight, talk, thought

from ville.analysis.measures import NewsTopic
from ville.analysis.news import news_of
from ville.analysis.news_facts import find_fact, planted_facts
from ville.api.news_functions import spread_of
from ville.errors import BadArgument

NEWS = "Ada Stone has bought the old mill beside the river"
SAID = "Imagine, Ada Stone has bought the old mill by the river!"
FIELDS = {"v": 1, "door": "prompt", "by": "user", "id": "a", "at": "2026-01-01T00:00:00.000+00:00"}


@pytest.fixture
def town(small_town):
    """The folder of the small town."""
    return small_town.root / "storage" / "base"


@pytest.fixture
def recorded(town):
    return partial(remembering, town)


def log(town, *rows):
    lines = [json.dumps({**FIELDS, "n": n, "id": str(n), **row}) for n, row in enumerate(rows, 1)]
    (town / "reverie/interventions.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")


def resting(text, *sources, when=NOON):
    """A thought that rests on other memories."""
    return thought(text, when) | {"filling": list(sources)}


@pytest.mark.parametrize(("fact", "by"), [("bought .* mill", "pattern"), (NEWS, "words"), ("#1", "pattern")])
def test_the_tree_is_what_was_written_down(town, recorded, fact, by):
    """Ada is whispered to, tells Ben at noon, and he Cleo in the evening: found by a pattern, by words, and by the row
    of the log, with the utterance, the memory of it and the thought that it became; telling it again is no edge.
    """
    log(town, {"kind": "whisper", "step": 0, "who": ADA, "words": "You have bought the old mill beside the river"})
    noon, evening = (ADA, "I have bought the old mill beside the river."), (BEN, SAID)
    glad, late = (BEN, "I'll be there to see it."), (CLEO, "I don't believe it.")
    run = recorded(
        Ada=[
            thought(NEWS),
            resting(f"Ada Stone is proud: {NEWS}", "node_1"),
            talk(BEN, noon, glad),
            talk(CLEO, (ADA, "Did you know? I have bought the old mill.")),
        ],
        Ben=[
            talk(ADA, noon, glad),
            resting(f"Ben Reed is glad that {NEWS}, and of the river", "node_1", "node_0"),
            resting(f"Ben Reed heard from Ada Stone that {NEWS}", "node_1"),
            talk(CLEO, evening, late, when=EVENING),
        ],
        Cleo=[
            sight("Ada Stone is conversing about a mill", NOON),
            talk(BEN, (BEN, "Hello."), *[evening, late], when=EVENING),
            talk(ADA, (ADA, SAID), when=EVENING + timedelta(hours=1)),
        ],
    )
    found = news_of(run, find_fact(run, fact, by))
    assert [(each.who, each.how, each.teller, each.step) for each in found.knowers] == [
        (ADA, "whisper", "", 0), (BEN, "told", ADA, 720), (CLEO, "told", BEN, 1080),
    ]  # fmt: skip
    assert found.parents == {BEN: ADA, CLEO: BEN}
    ada, ben, cleo = found.knowers
    assert (ada.words, ada.memory, ada.became) == (NEWS, "node_1", "")
    assert (ben.words, ben.memory, ben.became) == (noon[1], "node_1", "node_3")
    assert (cleo.words, cleo.memory, cleo.became) == (SAID, "node_2", "")
    assert [(told.teller, told.who, told.is_first, told.reply) for told in found.tellings] == [
        (ADA, BEN, True, "accepted"), (BEN, CLEO, True, "denied"), (ADA, CLEO, False, ""),
    ]  # fmt: skip
    assert (len(found.supported), found.claims, found.people) == (3, (), 3)
    assert all(told.is_supported for told in found.tellings)


def test_a_claim_without_a_memory_is_no_knowledge(recorded):
    """Ben speaks of a fair that nobody told him of: he claims it, also in thoughts that rest on that talk alone, until
    Cleo, who has seen the posters, tells him. What Ada heard from him is known to her, from one who did not know.
    """
    lines = (BEN, "There is a fair."), (ADA, "A fair!")
    told = (CLEO, "The fair is tomorrow."), (BEN, "So it is.")
    run = recorded(
        Ada=[talk(BEN, *lines)],
        Ben=[
            talk(ADA, *lines),
            resting("Ben Reed told Ada Stone of the fair", "node_1"),
            talk(CLEO, *told, when=EVENING),
        ],
        Cleo=[thought("Cleo Adams Moor has read of the fair"), talk(BEN, *told, when=EVENING)],
    )
    found = news_of(run, find_fact(run, r"\bfair\b"))
    by_name = {each.who: each for each in found.knowers}
    assert (by_name[BEN].how, by_name[BEN].step, by_name[BEN].supported) == ("claimed", 720, 1080)
    assert [each.who for each in found.claims] == [BEN]
    assert (by_name[ADA].how, by_name[ADA].teller, by_name[ADA].is_supported) == ("told", BEN, True)
    assert [(each.teller, each.is_supported) for each in found.tellings] == [(BEN, False), (CLEO, True)]
    assert found.parents == {ADA: BEN}


def test_what_one_is_and_what_one_remembers_otherwise_is_no_claim(town, recorded):
    """News of oneself need no memory; nor does what the identity says, or a memory in other words."""
    lines = (BEN, "There is a fair at the old mill on Sunday.")
    fair = NewsTopic.matching(r"\bfair\b")
    own = find_fact(recorded(), "Ben Reed opens a fair at the mill", "words")
    assert own.source == BEN
    assert not news_of(recorded(Ben=[talk(ADA, lines)]), own).claims
    assert news_of(recorded(Ben=[talk(ADA, lines)]), fair).claims
    before = thought("Ben Reed thinks of a fayre at the old mill on Sunday")
    assert not news_of(recorded(Ben=[before, talk(ADA, lines)]), fair).claims
    scratch = town / f"personas/{BEN}/bootstrap_memory/scratch.json"
    put(scratch, {**json.loads(scratch.read_text("utf-8")), "learned": "Ben runs a fair"})
    assert not news_of(recorded(Ben=[talk(ADA, lines)]), fair).claims


def test_what_happens_at_a_place_is_known_by_seeing_it(town, recorded):
    """An event and the state of a thing; nothing else is known because it was seen."""
    log(
        town,
        {"kind": "event", "step": 720, "where": "the Town:Green", "words": "the church bells are ringing wildly"},
        {"kind": "object", "step": 720, "where": "the Town:Green:lawn:stove", "state": "burning"},
        {"kind": "history", "step": 0, "rows": [[BEN, "You know of the church bells"], [CLEO, "You like tea"]]},
    )
    run = recorded(Ada=[sight("the church bells are ringing wildly", NOON)], Cleo=[sight("stove is burning", NOON)])
    assert [fact.key for fact in planted_facts(run.rows)] == ["#1", "#2", "#3.1", "#3.2"]
    assert [(each.who, each.how) for each in news_of(run, find_fact(run, "#1")).knowers] == [(ADA, "sight")]
    assert [(each.who, each.how) for each in news_of(run, find_fact(run, "#2")).knowers] == [(CLEO, "sight")]
    assert news_of(run, find_fact(run, "ringing", "pattern")).knowers == ()


@pytest.mark.parametrize(("fact", "by", "fault"), [("#9", "pattern", "no planted fact"), ("a b", "words", "no words")])
def test_what_cannot_be_searched_for_is_said(recorded, fact, by, fault):
    with pytest.raises(BadArgument, match=fault):
        find_fact(recorded(), fact, by)


def test_by_meaning_counts_what_is_nearer_than_usual(recorded):
    """Sentences whose cosine is beyond half way between the mean and the fact itself."""
    import numpy as np  # noqa: PLC0415 - only here

    places = {"fact": [1, 0], "Near.": [0.9, 0.1], "Far.": [0, 1]}
    run = recorded(Ada=[thought("Near. Far.", MIDNIGHT)], Ben=[thought("Far.")])
    topic = find_fact(run, "fact", "meaning", embed=lambda texts: np.array([places[text] for text in texts]))
    assert [each.who for each in news_of(run, topic).knowers] == [ADA]


def test_an_embedder_that_compares_words_knows_no_meanings(small_town, town, recorded):
    """It is said in one line what to do instead, before anything is compared."""
    put(town / "reverie/run.json", {"seed": 0, "embedder": "hashing-512", "vector_size": 512})
    with pytest.raises(BadArgument, match=r"compares words, not meanings\. Search by words"):
        spread_of(small_town.settings, recorded(Ada=[thought("A fair.")]), "A fair.", by="meaning")
