"""Permanent numbers of the blocks of a town: new names get new numbers, existing numbers never change."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from town_builder.problems import town_error
from town_builder.user_files import read_user_file

WORLD = 32134
"""Number of the world; all other numbers are higher."""

HIGHEST = 99_999
"""Upper limit; every number takes up a place on the marker tileset."""

Names = tuple[str, ...]


@dataclass(frozen=True)
class Ids:
    """Block numbers: kind (one of BLOCKS) and names without the world → number."""

    numbers: Mapping[tuple[str, Names], int]

    def extended(self, wanted: Iterable[tuple[str, Names]]) -> "Ids":
        """Return the same numbers plus a new one for every block that has none, in the given order."""
        numbers = dict(self.numbers)
        last = max([WORLD, *numbers.values()])
        for key in wanted:
            if key not in numbers:
                last += 1
                numbers[key] = last
        return Ids(numbers)

    def text(self) -> str:
        """Return the content of the ids file, one number per line."""
        rows = sorted((number, kind, names) for (kind, names), number in self.numbers.items())
        lines = (
            f"  {json.dumps(':'.join([kind, *names]), ensure_ascii=False)}: {number}" for number, kind, names in rows
        )
        return "{\n" + ",\n".join(lines) + "\n}\n"


def read_ids(path: Path) -> Ids:
    """Return the numbers from a file; none if it does not exist. Raises TownError for a damaged file."""
    fix = "restore it from version control: numbers must never change"
    try:
        kept = json.loads(read_user_file(path).decode("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return Ids({})
    except OSError as error:
        raise town_error(str(path), f"cannot be read ({error.strerror})", fix) from error
    except ValueError as error:
        raise town_error(str(path), f"is not JSON ({error})", fix) from error
    if not isinstance(kept, dict) or not all(isinstance(number, int) for number in kept.values()):
        raise town_error(str(path), "does not map names to whole numbers", fix)
    if len(set(kept.values())) < len(kept) or not all(WORLD < number <= HIGHEST for number in kept.values()):
        raise town_error(
            str(path), f"contains a number twice, or one that is not between {WORLD + 1} and {HIGHEST}", fix
        )
    return Ids({_key(name): number for name, number in kept.items()})


def _key(name: str) -> tuple[str, Names]:
    kind, *names = name.split(":")
    return kind, tuple(names)
