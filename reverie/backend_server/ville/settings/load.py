"""Load the settings: flags over environment over .env over utils.py over a preset over defaults."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from pydantic import ValidationError

from ville import home
from ville.errors import BadSetting
from ville.settings.combine import combined
from ville.settings.effects import effects
from ville.settings.key_names import misspelt
from ville.settings.model import FIELDS, Settings, checked_settings
from ville.settings.older_names import SWITCHES, is_on, unread_address
from ville.settings.presets import preset_source
from ville.settings.sources import (
    GROUPS,
    SettingsSource,
    env_file_variables,
    environment_source,
    flags_source,
    utils_file_constants,
    utils_file_source,
)

Place = Literal["utils.py", ".env", "environment", "flags"]
"""Where a setting is given, the weakest first."""
EXPECTED = {
    "bool_parsing": "true or false",
    "finite_number": "a finite number",
    "float_parsing": "a number",
    "greater_than": "a number above {gt:g}",
    "greater_than_equal": "{ge:g} or more",
    "int_parsing": "a whole number",
    "less_than": "a number below {lt:g}",
    "less_than_equal": "{le:g} or less",
    "literal_error": "{expected}",
    "string_type": "a text",
    "value_error": "{error}",
}
"""Descriptions of the values that pydantic expected, by the type of its error."""


def load_settings(flags: Mapping[str, object] | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """Return the settings of this project. Raises BadSetting with the name, the place and what to do.

    Args:
        flags: settings by name, as given on a command line or in a call; None counts as not set.
        environment: the variables to read instead of those of this process.
    """
    home.HOME.check()
    variables = os.environ if environment is None else environment
    files = _read_files(variables)
    weakest_first = _weakest_first(flags or {}, variables, files)
    env_path, utils_path = files.env_path, files.utils_path
    near = misspelt(files.constants, utils_path) | misspelt(files.env_file, env_path)
    near |= misspelt(variables, "the environment")
    unread = unread_address(files.env_file, env_path) + unread_address(variables, "the environment")
    settings = _combined(weakest_first)
    needs = _needs_of_given(weakest_first, settings)
    return checked_settings({**settings, "misspelt": near, "unread": unread, "given": needs})


def setting_places(
    flags: Mapping[str, object] | None = None, environment: Mapping[str, str] | None = None
) -> dict[str, Place]:
    """Return where each setting that is given counts from: the strongest place. Keys are `keys.openai`, models of
    questions `models.plan`. The arguments are those of `load_settings`. Raises BadSetting.
    """
    variables = os.environ if environment is None else environment
    sources = _weakest_first(flags or {}, variables, _read_files(variables))
    places: dict[str, Place] = {}
    for place, source in zip(get_args(Place), sources, strict=True):
        for name, value in _checked(source).items():
            grouped = value if name in GROUPS and isinstance(value, Mapping) else {}
            parts = [f"{name}.{part}" for part in grouped] if name in GROUPS else [name]
            places |= dict.fromkeys(parts, place)
    return places


def settings_stamp() -> tuple[int, ...]:
    """Return what changes when a file of settings is written, or removed: times in nanoseconds."""
    files = home.HOME.env_file, home.HOME.settings_folder / "utils.py"
    return tuple(path.stat().st_mtime_ns if path.exists() else 0 for path in files)


class _Files(NamedTuple):
    """The content of the two files of settings, and where they are."""

    env_file: Mapping[str, str]
    constants: Mapping[str, object]
    env_path: str
    utils_path: str


def _read_files(variables: Mapping[str, str]) -> _Files:
    """Raises BadSetting."""
    env_path, utils_path = home.HOME.env_file, home.HOME.settings_folder / "utils.py"
    env_file = env_file_variables(env_path)
    constants = utils_file_constants(utils_path, {**env_file, **variables})
    return _Files(env_file, constants, str(env_path), str(utils_path))


def _weakest_first(
    flags: Mapping[str, object], variables: Mapping[str, str], files: _Files
) -> tuple[SettingsSource, ...]:
    """Return the sources in the order of `Place`. Raises BadSetting."""
    return (
        utils_file_source(files.constants, files.utils_path),
        environment_source(files.env_file, files.env_path),
        environment_source(variables, "the environment"),
        flags_source(flags),
    )


def _combined(weakest_first: Sequence[SettingsSource]) -> dict[str, object]:
    """Return the settings of all sources and of the preset that they choose. Raises BadSetting."""
    given = [_checked(source) for source in weakest_first]
    preset = _checked(preset_source(str(combined(given).get("preset", ""))))
    return combined([preset, *given])


def _needs_of_given(sources: Sequence[SettingsSource], settings: Mapping[str, object]) -> dict[str, dict[str, object]]:
    """Return the settings that given ones need to have an effect, as they are without these."""
    given = {name: value for source in sources for name, value in source.given.items() if value is not None}
    changing = {name for name in effects().keys() & given.keys() & SWITCHES.keys() if is_on(given[name])}
    changing |= {name for name in given.keys() & FIELDS.keys() if settings.get(name) != FIELDS[name].default}
    return {name: _without(name, sources) for name in effects() if name in changing}


def _without(name: str, sources: Sequence[SettingsSource]) -> dict[str, object]:
    needed = [each for each in effects()[name].needs if each in FIELDS]
    others = _combined([source.without(name) for source in sources]) if needed else {}
    return {each: others.get(each, FIELDS[each].default) for each in needed}


def _checked(source: SettingsSource) -> dict[str, object]:
    """Return the settings of a source with their types. Raises BadSetting for the first wrong value."""
    try:
        settings = checked_settings(source.values)
    except ValidationError as error:
        raise BadSetting(_message(error, source)) from None
    return {name: getattr(settings, name) for name in source.values}


def _message(error: ValidationError, source: SettingsSource) -> str:
    wrong = error.errors(include_url=False)[0]
    name, details = str(wrong["loc"][0]), wrong.get("ctx", {})
    expected = EXPECTED.get(wrong["type"], wrong["msg"].removeprefix("Input should be ")).format(**details)
    given = repr(source.values[name]) if FIELDS[name].repr else "…"
    return f"{name} = {given}{_place(source.place, name)}: expected {expected}."


def _place(place: str, name: str) -> str:
    """Return where a setting was given, with its line if it is set once in a file: ` in /ville/.env:3`."""
    if not Path(place).is_file():
        return f" in {place}" if place else ""
    assignment = re.compile(rf"\s*(export\s+)?(VILLE_)?{name}\s*=", re.IGNORECASE)
    lines = Path(place).read_text("utf-8").splitlines()
    found = [number for number, line in enumerate(lines, 1) if assignment.match(line)]
    return f" in {place}:{found[0]}" if len(found) == 1 else f" in {place}"
