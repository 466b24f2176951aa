"""The settings of a job as they are sent to another machine, whose own settings are not to change its results."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ville.assembly.providers import HASHING, LOCAL, chat_config, embedding_config
from ville.errors import BadSetting, CorruptFile
from ville.llm.wire.providers import OFFLINE
from ville.settings import FIELDS, WALLET, Settings, load_settings
from ville.storage.files import read_text

OWN = ("keys", "models", "key_owner", "collision_block_id", "prices", *WALLET)
"""Settings that are not sent: keys and wallet, and those that are sent otherwise or not used."""


def settings_to_send(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a job, those of this machine's environment and files included, without keys.

    Raises SetupError.
    """
    settings = load_settings(given)
    values = {name: getattr(settings, name) for name in FIELDS if name not in OWN}
    chat, vectors = chat_config(settings), embedding_config(settings)
    values |= {
        "provider": chat.endpoint.provider.name if chat else OFFLINE,
        "embedder": vectors.endpoint.provider.name if vectors else LOCAL if settings.embedder == LOCAL else HASHING,
        "checkpoints": "all" if settings.checkpoints is None else settings.checkpoints,
    }
    values |= {f"model_{kind.replace('/', '_')}": model for kind, model in settings.models.items()}
    given_values = {name: value for name, value in values.items() if value is not None}
    return {name: str(value) if isinstance(value, Path) else value for name, value in given_values.items()}


def prices_to_send(settings: Settings) -> str:
    """Return the content of the price list. Raises BadSetting."""
    try:
        return read_text(settings.prices)
    except (OSError, UnicodeDecodeError, CorruptFile) as error:
        raise BadSetting(f"prices = {settings.prices}: {error}. Name a price list that can be read.") from error
