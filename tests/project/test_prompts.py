"""Laws of prompt templates and their questions."""

import importlib
import pkgutil
import shutil
from dataclasses import fields

import pytest

import ville.persona.prompt_template as shelf
from ville.errors import BadPrompt
from ville.persona.prompt_template import question as shelves
from ville.persona.prompt_template.question import (
    FOR_RULES,
    IN_ANOTHER,
    PAPER,
    PERSON,
    TEMPLATES,
    Answer,
    all_questions,
    check_templates,
    file_of,
    schema_of,
    template_text,
)

for module in pkgutil.iter_modules(shelf.__path__):
    importlib.import_module(f"{shelf.__name__}.{module.name}")
QUESTIONS = sorted(all_questions(), key=lambda question: question.template)


def test_templates_and_questions_correspond():
    """Every template has one question and every question a template; some have other words in those of the paper."""
    files = {path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.txt")}
    of_paper = {name.removeprefix(f"{PAPER}/") for name in files if name.startswith(f"{PAPER}/")}
    asked = {question.template for question in QUESTIONS}
    assert {name for name in files if not name.startswith(f"{PAPER}/")} == {PERSON} | asked
    assert of_paper < asked


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)
def test_blanks_are_fields(question):
    """The blanks of a template are exactly the fields of its question, but the identity and what is true now, with
    which all begin, what models are not shown, and what they are shown in the blank of another field.
    """
    names = {field.name for field in fields(question) if field.metadata not in (FOR_RULES, IN_ANOTHER)}
    files = {question.template, file_of(question.template, PAPER)}
    assert {blank for file in files for blank in template_text(file).get_identifiers()} == names - {
        "identity",
        "at_hand",
    }


def test_every_question_to_a_persona_begins_the_same():
    """Only the identity is filled in before what a question asks, so that prefix caches of providers work."""
    assert set(template_text(PERSON).get_identifiers()) == {"identity"}
    assert template_text(PERSON).template.endswith("$identity")


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)
def test_every_question_is_documented(question):
    """It has a docstring, a module named after its template or the folder of that, and an answer with a schema."""
    assert question.__doc__
    folder, name = question.template.removesuffix(".txt").split("/")
    assert question.__module__.rsplit(".", 1)[-1] in (f"{folder}_questions", f"{name}_question")
    assert schema_of(question.answer)["type"] == "object"


@pytest.fixture
def edited(tmp_path, monkeypatch):
    """A copy of all prompts to edit."""
    shutil.copytree(TEMPLATES, tmp_path / "templates")
    monkeypatch.setattr(shelves, "TEMPLATES", tmp_path / "templates")
    template_text.cache_clear()
    yield tmp_path / "templates"
    template_text.cache_clear()


def test_users_may_edit_prompts(edited):
    """With other words, fewer blanks or an amount in dollars."""
    (edited / "talk/interview.txt").write_text("That makes $$5. What does $name say?", "utf-8")
    assert check_templates() == len(QUESTIONS)


@pytest.mark.parametrize("slip", ["What does $nmae say?", "That makes $5.", "$"])
def test_a_mistake_in_a_prompt_is_found_before_a_run(edited, slip):
    """The message has the file, the line and the available blanks."""
    file = edited / "talk/interview.txt"
    file.write_text(f"{file.read_text('utf-8')}\n{slip}\n", "utf-8")
    with pytest.raises(BadPrompt, match=r"\$name\b") as caught:
        check_templates()
    assert str(caught.value).startswith(f"{file}:{len(file.read_text('utf-8').splitlines())}: ")


def test_a_missing_prompt_is_named(edited):
    """The message has the file."""
    (edited / "talk/interview.txt").unlink()
    with pytest.raises(BadPrompt, match=r"interview\.txt cannot be read"):
        check_templates()


def parts(schema, path=""):
    """Yield every part of a schema with its path, including references."""
    yield path, schema
    for name, inner in {**schema.get("properties", {}), **schema.get("$defs", {})}.items():
        yield from parts(inner, f"{path}.{name}")
    for inner in [*schema.get("anyOf", []), schema.get("items")]:
        if inner:
            yield from parts(inner, f"{path}[]")


def kinds(answer=Answer):
    for kind in answer.__subclasses__():
        yield kind
        yield from kinds(kind)


@pytest.mark.parametrize("kind", sorted(kinds(), key=lambda kind: kind.__name__), ids=lambda kind: kind.__name__)
def test_every_text_and_list_of_an_answer_has_a_maximum_length(kind):
    """A choice from fixed words needs none."""
    found = dict(parts(schema_of(kind)))
    texts = {path for path, part in found.items() if part.get("type") == "string" and "enum" not in part}
    lists = {path for path, part in found.items() if part.get("type") == "array"}
    assert not {path for path in texts if "maxLength" not in found[path]}
    assert not {path for path in lists if "maxItems" not in found[path]}
