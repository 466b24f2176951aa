"""The two letters of a step: what everybody does comes from the engine, where everybody then stands goes to it."""

import time

from django.utils.translation import gettext as _

from translator.errors import BadRequest, Conflict
from translator.forms import MovementRequest, PositionReport
from translator.storage.files import pretty, write_text
from translator.storage.live_state import show_life, show_report
from translator.storage.saved_simulation import SavedSimulation

POLL = 0.01
"""Seconds between two looks into the mailbox."""


def answer(simulation: SavedSimulation, question: MovementRequest) -> dict[str, object]:
    """The movement of a step with its number as `<step>`; -1 if the engine has not shown it before the wait is over.

    A page that was left open may ask for a step beyond the one the engine is at; that is no sign of life for it.
    """
    deadline = time.monotonic() + question.wait
    while True:
        if simulation.reached(question.step):
            show_life(simulation.code)
        movement = simulation.movement(question.step)
        if movement is not None:
            return {**movement, "<step>": question.step}
        if time.monotonic() >= deadline:
            return {"<step>": -1}
        time.sleep(POLL)


def deliver(simulation: SavedSimulation, report: PositionReport) -> None:
    """Lay positions in the mailbox. What has been said of a step stands: to say it again is welcome, to change it not.

    Raises BadRequest if somebody is missing or unknown, Conflict if the step is not the one that is waited for.
    """
    _check_roll(simulation, report)
    places = {name: place.model_dump() for name, place in report.environment.items()}
    # Before looking what was said: between the two, another tab may report, and the engine go on to the next step.
    awaited = simulation.reached(report.step) and not simulation.shows(report.step)
    said = simulation.environment(report.step)
    if said is not None:
        if all(said.get(name) == place for name, place in places.items()):
            show_report(simulation.code)
            return
        raise Conflict(_("Step %(step)s has its positions already: they are not changed.") % {"step": report.step})
    if not awaited:
        raise Conflict(_("Nobody waits for the positions of step %(step)s.") % {"step": report.step})
    write_text(simulation.root / "environment" / f"{report.step}.json", pretty(places))
    show_report(simulation.code)


def _check_roll(simulation: SavedSimulation, report: PositionReport) -> None:
    roster = simulation.meta.persona_names
    for name in report.environment:
        if name not in roster:
            reason = _("environment: nobody in %(simulation)s is called %(name)s.")
            raise BadRequest(reason % {"simulation": simulation.code, "name": name})
    for name in roster:
        if name not in report.environment:
            raise BadRequest(_("environment: %(name)s is missing.") % {"name": name})
