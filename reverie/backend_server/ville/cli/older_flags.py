"""Flags of AGA (an older fork) that are not supported: each is answered by one line that says what to do instead."""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

NOT_HERE = "is a flag of AGA without a counterpart here (see MIGRATION.md, section 8). Leave it out."
IMPRESSIONS = "is a flag of AGA. Use --no-impressions (MIGRATION.md, section 8)."
INTERVIEW = "is a flag of AGA. Use the prompt command 'call -- analysis NAME' (MIGRATION.md, section 2)."
HEADLESS = "is a flag of reverie_offline.py. Use --origin and --name, then the command 'run' (MIGRATION.md, section 2)."
GONE = {
    NOT_HERE: ("--disable_policy", "--mind_wandering"),
    IMPRESSIONS: ("--disable_relationship",),
    INTERVIEW: ("-c", "--call", "-q", "--question"),
}
ELSEWHERE = {HEADLESS: ("-o", "-t", "--target", "-s", "--step", "--steps")}


class _Answered(argparse.Action):
    """Exits with the text in `const`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,  # noqa: ARG002 - argparse calls it like this
        values: str | Sequence[Any] | None,  # noqa: ARG002 - as above
        option_string: str | None = None,
    ) -> None:
        parser.exit(2, f"{parser.prog}: {option_string} {self.const}\n")


def answer_older_flags(parser: argparse.ArgumentParser, *, headless: bool) -> None:
    """Add the older flags to a parser. `headless`: whether it belongs to reverie_offline.py."""
    for says, flags in (GONE if headless else GONE | ELSEWHERE).items():
        for flag in _spellings(flags):
            parser.add_argument(flag, nargs="?", action=_Answered, const=says, help=argparse.SUPPRESS)


def _spellings(flags: Iterable[str]) -> list[str]:
    """Return the flags also with hyphens instead of underscores."""
    return list(dict.fromkeys(each for flag in flags for each in (flag, flag.replace("_", "-"))))
