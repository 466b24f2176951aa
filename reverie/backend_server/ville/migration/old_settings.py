"""Translates the settings of an older project into lines of our .env."""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ville import home
from ville.errors import BadSetting
from ville.settings import load_settings
from ville.settings.key_names import key_name
from ville.settings.model import FIELDS
from ville.settings.older_names import CLASSIC_EMBEDDINGS
from ville.settings.sources import (
    MODEL,
    SettingsSource,
    environment_source,
    utils_file_constants,
    utils_file_source,
)
from ville.storage.env_file import change_env_file
from ville.storage.folders import read_env_file
from ville.storage.model_variables import KEY_NAMES, PREFIX

LEFT = (
    "fs_storage", "fs_compressed_storage", "fs_studies", "fs_temp_storage", "assets", "wallet_file", "minds",
    "collision_block_id", "key_owner",
)  # fmt: skip
"""Settings that stay behind: folders and files of the old project, and what is not used."""
CHOOSING = ("provider", "base_url", "use_openrouter", "model_file", *KEY_NAMES)
"""Settings that choose what answers. Where one is set here, none that belongs to it comes from elsewhere."""
OF_MODELS = (
    *CHOOSING, "api_version", "fast_model", "advanced_model", "openrouter_chat_model", "openrouter_gpt4_model",
    "embedder", "embedding_model", "embedding_base_url", "embedding_file", "reasoning_effort",
)  # fmt: skip
TO_BOTH = ("fast_model", "advanced_model")


@dataclass(frozen=True)
class OldSettings:
    """Variables for our .env. They are shown without their secrets."""

    variables: Mapping[str, str] = field(default_factory=dict, repr=False)
    kept: tuple[str, ...] = ()
    """Names that are set here already, and stay as they are."""
    faults: tuple[str, ...] = ()
    """Why a file cannot be brought, a line each."""

    def lines(self) -> Iterator[str]:
        """Yield the lines of .env as they may be shown."""
        yield from (f"{name}={_shown(name, value)}" for name, value in self.variables.items())

    def append(self) -> None:
        """Add them to our .env. Raises BadSetting, also if they would not be settings there, and CannotWrite."""
        try:
            load_settings(environment={**os.environ, **self.variables})
        except BadSetting as fault:
            raise BadSetting(f"The settings of the old project were not added to {env_file()}: {fault}") from None
        change_env_file(env_file(), self.variables)


def env_file() -> Path:
    """Return our .env."""
    return home.HOME.env_file


def read_old_settings(files: Sequence[Path]) -> OldSettings:
    """Return what the settings in these files are in .env, without those that are set here. Raises BadSetting for ours.

    Files are a .env and utils.py files; a name counts in the first that has it.
    """
    found: dict[str, str] = {}
    faults: list[str] = []
    for file in files:
        try:
            found = {**_variables(file), **found}
        except BadSetting as fault:
            faults.append(str(fault))
    given = _given_here()
    ours = any(name in given for name in CHOOSING)
    kept = tuple(name for name in found if _setting(name) in given or (ours and _is_of_models(name)))
    return OldSettings({name: value for name, value in found.items() if name not in kept}, kept, tuple(faults))


def _variables(file: Path) -> dict[str, str]:
    """Return the settings of a file as variables. Raises BadSetting."""
    if file.name == ".env":
        variables = read_env_file(file)
        environment_source(variables, str(file))
        return {name: value for name, value in variables.items() if value and _is_brought(name)}
    source = utils_file_source(utils_file_constants(file, {}), str(file))
    return {name: value for name, value in _named(source) if value and _is_brought(name)}


def _is_brought(name: str) -> bool:
    known = _setting(name) in FIELDS or _setting(name) in KEY_NAMES or name.upper().startswith(MODEL.upper())
    return known and _setting(name) not in LEFT


def _named(source: SettingsSource) -> Iterator[tuple[str, str]]:
    """Yield the settings of a utils.py by the names of variables."""
    values = dict(source.values)
    for provider, key in _items(values.pop("keys", {})):
        name = key_name(provider)
        placeholder = key.startswith("<")
        yield (f"{PREFIX}{name}" if name == "API_KEY" else name), "" if placeholder else key
    for kind, model in _items(values.pop("models", {})):
        yield f"{MODEL}{kind.replace('/', '_')}".upper(), model
    for provider, model in _items(values.pop("provider_models", {})):
        if provider == values.get("provider", "openai"):
            yield from ((f"{PREFIX}{each.upper()}", model) for each in TO_BOTH if each not in values)
    if values.pop("openrouter_embedding_model", None) and not {"embedder", "embedding_model"} & values.keys():
        yield from ((f"{PREFIX}EMBEDDER", "openai"), (f"{PREFIX}EMBEDDING_MODEL", CLASSIC_EMBEDDINGS))
    for name, value in values.items():
        yield f"{PREFIX}{name.upper()}", str(value).lower() if isinstance(value, bool) else str(value)


def _items(group: object) -> Iterator[tuple[str, str]]:
    """Yield name and value of settings that are set one by one."""
    if isinstance(group, Mapping):
        yield from ((str(name), str(value)) for name, value in group.items() if value)


def _given_here() -> Collection[str]:
    """Return the settings that are set here: in the environment, in .env or in utils.py. Raises BadSetting."""
    variables = {**read_env_file(env_file()), **os.environ}
    constants = utils_file_constants(home.HOME.settings_folder / "utils.py", variables)
    here = dict(_named(utils_file_source(constants, "utils.py")))
    return {_setting(name) for name, value in {**variables, **here}.items() if value}


def _setting(variable: str) -> str:
    return variable.lower().removeprefix(PREFIX.lower())


def _is_of_models(variable: str) -> bool:
    return _setting(variable) in OF_MODELS or _setting(variable).startswith(MODEL)


def _shown(name: str, value: str) -> str:
    """Return a value without secrets: a key is none of a plan's business, and an address may hold one."""
    return "…" if _setting(name) in KEY_NAMES or "@" in value else value
