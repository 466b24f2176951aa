"""Types of settings: what is read from texts of flags, the environment and files, and what is allowed."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from ville import home
from ville.settings.mind_names import minds_text
from ville.storage.folders import folder_path

NUMBER = re.compile(r"\d{1,6}(\.\d{1,6})?")
TUNING = (
    *("vision_r", "att_bandwidth", "retention", "recency_w", "relevance_w", "importance_w", "recency_decay"),
    "importance_trigger_max",
)
"""Parameters of scratch.json that a run can have in common."""


class Secret:
    """A key. Only `reveal` shows its text."""

    def __init__(self, text: str = "", servers: frozenset[str] = frozenset()) -> None:
        """`servers`: origins that may receive the key, if it was set beside an address; empty means any."""
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


def _path(value: object) -> Path:
    """Return an absolute path. `~` is the home folder; a relative path counts from reverie/backend_server."""
    return folder_path(value, home.HOME.settings_folder)


def _amount(value: object) -> str:
    """Return an amount of money without its dollar sign."""
    return str(value).strip().removeprefix("$")


def _temperature(value: object) -> object:
    """Return a word, or a number from its text."""
    text = str(value).strip()
    if text in {"question", "provider"}:
        return text
    if not re.fullmatch(r"[01](\.\d*)?|\.\d+|2(\.0*)?", text):
        raise ValueError("question, provider, or a number from 0 to 2")
    return float(text)


def _keys(value: Mapping[str, object]) -> dict[str, Secret]:
    """Return the keys that are set. Empty texts and placeholders such as "<Your key>" do not count."""
    keys = {name: key if isinstance(key, Secret) else Secret(str(key or "").strip()) for name, key in value.items()}
    return {name: key for name, key in keys.items() if key and not key.reveal().startswith("<")}


def _sorts(value: object) -> str:
    """Return names of sorts of memories, in order, separated by blanks."""
    names = sorted(set(str(value or "").replace(",", " ").lower().split()))
    if not set(names) <= {"observations", "plans", "reflections"}:
        raise ValueError("observations, plans, reflections, or several of them")
    return " ".join(names)


def _rewordings(value: object) -> str:
    """Return names of rewordings, in order, separated by blanks."""
    names = sorted(set(str(value or "").replace(",", " ").lower().split()))
    if not set(names) <= {"names", "plain", "vivid"}:
        raise ValueError("names, plain, vivid, or several of them")
    return " ".join(names)


def _tuning(value: object) -> str:
    """Return parameters with their numbers, in order of their names, separated by blanks."""
    given = dict(each.partition("=")[::2] for each in str(value or "").replace(",", " ").split())
    if wrong := [name for name, number in given.items() if name not in TUNING or not NUMBER.fullmatch(number)]:
        raise ValueError(f"name=number, several separated by blanks, not '{wrong[0]}'; names are {', '.join(TUNING)}")
    return " ".join(f"{name}={given[name]}" for name in sorted(given))


def _kept(value: object) -> object:
    """Return a number from its text, or from `all` (None) or `none` (0)."""
    text = "all" if value is None else str(value).strip().lower()
    if not re.fullmatch(r"\d{1,9}|all|none", text):
        raise ValueError("a number, all, or none")
    return None if text == "all" else 0 if text == "none" else int(text)


Folder = Annotated[Path, BeforeValidator(_path)]
Integer = Annotated[int, BeforeValidator(str)]
"""A number is read from its text, so that True is not 1."""
Count = Annotated[Integer, Field(ge=0)]
Positive = Annotated[Integer, Field(ge=1)]
Seconds = Annotated[float, BeforeValidator(str), Field(ge=0)]
Rate = Seconds
"""How often an hour."""
Similarity = Annotated[float, BeforeValidator(str), Field(ge=-1, le=1)]
Dollars = Annotated[float, BeforeValidator(_amount), Field(ge=0)]
Temperature = Annotated[Literal["question", "provider"] | float, BeforeValidator(_temperature)]
MemorySorts = Annotated[str, BeforeValidator(_sorts)]
Rewordings = Annotated[str, BeforeValidator(_rewordings)]
PersonaTuning = Annotated[str, BeforeValidator(_tuning)]
Minds = Annotated[str, BeforeValidator(minds_text)]
Saves = Annotated[int | None, BeforeValidator(_kept)]
"""How many are kept; None: all."""
Keys = Annotated[Mapping[str, Secret], BeforeValidator(_keys)]
CHECKS = ConfigDict(
    arbitrary_types_allowed=True,
    allow_inf_nan=False,
    coerce_numbers_to_str=True,
    hide_input_in_errors=True,
    str_strip_whitespace=True,
)
