"""The pages of one run beside its recording: what they are called, and how they lead to each other."""

from typing import NamedTuple, TypedDict
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from translator.forms import DEFAULT_SPEED
from translator.rights.access import Right, right_to_act
from translator.shown import page_data
from translator.storage.runs.simulations import running
from translator.storage.runs.stored_simulation import Store, StoredSimulation


class RunPage(NamedTuple):
    """A page of one run: the name of a run is the argument of its route."""

    route: str
    title: str
    question: str
    """The question that it answers, in a few words."""


RUN_PAGES = (
    RunPage("story", gettext_noop("Story"), gettext_noop("What weighed most, day by day?")),
    RunPage("news", gettext_noop("News"), gettext_noop("Who told whom, and who really knows?")),
    RunPage("ties", gettext_noop("Ties"), gettext_noop("Who knows, talks with and likes whom?")),
    RunPage("why", gettext_noop("Why?"), gettext_noop("What led to what someone did, and is that really why?")),
    RunPage("calls", gettext_noop("Calls"), gettext_noop("What was the model asked, and what did it cost?")),
)


class PageLink(TypedDict):
    """A link to a page of a run."""

    address: str
    title: str
    question: str
    is_here: bool


def run_links(simulation: StoredSimulation, here: str = "") -> list[PageLink]:
    """Return links to all pages of a run; none before its first step. `here` is the route of the page they are on."""
    if not simulation.steps:
        return []
    store = f"?{urlencode({'store': simulation.store})}" if simulation.store is Store.COMPRESSED else ""
    return [
        {
            "address": reverse(page.route, args=[simulation.code]) + store,
            "title": gettext(page.title),
            "question": gettext(page.question),
            "is_here": page.route == here,
        }
        for page in RUN_PAGES
    ]


def run_page(simulation: StoredSimulation, here: str, **more: object) -> dict[str, object]:
    """Return the context of a page of a run. `more` are further values for its script, beside those of its town."""
    links = run_links(simulation, here)
    town = page_data.town(simulation)
    live = running() if simulation.store is Store.SAVED else None
    is_live = live is not None and live.code == simulation.code
    return {
        "page": page_data.page(
            here, **{**town, "picture": None, **more}, store=simulation.store, watch=watch_address(simulation)
        ),
        "sim_code": simulation.code,
        "title": town["title"],
        "links": links,
        "here": next(link for link in links if link["is_here"]),
        "watch": reverse("home") if is_live else watch_address(simulation, simulation.first),
        "is_live": is_live,
    }


def why_address(request: HttpRequest, simulation: StoredSimulation) -> str:
    """Return where those who may act ask for the causes of what happens in a run; empty for others."""
    if right_to_act(request) is not Right.YES:
        return ""
    return f"{reverse('why', args=[simulation.code])}?{urlencode({'store': simulation.store})}"


def watch_address(simulation: StoredSimulation, step: int | str = "STEP") -> str:
    """Return where a run is seen at a step, also while it goes on: its past is watched there, too."""
    if simulation.store is Store.COMPRESSED:
        return reverse("demo", args=[simulation.code, step, DEFAULT_SPEED])
    return reverse("replay", args=[simulation.code, step])
