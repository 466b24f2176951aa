"""The town bench as a study: the reference, the town with a model, and one single resident with it from noon on."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ville.assembly.model_choice import chat_name, provider_name
from ville.assembly.provenance import digest
from ville.errors import BadArgument, BadSetting
from ville.json_types import Json, JsonObject
from ville.llm.wire.providers import OFFLINE
from ville.plain_text import nearest
from ville.settings import FIELDS, load_settings, settable_by
from ville.simulation.clock import Clock
from ville.simulation.pacing.spans import read_span
from ville.storage.folder.storage import LONGEST_NAME, find
from ville.studies.job import DECIDING
from ville.studies.reading.study_file import ROOM
from ville.studies.town_bench.definition import REFERENCE, BenchArm, BenchDefinition, named_for

RULES = "rules"
"""The reference unless another model is named."""
OF_THE_MODEL = ("reasoning_effort",)
"""Settings that decide what is answered, and are chosen with the model."""
UNSET = ("models", "minds")
"""Settings that decide what is computed, and that no bench has."""
SHOWN = 8
"""Digits of a digest that are shown."""


@dataclass(frozen=True)
class BenchConditions:
    """All that has to be the same in two results which are compared, beside what each run keeps of itself."""

    version: int
    """Of the definition."""
    people: int
    base: str
    history: str
    until: str
    noon: str
    resident: str
    others: tuple[str, ...]
    """Everyone else, who stays with the reference."""
    reference: str
    """`rules`, or a model."""
    settings: Mapping[str, Any]
    measures: tuple[Any, ...]
    primary: Mapping[str, str]
    """Measure that is quoted, by arm."""

    def as_json(self) -> JsonObject:
        return {**asdict(self), "others": list(self.others), "measures": list(self.measures)}

    @property
    def digest(self) -> str:
        """Digest of all of it: results are compared only if it is the same."""
        return digest(self.as_json())

    @property
    def label(self) -> str:
        """Version and digest, as they are quoted."""
        return f"{self.version}/{self.digest[:SHOWN]}"


@dataclass(frozen=True)
class BenchTerms:
    """A bench as the command line asks for it. What is not given is that of the definition."""

    model: str
    people: int = 3
    resident: str = ""
    until: str = ""
    against: str = RULES
    seeds: int = 0
    arms: Sequence[BenchArm] = ("town", "resident")
    budget: Mapping[str, float] | None = None
    """Limits over the whole bench: `dollars`, `calls`, `tokens`."""


def bench_conditions(definition: BenchDefinition, terms: BenchTerms, given: Mapping[str, object]) -> BenchConditions:
    """Return what a bench is under. Raises BadArgument for people, a resident or a model that cannot be, SetupError for
    settings with which it would not be this bench, and StorageError.
    """
    if terms.people not in definition.towns:
        known = " or ".join(map(str, definition.towns))
        raise BadArgument(f"The bench has no town of {terms.people} people. Choose {known}.")
    town = definition.towns[terms.people]
    resident = terms.resident or town.resident
    meta = find(load_settings(given).fs_storage, town.base).meta
    people, until = meta.persona_names, terms.until or town.until
    if resident not in people:
        raise BadArgument(f"{town.base} has no resident '{resident}'; {nearest(resident, people)}.")
    clock = Clock(meta.start_date, meta.time_of(meta.step), meta.step, meta.sec_per_step)
    ends, noon = (clock.steps_in(read_span(f"until {each}")) for each in (until, definition.noon))
    if ends <= noon and "resident" in terms.arms:
        line = f"Runs until {until} end before the resident is asked, at {definition.noon}."
        raise BadArgument(f"{line} Choose a later --until, or --only town.")
    _check_settings(terms, given)
    return BenchConditions(
        version=definition.version,
        people=terms.people,
        base=town.base,
        history=town.history,
        until=until,
        noon=definition.noon,
        resident=resident,
        others=tuple(name for name in people if name != resident),
        reference=terms.against,
        settings={**_defaults(), **definition.settings},
        measures=tuple(named_for(resident, each.measure) for each in definition.measures),
        primary={arm: str(named_for(resident, name)) for arm, name in definition.primary.items()},
    )


def _defaults() -> dict[str, Json]:
    """Return the settings that decide what is computed or answered, as they are if nothing is set."""
    names = set(DECIDING) & set(settable_by("study")) - {*OF_THE_MODEL, *UNSET}
    return {name: FIELDS[name].get_default() for name in sorted(names)}


def _check_settings(terms: BenchTerms, given: Mapping[str, object]) -> None:
    """Raise BadSetting if no model would answer, or another one some of the questions."""
    settings = load_settings(given)
    if {terms.model, terms.against} & {OFFLINE, ""} or terms.model in {RULES, terms.against}:
        raise BadArgument("A bench tries one model against the rules, or against another one: name two different ones.")
    if provider_name(settings) == OFFLINE:
        raise BadSetting(f"There is no provider that could answer as {terms.model}. Name one with --provider.")
    if set_ones := [name for name in UNSET if getattr(settings, name)]:
        raise BadSetting(f"A bench has one model and no minds of your own. Unset {' and '.join(set_ones)}.")
    answering = chat_name(replace(settings, fast_model=terms.model, advanced_model=terms.model))
    if answering.partition(":")[2] != terms.model:
        raise BadSetting(f"{answering} would answer, not {terms.model}. Choose the provider with --provider.")


def study_name(conditions: BenchConditions, model: str) -> str:
    """Return the name of the study of a bench: another one for other conditions, which are not mixed."""
    plain = re.sub(r"[^\w-]+", "_", model, flags=re.ASCII).strip("_")
    end = f"-{conditions.digest[:SHOWN]}"
    return f"bench-{plain}"[: LONGEST_NAME - ROOM - len(end)] + end


def study_content(conditions: BenchConditions, terms: BenchTerms, *, provider: str, seeds: int) -> JsonObject:
    """Return the study file of a bench: a study like any other, with what it is a bench of under `bench`."""
    rules = conditions.reference == RULES
    asked = _models(terms.model if rules else conditions.reference)
    arms: dict[str, JsonObject] = {
        REFERENCE: {"settings": {"provider": OFFLINE}} if rules else {},
        "town": {} if rules else {"settings": _models(terms.model)},
        "resident": _resident(conditions, terms.model),
    }
    content: dict[str, Json] = {
        "title": f"Town bench {conditions.label}: {terms.model} against {conditions.reference}",
        "base": conditions.base,
        **({"history": conditions.history} if conditions.history else {}),
        "until": conditions.until,
        "seeds": seeds,
        "settings": {**conditions.settings, "provider": provider, **asked},
        "arms": {arm: arms[arm] for arm in (REFERENCE, *terms.arms)},
        "measures": list(conditions.measures),
        "bench": {"model": terms.model, "provider": provider, "conditions": conditions.as_json()},
    }
    if terms.budget:
        content["budget"] = dict(terms.budget)
    return content


def _models(model: str) -> JsonObject:
    return {"fast_model": model, "advanced_model": model}


def _resident(conditions: BenchConditions, model: str) -> JsonObject:
    """Return the arm that is the reference until noon. The rules cannot ask a model for one, so there the model is
    everyone's, and everyone else is given to the rules.
    """
    rules = conditions.reference == RULES
    swapped = dict.fromkeys(conditions.others, OFFLINE) if rules else {conditions.resident: model}
    swap = {"time": conditions.noon, "kind": "rule", "rule": "swap"}
    rows = [{**swap, "who": who, "model": to} for who, to in swapped.items()]
    return {"past": {"arm": REFERENCE, "at": conditions.noon}, "interventions": rows}
