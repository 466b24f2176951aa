"""Kinds of interventions as pages get them, in the language of the reader. A text without a translation is English."""

from dataclasses import asdict

from django.utils.translation import gettext as _
from pydantic.json_schema import JsonSchemaValue

from ville.json_types import JsonObject
from ville.simulation.interventions.kind import Kind, Own


def described(kind: Kind[Own]) -> JsonObject:
    """Return what a kind does, how pages offer it, and its fields as JSON Schema."""
    offer = {**asdict(kind.offer), "title": _(kind.offer.title), "words": _(kind.offer.words)} if kind.offer else None
    schema = kind.fields.model_json_schema()
    properties = {name: _property(each) for name, each in schema["properties"].items()}
    return {"kind": kind.name, "effect": kind.effect, "offer": offer, "schema": {**schema, "properties": properties}}


def _property(schema: JsonSchemaValue) -> JsonSchemaValue:
    described = {"description": _(schema["description"])} if "description" in schema else {}
    return {**schema, **described}
