"""Flags as AGA (an older fork) spells them: those of settings, and those that only reverie_offline.py has."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ville.settings import FIELDS

SWITCHES: Mapping[str, Mapping[str, Any]] = {
    "--disable_policy": {"policy_store": "none"},
    "--disable_relationship": {"impressions": False, "social_memory": False},
    "--mind_wandering": {"mind_wandering": True},
}
"""The settings that each flag stands for."""
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
        values: str | Sequence[Any] | None,  # noqa: ARG002 - as above
        option_string: str | None = None,
    ) -> None:
        parser.exit(2, f"{parser.prog}: {option_string} {self.const}\n")


class _Switch(argparse.Action):
    """Sets the settings in `const`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002 - argparse calls it like this
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,  # noqa: ARG002 - as above
        option_string: str | None = None,  # noqa: ARG002 - as above
    ) -> None:
        for name, value in dict(self.const or {}).items():
            setattr(namespace, name, value)


def add_older_flags(parser: argparse.ArgumentParser, *, headless: bool) -> None:
    """Add these flags to a parser. `headless`: whether it belongs to reverie_offline.py."""
    for flag, values in SWITCHES.items():
        settings = {name: value for name, value in values.items() if name in FIELDS}
        spellings = [flag] if flag.removeprefix("--") in FIELDS else _spellings([flag])
        parser.add_argument(*spellings, nargs=0, action=_Switch, const=settings, help=argparse.SUPPRESS)
    for says, flags in ({} if headless else ELSEWHERE).items():
        for flag in _spellings(flags):
            parser.add_argument(flag, nargs="?", action=_Answered, const=says, help=argparse.SUPPRESS)


def _spellings(flags: Iterable[str]) -> list[str]:
    """Return the flags also with hyphens instead of underscores."""
    return list(dict.fromkeys(each for flag in flags for each in (flag, flag.replace("_", "-"))))
