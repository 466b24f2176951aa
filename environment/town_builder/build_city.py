"""Write the files of a city, and build its map, its people and its base simulation from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from town_builder.build import BuildResult, build
from town_builder.cast.cast import Cast
from town_builder.cast.characters import write_characters
from town_builder.cast.people import ASSETS, STORAGE, load_people, people_files
from town_builder.city.city import CityFiles, make_city
from town_builder.files import write_text
from town_builder.problems import town_error


@dataclass(frozen=True)
class CityFolders:
    """Where the files of a city go."""

    towns: Path
    """The town file and the people file."""
    assets: Path
    """The map, the history and the pictures of the people."""
    storage: Path
    """The base simulation."""


@dataclass(frozen=True)
class BuiltCity:
    """A finished city."""

    files: CityFiles
    map: BuildResult
    cast: Cast
    town_file: Path


def build_city(name: str, people: int, seed: int, folders: CityFolders, *, force: bool = False) -> BuiltCity:
    """Write and build a city. Raises TownError if other files have its name already (unless `force`)."""
    made = make_city(name, people, seed)
    town, cast_file = folders.towns / f"{name}.yaml", folders.towns / f"{name}_people.yaml"
    for path, text in ((town, made.town), (cast_file, made.people)):
        if not force and path.exists() and path.read_bytes() != text.encode("utf-8"):
            raise town_error(str(path), "is there already, and different", "choose another --name, or add --force")
    for path, text in ((town, made.town), (cast_file, made.people)):
        write_text(path, text)
    map_built = build(town, folders.assets, force=force)
    cast = load_people(cast_file, town)
    for place, text in people_files(cast).items():
        write_text(_path(place, {STORAGE: folders.storage, ASSETS: folders.assets}), text)
    write_characters([one.name for one in cast.people], {}, folders.assets)
    return BuiltCity(made, map_built, cast, town)


def _path(place: PurePosixPath, folders: Mapping[PurePosixPath, Path]) -> Path:
    """Return the path of a file whose place counts from the environment server."""
    return next(folder / place.relative_to(root) for root, folder in folders.items() if place.is_relative_to(root))
