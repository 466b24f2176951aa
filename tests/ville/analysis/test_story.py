"""The story of a day of which is known by hand what happens, and which moments are worth a chapter."""

import pytest
from handmade_runs import ADA, BEN, CLEO, STEPS, at, sight, talk, thought, write_run

from ville.analysis.story import (
    BROKEN,
    INTERVENTION,
    INVITATION,
    MEETING,
    MOST_CHAPTERS,
    MOST_OF_KIND,
    QUARREL,
    REFLECTION,
    TITLES,
    WEIGHTY,
    Story,
    story,
)  # fmt: skip

FEAST = ((ADA, "I would like to invite you to my feast."), (BEN, "Gladly."))
SHARP = ((BEN, "Good day."), (CLEO, "Leave me alone. You lied to me."))


@pytest.fixture
def root(small_town):
    return small_town.root / "storage" / "base"


def moments(found: Story):
    return [each for day in found.days for part in day.chapters for each in (part.lead, *part.more)]


@pytest.fixture
def told(root):
    """Return the story of a day with one moment of most kinds."""
    missed = {"what": "tea with Ben", "people": [BEN], "day": "2023-02-13", "at": "18:00", "made": str(at(60))}
    missed |= {"source": "node_1", "outcome": "broken", "ended": str(at(1100))}
    run = write_run(
        root,
        {
            ADA: [
                thought(f"{BEN} is a friend"), talk(BEN, 600, *FEAST, about="Ada's feast"),
                talk(CLEO, 660, *FEAST[:1]),
            ],
            BEN: [
                thought(f"{ADA} and {CLEO} are friends"), talk(ADA, 600, *FEAST, about="Ada's feast"),
                talk(CLEO, 700, *SHARP), thought("Ben thinks that Ada is generous", 800, 2, 3, poignancy=6),
            ],
            CLEO: [talk(ADA, 660, *FEAST[:1]), talk(BEN, 700, *SHARP), sight("stove is burning", 900, poignancy=9)],
        },
        rows=[{"step": 300, "kind": "whisper", "who": CLEO, "words": "There is gold."}],
        facts={ADA: {"commitments": [missed]}, BEN: {"commitments": [missed | {"people": [ADA]}]}},
    )  # fmt: skip
    return story(run)


def test_what_was_planted_is_told_once(told):
    """Each planted moment, at its step, with its people, who acts first; and nothing else."""
    found = {(each.kind, each.step, each.names) for each in moments(told)}
    assert found == {
        (INTERVENTION, 300, (CLEO,)), (INVITATION, 600, (ADA, BEN)), (MEETING, 660, (ADA, CLEO)),
        (QUARREL, 700, (BEN, CLEO)), (REFLECTION, 800, (BEN,)), (WEIGHTY, 900, (CLEO,)), (BROKEN, 1100, (ADA, BEN)),
    }  # fmt: skip
    assert len(moments(told)) == len(found)
    quarrel = next(each for each in moments(told) if each.kind == QUARREL)
    assert (quarrel.words, quarrel.weight) == (SHARP[1][1], 9)


def test_every_moment_has_a_step_and_a_title(told):
    """Jumps lead to steps of the run, chapters are in order, and no title has an empty blank or a private word."""
    steps = [each.step for each in moments(told)]
    assert all(0 <= step < STEPS for step in steps)
    leads = [part.lead.step for day in told.days for part in day.chapters]
    assert leads == sorted(leads)
    titles = [each.title for each in moments(told)]
    assert "Ada Stone invites Ben Reed to the feast." in titles
    assert not any("%(" in title or "gold" in title for title in titles)


def test_a_long_day_has_few_chapters(root):
    """Everything is there, but only the weightiest begins a chapter, and no kind has them all."""
    people = (ADA, BEN, CLEO)
    many = {
        who: [thought("x"), *(thought(f"{who} {n}", 61 * n, 1, poignancy=n % 10 + 1) for n in range(1, 20))]
        for who in people
    }
    many[ADA] += [sight(f"bang {n}", 61 * n + 1, poignancy=10) for n in range(1, 20)]
    (day,) = story(write_run(root, many)).days
    leads = [part.lead for part in day.chapters]
    assert len(leads) <= MOST_CHAPTERS
    assert all(sum(lead.kind == kind for lead in leads) <= MOST_OF_KIND for kind in TITLES)
    assert sum(1 + len(part.more) for part in day.chapters) == 4 * 19
    assert [lead.words for lead in leads if lead.kind == WEIGHTY] == ["bang 1", "bang 2"]
