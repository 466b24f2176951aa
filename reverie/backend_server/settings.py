"""Where everything is and how a run behaves: flags, environment, .env, utils.py and defaults in one frozen Settings.

A later source gives way to an earlier one: flag > environment > .env > utils.py > default. Paths are resolved from
where this file lies, never from the working directory.
"""

import os
import runpy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_args, get_type_hints

from dotenv import dotenv_values

from errors import BadSetting

BACKEND = Path(__file__).resolve().parent
HOUSE = BACKEND.parent.parent
FRONTEND = HOUSE / "environment" / "frontend_server"
PREFIX = "VILLE_"
"""In the environment and in .env every setting is called by its name in capitals behind this: VILLE_SEED=7."""

SLIPS = (
    ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, NameError, OSError, RuntimeError,
    SystemExit, TypeError, ValueError,
)  # fmt: skip
"""What a utils.py may raise that is more than constants."""

Retrieval = Literal["paper", "released"]


@dataclass(frozen=True)
class Knob:
    """What a setting is for, how its text is read, and the name it has in a classic utils.py."""

    sentence: str
    read: Callable[[object], Any]
    classic: str = ""


def _path(value: object) -> Path:
    """An absolute path; a relative one counts from reverie/backend_server, as it always did."""
    return (BACKEND / str(value)).resolve()


def _whole(value: object) -> int:
    number = int(str(value))
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
    return int(str(value))


def _seconds(value: object) -> float:
    return float(str(value))


@dataclass(frozen=True)
class Settings:
    """Everything a run can be told; see the sentence of each knob."""

    fs_storage: Annotated[Path, Knob("where simulations are kept", _path)] = FRONTEND / "storage"
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
    lines: Annotated[int, Knob("questions that may be open at the same time", _whole)] = 8
    patience: Annotated[float, Knob("seconds without a browser before a run goes on without it", _seconds)] = 10.0


KNOBS: dict[str, Knob] = {
    name: hint.__metadata__[0] for name, hint in get_type_hints(Settings, include_extras=True).items()
}


def load_settings(flags: Mapping[str, Any] | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """The settings of this house. Raises BadSetting with the name, the place and the mend."""
    sources = (
        ("the command line", dict(flags or {})),
        ("the environment", _prefixed(os.environ if environment is None else environment)),
        (str(HOUSE / ".env"), _prefixed(_dotenv(HOUSE / ".env"))),
        (str(BACKEND / "utils.py"), _classic(BACKEND / "utils.py")),
    )
    values: dict[str, Any] = {}
    for place, source in sources:
        for name, value in source.items():
            if value is not None and name not in values and name in KNOBS:
                values[name] = _parsed(name, value, place)
    return Settings(**values)


def _dotenv(path: Path) -> dict[str, str]:
    return {name: value for name, value in dotenv_values(path, encoding="utf-8").items() if value is not None}


def _prefixed(source: Mapping[str, str]) -> dict[str, str]:
    return {name.removeprefix(PREFIX).lower(): value for name, value in source.items() if name.startswith(PREFIX)}


def _classic(path: Path) -> dict[str, Any]:
    """The constants of a utils.py, under our names. A file that cannot be read as Python is one clear line."""
    if not path.exists():
        return {}
    try:
        constants = runpy.run_path(str(path))
    except SyntaxError as fault:
        raise BadSetting(
            f"{path}:{fault.lineno}: {fault.msg}. Mend the line, or copy utils.example.py again."
        ) from fault
    except SLIPS as fault:
        raise BadSetting(f"{path} cannot be read: {fault!r}. It should hold plain constants only.") from fault
    known = {knob.classic or name: name for name, knob in KNOBS.items()}
    return {known[name]: value for name, value in constants.items() if name in known}


def _parsed(name: str, value: object, place: str) -> Any:
    try:
        return KNOBS[name].read(value)
    except ValueError as fault:
        raise BadSetting(f"{name} = {value!r} in {place}: {fault}.") from fault
