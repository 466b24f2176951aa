"""The pages that show the town as it is now."""

from datetime import datetime, time
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from translator import page_data
from translator.damage import message
from translator.decorators import page
from translator.storage import simulations
from translator.storage.simulations import SimulationEntry
from translator.storage.stored_simulation import Store
from ville.errors import CorruptFile
from ville.storage.cast import Cast

WAKING = time(6, 40)
"""Links of the list lead to this time of the first day: a town that begins at midnight sleeps before."""


@page
def landing(request: HttpRequest) -> HttpResponse:
    """List the simulations."""
    listing = simulations.listing()
    entries = sorted(listing.entries, key=lambda entry: entry.changed, reverse=True)
    saved = [entry for entry in entries if entry.store is Store.SAVED]
    live_now, damage = _live()
    begun = {entry.code for entry in saved if entry.steps or entry.meta.step}
    running = {live_now["sim_code"]} if live_now else set()
    context = {
        "page": page_data.page("landing"),
        "live": live_now,
        "saved": [_listed(entry) for entry in saved if entry.code in begun],
        "bases": [_listed(entry) for entry in saved if entry.code not in begun | running],
        "damage": [*damage, *listing.damage],
        "compressed": [_listed(entry) for entry in entries if entry.store is Store.COMPRESSED],
    }
    return render(request, "landing.html", context)


@page
def home(request: HttpRequest) -> HttpResponse:
    """Show the simulation that runs, or how to start one."""
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
        "persona_names": [[persona["name"], persona["underscore"]] for persona in now["personas"]],
        "persona_init_pos": [[name, x, y] for name, (x, y) in now["positions"].items()],
    }
    return render(request, "simulator_home.html", context)


def _live() -> tuple[dict[str, Any] | None, list[str]]:
    """Return the simulation that runs with its status, and why the status cannot be read, if so."""
    simulation = simulations.running()
    if simulation is None:
        return None, []
    shown: dict[str, Any] = {"sim_code": simulation.code, "backend": "unknown"}
    try:
        return shown | {
            "sprites": _sprites(simulation.meta.persona_names, simulation.cast)
        } | simulations.status().as_json(), []
    except CorruptFile as fault:
        return shown, [message(fault)]


def _listed(entry: SimulationEntry) -> dict[str, Any]:
    """Return the entry of a simulation in the list."""
    return {
        "sim_code": entry.code,
        "people": len(entry.meta.persona_names),
        "sprites": _sprites(entry.meta.persona_names, entry.cast),
        "steps": entry.steps,
        "last": max(entry.steps - 1, 0),
        "waking": waking(entry),
        "start": entry.meta.start,
        "curr_time": entry.meta.time_of(entry.steps),
    }


def waking(entry: SimulationEntry) -> int:
    """Return the step at which the town wakes up; 0 if the recording does not reach it."""
    asleep = datetime.combine(entry.meta.start, WAKING) - entry.meta.start
    step = int(asleep.total_seconds()) // entry.meta.sec_per_step
    return step if 0 <= step < entry.steps else 0


def _sprites(names: tuple[str, ...], cast: Cast) -> list[str]:
    return [persona["sprite"] for persona in page_data.personas(names[:25], cast)]
