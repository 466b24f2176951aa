"""A JSON schema as providers take it: the few words that all of them know, the rest said in the descriptions."""

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
"""What only some providers accept as keywords, in words: strict modes refuse `maxLength`, and those that make a grammar
of a schema grow with it. All of it is checked when the answer comes, in any case."""


def strict_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The same schema without references, every property required and no other allowed, as strict modes demand."""
    return _strict(schema, schema.get("$defs", {}))


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
    """The schema in words, for a model that is held to it by nothing else."""
    text = json.dumps(strict_schema(schema), ensure_ascii=False)
    return f"Answer with one JSON object and nothing else. It has to fit this JSON schema:\n{text}"


def schema_name(question: str) -> str:
    """A question's address as a name that providers accept."""
    return question.replace("/", "_")
