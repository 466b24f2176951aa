"""Forms in which a persona is asked to answer a question: a choice, a scale, a number, or words of its own."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from ville.errors import BadArgument
from ville.json_types import Json
from ville.plain_text import nearest, one_line, quantity, shortened

CHOICE, SCALE, NUMBER, TEXT = "choice", "scale", "number", "text"
KINDS = (CHOICE, SCALE, NUMBER, TEXT)
LABELS, LEAST, MOST, UNIT = "labels", "least", "most", "unit"
MOST_CHOICES, LONGEST_CHOICE, LONGEST_LABEL, LONGEST_UNIT = 20, 60, 60, 30
LARGEST_SCALE, LARGEST = 1000, 10**12
"""Largest end of a scale, and largest number."""
EXAMPLE = "write `{choice: [yes, no]}`, `{scale: [1, 7]}`, `number` or `text`"
SIGNS = " \t\r\n\"'“”„«»`*_.!,;:()[]"
"""Characters around an answer that are no part of it."""
WHOLE = re.compile(r"([+-]?\d{1,13})(?:\.0+)?")
DECIMAL = re.compile(r"[+-]?(?:\d{1,13}|\d{1,3}(?:,\d{3}){1,4})(?:\.\d{1,9})?")

ReplyValue = str | float | None
"""A choice, a number, or None: the answer does not fit."""


@dataclass(frozen=True)
class ReplyForm:
    """A form of answers. Its text is what a persona is told of it."""

    kind: str = TEXT
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    labels: tuple[str, ...] = ()
    """Meanings of both ends of a scale; empty if they are not named."""
    unit: str = ""
    """Unit of a number; empty if it has none."""

    def __str__(self) -> str:
        if self.kind == CHOICE:
            return f"Choose one of these answers, word for word: {' / '.join(self.choices)}."
        if self.kind == SCALE:
            low, high = (f" ({label})" for label in self.labels or ("", "")) if self.labels else ("", "")
            return f"Answer with one whole number from {_text(self.least)}{low} to {_text(self.most)}{high}."
        if self.kind == NUMBER:
            unit = f" of {self.unit}" if self.unit else ""
            return f"Answer with one number{unit}{self._limits}, as digits."
        return "Answer in words."

    @property
    def _limits(self) -> str:
        if self.least is not None and self.most is not None:
            return f" from {_text(self.least)} to {_text(self.most)}"
        low = "" if self.least is None else f" of at least {_text(self.least)}"
        return low if self.most is None else f" of at most {_text(self.most)}"

    @property
    def words(self) -> str:
        """Return the form in a few words, for tables: `choice: yes / no`, `scale 1 to 7`, `number of hours`."""
        if self.kind == CHOICE:
            return f"choice: {' / '.join(self.choices)}"
        if self.kind == SCALE:
            return f"scale {_text(self.least)} to {_text(self.most)}"
        return f"number of {self.unit}" if self.unit else self.kind

    def as_json(self) -> Json:
        """Return the form as in a study file, for `reply_form`."""
        if self.kind == CHOICE:
            return {CHOICE: list(self.choices)}
        if self.kind == SCALE:
            labels: dict[str, Json] = {LABELS: list(self.labels)} if self.labels else {}
            return {SCALE: [self.least, self.most], **labels}
        limits: dict[str, Json] = {LEAST: self.least, MOST: self.most, UNIT: self.unit or None}
        given = {key: value for key, value in limits.items() if value is not None}
        return {NUMBER: given} if self.kind == NUMBER and given else self.kind

    def schema(self) -> dict[str, object]:
        """Return the JSON schema of an answer in this form."""
        if self.kind == CHOICE:
            return {"type": "string", "enum": list(self.choices)}
        kind = {SCALE: "integer", NUMBER: "number"}.get(self.kind, "string")
        whole = [(name, end) for name, end in (("minimum", self.least), ("maximum", self.most)) if end is not None]
        return {"type": kind, **{name: int(end) if float(end).is_integer() else end for name, end in whole}}

    def read(self, said: str) -> ReplyValue:
        """Return the value of an answer; None if it does not fit, for values are never guessed. Words have none."""
        plain = one_line(said).strip(SIGNS).casefold()
        if self.kind == CHOICE:
            return next((choice for choice in self.choices if choice.strip(SIGNS).casefold() == plain), None)
        if self.kind == SCALE:
            return self._within(self._point(plain))
        return self._within(self._number(plain)) if self.kind == NUMBER else None

    def fault(self, said: str) -> str:
        """Return why an answer does not fit, worded for the model; empty if it does."""
        if self.kind == TEXT or self.read(said) is not None:
            return ""
        return f"{shortened(one_line(said), LONGEST_CHOICE)!r} is not in the form that is asked for. {self}"

    def _point(self, plain: str) -> float | None:
        """Return a point of the scale, given as `5`, `5/7`, `5 out of 7`, or by the meaning of an end."""
        for label, end in zip(self.labels, (self.least, self.most), strict=False):
            if label.strip(SIGNS).casefold() == plain:
                return end
        bare = re.sub(rf"\s*(?:/|out of|of)\s*{re.escape(_text(self.most))}$", "", plain)
        found = WHOLE.fullmatch(bare)
        return float(found[1]) if found else None

    def _number(self, plain: str) -> float | None:
        unit = self.unit.casefold()
        names = sorted({name for name in (unit, unit.removesuffix("s")) if name}, key=len, reverse=True)
        bare = next((plain.removesuffix(name).strip() for name in names if plain.endswith(name)), plain)
        return float(bare.replace(",", "")) if DECIMAL.fullmatch(bare) else None

    def _within(self, number: float | None) -> float | None:
        if number is None or (self.least is not None and number < self.least):
            return None
        return None if self.most is not None and number > self.most else number


IN_WORDS = ReplyForm()
"""Form of answers unless another one is given."""


def reply_form(source: object) -> ReplyForm:
    """Return the form that a study file names: `text`, `number`, `{choice: [...]}`, `{scale: [1, 7]}` and the like.

    Raises BadArgument.
    """
    if not isinstance(source, Mapping):
        name = str(source).strip()
        if name in {CHOICE, SCALE}:
            raise BadArgument(f"a {name} needs its values; {EXAMPLE}")
        if name not in KINDS:
            raise BadArgument(f"there is no form of answers '{shortened(one_line(name), LONGEST_CHOICE)}'; {EXAMPLE}")
        return ReplyForm(name)
    kinds = [kind for kind in (CHOICE, SCALE, NUMBER) if kind in source]
    if len(kinds) != 1:
        raise BadArgument(f"the form of an answer is one of choice, scale and number; {EXAMPLE}")
    known = (SCALE, LABELS) if kinds == [SCALE] else kinds
    if wrong := [str(key) for key in source if key not in known]:
        raise BadArgument(f"'{wrong[0]}' is not known in the form of an answer; {nearest(wrong[0], known)}")
    makers = {CHOICE: _choice, SCALE: _scale, NUMBER: _number}
    return makers[kinds[0]](source)


def _choice(source: Mapping[str, object]) -> ReplyForm:
    choices = _texts(source[CHOICE], "choices", LONGEST_CHOICE)
    if not 1 < len(choices) <= MOST_CHOICES:
        raise BadArgument(f"a choice has {quantity(len(choices), 'answer', 'answers')}; give 2 to {MOST_CHOICES}")
    plain = [choice.strip(SIGNS).casefold() for choice in choices]
    if twice := [choice for place, choice in enumerate(choices) if not plain[place] or plain[place] in plain[:place]]:
        raise BadArgument(f"the choice '{twice[0]}' is empty, or given twice; keep one of the two")
    return ReplyForm(CHOICE, choices)


def _scale(source: Mapping[str, object]) -> ReplyForm:
    ends = source[SCALE]
    if not isinstance(ends, Sequence) or isinstance(ends, str) or len(ends) != 2:  # noqa: PLR2004
        raise BadArgument("a scale has two ends; write, for example, `{scale: [1, 7]}`")
    least, most = (_limit(end, "an end of a scale") for end in ends)
    if not (least.is_integer() and most.is_integer() and -LARGEST_SCALE <= least < most <= LARGEST_SCALE):
        said = f"a scale goes from {_text(least)} to {_text(most)}"
        raise BadArgument(f"{said}; give two whole numbers, the smaller one first, at most {LARGEST_SCALE:,}")
    labels = _texts(source.get(LABELS, ()), LABELS, LONGEST_LABEL)
    if labels and (len(labels) != 2 or labels[0].casefold() == labels[1].casefold()):  # noqa: PLR2004
        raise BadArgument("`labels` are the meanings of both ends; write, for example, `labels: [not at all, very]`")
    return ReplyForm(SCALE, least=least, most=most, labels=labels)


def _number(source: Mapping[str, object]) -> ReplyForm:
    given = source[NUMBER] or {}
    if not isinstance(given, Mapping):
        raise BadArgument("a number has no value; write, for example, `{number: {least: 0, most: 24, unit: hours}}`")
    known = (LEAST, MOST, UNIT)
    if wrong := [str(key) for key in given if key not in known]:
        raise BadArgument(f"'{wrong[0]}' is not known in a number; {nearest(wrong[0], known)}")
    least, most = (_limit(given[key], f"`{key}`") if given.get(key) is not None else None for key in (LEAST, MOST))
    if least is not None and most is not None and least >= most:
        raise BadArgument(f"a number from {_text(least)} to {_text(most)} cannot be; give the smaller one first")
    unit = _texts([given.get(UNIT) or ""], UNIT, LONGEST_UNIT)[0]
    return ReplyForm(NUMBER, least=least, most=most, unit=unit)


def _texts(values: object, name: str, most: int) -> tuple[str, ...]:
    """Return texts of one line. Raises BadArgument."""
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise BadArgument(f"`{name}` is not a list; write them as `[..., ...]`")
    texts = tuple(one_line(str(value)).strip() for value in values if not isinstance(value, Mapping | list))
    if len(texts) < len(values):
        raise BadArgument(f"`{name}` has something that is not a text; write words")
    if long := [text for text in texts if len(text) > most]:
        raise BadArgument(f"'{shortened(long[0], most)}' has {len(long[0])} characters; write at most {most}")
    return texts


def _limit(value: object, name: str) -> float:
    """Return a finite number. Raises BadArgument."""
    text = str(value).strip()
    number = float(text) if re.fullmatch(r"[+-]?\d+(?:\.\d+)?", text) and not isinstance(value, bool) else None
    if number is None or not isfinite(number) or abs(number) > LARGEST:
        raise BadArgument(f"{name} is '{shortened(one_line(text), LONGEST_CHOICE)}'; give a number")
    return number


def _text(number: float | None) -> str:
    """Return a number without a superfluous fraction."""
    return "" if number is None else f"{int(number)}" if float(number).is_integer() else f"{number}"
