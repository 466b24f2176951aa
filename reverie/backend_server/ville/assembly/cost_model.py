"""Prices of calls by the settings, for estimates."""

from ville.assembly.model_choice import chat_config, embedding_config, prices_for
from ville.llm.accounting.estimate import CostModel
from ville.llm.accounting.prices import Price, Prices
from ville.llm.concurrency import FIRST_CALLS
from ville.llm.wire.endpoint import Endpoint
from ville.settings import Settings


def cost_model(settings: Settings) -> CostModel:
    """Return prices and concurrency; the offline rules have no price. Raises SetupError."""
    chat, vectors = chat_config(settings), embedding_config(settings)
    return CostModel(
        max_concurrency=settings.max_concurrency or FIRST_CALLS,
        fast=_price(settings, chat.endpoint, chat.models.fast) if chat else None,
        advanced=_price(settings, chat.endpoint, chat.models.advanced) if chat else None,
        vectors=_price(settings, vectors.endpoint, vectors.model) if vectors else None,
        buys_vectors=vectors is not None,
    )


def _price(settings: Settings, endpoint: Endpoint, model: str) -> Price | None:
    return prices_for(endpoint, Prices.load(settings.prices)).of(model)
