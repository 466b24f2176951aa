"""The folders of both servers, as set in the environment, in .env or in utils.py.

The engine and the environment server read them here, so that both work in the same folders.
"""

import io
import os
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from dotenv import dotenv_values
from dotenv.parser import parse_stream

from ville.errors import BadSetting, CorruptFile
from ville.storage.constants_file import Computed, read_constants
from ville.storage.files import read_text

PACKAGE = Path(__file__).resolve().parents[1]
BACKEND = PACKAGE.parent
ROOT = BACKEND.parent.parent
"""The project folder."""
FRONTEND = ROOT / "environment" / "frontend_server"

QUOTED_WINDOWS_PATH = re.compile(
    r"""^(\s*(?:export\s+)?\w+\s*=\s*)(["'])((?:[A-Za-z]:|~|\.{1,2}|\\)\\(?:(?!\2).)*)\2(?=\s*(?:#.*)?$)""",
    re.MULTILINE,
)
"""A line of .env such as `VILLE_FS_STORAGE="C:\\towns\\new"`. Users quote a path that has blanks."""

_PREFIX = "VILLE_"
_NAMES = ("fs_storage", "fs_temp_storage", "fs_compressed_storage", "fs_studies", "assets")
_UTILS_FILE_NAMES = {"maze_assets_loc": "assets"} | {name: name for name in _NAMES}


@dataclass(frozen=True)
class Folders:
    """Where the files of docs/storage.md are."""

    storage: Path
    """Simulations."""
    temp_storage: Path
    """Messages between the two servers."""
    compressed_storage: Path
    """Replays."""
    studies: Path
    """Studies: many runs."""
    assets: Path
    """Maps, sprites and histories."""


def read_folders(environment: Mapping[str, str], project: Path = ROOT) -> Folders:
    """Read the folder settings of a project: environment over .env over utils.py over defaults. Raises BadSetting."""
    given, backend = given_settings(environment, project, _UTILS_FILE_NAMES), project / "reverie" / "backend_server"
    try:
        found = {name: folder_path(value, backend) for name, value in given.items()}
    except ValueError as fault:
        raise BadSetting(f"{project / 'reverie/backend_server/utils.py'}: {fault}.") from None
    frontend = project / "environment" / "frontend_server"
    storage = found.get("fs_storage", frontend / "storage")
    return Folders(
        storage=storage,
        temp_storage=found.get("fs_temp_storage", frontend / "temp_storage"),
        compressed_storage=found.get("fs_compressed_storage", storage.parent / "compressed_storage"),
        studies=found.get("fs_studies", storage.parent / "studies"),
        assets=found.get("assets", frontend / "static_dirs" / "assets"),
    )


def given_settings(environment: Mapping[str, str], project: Path, names: Mapping[str, str]) -> dict[str, object]:
    """Return settings of a project as they are given: environment over .env over utils.py.

    `names` are the constants of a utils.py, in lower case, with the settings that they are. Raises BadSetting.
    """
    env_file = read_env_file(project / ".env")
    utils_file = project / "reverie" / "backend_server" / "utils.py"
    constants = read_utils_file(utils_file, {**env_file, **environment}, names)
    found = {names[name.lower()]: value for name, value in constants.items() if name.lower() in names}
    given = {name: value for name, value in found.items() if value is not None}
    return {**given, **_variables(env_file, names.values()), **_variables(environment, names.values())}


def folder_path(value: object, backend: Path = BACKEND) -> Path:
    """Return an absolute path. Relative paths count from reverie/backend_server; ~ is the user's home.

    Raise ValueError for what is no path, such as a list of several.
    """
    if not isinstance(value, str | Path):
        raise ValueError(f"a folder is one path in quotes, not {value!r}")  # noqa: TRY004 - of a setting
    # An unknown ~name is kept as it is; pathlib's own functions fail at one, and at links in a circle.
    return Path(os.path.realpath(backend / os.path.expanduser(str(value))))  # noqa: PTH111


def read_env_file(path: Path) -> dict[str, str]:
    """Return the variables of a .env file; none if it does not exist. Raises BadSetting for lines that set nothing."""
    return env_variables(env_text(path), path)


def env_text(path: Path) -> str:
    """Return the text of a .env file; an empty one if it does not exist. Raises BadSetting."""
    if not path.exists():
        return ""
    try:
        return read_text(path)
    except (OSError, UnicodeDecodeError, CorruptFile) as fault:
        raise BadSetting(f"{path} cannot be read: {fault}. Save it as plain text in UTF-8.") from fault


def env_variables(text: str, path: Path) -> dict[str, str]:
    """Return the variables in the text of a .env file, whose path is for messages. Raises BadSetting."""
    text = QUOTED_WINDOWS_PATH.sub(_with_escaped_backslashes, text)
    for binding in parse_stream(io.StringIO(text)):
        if binding.error or (binding.key and binding.value is None):
            line = binding.original.string
            number = binding.original.line + line[: -len(line.lstrip())].count("\n")
            raise BadSetting(f"{path}:{number}: expected NAME=value, or a comment starting with #.")
    return {name: value for name, value in dotenv_values(stream=io.StringIO(text)).items() if value is not None}


def _with_escaped_backslashes(line: re.Match[str]) -> str:
    """Return the line with every backslash doubled, so that it stays one when the quotes are read.

    A path whose backslashes are all doubled already stays as it is.
    """
    start, quote, path = line.groups()
    if re.search(r"(?<!\\)\\(?!\\)", path):
        path = path.replace("\\", "\\\\")
    return f"{start}{quote}{path}{quote}"


def read_utils_file(path: Path, environment: Mapping[str, str], names: Container[str]) -> dict[str, object]:
    """Return the constants of a utils.py; none if it does not exist.

    Args:
        path: the file.
        environment: the variables that `os.getenv` returns in it.
        names: constants, in lower case, that have to be plain values.

    Raises:
        BadSetting: the file cannot be read, or one of the names is computed.
    """
    if not path.exists():
        return {}
    try:
        constants = read_constants(path, environment)
    except SyntaxError as fault:
        fix = "In a path, write / instead of \\" if "unicodeescape" in fault.msg else "Fix the line"
        raise BadSetting(f"{path}:{fault.lineno}: {fault.msg}. {fix}, or copy utils.example.py again.") from fault
    except (OSError, ValueError, RecursionError, CorruptFile) as fault:
        raise BadSetting(f"{path} cannot be read: {fault!r}. Use plain constants only.") from fault
    for name, value in constants.items():
        if isinstance(value, Computed) and name.lower() in names:
            raise BadSetting(
                f"{path}:{value.line}: {name} is computed, and this file is read without being run. Write the value "
                "itself, or set it in .env."
            )
    return constants


def _variables(environment: Mapping[str, str], names: Iterable[str]) -> dict[str, object]:
    """Return these settings of an environment; an empty value counts as none."""
    lowered = {name.upper(): value for name, value in environment.items() if value}
    variables = {name: lowered.get(f"{_PREFIX}{name.upper()}") for name in names}
    return {name: value for name, value in variables.items() if value is not None}
