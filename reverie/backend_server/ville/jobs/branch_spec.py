"""Spec of a run in the background: made of a request for a branch, which is checked and resolved."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from uuid import NAMESPACE_OID, uuid5

from ville.assembly.model_choice import chat_config
from ville.assembly.run import check_names, steps_to_copy
from ville.errors import BadArgument, BadIntervention
from ville.jobs.run_spec import BranchTerms, RunSpec
from ville.json_types import JsonObject
from ville.settings import LIMITS, Settings, load_settings
from ville.simulation.clock import Clock, UntilTalk
from ville.simulation.interventions.intervention_file import planned_rows
from ville.simulation.pacing.spans import steps_ahead
from ville.simulation.requests.engine_requests import EngineBranch
from ville.storage.folder.storage import find, unchanged
from ville.storage.past.moments import END, NamedMoment, find_moment, split_moment
from ville.storage.records.meta import Meta

NO_ROWS = "Interventions need a new simulation. Give it another name than '%(name)s', or send them to that one."


def acknowledged(spec: RunSpec) -> JsonObject:
    """Return what the sender of a request for a branch is told."""
    again = spec.branch.again if spec.branch else 0
    return {"from": spec.origin, "step": spec.first_step, "until_step": spec.until_step, "computing": again}


def branch_spec(request: EngineBranch, flags: Mapping[str, object]) -> RunSpec:
    """Check a request and resolve its moment: what is saved later does not change it. Raises a ReverieError.

    `flags` are settings of the command line; those of the request come before them.
    """
    seed = {} if request.seed is None else {"seed": request.seed}
    chosen = {**flags, **request.settings, **seed}
    settings, owner = load_settings(chosen), load_settings(flags)
    _check_limits(settings, owner)
    check_server(settings, owner)
    spec = RunSpec(
        origin=request.origin,
        name=request.name,
        request=request.id,
        title=request.title,
        settings=chosen,
        branch=BranchTerms(by=request.by),
    )
    named = split_moment(request.origin)
    source = find(settings.fs_storage, named.name)
    if request.origin == request.name:
        spec = replace(spec, first_step=source.meta.step)
        if request.interventions:
            raise BadArgument(NO_ROWS % {"name": request.name})
    else:
        spec = _from_moment(spec, settings, source.root, named=named)
    clock = _clock_at(source.meta, spec.first_step)
    step, talk = _end(request, clock)
    return replace(spec, until_step=step, until_talk=talk, interventions=_rows(request, clock))


def _check_limits(wanted: Settings, owner: Settings) -> None:
    """Raise BadArgument if a request raises a limit of the owner of the engine."""
    for name in LIMITS:
        asked, most = getattr(wanted, name), getattr(owner, name)
        if most is not None and asked > most:
            raise BadArgument(
                f"{name} = {asked:g} is more than {most:g}, the limit here. A request may lower it; only its owner may "
                "raise it, in .env."
            )


def check_server(wanted: Settings, owner: Settings) -> None:
    """Raise BadArgument if a request sends texts to another server than the owner of the engine does."""
    if wanted.provider == owner.provider or not (asked := chat_config(wanted)):
        return
    usual = chat_config(owner)
    if usual is None or asked.endpoint.base_url != usual.endpoint.base_url:
        raise BadArgument(
            f"provider = {wanted.provider} sends texts to another server. A request may choose the provider that is "
            "set here, or offline; only its owner may set another, in .env."
        )


def _from_moment(spec: RunSpec, settings: Settings, source: Path, *, named: NamedMoment) -> RunSpec:
    """Return a spec with its moment resolved. Raises a ReverieError if there is no such moment, or no way to it."""
    check_names(settings, spec.origin, spec.name)
    with unchanged(source):
        moment = find_moment(source, named.at or END)
    origin = str(NamedMoment(named.name, str(moment)))
    again = steps_to_copy(settings, origin, spec.name).computed
    terms = BranchTerms(by=spec.branch.by if spec.branch else "", again=again)
    return replace(spec, origin=origin, first_step=moment.step, branch=terms)


def _clock_at(meta: Meta, step: int) -> Clock:
    return Clock(start=meta.start_date, now=meta.time_of(step), step=step, seconds_per_step=meta.sec_per_step)


def _end(request: EngineBranch, clock: Clock) -> tuple[int, bool]:
    """Return until which step a branch runs, and whether only until two talk. Raises BadArgument."""
    span = request.span
    ahead = steps_ahead(clock, span) if span else 0
    return clock.step + ahead, isinstance(span, UntilTalk)


def _rows(request: EngineBranch, clock: Clock) -> list[JsonObject]:
    """Return the interventions with their steps; those of two requests are different ones. Raises BadIntervention."""
    rows = []
    for number, row in enumerate(request.interventions, 1):
        now = {} if "step" in row or "time" in row else {"step": clock.step}
        own = uuid5(NAMESPACE_OID, f"{request.id} {number}").hex
        rows.append({"by": request.by, "id": own, **now, **row})
    planned = planned_rows(rows, clock, request.name, door=request.door)
    for number, each in enumerate(planned, 1):
        if each.step < clock.step:
            line = (
                f"{request.name}, intervention {number}: step {each.step:,} is over. It begins at step {clock.step:,}."
            )
            raise BadIntervention(line)
    return [each.row() for each in planned]
