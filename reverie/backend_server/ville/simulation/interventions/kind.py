"""A kind of intervention: everything that is said and done about it, in one value.

Prompt, files, pages, documentation and feed follow from it. It does not import the town, so that pages can read it.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from pydantic.fields import FieldInfo

from ville.simulation.interventions.intervention import Intervention

if TYPE_CHECKING:
    from ville.simulation.interventions.circumstances import Circumstances
    from ville.simulation.interventions.target import Effect, Target

Own = TypeVar("Own", bound=Intervention)


@dataclass(frozen=True)
class Told:
    """How the feed tells of it. Pages translate the sentences; `%(names)s` are the personas."""

    anyone: str = ""
    """The sentence for everyone who may watch."""
    actors: str = ""
    """The sentence for those who may act, with `%(words)s`; empty: as for everyone."""
    words: str = "words"
    """Field with the words that only those may read who may act."""
    about: str = ""
    """Instead of sentences, what can be seen or heard, from the fields and `%(thing)s`, the name of what is at `where`.
    It is not translated."""


@dataclass(frozen=True)
class Offer:
    """How pages offer it: a form with a field for each of its own. Pages translate the texts."""

    title: str
    """The deed, such as: Flood a place."""
    words: str
    """Its consequence, in a few words."""
    picture: str = "✨"


def _accept(_around: "Circumstances", _intervention: object, _step: int) -> None:
    """Check nothing beside the persona."""


def _unchanged(around: "Circumstances", _intervention: object) -> "Circumstances":
    return around


@dataclass(frozen=True)
class Kind(Generic[Own]):
    """A kind of intervention."""

    fields: type[Own]
    """Its fields. The docstring says what it is, that of a field is the label of it."""
    prepare: Callable[["Target", Own], Awaitable["Effect"]]
    """Check it against the town, ask a model if it must, and change nothing. Raises BadIntervention, UnknownPersona or
    ModelError."""
    effect: str
    """Its effect, for the documentation."""
    check: Callable[["Circumstances", Own, int], None] = _accept
    """Raise BadArgument or UnknownPersona for a field with which it cannot take place before a step to come."""
    after: Callable[["Circumstances", Own], "Circumstances"] = _unchanged
    """Return what there is in the town after it."""
    told: Told | None = None
    """None: everyone shows it, so that the feed has it already."""
    offer: Offer | None = None
    """None: pages have a form of their own for it, or none."""
    persona: str = "who"
    """Field with the name of a persona, of which a part is enough; it may be missing."""
    alone: bool = False
    """Whether it has to be a request of its own, because others may depend on it."""

    @property
    def name(self) -> str:
        """Return the name, as in `kind` of the log."""
        return str(self.fields.model_fields["kind"].default)

    @property
    def asked(self) -> Mapping[str, FieldInfo]:
        """Return the fields that who sends it may give, by their names in the log."""
        own = {name: field for name, field in self.fields.model_fields.items() if name != "kind"}
        return {field.alias or name: field for name, field in own.items() if not _is_filled_in(field)}


def shown_default(field: FieldInfo) -> str:
    """Return in words what a field is if it is left out."""
    if isinstance(field.default, bool):
        return str(field.default).lower()
    return "no end" if field.default is None else str(field.default) or "empty"


def _is_filled_in(field: FieldInfo) -> bool:
    """Return whether a field is filled in when the intervention is applied."""
    return isinstance(field.json_schema_extra, dict) and bool(field.json_schema_extra.get("readOnly"))
