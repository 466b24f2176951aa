"""Convert JSON schemas to the subset that all providers accept; other keywords move to the descriptions."""

import json
from collections.abc import Mapping
from typing import Any

KNOWN = ("type", "enum", "description")
LIMITS = {
    "minimum": "at least {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "less than {}",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
}
"""Keywords that only some providers accept, in words: strict modes refuse `maxLength`, and grammars made from a schema
grow with it. Answers are validated against them in any case."""


FEW = 8
"""Choices that are always enumerated; longer lists of them are in the question too, and cost tokens."""


def strict_schema(schema: Mapping[str, Any], most_choices: int = FEW) -> dict[str, Any]:
    """Return a schema for strict modes: without references, every property required and no others allowed.

    Lists of more choices than `most_choices` are left out.
    """
    chosen = {name: _without_choices(each, most_choices) for name, each in schema.get("properties", {}).items()}
    return _strict({**schema, "properties": chosen} if chosen else schema, schema.get("$defs", {}))


def _without_choices(schema: Mapping[str, Any], most: int) -> Mapping[str, Any]:
    return {key: value for key, value in schema.items() if key != "enum" or len(value) <= most}


def _strict(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        named = definitions[schema["$ref"].rpartition("/")[2]]
        return _strict({**named, **{key: value for key, value in schema.items() if key != "$ref"}}, definitions)
    plain: dict[str, Any] = {key: schema[key] for key in KNOWN if key in schema}
    limits = [words.format(schema[name]) for name, words in LIMITS.items() if name in schema]
    if limits:
        plain["description"] = f"{plain.get('description', '')} ({', '.join(limits)})".strip()
    if "anyOf" in schema:
        plain["anyOf"] = [_strict(choice, definitions) for choice in schema["anyOf"]]
    if "items" in schema:
        plain["items"] = _strict(schema["items"], definitions)
    if "properties" in schema:
        plain["properties"] = {name: _strict(each, definitions) for name, each in schema["properties"].items()}
        plain["required"] = list(plain["properties"])
        plain["additionalProperties"] = False
    return plain


def instruction(schema: Mapping[str, Any]) -> str:
    """Return an instruction with the schema, for models that only read text."""
    text = json.dumps(strict_schema(schema), ensure_ascii=False)
    return f"Answer with one JSON object and nothing else. It has to fit this JSON schema:\n{text}"


def schema_name(question: str) -> str:
    """Return the name of a question in the characters that providers accept."""
    return question.replace("/", "_")
