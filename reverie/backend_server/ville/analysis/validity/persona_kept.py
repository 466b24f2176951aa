"""Whether people stay who they are: facts about themselves, asked at two moments and compared."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import yaml

from ville.analysis.meetings import talk_pattern
from ville.analysis.run_statistics import IntervalEstimate
from ville.analysis.validity.finding import FEWEST_RUNS, ValidityFinding, estimated, finding, share_of, within
from ville.analysis.validity.talk_words import content_words
from ville.json_types import JsonObject
from ville.plain_text import shortened

FILE = Path(__file__).with_name("persona_questions.yaml")
NUMBER = re.compile(r"\d+(?:[:.]\d\d)?(?:\s*[ap]\.?m\b)?", re.IGNORECASE)
NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
)
SHOWN, LONGEST = 8, 80
Kind = Literal["number", "names", "words", "yes_no"]


@dataclass(frozen=True)
class PersonaFact:
    """A fact that is asked at two moments."""

    key: str
    kind: Kind
    first: str
    again: str


@dataclass(frozen=True)
class AnswerPair:
    """Answers of a person at two moments."""

    run: str
    who: str
    about: str
    moments: tuple[str, str]
    first: str
    again: str
    verdict: Literal["same", "contradicts", "cannot be compared"]

    def as_json(self) -> JsonObject:
        return asdict(self)


@cache
def persona_facts() -> tuple[PersonaFact, ...]:
    """Return the facts of persona_questions.yaml."""
    rows: Sequence[Mapping[str, str]] = yaml.safe_load(FILE.read_text("utf-8"))
    return tuple(PersonaFact(**row) for row in rows)  # type: ignore[arg-type]


def compared(
    asked: tuple[str, str, PersonaFact], answers: tuple[str, str], moments: tuple[str, str], names: Sequence[str]
) -> AnswerPair:
    """Return two answers of a person to a fact (run, person, fact) and whether they contradict each other."""
    run, who, fact = asked
    one, other = (_said(fact.kind, who, answer, names) for answer in answers)
    verdict: Literal["same", "contradicts", "cannot be compared"] = "cannot be compared"
    if one and other:
        verdict = "same" if one & other else "contradicts"
    return AnswerPair(run, who, fact.key, moments, *answers, verdict)


def persona_kept(pairs: Sequence[AnswerPair]) -> ValidityFinding:
    """Return the finding on contradictions, per hundred pairs of answers that can be compared; of at least one."""
    judged = [each for each in pairs if each.verdict != "cannot be compared"]
    wrong = [each for each in judged if each.verdict == "contradicts"]
    if len({each.run for each in judged}) >= FEWEST_RUNS:
        estimate, over = estimated([(each.run, each.who, float(each.verdict == "contradicts")) for each in judged])
    else:
        estimate, over = share_of(len(wrong), len(judged)), f"{len(judged):,} answers"
    told = (
        f"{each.run}, {each.who} on {each.about}: “{shortened(each.first, LONGEST)}” ({each.moments[0]}), "
        f"“{shortened(each.again, LONGEST)}” ({each.moments[1]})"
        for each in wrong[:SHOWN]
    )
    apart = len(pairs) - len(judged)
    details = [f"{len(wrong):,} contradictions in {len(judged):,} pairs; {apart:,} cannot be compared", *told]
    return finding("persona kept", _percent(within(estimate)), over, details)


def _percent(estimate: IntervalEstimate) -> IntervalEstimate:
    """Return a share as a number in a hundred."""
    low, high = (None if end is None else 100 * end for end in (estimate.low, estimate.high))
    return IntervalEstimate(estimate.count, 100 * estimate.mean, low, high)


def _said(kind: Kind, who: str, answer: str, names: Sequence[str]) -> frozenset[str]:
    """Return what an answer says, as what two answers can have in common; nothing if it says nothing of the kind."""
    if kind == "yes_no":
        yes, no = (bool(talk_pattern(section, who, "").search(answer)) for section in ("confirms", "denies"))
        return frozenset([str(yes)]) if yes != no else frozenset()
    if talk_pattern("denies", who, "").search(answer):
        return frozenset()
    if kind == "number":
        return frozenset(map(_hour, _numbers(answer)))
    if kind == "names":
        return frozenset(name for name in names if re.search(rf"\b{re.escape(name)}\b", answer))
    return content_words(answer)


def _numbers(answer: str) -> list[str]:
    words = [str(NUMBERS.index(word)) for word in re.findall(r"[a-z]+", answer.lower()) if word in NUMBERS]
    return NUMBER.findall(answer) or words


def _hour(text: str) -> str:
    """Return a number, without minutes of a full hour and on the 24-hour clock."""
    digits = re.split(r"[:.]", re.sub(r"\s*[ap]\.?m\.?", "", text, flags=re.IGNORECASE))
    hour = int(digits[0]) + (12 if re.search(r"p\.?m", text, re.IGNORECASE) and int(digits[0]) < 12 else 0)  # noqa: PLR2004 - noon
    return f"{hour}:{digits[1]}" if digits[1:] and int(digits[1]) else str(hour)
