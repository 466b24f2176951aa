"""Shell of the cast: `build` makes base simulations and histories of a people file, `check` only looks for faults."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from town_builder.cast.cast import Cast
from town_builder.cast.people import differences, load_people, people_files, write_people
from town_builder.faults import TownError

HERE = Path(__file__).resolve().parent
PEOPLE = HERE / "town_builder/towns/people.yaml"
OUT = HERE / "frontend_server"


def main(arguments: Sequence[str]) -> int:
    """Run one command; 0 if all is well, 1 if there is something to mend."""
    chosen = _parser().parse_args(arguments)
    try:
        cast = load_people(chosen.people, chosen.town)
    except TownError as error:
        print(error)
        return 1
    if chosen.command == "check":
        print(f"{chosen.people.name}: {_census(cast)}; nothing to mend")
        return 0
    return _compare(cast, chosen.out) if chosen.check else _write(cast, chosen.out)


def _write(cast: Cast, out: Path) -> int:
    strays = write_people(cast, out)
    print("\n".join([f"{len(people_files(cast))} files written: {_census(cast)}", *strays]))
    return 1 if strays else 0


def _compare(cast: Cast, out: Path) -> int:
    found = differences(cast, out)
    print("\n".join(found) if found else f"{len(people_files(cast))} files are up to date: {_census(cast)}")
    return 1 if found else 0


def _census(cast: Cast) -> str:
    statements = sum(len(person.statements) for person in cast.people)
    parts = (f"{len(cast.people)} people", f"{len(cast.bases)} bases", f"{statements} statements")
    return ", ".join((*parts, f"{len(cast.secrets)} secrets kept"))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    build, check = commands.add_parser("build"), commands.add_parser("check")
    for command in (build, check):
        command.add_argument("people", type=Path, nargs="?", default=PEOPLE, help="the people file")
        command.add_argument("--town", type=Path, help="a town file that the people must fit")
    build.add_argument("--out", type=Path, default=OUT, help="the frontend server's folder")
    build.add_argument("--check", action="store_true", help="write nothing, say what would change")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
