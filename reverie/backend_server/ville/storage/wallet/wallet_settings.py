"""Where the wallet is and what it limits, as its owner has set it: for programs that only show it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ville.errors import BadSetting
from ville.home import HOME, Home
from ville.storage.folders import folder_path, given_settings
from ville.storage.wallet.wallet_file import WalletLimits, default_file

NAMES = {name: name for name in ("wallet", "wallet_calls", "wallet_tokens", "wallet_per", "wallet_file")}


@dataclass(frozen=True)
class WalletSettings:
    """The wallet of this user."""

    file: Path
    limits: WalletLimits


def read_wallet_settings(environment: Mapping[str, str], home: Home = HOME) -> WalletSettings:
    """Read the settings of the wallet: environment over .env over utils.py. Raises BadSetting."""
    given = given_settings(environment, home, NAMES)
    file = given.get("wallet_file")
    try:
        limits = WalletLimits(
            cost=float(str(given["wallet"]).strip().removeprefix("$")) if "wallet" in given else None,
            calls=int(str(given["wallet_calls"])) if "wallet_calls" in given else None,
            tokens=int(str(given["wallet_tokens"])) if "wallet_tokens" in given else None,
            per="day" if str(given.get("wallet_per", "all")).strip() == "day" else "all",
        )
    except ValueError as fault:
        raise BadSetting(
            f"The limits of the wallet cannot be read ({fault}). docs/models.md shows how to set them."
        ) from fault
    return WalletSettings(folder_path(file, home.settings_folder) if file else default_file(), limits)
