"""The pages that show the town as it is now."""

from datetime import datetime, time
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from translator import page_data
from translator.decorators import page
from translator.errors import Damaged
from translator.storage import simulations
from translator.storage.simulations import Entry
from translator.storage.stored_simulation import Store

WAKING = time(6, 40)
"""Links of the list lead to this time of the first day: before it, a town that begins at midnight only sleeps."""


@page
def landing(request: HttpRequest) -> HttpResponse:
    """The server is up; these simulations can be watched."""
    listing = simulations.listing()
    entries = sorted(listing.entries, key=lambda entry: entry.changed, reverse=True)
    saved = [entry for entry in entries if entry.store is Store.SAVED]
    live_now, damage = _live()
    begun = {entry.code for entry in saved if entry.steps or entry.meta.step}
    running = {live_now["sim_code"]} if live_now else set()
    context = {
        "page": page_data.page("landing"),
        "live": live_now,
        "saved": [_line(entry) for entry in saved if entry.code in begun],
        "bases": [_line(entry) for entry in saved if entry.code not in begun | running],
        "damage": [*damage, *listing.damage],
        "compressed": [_line(entry) for entry in entries if entry.store is Store.COMPRESSED],
    }
    return render(request, "landing.html", context)


@page
def home(request: HttpRequest) -> HttpResponse:
    """The live view; while no engine has announced itself, what to type."""
    simulation = simulations.running()
    if simulation is None:
        return render(request, "start_backend.html", {"page": page_data.page("waiting")})
    now = page_data.now(simulation)
    context = {
        "page": page_data.page("simulate", **now),
        "mode": "simulate",
        "sim_code": simulation.code,
        "damage": now["damage"],
        "step": now["step"],
        "persona_names": [[person["name"], person["underscore"]] for person in now["personas"]],
        "persona_init_pos": [[name, x, y] for name, (x, y) in now["positions"].items()],
    }
    return render(request, "simulator_home.html", context)


def _live() -> tuple[dict[str, Any] | None, list[str]]:
    """What runs, and why it cannot be said if it cannot."""
    simulation = simulations.running()
    if simulation is None:
        return None, []
    shown: dict[str, Any] = {"sim_code": simulation.code, "backend": "unknown"}
    try:
        return shown | {"sprites": _sprites(simulation.meta.persona_names)} | simulations.status().as_json(), []
    except Damaged as fault:
        return shown, [str(fault)]


def _line(entry: Entry) -> dict[str, Any]:
    """What the list says of a simulation."""
    return {
        "sim_code": entry.code,
        "people": len(entry.meta.persona_names),
        "sprites": _sprites(entry.meta.persona_names),
        "steps": entry.steps,
        "last": max(entry.steps - 1, 0),
        "waking": waking(entry),
        "start": entry.meta.start,
        "curr_time": entry.meta.time_of(entry.steps),
    }


def waking(entry: Entry) -> int:
    """The step from which there is something to see."""
    asleep = datetime.combine(entry.meta.start, WAKING) - entry.meta.start
    step = int(asleep.total_seconds()) // entry.meta.sec_per_step
    return step if 0 <= step < entry.steps else 0


def _sprites(names: tuple[str, ...]) -> list[str]:
    return [person["sprite"] for person in page_data.cast(names[:25])]
