"""The perturbations of an audit: those of perturbations.yaml, and those that a study file adds."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass

from ville.errors import BadStudy, Fault
from ville.plain_text import nearest
from ville.studies.job import DECIDING

FILE = Path(__file__).with_name("perturbations.yaml")
NAME = re.compile(r"[a-z][a-z0-9_]{0,19}")
CHANGES = ("settings", "ablations", "traits", "words", "filler", "who", "hours", "embedder", "model", "other_seeds")
OF_INTERVENTIONS = ("words", "filler", "who", "hours")
"""Changes of what interventions say, to whom or when, which leave the other arm as it is."""
DECIDE = sorted({*DECIDING, "advanced_model", "embedder", "embedding_model", "fast_model", "minds", "provider"})
"""Settings that a perturbation may change."""
Reader = Literal["rules", "model"]


@checked_dataclass(frozen=True, config=ConfigDict(extra="forbid", str_strip_whitespace=True))
class Perturbation:
    """A small change of both arms of a contrast; perturbations.yaml says what each field means."""

    name: str
    says: str
    needs: str
    of: tuple[Reader, ...] = ("rules", "model")
    dear: tuple[Reader, ...] = ()
    expects: Literal["same", "nothing"] = "same"
    settings: dict[str, Any] | None = None
    ablations: tuple[str, ...] = ()
    traits: Literal["", "other_words", "other_order", "swapped"] = ""
    words: str = ""
    filler: str = ""
    who: Literal["", "other"] = ""
    hours: float = 0.0
    embedder: Literal["", "other"] = ""
    model: Literal["", "other"] = ""
    other_seeds: int = 0

    @property
    def changes_interventions(self) -> bool:
        """Whether only what interventions say, to whom or when is otherwise."""
        return any(getattr(self, name) for name in OF_INTERVENTIONS)


@dataclass(frozen=True)
class AuditChoice:
    """Choice of perturbations, by the `audit` key of a study file or the command line."""

    only: Sequence[str] = ()
    """Names of perturbations; empty: all."""
    without: Sequence[str] = ()
    added: Mapping[str, object] | None = None
    """Perturbations of the study file, by name."""


@cache
def own_perturbations() -> tuple[Perturbation, ...]:
    """Return those of perturbations.yaml."""
    rows: Mapping[str, Mapping[str, object]] = yaml.safe_load(FILE.read_text("utf-8"))
    return tuple(_perturbation(name, row, FILE.name) for name, row in rows.items())


def chosen_perturbations(choice: AuditChoice, file: str) -> tuple[Perturbation, ...]:
    """Return the perturbations of an audit. Raises BadStudy."""
    added = tuple(_perturbation(name, row, file) for name, row in (choice.added or {}).items())
    known = {each.name: each for each in (*own_perturbations(), *added)}
    for name in (*choice.only, *choice.without):
        if name not in known:
            raise BadStudy(Fault(f"there is no perturbation '{name}'", nearest(name, known), file))
    wanted = choice.only or tuple(known)
    return tuple(each for name, each in known.items() if name in wanted and name not in choice.without)


def _perturbation(name: str, row: object, file: str) -> Perturbation:
    """Return a row as a perturbation. Raises BadStudy."""
    if not NAME.fullmatch(name):
        fix = "use small letters, digits and _, at most 20"
        raise BadStudy(Fault(f"'{name}' cannot be the name of a perturbation", fix, file))
    if not isinstance(row, Mapping):
        raise BadStudy(Fault(f"the perturbation {name} is not a mapping", "give `says`, `needs` and a change", file))
    try:
        found = TypeAdapter(Perturbation).validate_python({"name": name, "needs": row.get("says", ""), **row})
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise BadStudy(Fault(f"the perturbation {name}: {where}: {first['msg']}", "correct it", file)) from None
    if len([change for change in CHANGES if getattr(found, change)]) == 0:
        fix = f"add one of: {', '.join(CHANGES)}"
        raise BadStudy(Fault(f"the perturbation {name} changes nothing", fix, file))
    if idle := [setting for setting in found.settings or {} if setting not in DECIDE]:
        said = f"the perturbation {name}: '{idle[0]}' is no setting that decides what people do"
        raise BadStudy(Fault(said, nearest(idle[0], DECIDE), file))
    return found
