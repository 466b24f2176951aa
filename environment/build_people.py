"""Make base simulations, histories and pictures from a people file.

`build` makes all of them, and the ready looks of visitors. `check` only reports problems, `draw` makes the pictures of
anyone from their name alone.
"""

import sys

try:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

    from ville.console import run_shell
except ModuleNotFoundError as missing:
    sys.exit(f"{missing}. In the project folder, type: pip install -r requirements.txt")
except KeyboardInterrupt:
    sys.exit(130)

try:  # an older Python has ended by now, in one line
    from town_builder.art.people.looks_file import LooksFileError, read_looks
    from town_builder.cast.cast import Cast
    from town_builder.cast.characters import write_characters
    from town_builder.cast.people import ASSETS, differences, load_people, people_files, write_people
    from town_builder.problems import TownError, write_error
except ModuleNotFoundError as missing:
    sys.exit(f"{missing}. In the project folder, type: pip install -r requirements.txt")
except KeyboardInterrupt:
    sys.exit(130)

HERE = Path(__file__).resolve().parent
PEOPLE = HERE / "town_builder/towns/people.yaml"
LOOKS = HERE / "town_builder/towns/looks.yaml"
OUT = HERE / "frontend_server"


def main(arguments: Sequence[str]) -> int:
    """Run one command. Return the exit code: 1 if there are errors."""
    chosen = _parser().parse_args(arguments)
    try:
        return _run(chosen)
    except (TownError, LooksFileError) as error:
        print(error)
    except OSError as error:
        print(write_error(error))
    return 1


def _run(chosen: argparse.Namespace) -> int:
    if chosen.command == "draw":
        return _draw(chosen.names, chosen.out)
    cast = load_people(chosen.people, chosen.town)
    if chosen.command == "check":
        print(f"{chosen.people.name}: {_describe(cast)}; no problems")
        return 0
    return _compare(cast, chosen.out) if chosen.check else _write(cast, chosen.out)


def _write(cast: Cast, out: Path) -> int:
    unexpected = write_people(cast, out)
    _draw([*(person.name for person in cast.people), *read_looks(LOOKS, "visitors")], out)
    print("\n".join([f"{len(people_files(cast))} files written: {_describe(cast)}", *unexpected]))
    return 1 if unexpected else 0


def _draw(names: Sequence[str], out: Path) -> int:
    write_characters(names, {**read_looks(LOOKS), **read_looks(LOOKS, "visitors")}, out / ASSETS)
    print(f"drawn: {len(names)}, below {out.name}/{ASSETS}/characters")
    return 0


def _compare(cast: Cast, out: Path) -> int:
    found = differences(cast, out)
    print("\n".join(found) if found else f"{len(people_files(cast))} files are up to date: {_describe(cast)}")
    return 1 if found else 0


def _describe(cast: Cast) -> str:
    statements = sum(len(person.statements) for person in cast.people)
    parts = (f"{len(cast.people)} people", f"{len(cast.bases)} bases", f"{statements} statements")
    return ", ".join((*parts, f"{len(cast.secrets)} secrets"))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    build, check, draw = (commands.add_parser(name) for name in ("build", "check", "draw"))
    for command in (build, check):
        command.add_argument("people", type=Path, nargs="?", default=PEOPLE, help="the people file")
        command.add_argument("--town", type=Path, help="a town file that the people must fit")
    for command in (build, draw):
        command.add_argument("--out", type=Path, default=OUT, help="the frontend server's folder")
    draw.add_argument(
        "names", nargs="+", help="full names; people without a look in looks.yaml get one generated from their name"
    )
    build.add_argument("--check", action="store_true", help="write nothing, list what would change")
    return parser


if __name__ == "__main__":
    run_shell(lambda: main(sys.argv[1:]))
