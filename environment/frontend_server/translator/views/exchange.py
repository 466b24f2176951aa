"""The exchange of a step with live pages, also those of the released server (docs/storage.md)."""

from django.http import HttpRequest, HttpResponse, JsonResponse

from translator.decorators import exchange
from translator.forms import MovementRequest, PositionReport, read_body, sim_code
from translator.rights.access import Right, right_to_act
from translator.storage.exchange import step_exchange
from translator.storage.runs import simulations
from ville.errors import CorruptFile
from ville.storage.flaws import flaws
from ville.storage.shapes import FRAME


@exchange
def process_environment(request: HttpRequest) -> HttpResponse:
    """Accept where everyone stands before a step: from those who only watch, only where the step before led."""
    report = read_body(PositionReport, request.body)
    trusted = right_to_act(request) is Right.YES
    step_exchange.accept_report(simulations.find_saved(sim_code(report.sim_code)), report, trusted=trusted)
    return HttpResponse("received")


@exchange
def update_environment(request: HttpRequest) -> HttpResponse:
    """Return what everyone does in a step."""
    asked = read_body(MovementRequest, request.body)
    simulation = simulations.find_saved(sim_code(asked.sim_code))
    movement = step_exchange.movement_of(simulation, asked)
    if "persona" in movement and flaws(FRAME, movement["persona"]):
        simulation.frame(asked.step)
        raise CorruptFile("%(what)s", what=simulation.flaws[0])
    return JsonResponse(movement)
