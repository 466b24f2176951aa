"""Convert JSON schemas to the subset that a provider accepts; other limits of numbers move to the descriptions."""

import json
import sys
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic.json_schema import JsonSchemaValue

KNOWN = ("type", "enum", "description")
LIMITS = {
    "minimum": "at least {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "less than {}",
}
"""Keywords that only some providers accept, in words. Limits of texts and lists are so wide that they are not said."""
LENGTHS = ("minLength", "maxLength", "minItems", "maxItems")
ONLY_JSON = "Answer only with one JSON object of this form:"
WORDS = {"integer": "whole number", "boolean": "true or false"}
Schema = Mapping[str, Any]
"""A JSON schema, or a part of one."""
FEW = 8
"""Choices that are always enumerated; longer lists of them are in the question too, and cost tokens."""


class _Converter(NamedTuple):
    """Converts the parts of one schema."""

    definitions: Schema
    most_choices: int
    keywords: Collection[str]

    def strict(self, schema: Schema) -> JsonSchemaValue:
        if "$ref" in schema:
            named = self.definitions[schema["$ref"].rpartition("/")[2]]
            return self.strict({**named, **{key: value for key, value in schema.items() if key != "$ref"}})
        plain: JsonSchemaValue = {key: schema[key] for key in self.keywords if key in schema}
        if len(plain.get("enum", ())) > self.most_choices:
            del plain["enum"]
        limits = [words.format(schema[name]) for name, words in LIMITS.items() if name in schema]
        if limits:
            said = ", ".join(limits)
            plain["description"] = f"{plain['description']} ({said})" if "description" in plain else said
        if "anyOf" in schema:
            plain["anyOf"] = [self.strict(choice) for choice in schema["anyOf"]]
        if "items" in schema:
            plain["items"] = self.strict(schema["items"])
        if "properties" in schema:
            plain["properties"] = {name: self.strict(each) for name, each in schema["properties"].items()}
            plain["required"] = list(plain["properties"])
            plain["additionalProperties"] = False
        return plain


@lru_cache(maxsize=1024)
def strict_schema(text: str, *, grammar: bool = False) -> JsonSchemaValue:
    """Return a schema, given as JSON, for strict modes: without references, every property required and no others
    allowed. Questions have few schemas, and each is needed several times in a call.

    `grammar`: for servers that make a grammar of it. It says all choices and limits then, which cost no tokens;
    otherwise long lists of choices and limits of lengths are left out.
    """
    most, keywords = (sys.maxsize, (*KNOWN, *LIMITS, *LENGTHS)) if grammar else (FEW, KNOWN)
    schema = json.loads(text)
    return _Converter(schema.get("$defs", {}), most, keywords).strict(schema)


@lru_cache(maxsize=1024)
def instruction(text: str) -> str:
    """Return an instruction with the form of the answer, given as JSON, for models that only read text."""
    return f"{ONLY_JSON}\n{_form(strict_schema(text))}"


def _form(part: Schema) -> str:
    """Return a sketch of an answer: `{"what": "<a few words>", "minutes": <whole number: more than 0>}`."""
    if "properties" in part:
        return "{" + ", ".join(f'"{name}": {_form(each)}' for name, each in part["properties"].items()) + "}"
    said = part.get("description", "")
    if "items" in part:
        return f"[{_form({'description': said, **part['items']})}, ...]"
    if "enum" in part:
        return " or ".join(json.dumps(choice, ensure_ascii=False) for choice in part["enum"])
    if part.get("type") == "string":
        return f'"<{said or "text"}>"'
    return f"<{': '.join(filter(None, (WORDS.get(part.get('type', '')), said)))}>"


def schema_name(question: str) -> str:
    """Return the name of a question in the characters that providers accept."""
    return question.replace("/", "_")
