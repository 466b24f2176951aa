"""The settings of a run: one frozen value; keys are masked wherever it is shown."""

import argparse
import math
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_args, get_type_hints

from ville.settings import paths

PREFIX = "VILLE_"
"""In the environment and in .env every setting is called by its name in capitals behind this: VILLE_SEED=7."""

ENVIRONMENT_SERVER_ONLY = ("bind", "database", "hosts", "origins", "pages_debug", "secret_key")
"""What the environment server alone is told."""
QUESTION_KINDS = ("perceive", "plan", "react", "reflect", "converse", "talk")
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
class Spec:
    """What a setting is for, how its text is read, and the name it has in a classic utils.py."""

    sentence: str
    read: Callable[[object], Any]
    classic: str = ""


def _path(value: object) -> Path:
    """An absolute path; ~ is one's home, and a relative one counts from reverie/backend_server, as it always did."""
    return (paths.BACKEND / os.path.expanduser(str(value))).resolve()  # noqa: PTH111 - what is nobody's home stays as it is


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
    """Everything a run can be told; see the sentence of each spec."""

    fs_storage: Annotated[Path, Spec("where simulations are kept", _path)] = paths.FRONTEND / "storage"
    fs_compressed_storage: Annotated[Path | None, Spec("where replays are kept", _path)] = None
    fs_temp_storage: Annotated[Path, Spec("where the two servers meet", _path)] = paths.FRONTEND / "temp_storage"
    assets: Annotated[Path, Spec("where maps and histories are", _path, "maze_assets_loc")] = (
        paths.FRONTEND / "static_dirs" / "assets"
    )
    collision_block_id: Annotated[str, Spec("kept for old utils.py files: every cell but 0 is a wall", str)] = "32125"
    key_owner: Annotated[str, Spec("your name, as the classic asked for it", str)] = ""
    debug: Annotated[bool, Spec("show what the engine thinks while it runs", _switch)] = False
    seed: Annotated[int | None, Spec("the same seed gives the same files; else the simulation's own", _number)] = None
    retrieval: Annotated[Retrieval, Spec("scores as in the paper, or as in the released code", _retrieval)] = "paper"
    autosave: Annotated[int, Spec("steps between two saves during a run; 0: only when told to", _whole)] = 360
    fsync: Annotated[bool, Spec("whether a save waits until it would outlast a loss of power", _switch)] = True
    lines: Annotated[int, Spec("questions that may be open at the same time", _some)] = 8
    patience: Annotated[float, Spec("seconds to wait for a browser before a run goes on without it", _seconds)] = 10.0

    provider: Annotated[str, Spec("who answers; offline: rules. Not set: whoever there is a key for", _text)] = ""
    use_openrouter: Annotated[bool, Spec("the classic way to choose OpenRouter", _switch)] = False
    base_url: Annotated[str, Spec("address of an OpenAI-compatible server, mostly ending in /v1", _text)] = field(
        default="", repr=False
    )
    api_version: Annotated[str, Spec("version of Azure's interface, as 2024-10-21", _text)] = ""
    keys: Annotated[Mapping[str, Secret], Spec("by provider; see .env.example for their names", _keys)] = field(
        default_factory=dict
    )
    fast_model: Annotated[str, Spec("model for most questions", _text)] = ""
    advanced_model: Annotated[str, Spec("model for plans, talks and reflections", _text)] = ""
    openrouter_chat_model: Annotated[str, Spec("the classic name of fast_model at OpenRouter", _text)] = ""
    openrouter_gpt4_model: Annotated[str, Spec("the classic name of advanced_model at OpenRouter", _text)] = ""
    models: Annotated[Mapping[str, str], Spec("models for some questions: MODEL_PLAN, MODEL_CONVERSE …", _models)] = (
        field(default_factory=dict)
    )
    embedder: Annotated[str, Spec("who makes vectors: hashing, or a provider. Not set: who answers", _text)] = ""
    embedding_model: Annotated[str, Spec("model for vectors", _text)] = ""
    embedding_base_url: Annotated[str, Spec("address of the embedder, if it is another", _text)] = field(
        default="", repr=False
    )
    re_embed: Annotated[bool, Spec("make all vectors anew when they are of another make", _switch)] = False
    language: Annotated[str, Spec("language in which people speak and think, as ru or Russian", _text)] = ""
    reasoning_effort: Annotated[str, Spec("how much a reasoning model may think, as low or none", _text)] = ""
    answer_tokens: Annotated[int, Spec("length in tokens at which an answer is cut off", _some)] = 4096
    deadline: Annotated[float, Spec("seconds that one call may take", _moment)] = 120.0
    retry_for: Annotated[float, Spec("seconds to go on trying what may pass by itself", _seconds)] = 300.0
    prices: Annotated[Path, Spec("where the prices of models are", _path)] = (
        paths.PACKAGE / "llm/accounting/prices.toml"
    )
    max_cost: Annotated[float | None, Spec("dollars after which a simulation stops", _dollars)] = None
    max_calls: Annotated[int | None, Spec("calls after which a simulation stops", _some)] = None
    max_tokens: Annotated[int | None, Spec("tokens after which a simulation stops", _some)] = None
    max_fallbacks: Annotated[
        int, Spec("of 100 questions, how many may get no usable answer; 0: any number", _whole)
    ] = 50

    misspelt: Mapping[str, str] = field(default_factory=dict)
    """No setting: names that somebody may have taken for those of keys, with their places, and the right ones."""


SPECS: dict[str, Spec] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(Settings, include_extras=True).items()
    if hasattr(hint, "__metadata__")
}


def add_flags(parser: argparse.ArgumentParser, names: Iterable[str]) -> None:
    """Make these settings flags of a command line; what is not said there is None."""
    for name in names:
        switch: dict[str, Any] = {"action": "store_true", "default": None} if SPECS[name].read is _switch else {}
        parser.add_argument(f"--{name.replace('_', '-')}", help=SPECS[name].sentence, **switch)
