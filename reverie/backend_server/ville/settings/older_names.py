"""Translate older names into present settings: provider, address and key, each in its own setting.

In the utils.py of some forks `key_type` chooses the provider, and `openai_api_key` holds the key of any of them. Here
each provider has a name of its own for its key, so that the key is sent to no other server.
"""

from collections.abc import Mapping
from urllib.parse import urlsplit

RENAMED = {"lines": "max_concurrency"}
"""Settings that have a new name; the older one is read everywhere."""
SWITCHES: Mapping[str, Mapping[str, object]] = {
    "disable_policy": {"policy_store": "none"},
    "disable_relationship": {"impressions": False, "social_memory": False},
}
"""Flags of AGA, and the settings that they stand for; read everywhere, too."""
USE: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "use_policy": ("disable_policy", {"policy_store": "public"}),
    "use_relationship": ("disable_relationship", {"social_memory": True}),
}
"""Constants of a utils.py of AGA: the switch that each stands for if it is false, and the settings if it is true."""
MODELS = {
    "default_openai_chat_model": "openai",
    "default_azure_chat_model": "azure",
    "default_llama_chat_model": "compatible",
    "default_gemini_chat_model": "gemini",
}
"""Constants of a utils.py of AGA that name models, and their providers."""
TRANSLATED = ("provider_models", "openrouter_embedding_model", "openai_server")
"""Settings that only older names stand for."""
OFF = ("", "0", "f", "false", "n", "no", "none", "off")
CLASSIC_EMBEDDINGS = "text-embedding-ada-002"
"""Embedding model of the released code and of its update of 2026, at OpenAI."""
UTILS_FILE_RENAMED = {"maze_assets_loc": "assets"}
"""Settings that have another name in a utils.py."""
KEY_TYPES = ("openai", "azure", "llama", "gemini")
OF_OTHERS = {"openai": "OpenAI", "azure": "Azure", "llama": "a server of your own"}
"""Whose address a key_type is for. Gemini has one of its own, and leaves the others alone."""
OPENAI_HOST, AZURE_HOSTS = "api.openai.com", (".openai.azure.com", ".cognitiveservices.azure.com")
KEYS = ("openai_api_key", "openai.api_key")
ADDRESSES = (
    "openai_api_base", "openai_base_url", "azure_endpoint", "openai.azure_endpoint", "openai.api_base",
    "openai.base_url", "openai_endpoint", "openai_api_endpoint", "api_base",
)  # fmt: skip
VERSIONS = ("openai_api_version", "openai.api_version")
UTILS_FILE_NAMES = {*UTILS_FILE_RENAMED, *KEYS, *ADDRESSES, *VERSIONS, *USE, "key_type"}
NO_KEYS = ("none", "empty", "null")
"""Placeholders for the key of a local server that needs none."""


def translated(constants: Mapping[str, object]) -> dict[str, object]:
    """Return the constants of a utils.py by the present names of settings.

    Raises ValueError for an unknown key_type, or for one that contradicts the address.
    """
    lowered = {name.lower(): value for name, value in constants.items()}
    renamed = {UTILS_FILE_RENAMED.get(name, name): value for name, value in lowered.items()}
    settings = _used(renamed) | _models(renamed) | renamed
    return _beside_openrouter(_by_provider(settings))


def _by_provider(settings: dict[str, object]) -> dict[str, object]:
    """Return the settings with provider, address and key each in its own. Raises ValueError as `translated` does."""
    gemini = _first(settings, ("google_api_key", "google.api_key"))
    if gemini is not None:
        settings["google_api_key"] = gemini
    kind, address, key = _key_type(settings), _first(settings, ADDRESSES), _first(settings, KEYS)
    if key == gemini:  # a key of Google under both names is not sent to OpenAI
        settings["openai_api_key"] = key = None
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


def switched(given: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of the switches that are on."""
    on = (values for name, values in SWITCHES.items() if is_on(given.get(name)))
    return {name: value for values in on for name, value in values.items()}


def is_on(switch: object) -> bool:
    return str(switch).strip().lower() not in OFF


def _used(settings: Mapping[str, object]) -> dict[str, object]:
    """Return what the constants of AGA that turn policy and social memory on or off stand for."""
    found: dict[str, object] = {}
    for name, (switch, values) in USE.items():
        if name in settings:
            found |= values if settings[name] else {switch: True}
    return found


def _models(settings: Mapping[str, object]) -> dict[str, object]:
    """Return the models that AGA names by their providers."""
    found = {provider: model for name, provider in MODELS.items() if (model := _first(settings, (name,)))}
    return {"provider_models": found} if found else {}


def _beside_openrouter(settings: dict[str, object]) -> dict[str, object]:
    """Return settings in which an OpenAI key beside that of OpenRouter is for embeddings, as in the update of 2026."""
    beside = settings.get("use_openrouter") and _first(settings, ("openai_api_key",))
    return settings | ({"openrouter_embedding_model": CLASSIC_EMBEDDINGS} if beside else {})


def is_openai(address: object) -> bool:
    """Return whether an address is that of OpenAI itself."""
    return _host(address) == OPENAI_HOST


def beside_address(given: Mapping[str, str], ours: Mapping[str, str]) -> dict[str, object]:
    """Return settings in which an OpenAI key beside OPENAI_BASE_URL is the key of that server.

    Beside another address of ours neither counts: the key is not for that one.

    Args:
        given: all variables of a source, with names in lower case.
        ours: the keys and models among them.
    """
    name = _openai_address(given)
    if not name or "openai_api_key" not in ours:
        return dict(ours)
    rest: dict[str, object] = {each: value for each, value in ours.items() if each != "openai_api_key"}
    elsewhere = given.get("ville_base_url") not in {None, given[name]}
    return rest if elsewhere else rest | {"openai_server": {given[name]: ours["openai_api_key"]}}


def unread_address(variables: Mapping[str, str], place: str) -> tuple[str, ...]:
    """Return OPENAI_BASE_URL with its place, if it is set in a source that has no key of that server."""
    given = {name.lower(): value for name, value in variables.items() if value}
    name = "" if "openai_api_key" in given else _openai_address(given)
    return (f"{name.upper()} in {place}",) if name else ()


def _openai_address(given: Mapping[str, str]) -> str:
    """Return the variable that names a server other than that of OpenAI in its place; nothing if none does."""
    name = next((name for name in ("openai_base_url", "openai_api_base") if given.get(name)), "")
    return "" if not name or is_openai(given[name]) else name


def _own(settings: Mapping[str, object]) -> dict[str, object]:
    """Return the provider if it is set by its present name, which is stronger than a key_type."""
    return {"provider": settings["provider"]} if "provider" in settings else {}


def _key_type(settings: Mapping[str, object]) -> str:
    """Return the key_type, or azure if other settings imply it. Raises ValueError."""
    named = str(settings.get("key_type") or "")
    if named not in {"", *KEY_TYPES}:
        raise ValueError(f"expected one of {', '.join(KEY_TYPES)}")
    address = _first(settings, ADDRESSES) or ""
    is_azure = _host(address).endswith(AZURE_HOSTS)
    whose = "Azure" if is_azure else "OpenAI" if is_openai(address) else ""
    if named in OF_OTHERS and whose not in {"", OF_OTHERS[named]}:
        raise ValueError(f"the address in the same file is that of {whose}; correct one of the two")
    azure = "azure" in (settings.get("openai_api_type"), settings.get("openai.api_type"))
    return "azure" if not named and (azure or is_azure) else named


def _first(settings: Mapping[str, object], names: tuple[str, ...]) -> object:
    """Return the value of the first of these settings that has one. Placeholders such as `<Your key>` do not count."""
    given = (settings.get(name) for name in names)
    return next((value for value in given if value and not str(value).startswith("<")), None)


def _host(address: object) -> str:
    try:
        return urlsplit(str(address)).hostname or ""
    except ValueError:
        return ""
