"""The exchange of a step with the engine: its movement is passed to the page, the positions after it to the engine."""

import time

from django.utils.translation import gettext as _

from translator.errors import BadRequest, Conflict, MayNotAct
from translator.forms import MovementRequest, PositionReport
from translator.storage.exchange.file_watch import POLL, FileWatch
from translator.storage.runs.live_state import temp_storage
from translator.storage.runs.saved_simulation import SavedSimulation
from ville.storage.exchange.temp_storage import HEARTBEAT
from ville.storage.files import pretty

_watch = FileWatch()


def movement_of(simulation: SavedSimulation, request: MovementRequest) -> dict[str, object]:
    """Return the movement of a step with its number as `<step>`, which is -1 if the step does not come in time.

    Only a page that asks for the current step is a sign of life: one left open may ask for a step that is far ahead.
    """
    deadline = time.monotonic() + request.wait
    file = simulation.recorded.movement_file(request.step)
    while True:
        if simulation.reached(request.step):
            temp_storage().show_life(simulation.code)
        movement = simulation.movement(request.step)
        if movement is not None:
            return {**movement, "<step>": request.step}
        if time.monotonic() >= deadline:
            return {"<step>": -1}
        if file.exists():
            time.sleep(POLL)  # released engines write it in place: it is incomplete
        else:
            _watch.wait(file, min(deadline, time.monotonic() + HEARTBEAT))


def accept_report(simulation: SavedSimulation, report: PositionReport, *, trusted: bool) -> None:
    """Write the reported positions for the engine. Reporting the same again is fine; positions are never changed.

    Who is not `trusted` may only report that everyone is where the step before led. Raises BadRequest if a persona is
    missing or unknown, MayNotAct, Conflict if the engine does not wait for this step, and CannotWrite.
    """
    _check_names(simulation, report)
    if not trusted:
        _check_positions(simulation, report)
    positions = {name: place.model_dump() for name, place in report.environment.items()}
    # Look first whether the step is awaited: afterwards, another tab may report, and the engine go on to the next step.
    awaited = simulation.reached(report.step) and not simulation.shows(report.step)
    written = simulation.environment(report.step)
    if written is not None:
        if all(written.get(name) == place for name, place in positions.items()):
            temp_storage().show_report(simulation.code)
            return
        raise Conflict(_("Step %(step)s already has positions. They cannot be changed.") % {"step": report.step})
    if not awaited:
        raise Conflict(_("The engine does not wait for the positions of step %(step)s.") % {"step": report.step})
    simulation.recorded.prepare()
    simulation.recorded.write_environment(report.step, pretty(positions))
    temp_storage().show_report(simulation.code)


def _check_names(simulation: SavedSimulation, report: PositionReport) -> None:
    """Check that everyone is there who was shown in the step before, or lives there; visitors need not be."""
    names = simulation.meta.persona_names
    shown = simulation.frame(report.step - 1)
    for name in report.environment:
        if name not in names and name not in shown:
            reason = _("environment: there is no persona called %(name)s in %(simulation)s.")
            raise BadRequest(reason % {"simulation": simulation.code, "name": name})
    for name in names:
        if name not in report.environment and (name in shown or not shown):
            raise BadRequest(_("environment: %(name)s is missing.") % {"name": name})


def _check_positions(simulation: SavedSimulation, report: PositionReport) -> None:
    """Raise MayNotAct unless everyone is where the step before led."""
    shown = simulation.frame(report.step - 1)
    maze = simulation.meta.maze_name
    for name, place in report.environment.items():
        if name not in shown or (place.maze, [place.x, place.y]) != (maze, [*shown[name]["movement"]]):
            reason = _("environment: %(name)s is not where the last step led. Only those who may act can move people.")
            raise MayNotAct(reason % {"name": name})
