"""The two letters of a step, as classic pages and ours send and fetch them (docs/storage.md)."""

from django.http import HttpRequest, HttpResponse, JsonResponse

from translator.answers import exchange
from translator.forms import Question, Report, read_body, sim_code
from translator.mailbox import library, reports


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
    return JsonResponse(reports.answer(library.find_saved(sim_code(question.sim_code)), question))
