"""Prices of models: those of the package, and above them those of a file of the user."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from ville.errors import BadSetting, CorruptFile
from ville.home import HOME
from ville.llm.gateway import Usage
from ville.storage.files import read_text

PRICES = Path(__file__).resolve().with_name("prices.toml")
MILLION = 1_000_000
EDITION = re.compile(r"[-@:](\d{4}-\d\d-\d\d|\d{3,8}|latest|preview[\w.-]*)$")
"""Suffix of a model name that providers add for a dated version."""
HOW = 'write it as "model" = { input = 0.15, cached = 0.075, output = 0.60 }, in dollars per million tokens'


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens."""

    input: float
    cached: float
    """For cached prompt tokens."""
    output: float

    def of(self, usage: Usage) -> float:
        """Return the cost of a call in US dollars."""
        cached = min(usage.cached_tokens, usage.prompt_tokens)
        fresh = usage.prompt_tokens - cached
        return (fresh * self.input + cached * self.cached + usage.completion_tokens * self.output) / MILLION


class Prices:
    """A price list."""

    def __init__(self, prices: Mapping[str, Price], otherwise: Price | None = None) -> None:
        """`otherwise` is the price of models that are not in the list; None if unknown."""
        self._prices = prices
        self._otherwise = otherwise
        self._found: dict[str, Price | None] = {}
        """By names under which they were looked up."""

    @classmethod
    def load(cls, path: Path = HOME.prices) -> Self:
        """Read the known prices, and those of a file, which are stronger. Raises BadSetting."""
        return cls({**_prices_in(PRICES, read_text(PRICES)), **_prices_in(path, own_text(path))})

    def priced(self, model: str, usage: Usage) -> Usage:
        """Add the cost if the provider did not report it and the model is in the list.

        A reported cost of 0 is replaced by the list price: some gateways send it when another account is billed.
        """
        price = self.of(model)
        return usage if usage.cost or price is None else replace(usage, cost=price.of(usage))

    def cost(self, model: str, usage: Usage) -> float | None:
        """Return the cost in US dollars; None if it is unknown."""
        return self.priced(model, usage).cost

    def of(self, model: str) -> Price | None:
        """Return the price of a model; a vendor prefix and a date suffix of its name are ignored. None if unknown."""
        if model not in self._found:
            bare = model.rpartition("/")[2]
            names = (model, bare, EDITION.sub("", bare))
            self._found[model] = next((self._prices[name] for name in names if name in self._prices), self._otherwise)
        return self._found[model]


FREE = Prices({}, Price(0.0, 0.0, 0.0))


def own_text(path: Path) -> str:
    """Return the text of a price list; empty if it is the usual one of a user, who has added nothing. Raises
    BadSetting.
    """
    try:
        return "" if path == HOME.prices and not path.exists() else read_text(path)
    except (OSError, ValueError, CorruptFile) as error:
        raise BadSetting(f"prices = {path}: {error}. Name a price list that can be read.") from error


def _prices_in(path: Path, text: str) -> dict[str, Price]:
    try:
        table = tomllib.loads(text)
    except ValueError as error:
        raise BadSetting(f"{path} cannot be read as a price list: {error}") from error
    return {model: _price(model, entry, path) for model, entry in table.items()}


def _price(model: str, entry: object, path: Path) -> Price:
    numbers = entry if isinstance(entry, dict) else {}
    known = {name: number for name, number in numbers.items() if _is_price(number)}
    if "input" not in known or len(known) < len(numbers):
        raise BadSetting(f"{path}: the price of {model} is invalid; {HOW}.")
    return Price(known["input"], known.get("cached", known["input"]), known.get("output", 0.0))


def _is_price(number: object) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool) and 0 <= number < float("inf")
