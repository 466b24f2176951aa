"""The page of the wallet: limits, what is spent and left, and who spent it; only for those who may act."""

from datetime import UTC, datetime

import pytest
from new_home import new_home
from paid_wallet import write_wallet

from ville.storage.wallet.wallet_file import WalletLimits
from ville.storage.wallet.wallet_settings import WalletSettings, read_wallet_settings


@pytest.fixture
def spent(tmp_path, settings):
    """Show a wallet of three dollars, of which one and a half are spent."""
    file, limits = tmp_path / "wallet.sqlite3", WalletLimits(cost=3.0, per="day")
    settings.WALLET = WalletSettings(file, limits)
    write_wallet(file, limits, {"<b>party</b>": 1.25, "quiet": 0.25})
    return settings


@pytest.mark.usefixtures("spent")
def test_it_shows_what_is_spent_and_left_and_by_whom(client):
    """In both languages; names are texts."""
    page = client.get("/wallet/").content.decode()
    for text in ("$3", "$1.5000", "1.2500", "quiet", "&lt;b&gt;party&lt;/b&gt;", "OpenAI (https://api.test/v1)"):
        assert text in page
    assert f"until {datetime.now(UTC).year}" in page
    russian = client.get("/wallet/", headers={"Accept-Language": "ru"}).content.decode()
    assert "Кошелёк" in russian
    assert "осталось" in russian


@pytest.mark.usefixtures("spent")
def test_watchers_do_not_see_it(afar):
    assert afar().get("/wallet/").status_code == 403
    assert "/wallet/" not in afar().get("/").content.decode()


def test_without_a_wallet_it_says_so(client, settings, tmp_path):
    settings.WALLET = WalletSettings(tmp_path / "none.sqlite3", WalletLimits())
    page = client.get("/wallet/").content.decode()
    assert "No limit is set." in page
    assert "Nothing has been spent." in page
    assert "/wallet/" in client.get("/").content.decode()


def test_its_settings_are_those_of_the_engine(tmp_path):
    """Environment over .env over utils.py."""
    (tmp_path / "utils.py").write_text("wallet = 5.0\nwallet_calls = 7\n", "utf-8")
    (tmp_path / ".env").write_text("VILLE_WALLET=$2.50\nVILLE_WALLET_PER=day\n", "utf-8")
    found = read_wallet_settings(
        {"VILLE_WALLET_TOKENS": "900", "VILLE_WALLET_FILE": str(tmp_path / "w")}, new_home(tmp_path)
    )
    assert found == WalletSettings(tmp_path / "w", WalletLimits(2.5, 7, 900, "day"))
