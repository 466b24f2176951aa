"""The two letters of a step, as classic pages and ours send and fetch them (docs/storage.md)."""

from django.http import HttpRequest, HttpResponse, JsonResponse

from translator.decorators import exchange
from translator.errors import Damaged
from translator.forms import MovementRequest, PositionReport, read_body, sim_code
from translator.shapes import FRAME, flaws
from translator.storage import simulations, step_exchange


@exchange
def process_environment(request: HttpRequest) -> HttpResponse:
    """Where everybody stands before a step."""
    report = read_body(PositionReport, request.body)
    step_exchange.deliver(simulations.find_saved(sim_code(report.sim_code)), report)
    return HttpResponse("received")


@exchange
def update_environment(request: HttpRequest) -> HttpResponse:
    """What everybody does in a step."""
    question = read_body(MovementRequest, request.body)
    simulation = simulations.find_saved(sim_code(question.sim_code))
    answer = step_exchange.answer(simulation, question)
    if "persona" in answer and flaws(FRAME, answer["persona"]):
        simulation.frame(question.step)
        raise Damaged(str(simulation.damage[0]))
    return JsonResponse(answer)
