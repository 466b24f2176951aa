"""The page on which people rank answers by how believable they are. No condition is on it, or in what it fetches.

It is for those who may act: raters read the memories of people.
"""

from typing import Annotated

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from pydantic import Field

from translator import forms
from translator.decorators import acting, page, private
from translator.errors import BadRequest
from translator.rights.access import check_owner, check_right
from translator.shown import page_data
from translator.storage.evaluations import FoundEvaluation, find_evaluation, rater_named
from ville.json_types import JsonObject
from ville.storage.evaluations.ranking_sheet import RankingTask, shown_cards, tasks_of
from ville.storage.evaluations.rating_files import Rating, all_ratings, ratings_of, write_rating
from ville.storage.evaluations.rating_table import ratings_csv

LETTERS = "ABCDEFGH"
Code = Annotated[str, Field(min_length=1, max_length=forms.LONGEST_NAME)]
Place = Annotated[int, Field(ge=1, le=forms.LONGEST_NAME)]


class RatedTask(forms.RequestBody):
    """Body of rated: the places that a rater gives the answers of a task, by code, and whether it is finished."""

    rater: Code
    task: Code
    places: Annotated[dict[Code, Place], Field(max_length=forms.LONGEST_NAME)]
    done: bool


@page
def rate(request: HttpRequest, evaluation: str) -> HttpResponse:
    """Ask for the name of a rater, or show the tasks of one, which the script fetches."""
    check_right(request)
    found = find_evaluation(evaluation)
    rater = rater_named(request.GET["rater"]) if request.GET.get("rater") else ""
    tasks = len(found.sheet.tasks)
    more = {"evaluation": found.name, "rater": rater, "tasks": tasks}
    return render(request, "rate.html", {"page": page_data.page("rate", **more), "name": found.name, **more})


@private
def task(request: HttpRequest, evaluation: str) -> HttpResponse:
    """Return a task of a rater by its number, from 1, or the first that is unfinished; and what is rated of it."""
    found = find_evaluation(evaluation)
    rater = rater_named(request.GET.get("rater", ""))
    tasks, ratings = tasks_of(found.sheet, rater), ratings_of(found.folder, rater)
    if not tasks:
        return JsonResponse({"tasks": 0, "finished": 0})
    finished = [is_finished(ratings.get(each.id), each) for each in tasks]
    number = _number(request.GET.get("number", ""), finished)
    chosen = tasks[number - 1]
    return JsonResponse({
        "tasks": len(tasks),
        "finished": sum(finished),
        "number": number,
        "id": chosen.id,
        "asked": chosen.asked,
        "person": chosen.person,
        "known": _person(found, chosen, request.GET.get("known", "")),
        "cards": _cards(found, chosen, rater),
        "places": _places(ratings.get(chosen.id), chosen),
    })  # fmt: skip


@acting
def rated(request: HttpRequest, evaluation: str) -> HttpResponse:
    """Keep what a rater says of a task, finished or not."""
    found = find_evaluation(evaluation)
    body = forms.read_body(RatedTask, request.body)
    rater, chosen = rater_named(body.rater), found.sheet.task(body.task)
    codes = {card.code for card in chosen.cards} if chosen else set()
    if chosen is None or not codes.issuperset(body.places):
        raise BadRequest(_("The answers have changed since this page was loaded. Load it again."))
    if max(body.places.values(), default=1) > len(codes) or (body.done and codes != set(body.places)):
        raise BadRequest(_("Give each answer a place, from 1 to their number."))
    shown = [card.code for card in shown_cards(found.sheet, chosen, rater)]
    write_rating(found.folder, Rating(rater=rater, task=chosen.id, shown=shown, places=body.places, done=body.done))
    return HttpResponse(status=204)


@private
def ratings_file(request: HttpRequest, evaluation: str) -> HttpResponse:
    """Return the finished ratings of one rater, or, on this machine, of all, as CSV, without conditions."""
    found = find_evaluation(evaluation)
    rater = rater_named(request.GET["rater"]) if request.GET.get("rater") else ""
    if not rater:
        check_owner(request)
    ratings = ratings_of(found.folder, rater).values() if rater else all_ratings(found.folder)
    name = f"{found.name}_ratings.csv"
    attached = {"Content-Disposition": f'attachment; filename="{name}"'} if name.isascii() else {}
    text = ratings_csv(found.sheet, ratings)
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=attached)


def is_finished(rating: Rating | None, task: RankingTask) -> bool:
    return rating is not None and rating.is_of(task)


def _number(text: str, finished: list[bool]) -> int:
    """Return the number of a task; without one, that of the first unfinished, or of the last."""
    if not text:
        return finished.index(False) + 1 if False in finished else len(finished)
    number = forms.step(text)
    if not 1 <= number <= len(finished):
        raise BadRequest(_("There is no such task: use a number from 1 to %(most)s.") % {"most": len(finished)})
    return number


def _person(found: FoundEvaluation, task: RankingTask, known: str) -> JsonObject | None:
    """Return what a rater may know of a person; None if the page has it already."""
    if known == task.person:
        return None
    person = found.folder.person(task.person)
    return {"about": person.about, "memories": [memory.as_json() for memory in person.memories]}


def _cards(found: FoundEvaluation, task: RankingTask, rater: str) -> list[JsonObject]:
    shown = shown_cards(found.sheet, task, rater)
    return [{"letter": LETTERS[place], **card.as_json()} for place, card in enumerate(shown)]


def _places(rating: Rating | None, task: RankingTask) -> dict[str, int]:
    """Return what is rated so far, of the answers that there are now."""
    codes = {card.code for card in task.cards}
    return {code: place for code, place in rating.places.items() if code in codes} if rating else {}
