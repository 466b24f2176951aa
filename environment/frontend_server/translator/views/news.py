"""The page that shows how a piece of news spread in a run."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from translator.decorators import page
from translator.shown.run_pages import run_page
from translator.views.lookups import run_shown


@page
def news(request: HttpRequest, sim: str) -> HttpResponse:
    """Show who told whom. What was told is fetched by the page: it may take a while."""
    return render(request, "news.html", run_page(run_shown(request, sim), "news"))
