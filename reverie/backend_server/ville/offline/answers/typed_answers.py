"""Answers in a form: a choice, a point of a scale or a number, as far as memories and certain facts tell."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from ville.lifestyle_hours import bed_minute, waking_minute
from ville.offline.answers.interview_rules import UNKNOWN, answer_to
from ville.offline.answers.likeness import likest, meaning
from ville.offline.answers.recollection import Recollection
from ville.offline.day.hours import HOUR
from ville.offline.table import load, rows
from ville.offline.talks.news import CANCELLATION, NewsItem, private
from ville.offline.talks.ties import ACQUAINTED, DISTANT
from ville.reply_form import CHOICE, NUMBER, SCALE, ReplyForm

FILE, NO_ANSWER = "typed_questions.yaml", "no answer"
CANNOT = "Rules alone cannot answer that."
"""Begins what rules say if they only remember something like it."""
STRONGEST = 2
"""Strongest feeling for another: love, and -2 for dislike."""
YES, NO = re.compile(r"yes\b", re.IGNORECASE), re.compile(r"no\b(?! (?:idea|one|answer))", re.IGNORECASE)
Known = Callable[[Recollection], float | None]
"""Returns 1 for yes and 0 for no, a degree from 0 to 1, or a number; None: it is not known."""


@dataclass(frozen=True)
class TypedRow:
    """A row of typed_questions.yaml."""

    means: re.Pattern[str]
    of: str


@cache
def _rows(section: str) -> tuple[TypedRow, ...]:
    return rows(load(FILE)[section], TypedRow)


@cache
def _unsure() -> re.Pattern[str]:
    return re.compile(str(load(FILE)["unsure"]), re.IGNORECASE)


def typed_answer(asked: Recollection, form: ReplyForm, *, asker: str = "") -> str:
    """Return an answer in a form, or that there is none."""
    said = {CHOICE: _choice, SCALE: _point, NUMBER: _number}[form.kind](asked, form, asker)
    return said if form.read(said) is not None else NO_ANSWER


def _known(section: str, asked: Recollection) -> float | None:
    found = (KNOWN[row.of](asked) for row in _rows(section) if row.means.search(asked.question))
    return next((value for value in found if value is not None), None)


def _choice(asked: Recollection, form: ReplyForm, asker: str) -> str:
    ends = [next((each for each in form.choices if word.match(each)), "") for word in (NO, YES)]
    if all(ends):
        known = _known("yes or no", asked)
        found = "" if known is None else ends[int(known)]
        is_of_facts = any(row.means.search(asked.question) for row in _rows("yes or no"))
    else:
        found, is_of_facts = _named(asked, form, asker), not asked.is_of_oneself
    return found or (_unsure_choice(form) if is_of_facts and not _knows_something(asked) else "")


def _unsure_choice(form: ReplyForm) -> str:
    """Return the choice of those who do not know a fact; empty if there is none. Of oneself, rules do not say so."""
    return next((each for each in form.choices if _unsure().search(each)), "")


def _named(asked: Recollection, form: ReplyForm, asker: str) -> str:
    """Return the only choice all of whose words are in what one says; empty if there is none."""
    said = answer_to(asked, asker=asker)
    if said.startswith(CANNOT) or said in load("interviews.yaml")[UNKNOWN]:
        return ""
    here = meaning(said)
    found = [each for each in form.choices if (words := meaning(each)) and words <= here]
    return found[0] if len(found) == 1 else ""


def _point(asked: Recollection, form: ReplyForm, _asker: str) -> str:
    degree = _known("degree", asked)
    if degree is None or form.least is None or form.most is None:
        return ""
    return str(round(form.least + degree * (form.most - form.least)))


def _number(asked: Recollection, _form: ReplyForm, _asker: str) -> str:
    number = _known("number", asked)
    return "" if number is None else f"{number:g}"


def _items(asked: Recollection) -> Iterator[NewsItem]:
    """Yield the news that one has heard and that the question is about; of cancellations only if it asks for one."""
    wanted = meaning(asked.question)
    off = bool(wanted & meaning("cancelled called off"))
    for item in (*asked.mind.heard, *asked.mind.cancelled):
        if wanted & meaning(f"{item.kind} {item.what}") and off is (item.kind == CANCELLATION):
            yield item


def _heard(asked: Recollection) -> float | None:
    """Return whether one knows of what the question is about: as news, or of a thought or talk about it."""
    if not meaning(asked.question):
        return None
    return float(any(True for _ in _items(asked)) or _knows_something(asked))


def _knows_something(asked: Recollection) -> bool:
    """Return whether a thought, a talk or a certain fact is about what was asked; secrets do not count."""
    told = [memory for memory in asked.memories if memory.kind != "event" and not private().search(memory.text)]
    return any(found.sure for found in likest(asked.question, told, also=asked.own, now=asked.mind.now))


def _takes_place(asked: Recollection) -> float | None:
    """Return whether an occasion takes place, by what one has heard; None if one knows of none."""
    wanted = meaning(asked.question)
    off = bool(wanted & meaning("cancelled called off"))
    cancelled = any(wanted & meaning(item.what) for item in (*asked.mind.cancelled, *_of_kind(asked, CANCELLATION)))
    planned = any(wanted & meaning(f"{item.kind} {item.what}") for item in asked.mind.known if item.is_occasion)
    return None if not (cancelled or planned) else float(cancelled is off)


def _of_kind(asked: Recollection, kind: str) -> list[NewsItem]:
    return [item for item in asked.mind.heard if item.kind == kind]


def _goes(asked: Recollection) -> float | None:
    occasion = next((item for item in _items(asked) if item.is_occasion), None)
    return None if occasion is None else float(asked.mind.will_go(occasion))


def _met(asked: Recollection) -> float | None:
    if not asked.other:
        return None
    if "today" in asked.question.lower():
        return float(any(talk.partner == asked.other for talk in asked.talks)) if asked.knows_talks else None
    return float(_mentioned(asked))


def _mentioned(asked: Recollection) -> bool:
    return any(asked.other in text for text in asked.mind.texts)


def _likes(asked: Recollection) -> float | None:
    felt = asked.mind.liking(asked.other) if asked.other else 0
    return float(felt > 0) if felt else None


def _liking(asked: Recollection) -> float | None:
    felt = asked.mind.liking(asked.other) if asked.other else 0
    return (felt + STRONGEST) / (2 * STRONGEST) if felt else None


def _closeness(asked: Recollection) -> float | None:
    if not asked.other:
        return None
    return {DISTANT: 0.0, ACQUAINTED: 0.5}.get(asked.mind.closeness(asked.other), 1.0)


def _people_talked_to(asked: Recollection) -> float | None:
    return float(len({talk.partner for talk in asked.talks})) if asked.knows_talks else None


def _talks(asked: Recollection) -> float | None:
    if not asked.knows_talks:
        return None
    return float(sum(asked.other in {"", talk.partner} for talk in asked.talks))


def _guests(asked: Recollection) -> float | None:
    """Return how many have accepted an invitation of one's own."""
    own = [item for item in asked.mind.known if item.is_occasion and item.who == asked.me.name]
    records = [record for item in own for record in asked.mind.records_on(item)]
    accepted = {record.other for record in records if record.kind == "has invited" and record.answer == "yes"}
    return float(len(accepted)) if own else None


def _hour(minute: int | None) -> float | None:
    return None if minute is None else minute / HOUR


KNOWN: Mapping[str, Known] = {
    "heard": _heard,
    "takes place": _takes_place,
    "goes": _goes,
    "met": _met,
    "likes": _likes,
    "liking": _liking,
    "closeness": _closeness,
    "will go": _goes,
    "age": lambda asked: float(asked.me.age) if asked.me.age else None,
    "people talked to": _people_talked_to,
    "talks": _talks,
    "guests": _guests,
    "hour up": lambda asked: _hour(waking_minute(asked.me.lifestyle)),
    "hour in bed": lambda asked: _hour(bed_minute(asked.me.lifestyle)),
}
