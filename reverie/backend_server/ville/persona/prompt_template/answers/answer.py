"""Answers: what a model has to give, validated, with what it means read from what it wrote."""

import re
from contextlib import suppress
from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    field_validator,
    model_validator,
)

from ville.persona.prompt_template.answers.answer_form import in_field, in_form

LAST_ATTEMPT = {"last": True}
"""Context of a validation after which no correction is asked for: texts that are a little too long are cut."""
A_LITTLE = 2
"""A text may be cut if it is at most so many times as long as allowed."""
SENTENCE = re.compile(r".*[.!?…](?=\s|$)", re.DOTALL)


class Answer(BaseModel):
    """Base of answers. Unknown keys are dropped, values are converted where that is unambiguous.

    An invalid value of an optional field is replaced by the default. Every text and every list has a maximum length
    from `caps`. The JSON schema of an answer is part of the key of ledger entries.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)

    @model_validator(mode="before")
    @classmethod
    def _form(cls, value: object) -> object:
        return cls.as_meant(value, in_form(value, cls.model_fields))

    @classmethod
    def as_meant(cls, value: object, form: object) -> object:
        """Return an answer in the form that was asked for, given as it was written and as it is read in general."""
        del value
        return form

    @field_validator("*", mode="wrap")
    @classmethod
    def _field(cls, value: object, validate: ValidatorFunctionWrapHandler, info: ValidationInfo) -> object:
        field = cls.model_fields[str(info.field_name)]
        try:
            return _cut_to_fit(in_field(value, field), validate, info)
        except ValidationError:
            if field.is_required():
                raise
            return field.get_default(call_default_factory=True)


def _without_bad_items(value: object, validate: ValidatorFunctionWrapHandler, info: ValidationInfo) -> object:
    """Return the valid items of a list. Raise ValidationError if there are none."""
    try:
        return validate(value)
    except ValidationError:
        good: list[object] = []
        for item in value if isinstance(value, list) else ():
            with suppress(ValidationError):
                good += _cut_to_fit([item], validate, info)
        if not good:
            raise
        return validate(good)


ItemT = TypeVar("ItemT")
Items = Annotated[list[ItemT], WrapValidator(_without_bad_items)]
"""A list of which each item counts by itself: bad ones are left out, unless all are bad."""


def _cut_to_fit(value: object, validate: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
    """Return the valid value; on the last attempt, with a text that is a little too long cut."""
    try:
        return validate(value)
    except ValidationError as fault:
        (error, *others) = fault.errors()
        text = value[0] if isinstance(value, list) and len(value) == 1 else value
        most = error.get("ctx", {}).get("max_length", 0)
        if others or error["type"] != "string_too_long" or not isinstance(text, str) or not info.context:
            raise
        if len(text) > A_LITTLE * most:
            raise
        cut = cut_at_sentence(text, most)
        return validate([cut] if isinstance(value, list) else cut)


def cut_at_sentence(text: str, most: int) -> str:
    """Return a text cut to a number of characters: after a sentence if one ends in the second half, or after a word."""
    beginning = text[:most]
    sentence = SENTENCE.match(beginning)
    if sentence and len(sentence[0]) * 2 > most:
        return sentence[0]
    words = text[: most - 1].rpartition(" ")[0] or text[: most - 1]
    return f"{words.rstrip(' ,;:')}…"
