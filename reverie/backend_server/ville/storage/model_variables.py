"""The choice of a model as variables of .env: which provider, where, which models, and the key for it.

Pages keep it here. Both servers know the names; what they mean is up to `ville.settings`.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ville.errors import BadSetting
from ville.storage.env_file import change_env_file
from ville.storage.folders import read_env_file

KEY_NAMES = {
    "openai_api_key": "openai",
    "openrouter_api_key": "openrouter",
    "gemini_api_key": "gemini",
    "google_api_key": "gemini",
    "azure_openai_api_key": "azure",
    "api_key": "compatible",
}
"""The provider of each key. In the environment the names are in capitals."""
AMBIGUOUS_KEY = "api_key"
"""Name that is only ours with our prefix: without it, it may be another program's."""
PREFIX = "VILLE_"
ADDRESS_VARIABLE = "VILLE_BASE_URL"
RULES = "offline"
CHOICES = (
    RULES, "openai", "openrouter", "gemini", "ollama", "vllm", "llamacpp", "lmstudio", "gguf", "azure", "compatible",
)  # fmt: skip
"""Providers, and the rules that answer without one."""
LONGEST = 1000
"""Characters of a value."""
KEY = re.compile(r"[!-~]+")
VALUE = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]*")
ADDRESS = re.compile(r"https?://[!-~]+")


class ChosenModel(NamedTuple):
    """A provider, and what it needs. What is empty is not set, so that the defaults of the provider count."""

    provider: str
    base_url: str = ""
    model_file: str = ""
    fast_model: str = ""
    advanced_model: str = ""


def keep_choice(file: Path, chosen: ChosenModel, key: str = "") -> None:
    """Write a choice and its key, if there is a new one, to a .env file.

    What belongs to an earlier choice goes: its address would get the key of this one. Keys of providers stay; that of
    a server by address goes with the address. Raises BadSetting and CannotWrite; the file is as it was then.
    """
    if chosen.provider not in CHOICES:
        raise BadSetting(f"There is no such provider. Choose one of {', '.join(CHOICES)}.")
    _check_values(chosen)
    values = {f"{PREFIX}{name.upper()}": value for name, value in chosen._asdict().items()}
    own = _with_key(chosen.provider, key) if key else {}
    change_env_file(file, {**_without_key(file, chosen.base_url), **values, **own})


def _without_key(file: Path, address: str) -> Mapping[str, str]:
    """Return what removes the key that was given for another address. Raises BadSetting."""
    before = read_env_file(file).get(ADDRESS_VARIABLE, "")
    return {} if before == address else dict.fromkeys(_key_variables(KEY_NAMES[AMBIGUOUS_KEY]), "")


def remove_key(file: Path, provider: str) -> None:
    """Remove the key of a provider from a .env file, under each of its names. Raises BadSetting and CannotWrite."""
    change_env_file(file, dict.fromkeys(_key_variables(provider), ""))


def _check_values(chosen: ChosenModel) -> None:
    for name, value in chosen._asdict().items():
        if len(value) > LONGEST or not VALUE.fullmatch(value):
            raise BadSetting(f"{name} is too long, or has characters that cannot be seen. Write it again.")
    if chosen.base_url and not ADDRESS.fullmatch(chosen.base_url):
        raise BadSetting("An address begins with http:// or https:// and has no blanks, as http://localhost:9000/v1.")


def _with_key(provider: str, key: str) -> Mapping[str, str]:
    """Return the variables that hold a key: one of them does. Raises BadSetting."""
    if len(key) > LONGEST or not KEY.fullmatch(key):
        raise BadSetting("This is not a key: it has blanks, line breaks or characters that no key has. Copy it again.")
    first, *others = _key_variables(provider)
    return {first: key, **dict.fromkeys(others, "")}


def _key_variables(provider: str) -> list[str]:
    """Return the variables in which the key of a provider may be, the usual one first. Raises BadSetting."""
    names = [name for name, owner in KEY_NAMES.items() if owner == provider]
    if not names:
        raise BadSetting("Only OpenAI, OpenRouter, Gemini, Azure and other servers by address take a key here.")
    bare = [name.upper() for name in names if name != AMBIGUOUS_KEY]
    return [*bare, *(f"{PREFIX}{name.upper()}" for name in names)]
