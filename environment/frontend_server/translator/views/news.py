"""The page that shows how a fact spread in a run, and its data."""

import json
from collections.abc import Iterator
from itertools import groupby
from typing import TypedDict
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext as _

from translator import forms
from translator.decorators import data, page, private
from translator.errors import BadRequest
from translator.rights.access import Right, check_right, right_to_act
from translator.shown.run_pages import run_page
from translator.storage.computed.analyses import analysis
from translator.storage.runs.stored_simulation import StoredSimulation
from translator.storage.town import maps
from translator.views.answers import computed
from translator.views.lookups import run_shown
from ville.analysis.end_to_end import untold_table
from ville.analysis.news import untold_news
from ville.analysis.news_facts import KNOWN, PlantedFact, planted_facts
from ville.command_lines import typed
from ville.storage.records.intervention_log import LOG, read_rows

MOST_ASKED = 100
"""People, who answer some ten thousand questions in a few minutes."""
KNOWN_FACTS = {"party": gettext_noop("Isabella's party"), "candidacy": gettext_noop("Sam's candidacy")}
KINDS = {
    "whisper": gettext_noop("Whispers"),
    "memory_add": gettext_noop("Planted memories"),
    "event": gettext_noop("Events"),
    "object": gettext_noop("States of things"),
    "history": gettext_noop("Histories"),
}


class FactChoice(TypedDict):
    """A fact as the page offers it."""

    key: str
    text: str


@page
def news(request: HttpRequest, sim: str) -> HttpResponse:
    """Show who told whom. What was told is fetched by the page: it may take a while."""
    simulation = run_shown(request, sim)
    fact, by = forms.fact_query(request.GET)
    asked = urlencode({"fact": fact, "by": by, "store": simulation.store})
    store = urlencode({"store": simulation.store})
    rows = maps.walls(simulation.meta.maze_name)
    more = {
        "data": f"{reverse('news_data', args=[simulation.code])}?{asked}",
        "table": f"{reverse('end_to_end', args=[simulation.code])}?{store}",
        "asked": f"{reverse('asked', args=[simulation.code])}?{store}",
        "picture": maps.small_picture(simulation.meta.maze_name),
        "tiles": [len(rows[0]), len(rows)] if rows else None,
        "first": simulation.first,
        "steps": simulation.steps,
    }
    may_act = right_to_act(request) is Right.YES
    context = {
        **run_page(simulation, "news", **more),
        "known": [{"key": key, "text": gettext(KNOWN_FACTS[key])} for key in _known(simulation, fact)],
        "planted": list(_planted(simulation)) if may_act else [],
        "fact": fact,
        "by": by,
        "own": "" if fact in KNOWN or fact.startswith("#") else fact,
    }
    return render(request, "news.html", context)


def _known(simulation: StoredSimulation, fact: str) -> list[str]:
    """Return the facts of the paper that are about someone who lives here, and the one that is asked for."""
    return [key for key, topic in KNOWN.items() if key == fact or topic.source in simulation.meta.persona_names]


def _planted(simulation: StoredSimulation) -> Iterator[tuple[str, list[FactChoice]]]:
    """Yield the facts that interventions brought, by their kind, histories last."""
    rows = read_rows(simulation.meta_file.parent / LOG)
    facts = sorted(planted_facts(rows), key=lambda fact: list(KINDS).index(fact.kind))
    for kind, several in groupby(facts, key=lambda fact: fact.kind):
        yield gettext(KINDS[kind]), [_choice(fact) for fact in several]


def _choice(fact: PlantedFact) -> FactChoice:
    return {"key": fact.key, "text": f"{fact.who}: {fact.words}" if fact.who else fact.words}


@data
def tellings(request: HttpRequest, sim: str) -> HttpResponse:
    """Return how a fact spread; 202 while this is computed. What was planted is told to those who may act, and only
    they search with patterns, which may take for ever.
    """
    simulation = run_shown(request, sim)
    fact, by = forms.fact_query(request.GET)
    if fact.startswith("#") or (by == "pattern" and fact not in KNOWN):
        check_right(request)
    may_act = right_to_act(request) is Right.YES
    job = analysis(simulation, "measure", [f"--news={fact}", f"--by={by}"], may_act=may_act)
    return computed(request, job, _for_watchers)


@data
def table(request: HttpRequest, sim: str) -> HttpResponse:
    """Return the paper's end-to-end table of a run; 202 while this is computed."""
    may_act = right_to_act(request) is Right.YES
    job = analysis(run_shown(request, sim), "measure", ["--paper"], may_act=may_act)
    return computed(request, job, _table_for_watchers)


@private
def asked(request: HttpRequest, sim: str) -> HttpResponse:
    """Return what everyone answers when asked as in the paper, by the rules; 202 while they are asked. A crowd is not
    asked here: there are as many questions as pairs.
    """
    simulation = run_shown(request, sim)
    if len(simulation.meta.persona_names) > MOST_ASKED:
        reason = _("These are more than %(most)s people, who would be asked about each other for hours. Type: %(how)s")
        raise BadRequest(reason % {"most": MOST_ASKED, "how": typed("measure", simulation.code, "--ask")})
    return computed(request, analysis(simulation, "measure", ["--ask"], may_act=True))


def _table_for_watchers(found: bytes) -> bytes:
    return json.dumps({name: untold_table(rows) for name, rows in json.loads(found).items()}).encode()


def _for_watchers(found: bytes) -> bytes:
    """Return what was found without words of users."""
    return json.dumps({name: untold_news(values) for name, values in json.loads(found).items()}).encode()
