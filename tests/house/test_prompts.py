"""Prompts and questions belong to each other: no file without a question, no blank without a field."""

import importlib
import pkgutil
from dataclasses import fields

import pytest

import persona.prompt_template as shelf
from persona.prompt_template.question import TEMPLATES, Question, schema_of, template_text

for module in pkgutil.iter_modules(shelf.__path__):
    importlib.import_module(f"{shelf.__name__}.{module.name}")
QUESTIONS = sorted(Question.__subclasses__(), key=lambda question: question.template)


def test_every_template_has_one_question_and_every_question_a_template():
    """The folder of templates and the list of questions are the same list."""
    files = sorted(str(path.relative_to(TEMPLATES).as_posix()) for path in TEMPLATES.rglob("*.txt"))
    assert files == [question.template for question in QUESTIONS]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)
def test_blanks_are_fields(question):
    """A template's blanks are exactly its question's fields."""
    assert set(template_text(question.template).get_identifiers()) == {field.name for field in fields(question)}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)
def test_the_stable_part_comes_first(question):
    """Whoever is asked about is named before anything that changes, so that a provider's prefix cache hits."""
    if "identity" in {field.name for field in fields(question)}:
        assert template_text(question.template).template.startswith("$identity\n")


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)
def test_every_question_says_what_it_asks(question):
    """A docstring, a file on the shelf of its module, and an answer that has a schema."""
    assert question.__doc__
    assert question.template.split("/")[0] == question.__module__.rsplit(".", 1)[-1]
    assert schema_of(question.answer)["type"] == "object"
