"""Translate the constants of an older utils.py into settings: who answers, at which address, with which key.

AGA chooses by `key_type`, and calls the key `openai_api_key` whoever it is for. Here a key has the name of its
provider, so that it is sent nowhere else.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

KEY_TYPES = ("openai", "azure", "llama", "gemini")
OPENAI_HOST, AZURE_HOSTS = "api.openai.com", (".openai.azure.com", ".cognitiveservices.azure.com")
KEYS = ("openai_api_key", "openai.api_key")
ADDRESSES = (
    "openai_api_base", "openai_base_url", "azure_endpoint", "openai.azure_endpoint", "openai.api_base",
    "openai.base_url", "openai_endpoint", "openai_api_endpoint", "api_base",
)  # fmt: skip
VERSIONS = ("openai_api_version", "openai.api_version")
NO_KEYS = ("none", "empty", "null")
"""What is written where a server at home asks for no key."""


def translated(constants: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that say the same, under our names in small letters. Raises ValueError for an unknown key_type."""
    settings = {name.lower(): value for name, value in constants.items()}
    gemini = _first(settings, ("google_api_key", "google.api_key"))
    if gemini is not None:
        settings["google_api_key"] = gemini
    kind, address, key = _kind(settings), _first(settings, ADDRESSES), _first(settings, KEYS)
    if kind in {"", "openai"} and (not address or is_openai(address)):
        return settings | {"openai_api_key": key} | ({"provider": "openai"} if kind else {}) | _own(settings)
    if kind == "gemini":
        return settings | {"provider": "gemini"} | _own(settings)
    unnamed = {"openai_api_key": None}
    if "provider" in settings or settings.get("use_openrouter"):
        return settings | unnamed
    if kind == "azure":
        version = {"api_version": _first(settings, VERSIONS), "azure_openai_api_key": key}
        return settings | unnamed | {"provider": "azure", "base_url": address} | version
    key = None if str(key).lower() in NO_KEYS else key
    return settings | unnamed | {"provider": "compatible", "base_url": address, "api_key": key}


def is_openai(address: object) -> bool:
    """Return whether an address is OpenAI's own."""
    return _host(address) == OPENAI_HOST


def beside_address(given: Mapping[str, str], ours: Mapping[str, str]) -> dict[str, str]:
    """Return our names for an OpenAI key beside OPENAI_BASE_URL: both are for the server that it names."""
    address = given.get("openai_base_url") or given.get("openai_api_base")
    if not address or "openai_api_key" not in ours or is_openai(address):
        return dict(ours)
    rest = {name: value for name, value in ours.items() if name != "openai_api_key"}
    return rest | {"base_url": address, "api_key": ours["openai_api_key"]}


def _own(settings: Mapping[str, Any]) -> dict[str, Any]:
    """A provider that is named as we name it counts before a key_type."""
    return {"provider": settings["provider"]} if "provider" in settings else {}


def _kind(settings: Mapping[str, Any]) -> str:
    """Raises ValueError."""
    named = settings.get("key_type") or ""
    if named not in {"", *KEY_TYPES}:
        raise ValueError(f"one of {', '.join(KEY_TYPES)} is needed")
    address = _first(settings, ADDRESSES) or ""
    azure = "azure" in (settings.get("openai_api_type"), settings.get("openai.api_type"))
    return "azure" if not named and (azure or _host(address).endswith(AZURE_HOSTS)) else str(named)


def _first(settings: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    """The first of them that says something; what the examples leave open, as `<Your key>`, does not."""
    given = (settings.get(name) for name in names)
    return next((value for value in given if value and not str(value).startswith("<")), None)


def _host(address: object) -> str:
    try:
        return urlsplit(str(address)).hostname or ""
    except ValueError:
        return ""
