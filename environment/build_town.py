"""Town works: look at a town file, check it, build its map, or import a map that was edited by hand.

python environment/build_town.py sketch   TOWN.yaml [--window X Y WIDTH HEIGHT]
python environment/build_town.py validate TOWN.yaml
"""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from town_builder.compile import Compiled, compile_plan
from town_builder.faults import Fault, TownError
from town_builder.plan import Plan
from town_builder.sketch import sketch
from town_builder.stamps import load_stamps
from town_builder.town_file import load_plan
from town_builder.validate import survey


def read_town(path: Path) -> tuple[Plan, Compiled]:
    plan = load_plan(path)
    return plan, compile_plan(plan, load_stamps())


def report(faults: Iterable[Fault]) -> int:
    """Print every fault; 1 if one of them is an error."""
    found = list(faults)
    for fault in found:
        print(fault)
    errors = sum(not fault.warning for fault in found)
    print(f"{errors} errors, {len(found) - errors} warnings")
    return 1 if errors else 0


def validate_command(arguments: argparse.Namespace) -> int:
    _, compiled = read_town(arguments.town)
    found = survey(compiled.grids)
    print(found.census)
    return report([*compiled.faults, *found.faults])


def sketch_command(arguments: argparse.Namespace) -> int:
    plan, compiled = read_town(arguments.town)
    print(sketch(plan, compiled, arguments.window))
    return 0


def read_arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Town works: towns in, maps out.")
    commands = parser.add_subparsers(required=True)
    validate = commands.add_parser("validate", help="count and check a town")
    validate.add_argument("town", type=Path)
    validate.set_defaults(run=validate_command)
    look = commands.add_parser("sketch", help="show a town as letters")
    look.add_argument("town", type=Path)
    look.add_argument("--window", type=int, nargs=4, metavar=("X", "Y", "WIDTH", "HEIGHT"))
    look.set_defaults(run=sketch_command)
    return parser.parse_args(words)


def main(words: list[str]) -> int:
    """Run one command. Returns the exit code: 1 when the town has errors."""
    arguments = read_arguments(words)
    try:
        return int(arguments.run(arguments))
    except TownError as error:
        return report(error.faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
