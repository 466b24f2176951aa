"""Load the settings: flags over environment over .env over utils.py over a preset over defaults."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from ville.errors import BadSetting
from ville.settings import paths
from ville.settings.combine import combined
from ville.settings.effects import effects
from ville.settings.key_names import misspelt
from ville.settings.model import FIELDS, Settings, checked_settings
from ville.settings.older_names import SWITCHES, is_on, unread_address
from ville.settings.presets import preset_source
from ville.settings.sources import (
    SettingsSource,
    env_file_variables,
    environment_source,
    flags_source,
    utils_file_constants,
    utils_file_source,
)

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
    variables = os.environ if environment is None else environment
    env_path, utils_path = str(paths.ROOT / ".env"), str(paths.BACKEND / "utils.py")
    env_file = env_file_variables(Path(env_path))
    constants = utils_file_constants(Path(utils_path), {**env_file, **variables})
    weakest_first = (
        utils_file_source(constants, utils_path),
        environment_source(env_file, env_path),
        environment_source(variables, "the environment"),
        flags_source(flags or {}),
    )
    near = misspelt(constants, utils_path) | misspelt(env_file, env_path) | misspelt(variables, "the environment")
    unread = unread_address(env_file, env_path) + unread_address(variables, "the environment")
    settings = _combined(weakest_first)
    needs = _needs_of_given(weakest_first, settings)
    return checked_settings({**settings, "misspelt": near, "unread": unread, "given": needs})


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
