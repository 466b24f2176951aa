"""The measures of the paper as numbers, one for each run."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from ville.analysis.measures import (
    Gathering,
    NewsTopic,
    SavedRun,
    Turnout,
    acquaintances,
    density,
    hearings,
    talks,
    turnout,
)
from ville.analysis.meetings import accepted, introductions

PARTY = NewsTopic("the party", re.compile(r"\bparty\b"), "Isabella Rodriguez")
TALKING = "conversing "
"""Word of the activity of those who talk, with each other or with a visitor."""
CANDIDACY = NewsTopic(
    "the candidacy", re.compile(r"\bSam\b.*\bmayor\b|\bmayor\b.*\bSam\b|\bI'm running for mayor"), "Sam Moore"
)
VALENTINES_PARTY = Gathering(PARTY, datetime(2023, 2, 14, 17), datetime(2023, 2, 14, 19), "Hobbs Cafe")  # noqa: DTZ001 - game time has no zone

_WHOSE = {"know of the party": "know of Isabella's party", "know of the candidacy": "know of Sam's candidacy"}


@dataclass(frozen=True)
class Measure:
    """A number that is computed of a run."""

    what: str
    of: Callable[[SavedRun], float | None]
    """Returns None where the run does not reach so far."""
    paper: str = ""
    """Value reported by Park et al. for 25 personas after two days, in the proceedings (the first preprint has 12 who
    knew of the party)."""
    digits: int = 0


def named_fact(what: str) -> str:
    """Return the name of a measure as readers see it: with the persona whose news it counts."""
    for key, text in _WHOSE.items():
        what = what.replace(key, text)
    return what


def attendance(run: SavedRun, chosen: Callable[[Turnout], frozenset[str]]) -> int | None:
    """Return how many guests are chosen; None if the party is not over."""
    found = turnout(run, VALENTINES_PARTY)
    return None if found is None else len(chosen(found))


def different_activities(run: SavedRun) -> float:
    """Return how many different things a persona does, on average, as it remembers them; talks do not count."""
    done = {
        (name, node["description"])
        for name in run.people for node in run.memories[name]
        if node["type"] == "event" and node["subject"] == name and TALKING not in node["description"]
    }  # fmt: skip
    return len(done) / max(1, len(run.people))


def appointments(run: SavedRun, *outcomes: str) -> int:
    """Return how many appointments with a day were made that fitted; only those with one of the outcomes, if given."""
    made = [each for commitments in run.commitments.values() for each in commitments if each.day]
    return sum(each.outcome in outcomes if outcomes else each.outcome != "refused" for each in made)


MEASURES = (
    Measure("steps", lambda run: run.steps, "17,280"),
    Measure("know of the party", lambda run: len(hearings(run, PARTY)), "13"),
    Measure("know of the candidacy", lambda run: len(hearings(run, CANDIDACY)), "8"),
    Measure("density at the start", lambda run: density(run, acquaintances(run, run.begins)), "0.167", 3),
    Measure("density at the end", lambda run: density(run, acquaintances(run, run.ends)), "0.740", 3),
    Measure("pairs who talked", lambda run: len(talks(run))),
    Measure("conversations", lambda run: talks(run).total()),
    Measure("invited to the party", lambda run: attendance(run, lambda party: party.invited), "12"),
    Measure("  accepted", lambda run: attendance(run, lambda _: accepted(run, VALENTINES_PARTY))),
    Measure(
        "  accepted and came", lambda run: attendance(run, lambda party: accepted(run, VALENTINES_PARTY) & party.there)
    ),
    Measure("  invited and came", lambda run: attendance(run, lambda party: party.invited & party.there), "5"),
    Measure("came uninvited", lambda run: attendance(run, lambda party: party.there - party.invited)),
    Measure("different activities", different_activities, digits=1),
    Measure("appointments", appointments),
    Measure("  kept", lambda run: appointments(run, "kept")),
    Measure("  broken", lambda run: appointments(run, "broken")),
    Measure("introductions", lambda run: len(introductions(run))),
    Measure("  between acquaintances", lambda run: sum(each.contradicts for each in introductions(run))),
)
