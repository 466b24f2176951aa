"""A run that is carried out elsewhere: in another process of this machine, or on another machine."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from ville.json_types import Json, JsonObject
from ville.reply_form import TEXT


@dataclass(frozen=True)
class AskedOfRun:
    """A question of a run, with the moment at which it is asked."""

    ask: str
    of: tuple[str, ...]
    """Empty: everyone."""
    when: str
    step: int
    role: str = ""
    name: str = ""
    """In measures; empty if it is answered in words."""
    form: Json = TEXT
    """As for `reply_form`."""


@dataclass(frozen=True)
class StudyTerms:
    """The terms on which a study has a run carried out: nothing else may be done with its simulation."""

    known: Sequence[str] = ()
    """Identifiers of all interventions of the run, also of those in a shared beginning."""
    folder: str = ""
    """Folder of the study file, in which functions are found."""
    budget: JsonObject = field(default_factory=dict)
    """How calls are counted over all runs; empty: they are not."""
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """People who were drawn for each group, and the rest; empty: none were."""


@dataclass(frozen=True)
class BranchTerms:
    """Terms of a run that pages and the prompt watch: how far it has come is in a file for them."""

    by: str = ""
    again: int = 0
    """Steps before the first one that have to be computed again."""


@dataclass(frozen=True, kw_only=True)
class RunSpec:
    """A simulation to make or to resume, and what is done with it: plain values, which become JSON and back."""

    origin: str
    """With its moment, `two_days@8000+2`; the name itself if a saved simulation runs on."""
    name: str
    request: str
    """Identifies for whom the simulation is made: it is in the folder, and a half-made one is recognized by it."""
    first_step: int = 0
    until_step: int = 0
    until_talk: bool = False
    title: str = ""
    interventions: Sequence[JsonObject] = ()
    """Planned ones, as rows of the log."""
    settings: Mapping[str, object] = field(default_factory=dict)
    """By name, as for `load_settings`."""
    questions: Sequence[AskedOfRun] = ()
    """Asked at the end."""
    measures: Sequence[Json] = ()
    """As in a study file: computed at the end."""
    study: StudyTerms | None = None
    branch: BranchTerms | None = None

    @property
    def budget(self) -> JsonObject:
        """How calls are counted with those of other runs; empty: they are not."""
        return self.study.budget if self.study else {}

    def as_json(self) -> JsonObject:
        return asdict(self)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Return what `as_json` has given."""
        study, branch = values.get("study"), values.get("branch")
        terms = {"study": study and StudyTerms(**study), "branch": branch and BranchTerms(**branch)}
        questions = [AskedOfRun(**each) for each in values.get("questions", ())]
        return cls(**{**values, **terms, "questions": questions})
