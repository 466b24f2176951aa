"""Schemas for strict providers say the same as ours."""

import importlib
import json
import pkgutil
import re

import pytest

import ville.persona.prompt_template as shelf
from ville.llm.wire.schemas import FEW, instruction, schema_name, strict_schema
from ville.persona.prompt_template.question import all_questions, schema_of

for module in pkgutil.iter_modules(shelf.__path__):
    importlib.import_module(f"{shelf.__name__}.{module.name}")
QUESTIONS = sorted(all_questions(), key=lambda question: question.template)


def parts(schema):
    yield schema
    for inner in [*schema.get("properties", {}).values(), *schema.get("anyOf", []), schema.get("items")]:
        if inner:
            yield from parts(inner)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)
def test_every_schema_is_valid_for_strict_providers(question):
    """No references, no optional or additional properties, only common keywords."""
    allowed = {"type", "enum", "description", "properties", "required", "additionalProperties", "items", "anyOf"}
    for part in parts(strict_schema(json.dumps(schema_of(question.answer)))):
        assert set(part) <= allowed
        if part.get("type") == "object":
            assert part["required"] == list(part["properties"])
            assert part["additionalProperties"] is False


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)
def test_a_question_gives_a_valid_schema_name(question):
    """Letters, digits and underscores, at most 64."""
    assert re.fullmatch(r"[a-zA-Z0-9_]{1,64}", schema_name(question.template.removesuffix(".txt")))


def test_limits_are_in_the_description():
    schema = {"type": "integer", "minimum": 0, "exclusiveMaximum": 24, "description": "an hour", "title": "Hour"}
    assert strict_schema(json.dumps(schema)) == {"type": "integer", "description": "an hour (at least 0, less than 24)"}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)
def test_the_form_in_words_names_all_that_the_schema_does(question):
    """A model without a JSON mode reads every key in order, every choice, and what each text, number or list is."""
    said = instruction(json.dumps(schema_of(question.answer))).split("\n", 1)[1]
    for part in parts(strict_schema(json.dumps(schema_of(question.answer)))):
        keys = [said.index(f'"{name}": ') for name in part.get("properties", {})]
        assert keys == sorted(keys)
        assert all(f'"{choice}"' in said for choice in part.get("enum", ()))
        assert "properties" in part or part.get("description", "") in said


def test_the_form_in_words_is_a_sketch_of_the_answer():
    """Blanks stand where values are to stand."""
    row = {"type": "object", "properties": {"what": {"type": "string"}, "ends": {"type": "boolean"}}}
    numbers = {"type": "array", "items": {"type": "integer"}, "description": "one for each"}
    schema = {"type": "object", "properties": {"rows": {"type": "array", "items": row}, "scores": numbers}}
    assert instruction(json.dumps(schema)).endswith(
        '{"rows": [{"what": "<text>", "ends": <true or false>}, ...], "scores": [<whole number: one for each>, ...]}'
    )


def test_long_lists_of_choices_are_left_out():
    """Unless the provider makes a grammar of them; the instruction in words never has them."""
    names = [f"place {number}" for number in range(FEW + 1)]
    schema = {"type": "object", "properties": {"sector": {"type": "string", "enum": names},
                                               "choice": {"type": "string", "enum": names[:FEW]}}}  # fmt: skip
    assert strict_schema(json.dumps(schema), grammar=True)["properties"]["sector"]["enum"] == names
    assert "enum" not in strict_schema(json.dumps(schema))["properties"]["sector"]
    assert strict_schema(json.dumps(schema))["properties"]["choice"]["enum"] == names[:FEW]
    assert "place 0" in instruction(json.dumps(schema))
    assert names[FEW] not in instruction(json.dumps(schema))
