"""Importance from 1 to 10 (poignancy, paper §4.1), which situated questions ask for in words."""

from typing import Annotated

from pydantic import BeforeValidator, Field
from pydantic.json_schema import JsonSchemaValue

from ville.persona.prompt_template.answers.meant import PADDING, whole_number

MUNDANE, POIGNANT = 1, 10
NOTABLE = 4
"""Poignancy from which something is more than ordinary."""
DEFAULT_POIGNANCY = 5
"""Used when no model gives an importance."""
IN_WORDS = {"ordinary": 1, "small news": 3, "big news": 7, "emergency or life-changing": 9}
"""Answers of situated questions, and their numbers: small models give numbers without sense."""
_IN_NUMBERS = {"type": "integer", "minimum": MUNDANE, "maximum": POIGNANT}


def poignancy_of(value: object) -> object:
    """Return the number of a word such as `much`, or the only number in a value; any other value unchanged."""
    word = value.casefold().strip(PADDING) if isinstance(value, str) else ""
    return IN_WORDS[word] if word in IN_WORDS else whole_number(value)


Rating = Annotated[int, BeforeValidator(poignancy_of)]
"""Without limits."""
Poignancy = Annotated[int, Field(ge=MUNDANE, le=POIGNANT), BeforeValidator(poignancy_of)]


def asked_in_words(schema: JsonSchemaValue) -> JsonSchemaValue:
    """Return the schema of an answer in which every importance is one of a few words."""
    parts = {name: asked_in_words(part) for name, part in schema.get("$defs", {}).items()}
    properties = {name: _in_words(part) for name, part in schema.get("properties", {}).items()}
    return schema | ({"$defs": parts} if parts else {}) | ({"properties": properties} if properties else {})


def _in_words(part: JsonSchemaValue) -> JsonSchemaValue:
    rated = part.items() >= _IN_NUMBERS.items() and "description" not in part
    return {"type": "string", "enum": list(IN_WORDS)} if rated else part
