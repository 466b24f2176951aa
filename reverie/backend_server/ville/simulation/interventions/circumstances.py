"""Checks whether interventions can take place in a town, before anything runs.

The functions of `effects/` that check fields when an intervention takes effect check what is planned, too. What depends
on the hour, such as whether a persona is asleep, shows only then.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from ville.errors import BadArgument, BadIntervention, StorageError, UnknownPersona
from ville.llm.wire.providers import OFFLINE
from ville.simulation.interventions import residents, visitors
from ville.simulation.interventions.addresses import find_object, find_place, find_spot
from ville.simulation.interventions.intake import Planned
from ville.simulation.interventions.kinds import (
    Happening,
    HistoryRows,
    ObjectState,
    RealTalk,
    ResidentIn,
    ResidentOut,
    Rule,
    Trait,
    VisitorIn,
    VisitorSay,
    VisitorWalk,
)
from ville.simulation.interventions.minds import check_trait
from ville.simulation.interventions.residents import find_home, living_areas
from ville.simulation.interventions.rules import check_other_model, pair_of
from ville.simulation.interventions.talks import with_speakers
from ville.simulation.interventions.target import Target
from ville.simulation.interventions.things import check_end, event_words, state_words
from ville.simulation.interventions.visitors import check_visitor_name
from ville.simulation.persona_names import find_persona
from ville.storage.folder.storage import find
from ville.storage.records.looks import find_look
from ville.world.maze import Maze


def _accept(_model: str) -> None:
    """Accept any model: which ones there are is not known."""


@dataclass(frozen=True)
class Circumstances:
    """State of a town before a step."""

    maze: Maze
    homes: Mapping[str, str]
    """Residents, and where they live."""
    looks: tuple[str, ...] = ()
    visitors: frozenset[str] = frozenset()
    """Those who are in town, or have been: they may leave by themselves."""
    former: frozenset[str] = frozenset()
    """Residents who have moved away."""
    storage: Path | None = None
    """Where recordings are."""
    name: str = ""
    """Name of the simulation, which cannot repeat itself."""
    check_model: Callable[[str], None] = _accept
    """Raises SetupError if a persona cannot have a model."""

    @classmethod
    def of(cls, target: Target) -> Self:
        """Return what there is in an open simulation."""
        town = target.town
        return cls(
            maze=town.maze,
            homes=living_areas(town),
            looks=target.services.looks,
            visitors=frozenset(town.visitors.present),
            former=frozenset({*target.folder.former, *town.departed}),
            storage=target.services.storage,
            name=target.folder.name,
            check_model=target.services.check_model,
        )

    def person(self, name: str) -> str:
        """Return the full name of a resident. Raises UnknownPersona, and BadIntervention for who has moved away."""
        if name in self.former and name not in self.homes:
            raise BadIntervention(f"{name} has moved away. Choose one of: {', '.join(self.homes)}.")
        return find_persona(name, list(self.homes))

    def after(self, planned: Planned) -> "Circumstances":
        """Return what there is after an intervention. Raises BadIntervention if it cannot take place."""
        kind, intervention = planned.intervention.kind, planned.intervention
        try:
            _check(self, intervention, planned.step)
        except (BadArgument, UnknownPersona) as fault:
            raise BadIntervention(f"{kind}: {str(fault).removeprefix(f'{kind}: ')}") from None
        match intervention:
            case ResidentIn():
                return replace(self, homes={**self.homes, intervention.name: intervention.home})
            case ResidentOut():
                gone = self.person(intervention.who)
                homes = {name: home for name, home in self.homes.items() if name != gone}
                return replace(self, homes=homes, former=self.former | {gone})
            case Trait(field="living_area"):
                return replace(self, homes={**self.homes, self.person(intervention.who): intervention.now})
            case VisitorIn():
                return replace(self, visitors=self.visitors | {intervention.name})
        return self


def check_planned(planned: Iterable[Planned], around: Circumstances) -> None:
    """Raise BadIntervention for the first intervention that cannot take place when its step comes."""
    for each in sorted(planned, key=lambda each: each.step):
        around = around.after(each)


def _check(around: Circumstances, intervention: Any, step: int) -> None:
    """Raise BadArgument or UnknownPersona for the first field that does not fit."""
    if not isinstance(intervention, Rule | VisitorSay) and (who := getattr(intervention, "who", "")):
        with _field("who"):
            intervention = intervention.model_copy(update={"who": around.person(who)})
    check = _CHECKS.get(intervention.kind)
    if check:
        check(around, intervention, step)


@contextmanager
def _field(name: str) -> Iterator[None]:
    """Name the field in the message of an error."""
    try:
        yield
    except (BadArgument, UnknownPersona) as fault:
        raise BadIntervention(f"{name}: {str(fault).removeprefix(f'{name}: ')}") from None


def _history(around: Circumstances, history: HistoryRows, _step: int) -> None:
    for name in dict.fromkeys(name for name, _ in history.rows):
        with _field("rows"):
            around.person(name)


def _trait(around: Circumstances, trait: Trait, _step: int) -> None:
    check_trait(around.maze, trait)


def _object(around: Circumstances, change: ObjectState, step: int) -> None:
    with _field("where"):
        address = find_object(around.maze, change.where)
    state_words(change.state, address.object)
    check_end(change.until, step)


def _event(around: Circumstances, event: Happening, _step: int) -> None:
    with _field("where"):
        find_place(around.maze, event.where)
    event_words(event.words)


def _talk(around: Circumstances, talk: RealTalk, _step: int) -> None:
    with_speakers(talk, around.homes)


def _resident_in(around: Circumstances, resident: ResidentIn, _step: int) -> None:
    with _field("name"):
        residents.check_resident_name(resident.name, around.homes, around.former)
    with _field("look"):
        find_look(resident.look, around.looks)
    find_home(around.maze, resident.home, around.homes.values())


def _resident_out(around: Circumstances, resident: ResidentOut, _step: int) -> None:
    residents.check_others(resident.who, around.homes)


def _visitor_in(around: Circumstances, visitor: VisitorIn, _step: int) -> None:
    with _field("name"):
        check_visitor_name(visitor.name, around.homes, around.former)
    with _field("look"):
        find_look(visitor.look, around.looks)
    with _field("tile"):
        find_spot(around.maze, visitor.tile)


def _visitor(around: Circumstances, intervention: Any, _step: int) -> None:
    with _field("name"):
        visitors.check_is_visitor(intervention.name, around.visitors)
    if isinstance(intervention, VisitorWalk):
        with _field("to"):
            find_spot(around.maze, intervention.to)
    if isinstance(intervention, VisitorSay):
        with _field("to"):
            around.person(intervention.to)


def _rule(around: Circumstances, rule: Rule, step: int) -> None:
    for field in ("who", "other"):
        if name := getattr(rule, field):
            with _field(field):
                around.person(name)
    if rule.rule == "cut":
        pair_of(rule, list(around.homes))
    if rule.where:
        with _field("where"):
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


_CHECKS: Mapping[str, Callable[[Circumstances, Any, int], None]] = {
    "history": _history,
    "trait": _trait,
    "object": _object,
    "event": _event,
    "talk": _talk,
    "resident_in": _resident_in,
    "resident_out": _resident_out,
    "visitor_in": _visitor_in,
    "visitor_walk": _visitor,
    "visitor_say": _visitor,
    "visitor_out": _visitor,
    "rule": _rule,
}
"""Checks of each kind besides that of `who`."""
