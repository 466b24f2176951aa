"""Prices of models."""

import pytest

from ville.errors import BadSetting
from ville.home import Home
from ville.llm.accounting import prices
from ville.llm.accounting.prices import Price, Prices
from ville.llm.gateway import Usage


@pytest.fixture
def listed(tmp_path):
    """Read prices from a text."""

    def read(text):
        path = tmp_path / "prices.toml"
        path.write_text(text, "utf-8")
        return Prices.load(path)

    return read


def test_a_call_costs_its_tokens(listed):
    """Prompt, cached and completion tokens at their prices per million."""
    prices = listed('"m" = { input = 2.0, cached = 0.5, output = 10 }')
    usage = Usage(prompt_tokens=1_000_000, cached_tokens=400_000, completion_tokens=100_000)
    assert prices.priced("m", usage).cost == pytest.approx(0.6 * 2.0 + 0.4 * 0.5 + 0.1 * 10)


def test_a_reported_cost_takes_precedence(listed):
    """Except a cost of 0 for a model with a price; for an unknown model any report is used."""
    prices = listed('"m" = { input = 2.0 }')
    assert prices.priced("m", Usage(1000, cost=0.5)).cost == 0.5
    assert prices.priced("m", Usage(1000, cost=0.0)).cost == prices.priced("m", Usage(1000)).cost > 0
    assert prices.priced("other", Usage(1000, cost=0.0)).cost == 0.0
    assert prices.priced("other", Usage(1000)).cost is None


@pytest.mark.parametrize(
    "name", ["m-1", "vendor/m-1", "m-1-2026-03-17", "vendor/m-1:20260317", "m-1-latest", "m-1-preview-09-2026"]
)
def test_vendor_prefix_and_date_suffix_are_ignored(listed, name):
    assert listed('"m-1" = { input = 2.0 }').of(name).input == 2.0


@pytest.mark.parametrize("name", ["m-1-mini", "m-10", "m", "am-1", ""])
def test_a_similar_name_is_another_model(listed, name):
    """It has no price."""
    assert listed('"m-1" = { input = 2.0 }').of(name) is None


WRONG = ("3", "{ output = 1 }", '{ input = "1" }', "{ input = -1 }", "{ input", "{ input = true }", "{ input = nan }")


@pytest.mark.parametrize("price", WRONG)
def test_an_invalid_price_is_named(listed, price):
    """With the file and the model."""
    with pytest.raises(BadSetting, match=r"prices.toml"):
        listed(f'"m" = {price}')


def test_the_bundled_price_list_is_valid():
    assert Prices.load().of("gpt-5.4-mini-2026-03-17").input > 0


@pytest.mark.parametrize(
    "model",
    [
        "openai/gpt-3.5-turbo", "openai/gpt-4", "anthropic/claude-3-opus", "anthropic/claude-3-sonnet",
        "meta-llama/llama-3-70b-instruct", "meta-llama/llama-3-8b-instruct", "google/gemini-pro",
    ],
)  # fmt: skip
def test_the_models_that_the_update_of_2026_names_have_prices(model):
    """So that a limit in dollars can be set by users who come from there."""
    assert Prices.load().of(model).output > 0


def test_the_user_adds_prices_to_those_that_are_known(tmp_path, monkeypatch):
    """In a file of their home, which may be missing; its prices are stronger. Any other file has to be there."""
    home = Home(tmp_path, is_clone=False)
    monkeypatch.setattr(prices, "HOME", home)
    known = "gpt-5.4-mini"
    listed = Prices.load(home.prices).of(known)
    assert listed
    assert Prices.load(home.prices).of("mine") is None
    home.prices.write_text(f'"mine" = {{ input = 1.0, output = 2.0 }}\n"{known}" = {{ input = 3.0 }}', "utf-8")
    assert Prices.load(home.prices).of("mine") == Price(1.0, 1.0, 2.0)
    assert Prices.load(home.prices).of(known) != listed
    with pytest.raises(BadSetting, match="price list"):
        Prices.load(tmp_path / "elsewhere.toml")
