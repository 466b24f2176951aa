"""Where everything is and how a run behaves: flags, environment, .env, utils.py and defaults in one frozen Settings.

A later source gives way to an earlier one: flag > environment > .env > utils.py > default. Paths are resolved from
where this file lies, never from the working directory. Keys are masked wherever a Settings is shown.
"""

import argparse
import io
import math
import os
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_args, get_type_hints

from dotenv import dotenv_values
from dotenv.parser import parse_stream

from ville.errors import BadSetting
from ville.key_names import KEY_NAMES, misspelt
from ville.older_names import ADDRESSES, KEYS, VERSIONS, beside_address, translated
from ville.server_urls import origin_of
from ville.utils_file import Computed, read_constants

PACKAGE = Path(__file__).resolve().parent
BACKEND = PACKAGE.parent
HOUSE = BACKEND.parent.parent
FRONTEND = HOUSE / "environment" / "frontend_server"
PREFIX = "VILLE_"
"""In the environment and in .env every setting is called by its name in capitals behind this: VILLE_SEED=7."""

STAGE = ("bind", "database", "hosts", "origins", "pages_debug", "secret_key")
"""What the environment server alone is told."""
SHELVES = ("perceive", "plan", "react", "reflect", "converse", "talk")
"""Kinds of questions: MODEL_PLAN names the model for all of a kind, MODEL_PLAN_DAY_PLAN for one question."""
MODEL = "model_"
GATHERED = ("keys", "models")
"""Settings that are made of several names."""
Retrieval = Literal["paper", "released"]


class Secret:
    """A text that shows itself to nobody who does not ask for it by name."""

    def __init__(self, text: str = "", servers: frozenset[str] = frozenset()) -> None:
        """`servers`: the only ones that it is for, if it was set beside an address."""
        self._text = text
        self.servers = servers

    def reveal(self) -> str:
        return self._text

    def __bool__(self) -> bool:
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return "Secret(***)" if self._text else "Secret()"


@dataclass(frozen=True)
class Knob:
    """What a setting is for, how its text is read, and the name it has in a classic utils.py."""

    sentence: str
    read: Callable[[object], Any]
    classic: str = ""


def _path(value: object) -> Path:
    """An absolute path; ~ is one's home, and a relative one counts from reverie/backend_server, as it always did."""
    return (BACKEND / os.path.expanduser(str(value))).resolve()  # noqa: PTH111 - what is nobody's home stays as it is


def _whole(value: object) -> int:
    number = _number(value)
    if number < 0:
        raise ValueError("a number of 0 or more is needed")
    return number


def _switch(value: object) -> bool:
    words = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}
    if (word := str(value).lower()) not in words:
        raise ValueError("true or false is needed")
    return words[word]


def _retrieval(value: object) -> Retrieval:
    if value not in get_args(Retrieval):
        raise ValueError(f"one of {', '.join(get_args(Retrieval))} is needed")
    return cast("Retrieval", value)


def _number(value: object) -> int:
    try:
        return int(str(value))
    except ValueError:
        raise ValueError("a whole number is needed") from None


def _seconds(value: object) -> float:
    seconds = _real(value)
    if not 0 <= seconds < math.inf:
        raise ValueError("seconds, 0 or more, are needed")
    return seconds


def _moment(value: object) -> float:
    """Seconds in which something has to be possible."""
    if not (seconds := _seconds(value)):
        raise ValueError("more than 0 seconds are needed")
    return seconds


def _real(value: object) -> float:
    try:
        return float(str(value))
    except ValueError:
        raise ValueError("a number is needed") from None


def _some(value: object) -> int:
    number = _number(value)
    if number < 1:
        raise ValueError("a number of 1 or more is needed")
    return number


def _dollars(value: object) -> float:
    amount = _real(str(value).strip().removeprefix("$"))
    if not 0 <= amount < math.inf:
        raise ValueError("an amount of 0 or more is needed")
    return amount


def _text(value: object) -> str:
    return str(value).strip()


def _keys(value: object) -> dict[str, Secret]:
    """What is empty, or still the example's "<Your key>", is no key."""
    texts = {provider: _text(key or "") for provider, key in cast("Mapping[str, object]", value).items()}
    return {provider: Secret(key) for provider, key in texts.items() if key and not key.startswith("<")}


def _models(value: object) -> dict[str, str]:
    return {kind: _text(model) for kind, model in cast("Mapping[str, object]", value).items()}


@dataclass(frozen=True)
class Settings:
    """Everything a run can be told; see the sentence of each knob."""

    fs_storage: Annotated[Path, Knob("where simulations are kept", _path)] = FRONTEND / "storage"
    fs_compressed_storage: Annotated[Path | None, Knob("where replays are kept", _path)] = None
    fs_temp_storage: Annotated[Path, Knob("where the two servers meet", _path)] = FRONTEND / "temp_storage"
    assets: Annotated[Path, Knob("where maps and histories are", _path, "maze_assets_loc")] = (
        FRONTEND / "static_dirs" / "assets"
    )
    collision_block_id: Annotated[str, Knob("kept for old utils.py files: every cell but 0 is a wall", str)] = "32125"
    key_owner: Annotated[str, Knob("your name, as the classic asked for it", str)] = ""
    debug: Annotated[bool, Knob("show what the engine thinks while it runs", _switch)] = False
    seed: Annotated[int | None, Knob("the same seed gives the same files; else the simulation's own", _number)] = None
    retrieval: Annotated[Retrieval, Knob("scores as in the paper, or as in the released code", _retrieval)] = "paper"
    autosave: Annotated[int, Knob("steps between two saves during a run; 0: only when told to", _whole)] = 360
    fsync: Annotated[bool, Knob("whether a save waits until it would outlast a loss of power", _switch)] = True
    lines: Annotated[int, Knob("questions that may be open at the same time", _some)] = 8
    patience: Annotated[float, Knob("seconds to wait for a browser before a run goes on without it", _seconds)] = 10.0

    provider: Annotated[str, Knob("who answers; offline: rules. Not set: whoever there is a key for", _text)] = ""
    use_openrouter: Annotated[bool, Knob("the classic way to choose OpenRouter", _switch)] = False
    base_url: Annotated[str, Knob("address of an OpenAI-compatible server, mostly ending in /v1", _text)] = field(
        default="", repr=False
    )
    api_version: Annotated[str, Knob("version of Azure's interface, as 2024-10-21", _text)] = ""
    keys: Annotated[Mapping[str, Secret], Knob("by provider; see .env.example for their names", _keys)] = field(
        default_factory=dict
    )
    fast_model: Annotated[str, Knob("model for most questions", _text)] = ""
    advanced_model: Annotated[str, Knob("model for plans, talks and reflections", _text)] = ""
    openrouter_chat_model: Annotated[str, Knob("the classic name of fast_model at OpenRouter", _text)] = ""
    openrouter_gpt4_model: Annotated[str, Knob("the classic name of advanced_model at OpenRouter", _text)] = ""
    models: Annotated[Mapping[str, str], Knob("models for some questions: MODEL_PLAN, MODEL_CONVERSE …", _models)] = (
        field(default_factory=dict)
    )
    embedder: Annotated[str, Knob("who makes vectors: hashing, or a provider. Not set: who answers", _text)] = ""
    embedding_model: Annotated[str, Knob("model for vectors", _text)] = ""
    embedding_base_url: Annotated[str, Knob("address of the embedder, if it is another", _text)] = field(
        default="", repr=False
    )
    re_embed: Annotated[bool, Knob("make all vectors anew when they are of another make", _switch)] = False
    language: Annotated[str, Knob("language in which people speak and think, as ru or Russian", _text)] = ""
    reasoning_effort: Annotated[str, Knob("how much a reasoning model may think, as low or none", _text)] = ""
    answer_tokens: Annotated[int, Knob("length in tokens at which an answer is cut off", _some)] = 4096
    deadline: Annotated[float, Knob("seconds that one call may take", _moment)] = 120.0
    retry_for: Annotated[float, Knob("seconds to go on trying what may pass by itself", _seconds)] = 300.0
    prices: Annotated[Path, Knob("where the prices of models are", _path)] = PACKAGE / "llm/accounting/prices.toml"
    max_cost: Annotated[float | None, Knob("dollars after which a simulation stops", _dollars)] = None
    max_calls: Annotated[int | None, Knob("calls after which a simulation stops", _some)] = None
    max_tokens: Annotated[int | None, Knob("tokens after which a simulation stops", _some)] = None
    max_fallbacks: Annotated[
        int, Knob("of 100 questions, how many may get no usable answer; 0: any number", _whole)
    ] = 50

    misspelt: Mapping[str, str] = field(default_factory=dict)
    """No setting: names that somebody may have taken for those of keys, with their places, and the right ones."""


KNOBS: dict[str, Knob] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(Settings, include_extras=True).items()
    if hasattr(hint, "__metadata__")
}


def offer(parser: argparse.ArgumentParser, names: Iterable[str]) -> None:
    """Make these settings flags of a command line; what is not said there is None."""
    for name in names:
        switch: dict[str, Any] = {"action": "store_true", "default": None} if KNOBS[name].read is _switch else {}
        parser.add_argument(f"--{name.replace('_', '-')}", help=KNOBS[name].sentence, **switch)


def load_settings(flags: Mapping[str, Any] | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """The settings of this house. Raises BadSetting with the name, the place and the mend."""
    outside = os.environ if environment is None else environment
    dotenv = _dotenv(HOUSE / ".env")
    classic = _classic(BACKEND / "utils.py", {**dotenv, **outside})
    sources: tuple[tuple[str, Mapping[str, Any], Mapping[str, Any]], ...] = (
        (str(BACKEND / "utils.py"), classic, classic),
        (str(HOUSE / ".env"), dotenv, _prefixed(dotenv, str(HOUSE / ".env"))),
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
    """Raises BadSetting for a line that sets nothing."""
    if not path.exists():
        return {}
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise BadSetting(f"{path} cannot be read: {fault}. Save it as plain text in UTF-8.") from fault
    for binding in parse_stream(io.StringIO(text)):
        if binding.error or (binding.key and binding.value is None):
            line = binding.original.string
            number = binding.original.line + line[: -len(line.lstrip())].count("\n")
            raise BadSetting(f"{path}:{number}: the line sets nothing: write NAME=value, or # before a remark.")
    values = {name: value for name, value in dotenv_values(stream=io.StringIO(text)).items() if value is not None}
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
    known = {name: name for name in (*KNOBS, *KEY_NAMES, *STAGE) if name not in GATHERED}
    known |= {knob.classic: name for name, knob in KNOBS.items() if knob.classic}
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
    shelf, _, question = name.removeprefix(MODEL).partition("_")
    if not name.startswith(MODEL) or shelf not in SHELVES:
        return None
    return f"{shelf}/{question}" if question else shelf


def _classic(path: Path, environment: Mapping[str, str]) -> dict[str, Any]:
    """The constants of a utils.py, under our names. A file that cannot be read is one clear line."""
    if not path.exists():
        return {}
    try:
        constants = read_constants(path, environment)
    except SyntaxError as fault:
        raise BadSetting(
            f"{path}:{fault.lineno}: {fault.msg}. Mend the line, or copy utils.example.py again."
        ) from fault
    except (OSError, ValueError, RecursionError) as fault:
        raise BadSetting(f"{path} cannot be read: {fault!r}. It should hold plain constants only.") from fault
    known = {knob.classic: name for name, knob in KNOBS.items() if knob.classic}
    _check_plain(path, constants, {*known, *KNOBS, *KEY_NAMES, *ADDRESSES, *KEYS, *VERSIONS, "key_type"})
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
                f"itself, or set it in {HOUSE / '.env'}."
            )


def _arranged(source: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Settings by name: the keys and the models gathered, what nobody knows left out."""
    there = {name: value for name, value in source.items() if value is not None}
    _check_models(there, place)
    gathered = {
        "keys": {KEY_NAMES[name]: there[name] for name in reversed(KEY_NAMES) if name in there},
        "models": {kind: value for name, value in there.items() if (kind := _kind(name)) is not None},
    }
    plain = {name: value for name, value in there.items() if name in KNOBS and name not in GATHERED}
    return plain | gathered


def _check_models(names: Iterable[str], place: str) -> None:
    """Raises BadSetting. Not for the environment as a whole, where a MODEL_ may be anybody's."""
    for name in names:
        if name.startswith(MODEL) and _kind(name) is None:
            kinds = ", ".join(f"MODEL_{shelf.upper()}" for shelf in SHELVES)
            raise BadSetting(f"{name.upper()} in {place} names no kind of questions. There are {kinds}.")


def _parsed(name: str, value: object, place: str) -> Any:
    try:
        return KNOBS[name].read(value)
    except ValueError as fault:
        raise BadSetting(f"{name} = {value!r} in {place}: {fault}.") from fault
