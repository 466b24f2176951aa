"""Makes a study of an audit: the two arms of its contrast, and both again under each perturbation."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

import yaml

from ville.analysis.answer_measures import ANSWERS
from ville.analysis.named_measures import NamedMeasure
from ville.assembly.idle_settings import idle_settings
from ville.assembly.model_choice import HASHING, MEANING, chat_name, embedder_name
from ville.assembly.town_loading import in_order
from ville.errors import BadArgument
from ville.json_types import Json, JsonObject
from ville.llm.meaning_embedder import is_installed
from ville.llm.wire.providers import OFFLINE
from ville.settings import Settings, load_settings
from ville.storage.records.intervention_log import Row
from ville.storage.records.memory_files import SCRATCH
from ville.storage.records.people_files import PeopleFiles
from ville.studies.audit.contrast import Contrast
from ville.studies.audit.other_people import other_traits
from ville.studies.audit.perturbation import Perturbation
from ville.studies.audit.reworded_rows import at_another_moment, reworded_rows
from ville.studies.reading.study_file import StudyReader, study_text
from ville.studies.study import Study, StudyArm

LONGEST_ARM = 40
KEPT = ("title", "base", "bases", "moments", "steps", "until", "settings", "models", "ablations", "measures", "budget")
"""Keys of a study file that its audit has, too."""
ENDING = "-audit"
WITHOUT, ONLY, NOTHING = "without", "only", "nothing"
"""Beginnings of arms that take causes away: one of several, all but one, all of them."""
Content = dict[str, Any]


@dataclass(frozen=True)
class PlannedPerturbation:
    """A perturbation with the arms that have it, or why there are none."""

    perturbation: Perturbation
    arms: tuple[str, str] | None = None
    """Those of the contrast, perturbed."""
    left_out: str = ""
    """Why it is not run."""
    note: str = ""
    """A remark on how it was applied."""


@dataclass(frozen=True)
class AuditTerms:
    """An audit as the command line asks for it. Parts that are not given are those of the study file."""

    arm: str = ""
    against: str = ""
    measure: str = ""
    only: Sequence[str] = ()
    without: Sequence[str] = ()
    seeds: int = 0
    model: str = ""
    from_start: bool = False
    all: bool = False
    """Also perturbations with which many times as many questions are asked."""


@dataclass(frozen=True)
class AuditPlan:
    """The study that carries out an audit."""

    study: Study
    contrast: Contrast
    perturbations: tuple[PlannedPerturbation, ...]
    parts_at: int
    """The step from which on perturbations hold."""
    causes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By what each intervention of the arm does: the arms without it, with it alone, and without any."""

    @property
    def of(self) -> str:
        """Name of the study that is audited."""
        return self.study.name.removesuffix(ENDING)

    def as_json(self) -> JsonObject:
        """Return what is kept of the plan."""
        rows: list[Json] = [
            {
                "name": each.perturbation.name,
                "says": each.perturbation.says,
                "arms": list(each.arms or ()),
                "left_out": each.left_out,
                "note": each.note,
            }
            for each in self.perturbations
        ]
        contrast = self.contrast
        named = {"control": contrast.control.name, "treated": contrast.treated.name, "measure": contrast.measure}
        return {"v": 1, **named, "from_step": self.parts_at, "perturbations": rows}


class AuditPlanner:
    """Plans the audit of one contrast of a study."""

    def __init__(
        self, study: Study, contrast: Contrast, given: Mapping[str, object], terms: AuditTerms
    ) -> None:  # fmt: skip
        self._study, self._contrast, self._given, self._terms = study, contrast, given, terms
        self._raw: Content = yaml.safe_load(study.text)
        self._seeds = terms.seeds or list(study.seeds)
        self._base = contrast.base
        self._since = self._base.clock.step if terms.from_start else contrast.parts_at
        self._settings = load_settings({**given, **contrast.treated.settings})
        self._arms: dict[str, Content] = {
            arm.name: self._content(arm, contrast.rows(arm)) for arm in (contrast.control, contrast.treated)
        }

    def plan(self, perturbations: Iterable[Perturbation]) -> AuditPlan:
        """Raises BadStudy, and a ReverieError."""
        planned = tuple(self._planned(each) for each in perturbations)
        causes = self._causes()
        self._share_answers(planned)
        content = {key: deepcopy(self._raw[key]) for key in KEPT if key in self._raw}
        if any(ANSWERS in _source(each) for each in self._study.measures if each.name == self._contrast.measure):
            content["questions"] = deepcopy(self._raw["questions"])
        content |= {"seeds": self._seeds, "arms": self._arms, "tries": self._study.tries}
        content["title"] = f"Audit: {self._study.title or self._study.name}"[:200]
        name = f"{self._study.name}{ENDING}"
        study = replace(StudyReader(study_text(content), self._study.file, name, self._given).read(), is_audit=True)
        return AuditPlan(study, self._contrast, planned, self._since, causes)

    def _share_answers(self, planned: Iterable[PlannedPerturbation]) -> None:
        """Let each arm take the answers of the one that it is compared with: only what differs is asked."""
        control, treated = self._contrast.control.name, self._contrast.treated.name
        compared = {each.arms[1]: each.arms[0] for each in planned if each.arms and each.arms[0] != control}
        for name, content in self._arms.items():
            if name not in {control, *compared.values()}:
                content["answers"] = compared.get(name, control if name == treated else treated)

    def _content(self, arm: StudyArm, rows: Sequence[Row]) -> Content:
        """Return an arm as in a study file, with all its interventions, those of the whole study included."""
        own: Content = deepcopy((self._raw.get("arms") or {}).get(arm.name) or {})
        own = {key: value for key, value in own.items() if key in {"settings", "models", "ablations", "other_seeds"}}
        return {**own, "interventions": [_plain(row) for row in rows]}

    def _planned(self, each: Perturbation) -> PlannedPerturbation:
        """Add the arms of a perturbation, or say why there are none."""
        if reason := self._unread(each):
            return PlannedPerturbation(each, left_out=reason)
        try:
            if each.changes_interventions:
                return self._with_other_rows(each)
            if each.traits:
                return self._with_traits(each)
            return self._with_settings(each, self._changed(each))
        except BadArgument as fault:
            return PlannedPerturbation(each, left_out=str(fault).rstrip("."))

    def _unread(self, each: Perturbation) -> str:
        """Return why no one reads what a perturbation changes; empty if someone does."""
        reader = "rules" if chat_name(self._settings) == OFFLINE else "model"
        if reader not in each.of:
            rules = "the rules answer, and do not read it"
            return rules if reader == "rules" else "a model answers, and only the rules read it"
        if reader in each.dear and not self._terms.all:
            return "it asks many times as many questions: try it with --all"
        return ""

    def _with_other_rows(self, each: Perturbation) -> PlannedPerturbation:
        """Change the interventions of the second arm. The first one is as it is."""
        contrast, note = self._contrast, ""
        if not contrast.own:
            raise BadArgument("the arms do not differ in interventions")
        if each.hours:
            own, note = at_another_moment(contrast.own, each.hours, self._base)
        else:
            own = reworded_rows(contrast.own, each, self._base.people)
        rows = [*contrast.common, *own]
        content = self._content(contrast.treated, rows)
        if self._since > self._base.clock.step and all(row["step"] >= self._since for row in own):
            content["past"] = {"arm": contrast.treated.name, "at": str(self._since)}
        arm = self._add(each, contrast.treated, content)
        return PlannedPerturbation(each, (contrast.control.name, arm), note=note)

    def _with_traits(self, each: Perturbation) -> PlannedPerturbation:
        traits = [{**row, "step": self._since} for row in other_traits(self._identities(), each.traits)]
        if not traits:
            raise BadArgument("it changes no description here")
        return self._both(each, lambda arm: self._content(arm, (*traits, *self._contrast.rows(arm))))

    def _identities(self) -> dict[str, Content]:
        """Return the descriptions of people. What people intend changes every night, so later it is not known here."""
        storage = load_settings(self._given).fs_storage
        root, clock = storage / self._base.origin.name, self._base.clock
        days = (self._since - clock.step) * clock.seconds_per_step
        overnight = (clock.now.hour * 3600 + clock.now.minute * 60 + days) >= 24 * 3600
        people = {name: PeopleFiles(root).memory(name, SCRATCH) for name in self._base.people}
        return {name: lines | ({"currently": ""} if overnight else {}) for name, lines in people.items()}

    def _changed(self, each: Perturbation) -> dict[str, object]:
        """Return the settings of a perturbation. Raises BadArgument if they change nothing here."""
        changed = dict(each.settings or {})
        if each.embedder:
            changed["embedder"] = MEANING if embedder_name(self._settings).startswith(HASHING) else HASHING
        _check_installed(changed)
        if each.model:
            if not self._terms.model:
                raise BadArgument("no other model is set: name one with --model")
            changed |= {"fast_model": self._terms.model, "advanced_model": self._terms.model}
        names = list(self._base.people)
        if list(in_order(names, str(changed.get("people_order", "")))) == names and "people_order" in changed:
            raise BadArgument("people are in this order already")
        if changed:
            before, after = (
                load_settings({**self._given, **self._contrast.treated.settings, **more}) for more in ({}, changed)
            )
            if idle := [line for line in idle_settings(after) if line not in idle_settings(before)]:
                raise BadArgument(idle[0])
            if _same(before, after, changed) and not (each.ablations or each.other_seeds):
                raise BadArgument("it is so already")
        return changed

    def _with_settings(self, each: Perturbation, changed: Mapping[str, object]) -> PlannedPerturbation:
        def content(arm: StudyArm) -> Content:
            own = self._content(arm, self._contrast.rows(arm))
            own["settings"] = {**(own.get("settings") or {}), **changed}
            if each.ablations:
                before = own.get("ablations") or self._raw.get("ablations") or []
                own["ablations"] = sorted({*([before] if isinstance(before, str) else before), *each.ablations})
            if each.other_seeds:
                own["other_seeds"] = each.other_seeds + int(own.get("other_seeds") or 0)
            if self._since > self._base.clock.step:
                own["past"] = {"arm": arm.name, "at": str(self._since)}
            return own

        return self._both(each, content)

    def _both(self, each: Perturbation, content: Callable[[StudyArm], Content]) -> PlannedPerturbation:
        contrast = self._contrast
        control, treated = (self._add(each, arm, content(arm)) for arm in (contrast.control, contrast.treated))
        return PlannedPerturbation(each, (control, treated))

    def _add(self, each: Perturbation, arm: StudyArm, content: Content) -> str:
        """Add an arm and return its name. Raises BadArgument if it is one that there is already."""
        name = f"{each.name}-{arm.name}"[:LONGEST_ARM]
        if content in self._arms.values():
            raise BadArgument("another perturbation does the same here")
        self._arms[name] = content
        return name

    def _causes(self) -> dict[str, tuple[str, ...]]:
        """Add arms without one of several interventions, with it alone and without any; return them by what it does."""
        contrast = self._contrast
        own, common = list(contrast.own), [row for row in contrast.common if row["step"] >= contrast.parts_at]
        before = [row for row in contrast.common if row not in common]
        found: dict[str, tuple[str, ...]] = {}
        if not own or len(own) + len(common) == 1:
            return found
        for number, row in enumerate(own, 1):
            others = [each for each in own if each is not row]
            arms = {
                f"{WITHOUT}-{number}": [*contrast.common, *others],
                f"{ONLY}-{number}": [*before, row],
                NOTHING: before,
            }
            names = []
            for name, rows in arms.items():
                content = self._content(contrast.treated, rows)
                twin = next((known for known, there in self._arms.items() if there == content), name)
                self._arms.setdefault(twin, content)
                names.append(twin)
            found[intervention_text(row)] = tuple(names)
        return found


def _check_installed(changed: Mapping[str, object]) -> None:
    """Raise BadArgument if settings name the embedder by meaning, and its package is not installed."""
    if changed.get("embedder") == MEANING and not is_installed():
        raise BadArgument("it needs pip install the-ville[meaning]")


def intervention_text(row: Row) -> str:
    """Return what an intervention does, in a line."""
    who, words = row.get("who", ""), row.get("words") or row.get("now") or ""
    return " ".join(filter(None, [str(row["kind"]), f"to {who}" if who else "", f"“{words}”" if words else ""]))


def _source(measure: NamedMeasure) -> Mapping[str, object]:
    """Return the entry of a measure that is not named by a text."""
    return measure.source if isinstance(measure.source, Mapping) else {}


def _plain(row: Row) -> Content:
    """Return an intervention as in a study file."""
    values: Content = json.loads(
        json.dumps({key: value for key, value in row.items() if key not in {"door", "by", "v"}})
    )
    return values


def _same(before: Settings, after: Settings, changed: Mapping[str, object]) -> bool:
    return all(getattr(before, name, None) == getattr(after, name, None) for name in changed)
