"""Flags as AGA (an older fork) spells them: those of settings, and those that only reverie_offline.py has."""

import argparse
from collections.abc import Iterable, Sequence

from ville.settings.older_names import SWITCHES

INTERVIEW = "is a flag of reverie_offline.py. Use the prompt command 'call -- analysis NAME' (MIGRATION.md, section 2)."
HEADLESS = "is a flag of reverie_offline.py. Use --origin and --name, then the command 'run' (MIGRATION.md, section 2)."
ELSEWHERE = {
    INTERVIEW: ("-c", "--call", "-q", "--question"),
    HEADLESS: ("-o", "-t", "--target", "-s", "--step", "--steps"),
}


class _Answered(argparse.Action):
    """Exits with the text in `const`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,  # noqa: ARG002 - argparse calls it like this
        values: str | Sequence[object] | None,  # noqa: ARG002 - as above
        option_string: str | None = None,
    ) -> None:
        parser.exit(2, f"{parser.prog}: {option_string} {self.const}\n")


def add_older_flags(parser: argparse.ArgumentParser, *, headless: bool) -> None:
    """Add these flags to a parser. `headless`: whether it belongs to reverie_offline.py."""
    for name in SWITCHES:
        parser.add_argument(*_spellings([f"--{name}"]), action="store_true", default=None, help=argparse.SUPPRESS)
    parser.add_argument("--mind_wandering", action="store_true", default=None, help=argparse.SUPPRESS)
    for says, flags in ({} if headless else ELSEWHERE).items():
        for flag in _spellings(flags):
            parser.add_argument(flag, nargs="?", action=_Answered, const=says, help=argparse.SUPPRESS)


def _spellings(flags: Iterable[str]) -> list[str]:
    """Return the flags also with hyphens instead of underscores."""
    return list(dict.fromkeys(each for flag in flags for each in (flag, flag.replace("_", "-"))))
