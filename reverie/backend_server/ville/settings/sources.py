"""Read the sources of settings. Unknown names are refused, so that no limit is lost to a misspelling."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from ville.errors import BadSetting
from ville.settings import older_names
from ville.settings.model import FIELDS, WALLET
from ville.storage.folders import read_env_file, read_utils_file
from ville.storage.model_variables import AMBIGUOUS_KEY, KEY_NAMES, PREFIX

ENVIRONMENT_SERVER_ONLY = ("bind", "bind_names", "database", "hosts", "origins", "pages_debug", "pass", "secret_key")
"""Settings that only the environment server reads."""
QUESTION_KINDS = ("perceive", "day", "plan", "react", "reflect", "converse", "talk")
"""Kinds of questions: MODEL_PLAN names the model for a whole kind, MODEL_DAY_FILL_THE_DAY for one question."""
MODEL = "model_"
GROUPS = {"keys": "openai_api_key", "models": "model_plan"}
"""Settings that are set one by one, and an example of each."""
NAMES = frozenset(
    (FIELDS.keys() - GROUPS.keys()) | KEY_NAMES.keys() | older_names.RENAMED.keys() | older_names.SWITCHES.keys()
)
"""Every name that can be set, except those of models."""


@dataclass(frozen=True)
class SettingsSource:
    """The settings of one source."""

    place: str
    """For messages: a file, "the environment", or nothing for flags."""
    given: Mapping[str, object]
    """Values as they were given, also by older names."""

    @cached_property
    def values(self) -> Mapping[str, object]:
        """The same by present names, with keys and models gathered, without what is not a setting."""
        present = {name: value for name, value in self.given.items() if value is not None}
        renamed = {older_names.RENAMED[name]: value for name, value in present.items() if name in older_names.RENAMED}
        gathered = {
            "keys": {KEY_NAMES[name]: present[name] for name in reversed(KEY_NAMES) if name in present},
            "models": {kind: value for name, value in present.items() if (kind := _kind(name))},
        }
        values = {name: value for name, value in present.items() if name in FIELDS or name in older_names.TRANSLATED}
        return renamed | values | gathered | older_names.switched(present)

    def without(self, name: str) -> "SettingsSource":
        return SettingsSource(self.place, {each: value for each, value in self.given.items() if each != name})


def flags_source(flags: Mapping[str, object]) -> SettingsSource:
    """Return the flags of a command line, or the keyword arguments of a call. None counts as not set."""
    given = {name: value for name, value in flags.items() if value is not None}
    if owned := [name for name in given if name in WALLET]:
        raise BadSetting(f"{owned[0]} can only be set in .env, in the environment or in utils.py.")
    _check_names(given, NAMES, "", str)
    return _source("", given)


def environment_source(variables: Mapping[str, str], place: str) -> SettingsSource:
    """Return the settings among the variables of an environment or a .env file. An empty value counts as not set."""
    given = {name.lower(): value for name, value in variables.items() if value}
    bare = {name: value for name, value in given.items() if _is_bare_key(name) or _kind(name)}
    prefixed = {name.removeprefix("ville_"): value for name, value in given.items() if name.startswith("ville_")}
    _check_names(prefixed, NAMES | set(ENVIRONMENT_SERVER_ONLY), place, lambda name: f"{PREFIX}{name.upper()}")
    return _source(place, older_names.beside_address(given, bare) | prefixed)


def env_file_variables(file: Path) -> dict[str, str]:
    """Return the variables of a .env file. Raises BadSetting, also for a MODEL_ name without a kind of question."""
    variables = read_env_file(file)
    _check_models(map(str.lower, variables), str(file))
    return variables


def utils_file_constants(file: Path, environment: Mapping[str, str]) -> dict[str, object]:
    """Return the constants of a utils.py. Raises BadSetting if a setting among them could only be known by running it.

    Args:
        file: the utils.py; it may be missing.
        environment: the variables that `os.getenv` returns in this file.
    """
    return read_utils_file(file, environment, NAMES | older_names.UTILS_FILE_NAMES)


def utils_file_source(constants: Mapping[str, object], place: str) -> SettingsSource:
    """Return the settings among the constants of a utils.py. Raises BadSetting for a wrong key_type."""
    try:
        return _source(place, older_names.translated(constants))
    except ValueError as error:
        kind = next((value for name, value in constants.items() if name.lower() == "key_type"), "")
        raise BadSetting(f"key_type = {kind!r} in {place}: {error}.") from error


def _source(place: str, given: Mapping[str, object]) -> SettingsSource:
    """Return a source. Raises BadSetting for a MODEL_ name without a kind of question."""
    _check_models((name for name, value in given.items() if value is not None and name not in FIELDS), place)
    return SettingsSource(place, given)


def _check_names(names: Iterable[str], known: Collection[str], place: str, written: Callable[[str], str]) -> None:
    """Raise BadSetting for an unknown name, with the nearest known one. `written`: a name as it is written there."""
    meant = {name: older_names.RENAMED.get(name, name) for name in known} | older_names.UTILS_FILE_RENAMED | GROUPS
    for name in names:
        if name in known or name.startswith(MODEL):
            continue
        nearest = get_close_matches(name, meant, n=1)
        fix = f"Did you mean {written(meant[nearest[0]])}?" if nearest else "docs/models.md lists all settings."
        raise BadSetting(f"{written(name)}{_in(place)} is not a setting. {fix}")


def _check_models(names: Iterable[str], place: str) -> None:
    """Raise BadSetting for a MODEL_ name without a kind of question.

    Not for the variables of the whole environment, where MODEL_ may belong to another program.
    """
    for name in names:
        if name.startswith(MODEL) and not _kind(name):
            kinds = ", ".join(f"MODEL_{kind.upper()}" for kind in QUESTION_KINDS)
            raise BadSetting(f"{name.upper()}{_in(place)} names no kind of question. Use one of {kinds}.")


def _in(place: str) -> str:
    return f" in {place}" if place else ""


def _is_bare_key(name: str) -> bool:
    """Return whether a variable without our prefix is the key of a provider. API_KEY may be another program's."""
    return name in KEY_NAMES and name != AMBIGUOUS_KEY


def _kind(name: str) -> str:
    """Return `plan` for model_plan, `plan/day_plan` for model_plan_day_plan, and nothing for other names."""
    kind, _, question = name.removeprefix(MODEL).partition("_")
    if not name.startswith(MODEL) or kind not in QUESTION_KINDS:
        return ""
    return f"{kind}/{question}" if question else kind
