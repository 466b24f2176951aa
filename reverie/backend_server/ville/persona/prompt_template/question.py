"""Typed questions: fields fill the blanks of a template, and the answer is validated."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from string import Template
from typing import ClassVar, Generic, Literal, Self, TypeVar

from pydantic.json_schema import JsonSchemaValue

from ville.errors import BadPrompt
from ville.llm.gateway import Tier
from ville.llm.language import scripts_of_language
from ville.persona.prompt_template import caps
from ville.persona.prompt_template.answers.answer import Answer
from ville.persona.prompt_template.answers.content import Ground, hints_in
from ville.persona.prompt_template.answers.poignancy import asked_in_words
from ville.persona.prompt_template.blanks import PlaceOptions, blank_text, drop_older_memories, drop_older_turns
from ville.persona.prompt_template.situated_words import own_name, situated_text, with_short_names

TEMPLATES = Path(__file__).resolve().parent / "templates"
JUDGING, PLANNING, TALKING = 0.2, 0.5, 0.8
"""Temperatures: low where an answer is right or wrong, higher where it should not always be the same."""
BRIEF, USUAL, LONG = 160, 500, 1200
"""Tokens: several times those of good answers of a few words, of some sentences, and of long lists."""
Wording = Literal["situated", "paper"]
PAPER = "paper"
"""Folder of the templates that have other words where everything is asked, one by one, as in the paper."""
PERSON = "person.txt"
"""Beginning of every question to a persona: what is common to all, then its identity."""
OTHERS = ("other", "first", "second")
"""Fields with whole names of others."""
FOR_RULES: Mapping[str, bool] = {"shown": False}
"""Metadata of a field of a question that models are not shown."""
IN_ANOTHER: Mapping[str, bool] = {"apart": False}
"""Metadata of a field of a question that models are shown in the blank of another field."""
BLANK_OR_LINE = re.compile(r"\$\{?\w+\}?|\n")
"""Ends of parts of a template that are the same in every prompt."""


AnswerT = TypeVar("AnswerT", bound=Answer)


def is_question(name: str) -> bool:
    """Return whether there is a question of this name (`plan/reschedule`), or a kind of questions (`plan`)."""
    return (TEMPLATES / name).is_dir() or (TEMPLATES / f"{name}.txt").is_file()


class Question(Generic[AnswerT]):
    """Base of questions, which are frozen dataclasses with one field per blank of their template."""

    template: ClassVar[str]
    """File below templates/; without `.txt` the title of the question."""
    answer: ClassVar[type[Answer]]
    tier: ClassVar[Tier] = "fast"
    temperature: ClassVar[float] = JUDGING
    answer_tokens: ClassVar[int] = USUAL
    """Length at which an answer is cut off: what is longer has run away."""

    def fallback(self) -> AnswerT:
        """Return a neutral answer for when no model gives a valid one. It must not add invented facts to memories."""
        raise NotImplementedError

    def fitted(self, answer: AnswerT, *, last: bool) -> AnswerT:
        """Return an answer in the terms of this question, for example with places named as in the options.

        On the last attempt the answer is bent rather than thrown away. Raise ValueError, worded for the model.
        """
        del last
        return answer

    def check(self, answer: AnswerT) -> None:
        """Raise ValueError, worded for the model, if an answer does not fit this question."""

    def enumerated(self) -> Mapping[str, Sequence[str]]:
        """Return the allowed values of fields of the answer or its parts, where the question knows them."""
        return {}

    def with_own_keys(self, value: object) -> object:
        """Return an answer with the keys of its type, where this question asks for others."""
        return value

    def worded(self) -> Mapping[str, str]:
        """Return texts of blanks of a situated question that it words by itself."""
        return {}

    def schema(self) -> JsonSchemaValue:
        """Return the JSON schema of an answer to this question, with its choices enumerated."""
        schema, choices = schema_of(self.answer), self.enumerated()
        parts = {name: _with_choices(part, choices) for name, part in schema.get("$defs", {}).items()}
        return _with_choices({**schema, "$defs": parts} if parts else schema, choices)

    def schema_in(self, wording: Wording) -> JsonSchemaValue:
        """Return the schema of the question as it is worded."""
        return self.schema() if wording == PAPER else concise(asked_in_words(without_hints(self.schema())))

    def ground(self, language: str = "") -> Ground:
        """Return by what texts of an answer are judged, in a town whose language may be known."""
        values = {name: value for name, value in self.blanks().items() if value}
        told = [item for value in values.values() for item in (value if isinstance(value, tuple) else (value,))]
        transcript = values.get("transcript")
        heard = (transcript[-1].said if isinstance(transcript, tuple) else "", values.get("whisper", ""))
        templates = [template_text(name).template for name in (PERSON, self.template)]
        return Ground(
            name=str(values.get("name", "")),
            wording=tuple(part for text in templates for part in BLANK_OR_LINE.split(text)),
            hints=tuple(hints_in(schema_of(self.answer))),
            told=tuple(blank_text(item) for item in told if not isinstance(item, PlaceOptions)),
            places=tuple(blank_text(item) for item in told if isinstance(item, PlaceOptions)),
            heard=tuple(map(str, heard)),
            scripts=scripts_of_language(language),
            language=language,
            templates=tuple(templates),
        )

    @property
    def title(self) -> str:
        """Name of the question, such as `plan/wake_up_hour`."""
        return self.template.removesuffix(".txt")

    def blanks(self) -> dict[str, object]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def shorter(self) -> Self | None:
        """Return the question without the older half of its memories or, if it has none, of its transcript.

        For models with a short context. Return None if there is nothing to leave out.
        """
        for shorten in (drop_older_memories, drop_older_turns):
            for name, value in self.blanks().items():
                if (shorter := shorten(value)) is not None:
                    return replace(self, **{name: shorter})  # type: ignore[type-var]
        return None

    def render(self, wording: Wording = "situated") -> str:
        """Return the text of the prompt, which begins with the person if there is one, and what is true of it now:
        providers keep what repeats.

        All times of situated questions are those of a 24-hour clock, but in the names of places.
        """
        if wording != PAPER:
            return self._situated()
        texts = {name: blank_text(value) for name, value in self.blanks().items()}
        templates = (PERSON, self.template) if "identity" in texts else (self.template,)
        return "\n\n".join(template_text(file_of(name, wording)).substitute(texts) for name in templates)

    def _situated(self) -> str:
        """Return the text of a situated question: the person, what is true of it now, and what is asked."""
        texts = {name: situated_text(value) for name, value in self.blanks().items()} | dict(self.worded())
        own, others = [own_name(texts.get("identity", ""))], [texts[name] for name in OTHERS if name in texts]
        head = [template_text(PERSON).substitute(texts)] if "identity" in texts else []
        now = [texts["at_hand"]] if getattr(self, "at_hand", None) else []
        body = "\n\n".join([*now, template_text(self.template).substitute(texts)])
        body = with_short_names(with_short_names(body, own, named=True), others)
        return "\n\n".join([*(with_short_names(text, own) for text in head), body])


def all_questions(kind: type[Question[Answer]] = Question) -> Iterator[type[Question[Answer]]]:
    """Yield all questions whose modules are imported, also those that put another one in fewer words."""
    for each in kind.__subclasses__():
        if hasattr(each, "template"):
            yield each
        yield from all_questions(each)


def _import_questions() -> None:
    for module in iter_modules([str(Path(__file__).parent)]):
        import_module(f"{__package__}.{module.name}")


def question_titled(title: str) -> type[Question[Answer]] | None:
    """Return the kind of question of this title (`plan/reschedule`); None if there is none, or none any more."""
    _import_questions()
    return next((each for each in all_questions() if each.template == f"{title}.txt"), None)


@cache
def file_of(name: str, wording: Wording) -> str:
    """Return the file of a template below TEMPLATES."""
    own = f"{PAPER}/{name}"
    return own if wording == PAPER and (TEMPLATES / own).exists() else name


@cache
def template_text(name: str) -> Template:
    """Return a template. Raise BadPrompt if it cannot be read."""
    try:
        return Template((TEMPLATES / name).read_text("utf-8").strip())
    except (OSError, UnicodeDecodeError) as fault:
        raise BadPrompt(f"{TEMPLATES / name} cannot be read ({fault}). Restore it.") from fault


def check_templates() -> int:
    """Check all templates, which users may edit, and return their number.

    Raise BadPrompt for the first one with a blank that its question lacks. A template may leave blanks out.
    """
    _import_questions()
    questions = list(all_questions())
    _check_blanks(PERSON, {"identity"})
    for question in questions:
        for file in {question.template, file_of(question.template, PAPER)}:
            _check_blanks(file, {field.name for field in fields(question)})  # type: ignore[arg-type]
    return len(questions)


def _check_blanks(name: str, blanks: set[str]) -> None:
    for number, line in enumerate(template_text(name).template.splitlines(), 1):
        template = Template(line)
        if not template.is_valid() or not blanks.issuperset(template.get_identifiers()):
            known = ", ".join(f"${blank}" for blank in sorted(blanks))
            raise BadPrompt(f"{TEMPLATES / name}:{number}: unknown blank. Use {known}, or $$ for a dollar sign.")


def _with_choices(schema: JsonSchemaValue, choices: Mapping[str, Sequence[str]]) -> JsonSchemaValue:
    """Return the schema of an object with the choices of its properties, where there are any."""
    properties = schema.get("properties", {})
    chosen = {name: {**properties[name], "enum": list(choices[name])} for name in properties if name in choices}
    return {**schema, "properties": {**properties, **chosen}} if chosen else dict(schema)


@cache
def schema_of(answer: type[Answer]) -> JsonSchemaValue:
    """Return the JSON schema of an answer type."""
    return answer.model_json_schema()


def essential(schema: JsonSchemaValue) -> JsonSchemaValue:
    """Return the schema of an answer without its optional parts; unchanged if all are."""
    required = schema.get("required", ())
    parts = {name: essential(part) for name, part in schema.get("$defs", {}).items()}
    kept = {name: part for name, part in schema.get("properties", {}).items() if name in required}
    return schema | ({"$defs": parts} if parts else {}) | ({"properties": kept} if kept else {})


def concise(schema: JsonSchemaValue) -> JsonSchemaValue:
    """Return the schema of an answer with the lengths of texts that situated questions ask for."""
    parts = {name: concise(part) for name, part in schema.get("$defs", {}).items()}
    properties = {name: _concise(name, part) for name, part in schema.get("properties", {}).items()}
    return schema | ({"$defs": parts} if parts else {}) | ({"properties": properties} if properties else {})


def _concise(name: str, part: JsonSchemaValue) -> JsonSchemaValue:
    most = part.get("maxLength", 0)
    return {**part, "maxLength": min(most, caps.CONCISE.get(name, most))} if most else part


def without_hints(schema: JsonSchemaValue) -> JsonSchemaValue:
    """Return the schema of an answer without the descriptions of texts that may be empty.

    Models that have nothing to say copy them, and situated templates say what every key is.
    """
    parts = {name: without_hints(part) for name, part in schema.get("$defs", {}).items()}
    properties = {name: _without_hint(part) for name, part in schema.get("properties", {}).items()}
    return schema | ({"$defs": parts} if parts else {}) | ({"properties": properties} if properties else {})


def _without_hint(part: JsonSchemaValue) -> JsonSchemaValue:
    may_be_empty = part.get("type") == "string" and not part.get("minLength") and "enum" not in part
    return {key: value for key, value in part.items() if key != "description"} if may_be_empty else part
