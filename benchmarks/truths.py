"""Judge answers whose truth is known: facts, the present, fitting places, days in order, who is known, what is off.

The words by which an answer is judged are English, in truths.yaml.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml
from situated import QUESTIONS, Truth

from ville.persona.cognitive_modules.planning.day_frame import is_out_of_place
from ville.persona.prompt_template.blanks import Places, QuotedMemory
from ville.persona.prompt_template.question import Answer, Question

WORDS: Mapping[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
WAKES = re.compile(r"(?:wakes?|gets?) up (?:at |around |about |before )*(\d{1,2})(?::\d\d)? ?([ap])?m?", re.IGNORECASE)
NOON, LATE = 12, 1
"""Hours by which a persona may get up earlier or later than its lifestyle says."""
MEALTIMES: Mapping[str, tuple[float, float]] = {
    "breakfast": (5, 12.5), "lunch": (11, 14.5), "dinner|supper": (17, 21),
}  # fmt: skip
"""Hours of the day between which a meal is eaten."""
MUNDANE, HUMAN = 3, 8
"""Greatest importance of an everyday thing, and least score of a line to a human being."""


@dataclass(frozen=True)
class InterviewFact:
    """A question of an interview whose answer follows from the prompt."""

    asked: str
    known: str
    right: str


INTERVIEWS = tuple(InterviewFact(**row) for row in WORDS["interviews"])
COMMENTS: Mapping[str, bool] = {row["said"]: row["human"] for row in WORDS["comments"]}
Judge = Callable[[Any, Any, Any], bool | None]


def is_right(question: Question[Any], answer: Answer, said: Any) -> bool | None:
    """Return whether an answer is right; None if its truth is not known.

    `said` is the first answer of the model, as JSON, before it was checked or repaired; None if it could not be read.
    """
    judge = JUDGES.get(question.title)
    return judge(question, answer, said) if judge else None


def _wakes_in_time(question: Any, answer: Any, _said: Any) -> bool | None:
    """Within an hour of what the lifestyle says."""
    found = WAKES.search(question.identity)
    if not found:
        return None
    afternoon = (found[2] or "a").lower() == "p"
    return abs(answer.wake_up_hour - (int(found[1]) % NOON + NOON * afternoon)) <= LATE


def _adds_up(total: str) -> Judge:
    """The minutes, as the model gave them, add up exactly."""

    def judge(question: Any, _answer: Any, said: Any) -> bool:
        return sum(_minutes(said)) == getattr(question, total)

    return judge


def _minutes(said: Any) -> Iterator[int]:
    """Yield the minutes at any depth of an answer, also from texts such as "25 minutes"."""
    if isinstance(said, list):
        for each in said:
            yield from _minutes(each)
    elif isinstance(said, dict):
        yield from map(int, re.findall(r"\d{1,9}", str(said.get("minutes", "")))[:1])
        yield from (number for each in said.values() for number in _minutes(each))


def _well_divided(question: Any, answer: Any, said: Any) -> bool:
    """The minutes add up, and every step whose place is known takes place where it fits."""
    steps = [_fits_there(question, f"{step.what} | {question.activity}", step) for step in answer.subtasks]
    return _adds_up("minutes")(question, answer, said) is True and False not in steps


def _fits(question: Any, answer: Any, _said: Any) -> bool | None:
    return _fits_there(question, f"{question.action} | {question.activity}", answer)


def _fits_there(question: Any, doing: str, answer: Any) -> bool | None:
    """The place is one where such things are done, if the persona knows one, and at home what is done at home."""
    place = f"{answer.sector} {answer.arena} {answer.game_object}"
    if not answer.sector:
        return None
    known = "\n".join(_names(question.options.places))
    rows = [
        row for row in WORDS["places"]
        if re.search(row["doing"], doing, re.IGNORECASE) and re.search(row["fits"], known, re.IGNORECASE)
    ]  # fmt: skip
    judged = [bool(re.search(row["fits"], place, re.IGNORECASE)) for row in rows]
    judged += [answer.sector in question.home] if "at home" in doing else []
    return all(judged) if judged else None


def _is_usual(question: Any, answer: Any, _said: Any) -> bool | None:
    """The kind of place, or thing, is one for such activities."""
    said = f"{answer.place} {answer.thing}"
    named = re.search(WORDS["named places"], question.doing, re.IGNORECASE)
    rows = [row for row in WORDS["places"] if not named and re.search(row["doing"], question.doing, re.IGNORECASE)]
    judged = [bool(re.search(f"{row['fits']}|{WORDS['at home']}", said, re.IGNORECASE)) for row in rows]
    return all(judged) if judged else None


def _well_filled(question: Any, answer: Any, _said: Any) -> bool:
    """Every free gap is filled, without meals or sleep, where such things are done, and hardly any comes twice."""
    free = {line.at for line in question.free}
    rows = [
        row for at, row in zip(question.gaps, answer.gaps, strict=True)
        if at in free and row.what and not is_out_of_place(row.what)
    ]  # fmt: skip
    fitting = [
        row.where in {"", "home"} or bool(re.search(each["fits"], f"{row.what} {row.where}", re.IGNORECASE))
        for row in rows for each in WORDS["places"] if re.search(each["doing"], row.what, re.IGNORECASE)
    ]  # fmt: skip
    spells = [what for what, _ in groupby(row.what.casefold() for row in rows)]
    return len(rows) == len(free) and 3 * len(spells) <= 4 * len(set(spells)) and all(fitting)


def _well_ordered(_question: Any, answer: Any, _said: Any) -> bool:
    """A day goes on in time, and its meals, which are not left out, are at mealtimes."""
    hours = [each.start.hour + each.start.minute / 60 for each in answer.activities]
    meals = [
        first <= hour < last
        for meal, (first, last) in MEALTIMES.items() if meal != "breakfast"
        for each, hour in zip(answer.activities, hours, strict=True)
        if re.search(rf"\b(?:{meal})\b", each.activity, re.IGNORECASE)
    ]  # fmt: skip
    return hours == sorted(hours) and bool(meals) and all(meals)


def _calls_off(question: Any, answer: Any, _said: Any) -> bool:
    """A line of the plan is called off if, and only if, the whisper names its activity."""
    off = question.whisper.partition(" is cancelled")[0].casefold()
    lines = {line for line in question.day if off in line.casefold()}
    return answer.called_off in lines if lines else not answer.today.what


def _names(places: Places) -> Iterator[str]:
    """Yield each arena with its sector and objects."""
    for sector, arenas in places.items():
        yield from (f"{sector} {arena} {' '.join(objects)}" for arena, objects in arenas.items())


def _is_known(question: Any) -> bool | None:
    """Whether a thought or a talk names the other; None if only something seen does."""
    kinds = {memory.kind for memory in question.memories if question.other in memory.text}
    return None if kinds == {"event"} else bool(kinds)


def _knows(question: Any, answer: Any, _said: Any) -> bool | None:
    """Of whom something is remembered is known, others are not."""
    known = _is_known(question)
    return None if known is None else known != bool(re.search(WORDS["strangers"], answer.relationship))


def _greets_as_known(question: Any, answer: Any, _said: Any) -> bool | None:
    """Check that people do not introduce themselves to someone they know, and speak as themselves: they neither greet
    themselves nor say again what was said.
    """
    first, said = question.name.split()[0], answer.utterance
    if re.search(rf"^(?:\w+,? )?{re.escape(first)}\b[,!.:]", said) or any(
        said in turn.said for turn in question.transcript
    ):
        return False
    if question.last_talk == "never" and not _is_known(question):
        return None
    return not re.search(WORDS["introduces"].replace("{first}", first), said)


def _tells_the_fact(question: Any, answer: Any, _said: Any) -> bool | None:
    """Check that the answer tells the fact of the prompt, or does not invent one."""
    asked = question.transcript[-1].said
    if asked in QUESTIONS and question.at_hand:
        return QUESTIONS[asked](answer.utterance, _present(question))
    fact = next((fact for fact in INTERVIEWS if fact.asked == asked), None)
    if fact is None:
        return None
    known = re.search(fact.known, "\n".join(_texts(question)), re.MULTILINE | re.IGNORECASE)
    if known is None:
        return bool(re.search(WORDS["unknowing"], answer.utterance))
    return bool(re.search(fact.right.format(*map(re.escape, known.groups())), answer.utterance, re.IGNORECASE))


def _present(question: Any) -> Truth:
    """Return what is true of the persona at the moment, as its question tells it."""
    now, today = question.at_hand, question.today
    planned = [each.what for each in now.ahead] + [entry.what for entry in (today.planned if today else ())]
    return Truth(now, " ".join(planned), home="home")


def _texts(question: Any) -> Iterator[str]:
    """Yield the texts from which a fact may be known."""
    yield question.identity
    yield from (memory.text for memory in question.memories if isinstance(memory, QuotedMemory))


def _knows_the_mundane(question: Any, answer: Any, _said: Any) -> bool | None:
    """An everyday thing does not matter."""
    scored = zip(question.happenings, answer.scores, strict=False)
    mundane = [score for what, score in scored if re.search(WORDS["mundane"], what)]
    return max(mundane) <= MUNDANE if mundane else None


def _restates(question: Any, answer: Any, _said: Any) -> bool:
    """A whisper becomes a statement about the persona."""
    return question.name.split()[0] in answer.text and not re.search(r"(?i)\byou\b", answer.text)


def _tells_humans_apart(question: Any, answer: Any, _said: Any) -> bool | None:
    human = COMMENTS.get(question.comment)
    return None if human is None else (answer.score >= HUMAN) == human


JUDGES: Mapping[str, Judge] = {
    "plan/wake_up_hour": _wakes_in_time,
    "plan/subtasks": _well_divided,
    "plan/subtasks_briefly": _well_divided,
    "plan/reschedule": _adds_up("remaining"),
    "plan/where_and_how": _fits,
    "plan/hourly_schedule": _well_ordered,
    "day/where_usually": _is_usual,
    "day/fill_the_day": _well_filled,
    "perceive/how_important": _knows_the_mundane,
    "perceive/how_important_briefly": _knows_the_mundane,
    "converse/relationship": _knows,
    "converse/next_utterance": _greets_as_known,
    "talk/changed_today": _calls_off,
    "talk/interview": _tells_the_fact,
    "talk/whispered": _restates,
    "talk/anthropomorphising": _tells_humans_apart,
}
"""By title of the question."""
