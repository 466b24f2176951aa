"""Tells pages of models: what the next town thinks with, which settings decide so, and what a day costs; and asks them.

Settings are loaded anew for each request, as for a simulation that is opened. No key is in an answer.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from ville.assembly.cost_model import cost_model
from ville.assembly.model_check import Finding, ask_models
from ville.assembly.model_choice import chat_config, check_prices, embedder_name, provider_name
from ville.errors import SetupError
from ville.json_types import JsonObject
from ville.llm.accounting.estimate import CostModel, PlannedRun, estimate
from ville.llm.accounting.summaries import Calendar
from ville.llm.wire.providers import OFFLINE
from ville.settings import Place, Settings, load_settings, setting_places
from ville.settings.server_urls import masked_url
from ville.simulation.requests.engine_requests import EngineModels, EngineTestModels
from ville.storage.exchange.inbox import Ack

DAY = Calendar(datetime(2023, 2, 13), 10)  # noqa: DTZ001 - game time
STEPS = 8640
"""Of a day."""

OF_MODELS = (
    "provider", "use_openrouter", "base_url", "model_file", "fast_model", "advanced_model", "models.", "openai_server",
    "embed",
)  # fmt: skip
"""Beginnings of the names of settings that decide what answers."""


async def answer_about_models(request: EngineModels | EngineTestModels, flags: Mapping[str, object]) -> Ack:
    """Return the acknowledgement of a request. Raises ReverieError, BadSetting for settings that cannot be read."""
    settings = load_settings(flags)
    told = (
        await _report(request.people, settings, flags) if isinstance(request, EngineModels) else await _tested(settings)
    )
    return {"id": request.id, "request": request.request, "result": "done", **told}


async def _report(people: Sequence[int], settings: Settings, flags: Mapping[str, object]) -> JsonObject:
    from ville.llm.wire.found_servers import found_servers, usual_ports  # noqa: PLC0415 - its client is large

    places: dict[str, Place] = setting_places(flags)
    found = await found_servers(usual_ports())
    return {
        "chosen": _chosen(settings),
        "form": _form(settings),
        "keys": {name.removeprefix("keys."): place for name, place in places.items() if name.startswith("keys.")},
        "places": {name: place for name, place in places.items() if name.startswith(OF_MODELS)},
        "costs": _costs(settings, people),
        "servers": [{"provider": each.provider, "models": list(each.models)} for each in found],
    }


def _chosen(settings: Settings) -> JsonObject:
    """Return what answers in the next town; `fault` says what is missing for that."""
    try:
        chat = chat_config(settings)
        vectors, notice = embedder_name(settings), check_prices(settings)
    except SetupError as fault:
        return {"provider": provider_name(settings), "fault": str(fault)}
    if chat is None:
        return {"provider": OFFLINE, "embedder": vectors, "notice": notice}
    where = "" if chat.endpoint.served else masked_url(chat.endpoint.base_url)
    return {
        "provider": chat.endpoint.provider.name,
        "title": chat.endpoint.provider.title,
        "address": where,
        "models": chat.models.names,
        "embedder": vectors,
        "notice": notice,
    }


def _form(settings: Settings) -> JsonObject:
    """Return the settings that a page offers to change. An address that holds a secret is left out."""
    shown = masked_url(settings.base_url) == settings.base_url
    return {
        "provider": provider_name(settings),
        "base_url": settings.base_url if shown else "",
        "model_file": str(settings.model_file or ""),
        "fast_model": settings.fast_model,
        "advanced_model": settings.advanced_model,
    }


def _costs(settings: Settings, people: Sequence[int]) -> list[JsonObject]:
    """Return what a day costs for each number of people; nothing while something is missing."""
    try:
        model, free = cost_model(settings), chat_config(settings) is None
    except SetupError:
        return []
    return [_cost(count, model, free=free) for count in people]


def _cost(people: int, model: CostModel, *, free: bool) -> JsonObject:
    """Return what a day costs. `dollars` is None if a price is unknown."""
    if free:
        return {"people": people, "calls": 0, "tokens": 0, "dollars": 0.0, "seconds": 0.0}
    day = estimate(PlannedRun(people, 0, STEPS, DAY), model, None)
    totals = day.totals
    return {
        "people": people,
        "calls": round(totals.calls),
        "tokens": round(totals.tokens),
        "dollars": totals.cost if day.priced else None,
        "seconds": totals.seconds,
    }


async def _tested(settings: Settings) -> JsonObject:
    """Ask each model the question of `validate_setup.py`, and for vectors. Costs a fraction of a cent."""
    found = [_told(finding) async for finding in ask_models(settings)]
    return {"findings": found}


def _told(finding: Finding) -> JsonObject:
    """Return a finding, with the answer of a model if there is one."""
    told: JsonObject = {"verdict": finding.verdict, "what": finding.what, "says": finding.says}
    if (answer := finding.answer) is None:
        return told
    return {
        **told,
        "model": answer.model,
        "hour": answer.hour,
        "corrections": answer.corrections,
        "tokens": answer.tokens,
        "seconds": answer.seconds,
    }
