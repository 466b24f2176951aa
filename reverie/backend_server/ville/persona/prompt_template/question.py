"""A prompt is a typed question: its fields are the blanks of its template, its answer is a validated type."""

from dataclasses import fields, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from string import Template
from typing import Any, ClassVar, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict, field_validator

from ville.errors import BadPrompt
from ville.llm.gateway import Tier
from ville.persona.prompt_template.blanks import blank_text, drop_older_memories, drop_older_turns
from ville.plain_text import one_line

TEMPLATES = Path(__file__).resolve().parent / "templates"


class Answer(BaseModel):
    """What comes back; unknown keys are dropped, values are converted where that is safe.

    Every text has a cap, from `caps`, and so has every list.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)

    @field_validator("*", mode="before")
    @classmethod
    def _plain(cls, value: object) -> object:
        """Return a text, or each text of a list, as one line without control characters."""
        if isinstance(value, list):
            return [one_line(item) if isinstance(item, str) else item for item in value]
        return one_line(value) if isinstance(value, str) else value


AnswerT = TypeVar("AnswerT", bound=Answer)


class Question(Generic[AnswerT]):
    """Subclasses are frozen dataclasses. `check` adds to the answer type what only this question knows."""

    template: ClassVar[str]
    """File under templates/, and with `.txt` cut off the question's title."""
    answer: ClassVar[type[Answer]]
    tier: ClassVar[Tier] = "fast"

    def fallback(self) -> AnswerT:
        """The innocent answer when no model could give a proper one; never text that could be remembered."""
        raise NotImplementedError

    def check(self, answer: AnswerT) -> None:
        """Raise ValueError, worded for the model, when the answer does not fit this question."""

    @property
    def title(self) -> str:
        """Its address on the shelves, as in `plan/wake_up_hour`."""
        return self.template.removesuffix(".txt")

    def blanks(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def shorter(self) -> Self | None:
        """The same question, for a model that cannot read so much: the older half of its memories is left out, and when
        there are none, the older half of the talk. None if there is nothing to leave out.
        """
        for shorten in (drop_older_memories, drop_older_turns):
            for name, value in self.blanks().items():
                if (shorter := shorten(value)) is not None:
                    return replace(self, **{name: shorter})  # type: ignore[type-var]
        return None

    def render(self) -> str:
        """The prompt, whole. A template and its question always fit: a house test enumerates both ways."""
        return template_text(self.template).substitute(
            {name: blank_text(value) for name, value in self.blanks().items()}
        )


@cache
def template_text(name: str) -> Template:
    """Raises BadPrompt."""
    try:
        return Template((TEMPLATES / name).read_text("utf-8").strip())
    except (OSError, UnicodeDecodeError) as fault:
        raise BadPrompt(f"{TEMPLATES / name} cannot be read ({fault}): restore it.") from fault


def check_templates() -> int:
    """How many prompts there are. Raises BadPrompt for one that its question could not fill: people edit them, and a
    slip should not wait for the evening on which it is asked. A blank that is left out is nobody's loss.
    """
    for module in iter_modules([str(Path(__file__).parent)]):
        import_module(f"{__package__}.{module.name}")
    questions = Question.__subclasses__()
    for question in questions:
        blanks = {field.name for field in fields(question)}  # type: ignore[arg-type]
        for number, line in enumerate(template_text(question.template).template.splitlines(), 1):
            template = Template(line)
            if not template.is_valid() or not blanks.issuperset(template.get_identifiers()):
                known = ", ".join(f"${blank}" for blank in sorted(blanks))
                raise BadPrompt(
                    f"{TEMPLATES / question.template}:{number}: a blank that there is not. There are {known}; "
                    "write $$ for a dollar."
                )
    return len(questions)


@cache
def schema_of(answer: type[Answer]) -> dict[str, Any]:
    """JSON schema of an answer type."""
    return answer.model_json_schema()
