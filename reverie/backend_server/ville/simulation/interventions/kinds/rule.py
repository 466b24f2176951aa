"""A rule of a counterfactual: freeze a mind, cut a tie, silence a place, swap a model, pin a recorded persona."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import model_validator

from ville.errors import BadIntervention, SetupError, StorageError
from ville.llm.wire.providers import OFFLINE
from ville.simulation.interventions.addresses import find_place, readable
from ville.simulation.interventions.circumstances import Circumstances, check_end, in_field
from ville.simulation.interventions.fields import LONGEST_ADDRESS, OptionalName, Step, TextLine
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.kind import Kind, Told
from ville.simulation.interventions.target import Effect, Target
from ville.simulation.persona_names import find_persona
from ville.storage.folder.branches import read_branch
from ville.storage.folder.storage import find
from ville.world.rules import Pin, TownRules

RuleName = Literal["freeze", "cut", "silence", "swap", "pin"]


class RuleFields(NamedTuple):
    """Names of the fields of a rule."""

    needed: tuple[str, ...]
    optional: tuple[str, ...] = ()


RULE_FIELDS: Mapping[RuleName, RuleFields] = {
    "freeze": RuleFields(("who",)),
    "cut": RuleFields(("who", "other")),
    "silence": RuleFields(("where",)),
    "swap": RuleFields(("who", "model")),
    "pin": RuleFields(("who",), ("recording", "until")),
}


class Rule(Intervention):
    """Something that people in this town cannot do, as a counterfactual."""

    kind: Literal["rule"] = "rule"
    rule: RuleName
    """freeze, cut, silence, swap or pin."""
    who: OptionalName = ""
    """Full name of the persona; not for silence."""
    other: OptionalName = ""
    """Full name of the other persona, for cut."""
    where: Annotated[str, TextLine(LONGEST_ADDRESS, 0)] = ""
    """Arena, sector or world, for silence."""
    model: OptionalName = ""
    """Name of a model, or offline, for swap."""
    recording: OptionalName = ""
    """Name of a simulation, for pin; the one it was forked from."""
    until: Step | None = None
    """First step that is not repeated, for pin."""
    on: bool = True
    """False ends the rule."""

    @model_validator(mode="after")
    def _check_fields(self) -> "Rule":
        """Check that a rule has its own fields, and no others."""
        own = RULE_FIELDS[self.rule]
        optional = {"model"} if not self.on else set()
        if missing := [name for name in own.needed if not getattr(self, name) and name not in optional]:
            raise ValueError(f"{self.rule} needs {missing[0]}.")
        given = {name for name in ("who", "other", "where", "model", "recording", "until") if getattr(self, name)}
        if beside := sorted(given - {*own.needed, *own.optional}):
            raise ValueError(f"{self.rule} has no {beside[0]}. Leave it out.")
        return self


Change = Callable[[TownRules], TownRules]
Prepared = tuple[Rule, Change, str]
"""A rule as it is logged, what it changes, and what was done."""


async def prepare(target: Target, rule: Rule) -> Effect:
    """Check the fields of a rule. Raises UnknownPersona or BadIntervention."""
    logged, change, said = _PREPARATIONS[rule.rule](target, rule)
    town = target.town

    def apply() -> str:
        town.obey(change(town.rules))
        return said

    return Effect(logged, apply)


def check(around: Circumstances, rule: Rule, step: int) -> None:
    """Check names, places, models and recordings."""
    for field in ("who", "other"):
        if name := getattr(rule, field):
            with in_field(field):
                around.person(name)
    if rule.rule == "cut":
        pair_of(rule, list(around.homes))
    if rule.where:
        with in_field("where"):
            find_place(around.maze, rule.where)
    if rule.on and rule.model and rule.model != OFFLINE:
        check_other_model(around.check_model, rule.model)
    if rule.recording and around.storage:
        _check_recording(around.storage, rule.recording, around.name)
    check_end(rule.until, step)


def _check_recording(storage: Path, recording: str, own: str) -> None:
    try:
        found = find(storage, recording)
    except StorageError as fault:
        raise BadIntervention(f"recording: {fault}") from None
    if found.name == own:
        raise BadIntervention(f"recording: {recording} cannot repeat itself. Name another simulation.")


def _freeze(target: Target, rule: Rule) -> Prepared:
    name = _persona(target, rule.who)
    said = "makes no new thoughts." if rule.on else "thinks again."
    return rule.model_copy(update={"who": name}), lambda rules: rules.with_frozen(name, on=rule.on), f"{name} {said}"


def _cut(target: Target, rule: Rule) -> Prepared:
    name, other = pair_of(rule, list(target.town.personas))
    said = "no longer talk with each other." if rule.on else "can talk with each other again."
    logged = rule.model_copy(update={"who": name, "other": other})
    return logged, lambda rules: rules.with_cut(name, other, on=rule.on), f"{name} and {other} {said}"


def pair_of(rule: Rule, people: Sequence[str]) -> tuple[str, str]:
    """Return the two whose tie is cut. Raises UnknownPersona, and BadIntervention if they are one."""
    name, other = find_persona(rule.who, people), find_persona(rule.other, people)
    if name == other:
        raise BadIntervention(f"other: {name} does not talk with {name} anyway. Name another persona.")
    return name, other


def _silence(target: Target, rule: Rule) -> Prepared:
    place = find_place(target.town.maze, rule.where)
    said = "No one talks" if rule.on else "People can talk again"
    logged = rule.model_copy(update={"where": str(place)})
    return logged, lambda rules: rules.with_silent(str(place), on=rule.on), f"{said} at {readable(place)}."


def _swap(target: Target, rule: Rule) -> Prepared:
    name, model = _persona(target, rule.who), rule.model if rule.on else ""
    if model and model != OFFLINE:
        check_other_model(target.services.check_model, model)
    said = f"answers with {model}." if model else "answers with the model of the others."
    return rule.model_copy(update={"who": name}), lambda rules: rules.with_model(name, model), f"{name} {said}"


def check_other_model(check: Callable[[str], None], model: str) -> None:
    """Raise BadIntervention if no persona can have this model."""
    try:
        check(model)
    except SetupError as fault:
        raise BadIntervention(f"model: {fault}") from None


def _pin(target: Target, rule: Rule) -> Prepared:
    name = _persona(target, rule.who)
    if not rule.on:
        logged = rule.model_copy(update={"who": name})
        return logged, lambda rules: rules.with_pin(name, None), f"{name} no longer repeats a recording."
    pin = _found_pin(target, name, rule)
    logged = rule.model_copy(update={"who": name, "recording": pin.recording, "until": pin.until})
    said = f"{name} repeats what it did in {pin.recording}, until step {pin.until:,}."
    return logged, lambda rules: rules.with_pin(name, pin), said


def _found_pin(target: Target, name: str, rule: Rule) -> Pin:
    """Return a pin on the recording that a rule names, else on what the simulation was forked from.

    Raises BadIntervention unless the persona stands here as it stood there.
    """
    branch, storage, step = read_branch(target.folder.root), target.services.storage, target.town.clock.step
    recording = rule.recording or (branch.origin if branch else "")
    if not recording or storage is None:
        raise BadIntervention("recording: name a simulation in which the persona was recorded.")
    try:
        recorded = find(storage, recording)
        stood = (recorded.read_environment(step) or {}).get(name)
        until = min(recorded.meta.step, rule.until or recorded.meta.step)
    except StorageError as fault:
        raise BadIntervention(f"recording: {fault}") from None
    if until <= step:
        raise BadIntervention(f"recording: {recording} has nothing of {name} from step {step:,} on.")
    if stood != target.town.tiles.get(name):
        raise BadIntervention(
            f"recording: at step {step:,}, {name} stands somewhere else in {recording}. Branch from there, and pin it "
            "at once."
        )
    return Pin(recording, until)


def _persona(target: Target, name: str) -> str:
    return find_persona(name, list(target.town.personas))


_PREPARATIONS: Mapping[str, Callable[[Target, Rule], Prepared]] = {
    "freeze": _freeze,
    "cut": _cut,
    "silence": _silence,
    "swap": _swap,
    "pin": _pin,
}
KIND = Kind(
    Rule,
    prepare,
    effect="people cannot do [something that they otherwise could](#rules)",
    check=check,
    told=Told("A rule changes what people can do."),
    persona="",
)
