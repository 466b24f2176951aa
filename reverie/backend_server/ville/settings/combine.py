"""Combine the settings of several sources, so that keys and texts only go to servers that the settings name.

Three things belong together: a provider, its address, and its key.

- An address counts until a stronger source chooses another provider.
- A key that is set in the same source as an address may be sent to that server only (`Secret.servers`). Beside two
  addresses it is for the language model, and the embedding server needs a key of another name, or has to be named
  COMPATIBLE.
- OPENAI_BASE_URL, with the OPENAI_API_KEY beside it, may be meant for other programs. It counts where no provider is
  named, or OpenAI is: no other key and no text for another provider goes there.
- Such a key stays in use as long as its address does. An OPENAI_API_KEY in the environment does not replace the key of
  a utils.py that names a server of its own: it is meant for OpenAI.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import reduce

from ville.settings.server_urls import origin_of
from ville.settings.setting_types import Secret

COMPATIBLE = "compatible"
"""Provider of an address without a name, and the owner of VILLE_API_KEY."""

SERVED = "gguf"
"""Provider of a model file."""
OPENAI_SERVER = "openai_server"


def combined(layers: Iterable[Mapping[str, object]]) -> dict[str, object]:
    """Return the settings of all layers, the weakest first."""
    return reduce(_override, layers, {})


def _override(weak: Mapping[str, object], stronger: Mapping[str, object]) -> dict[str, object]:
    stronger = _with_served(weak, stronger)
    strong = _with_openai_server(stronger, _provider({**weak, **stronger}))
    merged = {**weak, **strong, "models": {**_group(weak, "models"), **_group(strong, "models")}}
    for address, chosen in ADDRESSES.items():
        if address not in strong and chosen(merged) != chosen(weak):
            merged.pop(address, None)
    keys = {**_keys(weak), **_bound_keys(strong)}
    kept = {origin_of(str(merged[name])) for name in ADDRESSES if merged.get(name) and name not in strong}
    keys |= {name: key for name, key in _keys(weak).items() if key.servers & kept and name != COMPATIBLE}
    return {**merged, "keys": keys}


def _with_served(weak: Mapping[str, object], layer: Mapping[str, object]) -> Mapping[str, object]:
    """Return a layer whose model file is the provider, if it names none and one of a weaker layer has to give way."""
    chosen = bool(layer.get("model_file")) and not any(layer.get(name) for name in ("provider", "use_openrouter"))
    before = any(weak.get(name) for name in ("provider", "use_openrouter"))
    return {**layer, "provider": SERVED, "use_openrouter": False} if chosen and before else layer


def _with_openai_server(layer: Mapping[str, object], provider: str) -> dict[str, object]:
    """Return a layer with the server of OPENAI_BASE_URL as its address, if it counts for this provider."""
    settings = {name: value for name, value in layer.items() if name != OPENAI_SERVER}
    for address, key in _keys(layer, OPENAI_SERVER).items():
        if provider in {"", "openai", COMPATIBLE}:
            bound = Secret(key.reveal(), frozenset({origin_of(address)}))
            keys = {provider or COMPATIBLE: bound, **_keys(settings)}
            return {**settings, "base_url": address, "keys": keys}
    return settings


def _bound_keys(layer: Mapping[str, object]) -> dict[str, Secret]:
    """Return the keys of a layer; one beside its own address may be sent to that server only."""
    keys = _keys(layer)
    servers = {name: _server_beside(layer, name) for name in keys}
    return {
        name: Secret(key.reveal(), frozenset({servers[name]})) if servers[name] else key for name, key in keys.items()
    }


def _server_beside(layer: Mapping[str, object], key: str) -> str:
    """Return the server whose address stands beside a key in a layer; nothing if none does.

    The key of COMPATIBLE is for the address that is named so, or else for that of the language model, even if that has
    another key: whoever meant it for that server must not find it sent to another one.
    """
    owners = {"base_url": _provider(layer), "embedding_base_url": layer.get("embedder")}
    there = {address: owner for address, owner in owners.items() if layer.get(address)}
    own = [address for address, owner in there.items() if owner == key]
    beside = own or ([*there] if key == COMPATIBLE else [])
    return origin_of(str(layer[beside[0]])) if beside else ""


def _keys(layer: Mapping[str, object], group: str = "keys") -> Mapping[str, Secret]:
    """Return the keys of a layer by provider, or by address."""
    return {name: key for name, key in _group(layer, group).items() if isinstance(key, Secret)}


def _group(layer: Mapping[str, object], name: str) -> Mapping[str, object]:
    """Return settings that are set one by one; none if the layer sets none of them."""
    group = layer.get(name)
    return group if isinstance(group, Mapping) else {}


def _provider(values: Mapping[str, object]) -> str:
    """Return the provider that the settings name; nothing if it depends on the keys."""
    by_address = COMPATIBLE if values.get("base_url") else ""
    return str(values.get("provider") or ("openrouter" if values.get("use_openrouter") else by_address))


def _embedder(values: Mapping[str, object]) -> str:
    return str(values.get("embedder") or _provider(values))


ADDRESSES: Mapping[str, Callable[[Mapping[str, object]], str]] = {
    "base_url": _provider,
    "embedding_base_url": _embedder,
}
"""Settings that hold an address, and the provider that it belongs to."""
