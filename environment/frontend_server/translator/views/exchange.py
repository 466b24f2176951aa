"""The two letters of a step, as classic pages and ours send and fetch them (docs/storage.md)."""

from django.http import HttpRequest, HttpResponse, JsonResponse

from translator.answers import exchange
from translator.errors import Damaged
from translator.forms import Question, Report, read_body, sim_code
from translator.mailbox import library, reports
from translator.shapes import FRAME, flaws


@exchange
def process_environment(request: HttpRequest) -> HttpResponse:
    """Where everybody stands before a step."""
    report = read_body(Report, request.body)
    reports.deliver(library.find_saved(sim_code(report.sim_code)), report)
    return HttpResponse("received")


@exchange
def update_environment(request: HttpRequest) -> HttpResponse:
    """What everybody does in a step."""
    question = read_body(Question, request.body)
    simulation = library.find_saved(sim_code(question.sim_code))
    answer = reports.answer(simulation, question)
    if "persona" in answer and flaws(FRAME, answer["persona"]):
        simulation.frame(question.step)
        raise Damaged(str(simulation.damage[0]))
    return JsonResponse(answer)
