"""The folders of both servers, as set in the environment, in .env or in utils.py.

The engine and the environment server read them here, so that both work in the same folders.
"""

import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dotenv import dotenv_values
from dotenv.parser import parse_stream

from ville.errors import BadSetting
from ville.storage.constants_file import Computed, read_constants

PACKAGE = Path(__file__).resolve().parents[1]
BACKEND = PACKAGE.parent
ROOT = BACKEND.parent.parent
"""The project folder."""
FRONTEND = ROOT / "environment" / "frontend_server"

_PREFIX = "VILLE_"
_NAMES = ("fs_storage", "fs_temp_storage", "fs_compressed_storage", "assets")


@dataclass(frozen=True)
class Folders:
    """Where the files of docs/storage.md are."""

    storage: Path
    """Simulations."""
    temp_storage: Path
    """Messages between the two servers."""
    compressed_storage: Path
    """Replays."""
    assets: Path
    """Maps, sprites and histories."""


def read_folders(environment: Mapping[str, str], project: Path = ROOT) -> Folders:
    """Read the folder settings of a project: environment over .env over utils.py over defaults. Raises BadSetting."""
    env_file = read_env_file(project / ".env")
    backend = project / "reverie" / "backend_server"
    constants = read_utils_file(backend / "utils.py", {**env_file, **environment})
    given = {**_folder_constants(constants, backend / "utils.py"), **_variables(env_file), **_variables(environment)}
    found = {name: folder_path(value, backend) for name, value in given.items()}
    frontend = project / "environment" / "frontend_server"
    storage = found.get("fs_storage", frontend / "storage")
    return Folders(
        storage=storage,
        temp_storage=found.get("fs_temp_storage", frontend / "temp_storage"),
        compressed_storage=found.get("fs_compressed_storage", storage.parent / "compressed_storage"),
        assets=found.get("assets", frontend / "static_dirs" / "assets"),
    )


def folder_path(value: object, backend: Path = BACKEND) -> Path:
    """Return an absolute path. Relative paths count from reverie/backend_server; ~ is the user's home."""
    return (backend / os.path.expanduser(str(value))).resolve()  # noqa: PTH111 - an unknown ~name is kept as it is


def read_env_file(path: Path) -> dict[str, str]:
    """Return the variables of a .env file; none if it does not exist. Raises BadSetting for lines that set nothing."""
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
            raise BadSetting(f"{path}:{number}: expected NAME=value, or a comment starting with #.")
    return {name: value for name, value in dotenv_values(stream=io.StringIO(text)).items() if value is not None}


def read_utils_file(path: Path, environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the constants of a utils.py; none if it does not exist. Raises BadSetting if it cannot be read."""
    if not path.exists():
        return {}
    try:
        return read_constants(path, environment)
    except SyntaxError as fault:
        raise BadSetting(
            f"{path}:{fault.lineno}: {fault.msg}. Fix the line, or copy utils.example.py again."
        ) from fault
    except (OSError, ValueError, RecursionError) as fault:
        raise BadSetting(f"{path} cannot be read: {fault!r}. Use plain constants only.") from fault


def _folder_constants(constants: Mapping[str, Any], path: Path) -> dict[str, object]:
    """Return the folder settings of a utils.py by their present names."""
    names = {"maze_assets_loc": "assets"} | {name: name for name in _NAMES}
    found = {names[name.lower()]: value for name, value in constants.items() if name.lower() in names}
    for name, value in found.items():
        if isinstance(value, Computed):
            raise BadSetting(
                f"{path}:{value.line}: {name} is computed, and this file is read without being run: write the value "
                f"itself, or set {_PREFIX}{name.upper()} in .env."
            )
    return {name: value for name, value in found.items() if value is not None}


def _variables(environment: Mapping[str, str]) -> dict[str, object]:
    """Return the folder settings of an environment; an empty value counts as none."""
    lowered = {name.upper(): value for name, value in environment.items() if value}
    variables = {name: lowered.get(f"{_PREFIX}{name.upper()}") for name in _NAMES}
    return {name: value for name, value in variables.items() if value is not None}
