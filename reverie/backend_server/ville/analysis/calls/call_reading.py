"""How the answer to a call was read: the values that were found in it, and whether they were used.

A ledger has answers as they were received, and counts of questions without a usable one. Values are read from the
answer again, by the form of the question; what of them depends on the situation is not in a ledger: places are then
matched with those on offer, and texts are judged by what the person knows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from ville.analysis.calls.call_index import ListedCall
from ville.analysis.calls.call_text import CallText
from ville.llm.accounting.ledger_schema import ANSWERED, SHARED
from ville.persona.prompt_template.answers.answer import LAST_ATTEMPT, Answer
from ville.persona.prompt_template.answers.answer_form import joined
from ville.persona.prompt_template.answers.json_values import json_values
from ville.persona.prompt_template.question import Question, question_titled

End = Literal["used", "sent back", "carried on", "none"]
"""The fate of an answer; `none`: there was no complete one to read, or nothing that reads it any more."""
REFUSED = "That answer cannot be used: "
"""How begins what a model is told of an answer that is sent back."""


@dataclass(frozen=True)
class ReadValue:
    """A value of an answer, in words."""

    name: str
    """As the question calls it, for example `wake up hour`."""
    lines: tuple[str, ...]
    """One, or one for each item of a list."""


@dataclass(frozen=True)
class CallReading:
    """How the answer to a call was read."""

    end: End
    values: tuple[ReadValue, ...]
    """Values that the mind got of it; empty if it could not be read."""
    reason: str
    """Why it was sent back."""
    fallback: tuple[ReadValue, ...] | None
    """Values that the mind got instead, if it carried on; None if that depends on more than a ledger has."""


def call_reading(call: ListedCall, text: CallText, correction: CallText | None) -> CallReading:
    """Return how an answer was read; `correction` is the call that sent it back, if there is one."""
    kind = question_titled(call.question)
    if kind is None or call.outcome not in {ANSWERED, SHARED}:
        return CallReading("none", (), "", None)
    asked = object.__new__(kind)  # without its blanks, which a ledger does not have
    try:
        read, is_known = _read(asked, text.answer, last=correction is None), True
    except AttributeError:  # of a blank, by which it names its keys
        read, is_known = None, False
    values = tuple(_values(read)) if read else ()
    if correction:
        told = "".join(part.words for part in correction.messages[-1].parts)
        return CallReading("sent back", values, told.removeprefix(REFUSED).partition("\n")[0], None)
    if call.carried_on and (call.corrections or (is_known and not read)):
        return CallReading("carried on", values, "", _fallback(asked))
    return CallReading("used" if read else "none", values, "", None)


def corrects(text: CallText, later: CallText) -> bool:
    """Return whether a later call sends back the answer to this one: it has the same messages and two more, or one if
    the answer was empty.
    """
    same = len(text.messages)
    return len(later.messages) - same in {1, 2} and later.messages[:same] == text.messages


def _read(asked: Question[Answer], answer: str, *, last: bool) -> Answer | None:
    """Return the last value in an answer that has the form of the question."""
    try:
        found = joined(list(map(asked.with_own_keys, json_values(answer))), asked.answer.model_fields)
    except ValueError:
        return None
    for value in reversed(found):
        try:
            return asked.answer.model_validate(value, context=LAST_ATTEMPT if last else None)
        except ValidationError:
            continue
    return None


def _fallback(asked: Question[Answer]) -> tuple[ReadValue, ...] | None:
    """Return the neutral answer, if it is the same in every situation."""
    try:
        return tuple(_values(asked.fallback()))
    except AttributeError:  # of a blank
        return None


def _values(answer: BaseModel) -> Iterator[ReadValue]:
    """Yield the values of an answer; those of a part of it after the name of the part. Empty ones are left out."""
    for name in type(answer).model_fields:
        value, words = getattr(answer, name), name.replace("_", " ")
        if isinstance(value, BaseModel):
            yield from (ReadValue(f"{words}, {each.name}", each.lines) for each in _values(value))
        elif value not in ("", None, [], ()):
            items: Sequence[Any] = value if isinstance(value, list | tuple) else [value]
            yield ReadValue(words, tuple(map(_line, items)))


def _line(item: object) -> str:
    if isinstance(item, BaseModel):
        return "; ".join(f"{each.name}: {', '.join(each.lines)}" for each in _values(item))
    return str(item)
