"""A wallet above simulations, by the provider's own count: what one has spent, the next one cannot."""

import pytest
from counting_provider import PRICES
from plausible_provider import PlausibleProvider

import ville
from ville.cli.wallet_command import main as wallet
from ville.errors import BadSetting, BudgetSpent

WALLET = 0.01
"""Dollars. A morning of the small town takes more."""


@pytest.fixture
def paid(small_town, server, monkeypatch, tmp_path):
    """Return a provider that costs money, and is set in the environment."""
    provider = PlausibleProvider()
    server.chat, server.embed = provider.chat, provider.embed
    (tmp_path / "prices.toml").write_text(PRICES, "utf-8")
    places = {"fs_storage": "storage", "fs_temp_storage": "temp", "assets": "assets", "prices": "prices.toml"}
    values = {name: str(small_town.root / place) for name, place in places.items()}
    values |= {"provider": "compatible", "base_url": server.url, "api_key": "sk-1", "fast_model": "m"}
    values |= {"embedder": "compatible", "embedding_model": "v", "answer_tokens": "500", "retry_for": "1", "seed": "1"}
    values |= {"wallet": str(WALLET), "wallet_file": str(tmp_path / "wallet.sqlite3")}
    for name, value in values.items():
        monkeypatch.setenv(f"VILLE_{name.upper()}", value)
    return provider


def test_forks_and_interviews_draw_on_one_wallet(paid, small_town, capsys, monkeypatch):
    """The run that empties it saves and stops with one line, forks of it and interviews are not answered, and
    `wallet.py` shows who spent it. With more in it, all goes on.
    """
    with ville.fork("base", "first") as town, pytest.raises(BudgetSpent, match=r"^wallet of .*Raise VILLE_WALLET"):
        town.run(until="12:00")
    calls = paid.calls
    assert calls
    assert small_town.steps("first")
    for name in ("second", "third"):
        with ville.fork("first", name, max_cost=1000.0) as town, pytest.raises(BudgetSpent):
            town.run(until="12:00")
    with pytest.raises(BudgetSpent):
        for number in range(100):  # what a step could not be paid from may be enough for a few short ones
            ville.interview("first", "Ada Stone", f"How are you at {number}:00?")
    assert paid.cost <= WALLET
    capsys.readouterr()
    assert wallet([]) == 0
    shown = capsys.readouterr().out
    assert f"{WALLET:.4f} dollars for each account in all" in shown
    assert "first (run)" in shown
    monkeypatch.setenv("VILLE_WALLET", "100")
    with ville.open("first") as town:
        town.run(until="12:00")
    assert paid.calls > calls


def test_the_wallet_is_set_by_its_owner_only(paid):
    """Neither by flags, which requests can add to, nor where a model has no price."""
    with pytest.raises(BadSetting, match=r"wallet can only be set in \.env"):
        ville.fork("base", "first", wallet=1000)
    with pytest.raises(BadSetting, match="price of dear is unknown, so wallet cannot be enforced"):
        ville.fork("base", "first", fast_model="dear")
    assert not paid.calls
