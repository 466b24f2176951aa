"""Read the settings: flags over environment over .env over utils.py over defaults."""

import os
from collections.abc import Container, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ville.errors import BadSetting
from ville.settings import paths
from ville.settings.key_names import KEY_NAMES, misspelt
from ville.settings.model import (
    ENVIRONMENT_SERVER_ONLY,
    GATHERED,
    MODEL,
    PREFIX,
    QUESTION_KINDS,
    SPECS,
    Secret,
    Settings,
)
from ville.settings.older_names import ADDRESSES, KEYS, VERSIONS, beside_address, translated
from ville.settings.server_urls import origin_of
from ville.storage.constants_file import Computed
from ville.storage.folders import read_env_file, read_utils_file


def load_settings(flags: Mapping[str, Any] | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """The settings of this house. Raises BadSetting with the name, the place and the mend."""
    outside = os.environ if environment is None else environment
    dotenv = _dotenv(paths.ROOT / ".env")
    classic = _classic(paths.BACKEND / "utils.py", {**dotenv, **outside})
    sources: tuple[tuple[str, Mapping[str, Any], Mapping[str, Any]], ...] = (
        (str(paths.BACKEND / "utils.py"), classic, classic),
        (str(paths.ROOT / ".env"), dotenv, _prefixed(dotenv, str(paths.ROOT / ".env"))),
        ("the environment", outside, _prefixed(outside, "the environment")),
        ("the command line", {}, dict(flags or {})),
    )
    values: dict[str, Any] = {}
    near: dict[str, str] = {}
    for place, names, source in sources:
        layer = {name: _parsed(name, value, place) for name, value in _arranged(source, place).items()}
        values = _laid_over(values, layer)
        near |= misspelt(names, place)
    return Settings(**values, misspelt=near)


def _laid_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Stronger settings over weaker ones. An address goes with its provider, and a key with its address.

    So an address is left out when another provider is chosen. A provider's own key that was set beside an address is
    not replaced by one that stands alone, such as an OPENAI_API_KEY of the environment: that is for OpenAI itself.
    """
    above = {**above, "keys": _with_servers(above)}
    merged = {**below, **above, "models": {**below.get("models", {}), **above["models"]}}
    for address, chosen in (("base_url", _provider), ("embedding_base_url", _embedder)):
        if address not in above and chosen(merged) != chosen(below):
            merged.pop(address, None)
    kept: Mapping[str, Secret] = below.get("keys", {})
    same_address = "base_url" in merged and "base_url" not in above
    bound = {name: key for name, key in kept.items() if same_address and key.servers and name != "compatible"}
    return {**merged, "keys": {**kept, **above["keys"], **bound}}


def _with_servers(layer: Mapping[str, Any]) -> dict[str, Secret]:
    """The keys of one source; those for the address that stands beside them are for no other server."""
    keys: Mapping[str, Secret] = layer["keys"]
    if not layer.get("base_url"):
        return dict(keys)
    servers = frozenset(origin_of(layer[name]) for name in ("base_url", "embedding_base_url") if layer.get(name))
    opened = {_provider(layer), "compatible"}
    return {name: Secret(key.reveal(), servers) if name in opened else key for name, key in keys.items()}


def _provider(values: Mapping[str, Any]) -> str:
    """The provider that settings name; empty if a key decides."""
    by_address = "compatible" if values.get("base_url") else ""
    return str(values.get("provider") or ("openrouter" if values.get("use_openrouter") else by_address))


def _embedder(values: Mapping[str, Any]) -> str:
    return str(values.get("embedder") or _provider(values))


def _dotenv(path: Path) -> dict[str, str]:
    values = read_env_file(path)
    _check_models(map(str.lower, values), str(path))
    return values


def _prefixed(source: Mapping[str, str], place: str) -> dict[str, str]:
    """What is ours in an environment: our prefix, the keys and the models; an empty value counts as none.

    Raises BadSetting for a name behind our prefix that nothing reads: a limit that is misspelt would be none.
    """
    lowered = {name.lower(): value for name, value in source.items() if value}
    bare = {name: value for name, value in lowered.items() if _is_key(name) or _kind(name) is not None}
    prefix = PREFIX.lower()
    ours = {name.removeprefix(prefix): value for name, value in lowered.items() if name.startswith(prefix)}
    _check_names(ours, place)
    return beside_address(lowered, bare) | ours


def _check_names(names: Iterable[str], place: str) -> None:
    """Raises BadSetting with the nearest there is; a name of the classic utils.py leads to ours."""
    known = {name: name for name in (*SPECS, *KEY_NAMES, *ENVIRONMENT_SERVER_ONLY) if name not in GATHERED}
    known |= {spec.classic: name for name, spec in SPECS.items() if spec.classic}
    for name in names:
        if known.get(name) != name and not name.startswith(MODEL):
            near = get_close_matches(name, known, n=1)
            mend = f"did you mean {PREFIX}{known[near[0]].upper()}?" if near else "docs/models.md lists all there are."
            raise BadSetting(f"{PREFIX}{name.upper()} in {place} is no setting: {mend}")


def _is_key(name: str) -> bool:
    """Whether a name is a provider's own for its key; a bare API_KEY may be anybody's."""
    return name in KEY_NAMES and name != "api_key"


def _kind(name: str) -> str | None:
    """`plan` for model_plan, `plan/day_plan` for model_plan_day_plan; None for what names no questions."""
    kind, _, question = name.removeprefix(MODEL).partition("_")
    if not name.startswith(MODEL) or kind not in QUESTION_KINDS:
        return None
    return f"{kind}/{question}" if question else kind


def _classic(path: Path, environment: Mapping[str, str]) -> dict[str, Any]:
    """The constants of a utils.py, under our names. A file that cannot be read is one clear line."""
    constants = read_utils_file(path, environment)
    known = {spec.classic: name for name, spec in SPECS.items() if spec.classic}
    _check_plain(path, constants, {*known, *SPECS, *KEY_NAMES, *ADDRESSES, *KEYS, *VERSIONS, "key_type"})
    try:
        return translated({known.get(name, name): value for name, value in constants.items()})
    except ValueError as fault:
        raise BadSetting(f"key_type = {constants['key_type']!r} in {path}: {fault}.") from fault


def _check_plain(path: Path, constants: Mapping[str, Any], needed: Container[str]) -> None:
    """Raises BadSetting for a name that means something here, and whose value only running the file would tell."""
    for name, value in constants.items():
        if isinstance(value, Computed) and name.lower() in needed:
            raise BadSetting(
                f"{path}:{value.line}: {name} is computed, and this file is read without being run: write the value "
                f"itself, or set it in {paths.ROOT / '.env'}."
            )


def _arranged(source: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Settings by name: the keys and the models gathered, what nobody knows left out."""
    there = {name: value for name, value in source.items() if value is not None}
    _check_models(there, place)
    gathered = {
        "keys": {KEY_NAMES[name]: there[name] for name in reversed(KEY_NAMES) if name in there},
        "models": {kind: value for name, value in there.items() if (kind := _kind(name)) is not None},
    }
    plain = {name: value for name, value in there.items() if name in SPECS and name not in GATHERED}
    return plain | gathered


def _check_models(names: Iterable[str], place: str) -> None:
    """Raises BadSetting. Not for the environment as a whole, where a MODEL_ may be anybody's."""
    for name in names:
        if name.startswith(MODEL) and _kind(name) is None:
            kinds = ", ".join(f"MODEL_{kind.upper()}" for kind in QUESTION_KINDS)
            raise BadSetting(f"{name.upper()} in {place} names no kind of questions. There are {kinds}.")


def _parsed(name: str, value: object, place: str) -> Any:
    try:
        return SPECS[name].read(value)
    except ValueError as fault:
        raise BadSetting(f"{name} = {value!r} in {place}: {fault}.") from fault
