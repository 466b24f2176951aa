"""Preview, check and build a town file, or import a map that was edited by hand.

    python environment/build_town.py sketch   TOWN.yaml [--window X Y WIDTH HEIGHT]
    python environment/build_town.py preview  TOWN.yaml [--out PICTURE.webp]
    python environment/build_town.py validate TOWN.yaml|MAP.json [--for STORAGE/SIMULATION]
    python environment/build_town.py build    TOWN.yaml [--out DIR] [--check] [--force]
    python environment/build_town.py import   MAP.json --name NAME [--special-blocks DIR] [--out DIR] [--force]
    python environment/build_town.py city     --people N [--seed N] [--name NAME] [--towns DIR] [--out DIR] [--force]
    python environment/build_town.py adopt    SIMULATION --map FOLDER|MAP.json [--name NAME] [--dry-run]

docs/towns.md explains how to make your own town or a city, MIGRATION.md when to adopt a simulation.
"""

import sys

try:
    import argparse
    import os
    from collections.abc import Iterable, Iterator
    from contextlib import contextmanager
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from ville.cli.entry_points import town
except ModuleNotFoundError as missing:
    sys.exit(f"{missing}. In the project folder, type: pip install -r requirements.txt")
except KeyboardInterrupt:
    sys.exit(130)

try:  # an older Python has ended by now, in one line
    from town_builder.build import build, draw, read_town
    from town_builder.build_city import CityFolders, build_city
    from town_builder.check.residents import resident_problems
    from town_builder.check.roads import street_problems
    from town_builder.check.validate import validate_grids
    from town_builder.city.city import FEWEST, MOST
    from town_builder.compare_build import compare_with_build
    from town_builder.importing import import_map, install
    from town_builder.plan.names import maze_name_error
    from town_builder.problems import Problem, TownError, count_text, town_error, write_error
    from town_builder.sketch import sketch
    from ville.errors import ReverieError
    from ville.home import HOME
    from ville.migration.adoption import Adoption
    from ville.migration.map_folder import MapFolder
    from ville.migration.recorded import recorded_as
    from ville.storage.folders import Folders, read_folders
except ModuleNotFoundError as missing:
    sys.exit(f"{missing}. In the project folder, type: pip install -r requirements.txt")
except KeyboardInterrupt:
    sys.exit(130)


def report(problems: Iterable[Problem]) -> int:
    """Print every problem once. Return 1 if there is an error, else 0."""
    found = list(dict.fromkeys(problems))
    for one in found:
        print(one)
    print(count_text(found))
    return int(any(not problem.warning for problem in found))


def validate_command(arguments: argparse.Namespace) -> int:
    if arguments.town.suffix == ".json":
        imported = import_map(arguments.town, arguments.town.stem, arguments.special_blocks)
        grids, problems = imported.grids, [*imported.notes]
    else:
        plan, compiled = read_town(arguments.town)
        grids, problems = compiled.grids, [*compiled.problems, *street_problems(plan, compiled.grids)]
    found = validate_grids(grids)
    print(found.counts)
    problems.extend(found.problems)
    for folder in arguments.simulations:
        count, more = resident_problems(grids, folder)
        print(f"{folder.name}: {count}")
        problems.extend(more)
    return report(problems)


def sketch_command(arguments: argparse.Namespace) -> int:
    plan, compiled = read_town(arguments.town)
    print(sketch(plan, compiled, arguments.window))
    return 0


def preview_command(arguments: argparse.Namespace) -> int:
    """Draw a town. A town that cannot be built leaves in one line, with what is wrong first."""
    try:
        draw(arguments.town, arguments.out or arguments.town.with_suffix(".webp"))
    except TownError as error:
        sys.exit(str(error.problems[0]))
    return 0


def build_command(arguments: argparse.Namespace) -> int:
    if arguments.check:
        return report(compare_with_build(arguments.town, arguments.out or _folders().assets))
    built = build(arguments.town, arguments.out or _folders().assets, force=arguments.force)
    print(built.counts)
    print(f"built {built.folder}")
    return report(built.warnings)


def import_command(arguments: argparse.Namespace) -> int:
    if error := maze_name_error(arguments.name):
        raise town_error("--name", *error)
    folder = (arguments.out or _folders().assets) / arguments.name
    installed = install(arguments.map, folder, special_blocks=arguments.special_blocks, force=arguments.force)
    print(installed.counts)
    print(f"imported {folder}")
    return report(installed.warnings)


def city_command(arguments: argparse.Namespace) -> int:
    """Make a city: its town file, its people file, its map and its base simulation."""
    name = arguments.name or f"city_{arguments.people}_{arguments.seed}"
    if wrong := maze_name_error(name):
        raise town_error("--name", *wrong)
    if not FEWEST <= arguments.people <= MOST:
        raise town_error("--people", f"is {arguments.people}", f"choose {FEWEST} to {MOST}")
    kept = _folders()
    folders = CityFolders(
        arguments.towns or HOME.towns, arguments.out or kept.assets, arguments.storage or kept.storage
    )
    made = build_city(name, arguments.people, arguments.seed, folders, force=arguments.force)
    print(made.map.counts)
    print(made.files.summary)
    print(f"built {made.map.folder} and {folders.storage / made.cast.bases[0].name} from {made.town_file}")
    return report(made.map.warnings)


def adopt_command(arguments: argparse.Namespace) -> int:
    folders = _folders()
    shelves = arguments.storage or folders.storage, arguments.compressed or folders.compressed_storage
    found = recorded_as(arguments.simulation, shelves)
    name = arguments.name or f"old_{found[0].meta.maze_name.removeprefix('old_')}"
    if wrong := maze_name_error(name):
        raise town_error("--name", *wrong)
    with _map_folder(arguments, name) as source:
        adoption = Adoption(source, (arguments.out or folders.assets) / name, found, arguments.map)
        changes = adoption.changes()
        if not arguments.dry_run:
            adoption.carry_out()
        print(*changes or [f"{arguments.simulation} already uses the map {name}."], sep="\n")
        if not source.is_seen:
            visuals = adoption.target / "visuals"
            print(f"Pages cannot draw this map yet. Put its Tiled file and pictures into {visuals}.")
    if arguments.dry_run:
        print("Dry run: nothing was changed. Leave out --dry-run to make these changes.")
    return 0


@contextmanager
def _map_folder(arguments: argparse.Namespace, name: str) -> Iterator[MapFolder]:
    """Yield the map that was named. A Tiled file without matrices is imported into a temporary folder."""
    if there := MapFolder.at(arguments.map):
        yield there
        return
    with TemporaryDirectory() as made:
        folder = Path(made) / name
        install(arguments.map, folder, special_blocks=arguments.special_blocks)
        yield MapFolder(folder)


def _folders() -> Folders:
    """Return the folders of the settings. Raises BadSetting."""
    return read_folders(os.environ)


def read_arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Preview, check, build and import towns.")
    commands = parser.add_subparsers(required=True)
    look = commands.add_parser("sketch", help="show a town as text")
    look.add_argument("town", type=Path)
    look.add_argument("--window", type=int, nargs=4, metavar=("X", "Y", "WIDTH", "HEIGHT"))
    look.set_defaults(run=sketch_command)
    picture = commands.add_parser("preview", help="draw a town as a picture, without building it")
    picture.add_argument("town", type=Path)
    picture.add_argument("--out", type=Path, help="the WebP file of the picture (default: beside the town file)")
    picture.set_defaults(run=preview_command)
    validate = commands.add_parser("validate", help="count and check a town file or a map")
    validate.add_argument("town", type=Path)
    validate.add_argument("--for", dest="simulations", type=Path, action="append", default=[], metavar="SIMULATION")
    validate.add_argument("--special-blocks", type=Path, help="folder that names the markers of a classic map")
    validate.set_defaults(run=validate_command)
    make = commands.add_parser("build", help="build the map of a town file")
    make.add_argument("town", type=Path)
    make.add_argument("--check", action="store_true", help="change nothing, only list the differences")
    make.set_defaults(run=build_command)
    take = commands.add_parser("import", help="import a map from the Tiled editor")
    take.add_argument("map", type=Path)
    take.add_argument("--name", required=True, help="the name of the maze's folder")
    take.add_argument("--special-blocks", type=Path, help="folder that names the markers of a classic map")
    take.set_defaults(run=import_command)
    city = commands.add_parser("city", help="make a city of any number of people, by rules and a seed")
    city.add_argument("--people", type=int, required=True, metavar="N", help=f"number of people, {FEWEST} to {MOST}")
    city.add_argument("--seed", type=int, default=1, metavar="N", help="another seed makes another city (default: 1)")
    city.add_argument("--name", help="name of the maze (default: city, the people and the seed)")
    city.add_argument("--towns", type=Path, help="the folder of its town file and its people file")
    city.add_argument("--storage", type=Path, help="folder of the simulations (default: from the settings)")
    city.set_defaults(run=city_command)
    adopt = commands.add_parser("adopt", help="give a simulation the map it was recorded on, under another name")
    adopt.add_argument("simulation", help="name of a saved or compressed simulation, or its folder")
    adopt.add_argument("--map", type=Path, required=True, help="folder with the matrix of the map, or its Tiled file")
    adopt.add_argument("--name", help="new name of the map; if not given, old_ and its present name")
    adopt.add_argument("--special-blocks", type=Path, help="folder that names the markers of a classic map")
    adopt.add_argument("--storage", type=Path, help="folder of the simulations (default: from the settings)")
    adopt.add_argument("--compressed", type=Path, help="folder of the replays (default: from the settings)")
    adopt.add_argument("--dry-run", action="store_true", help="change nothing, only list the changes")
    adopt.set_defaults(run=adopt_command)
    for command in (make, take, city, adopt):
        command.add_argument("--out", type=Path, help="the folder of all maps (default: from the settings)")
    for command in (make, take, city):
        command.add_argument("--force", action="store_true", help="overwrite existing files")
    return parser.parse_args(words)


def main(words: list[str]) -> int:
    """Run one command. Return the exit code: 1 if there are errors."""
    arguments = read_arguments(words)
    try:
        return int(arguments.run(arguments))
    except TownError as error:
        return report(error.problems)
    except ReverieError as error:
        print(error)
        return 1
    except OSError as error:
        return report(write_error(error).problems)


if __name__ == "__main__":
    town()
