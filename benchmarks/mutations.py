"""Test the tests: put one mistake after the other into a module, and see whether its tests notice.

`python benchmarks/mutations.py` does so with all modules of `mutations.yaml`, which names the tests of each, and prints
the mistakes that none of them notices. Each needs a test, or an entry in that file which says why it does not matter.
Tests run in a copy of the project; a mistake with which they take much longer is noticed, too. The exit code is 1 if
there is a mistake without test and entry, or an entry that fits no mistake any more. All modules take hours: name some,
or go on later with what `--kept` has.
"""

import argparse
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from random import Random

import yaml
from mutant_runs import PASSED, ROOT, TOO_LONG, ProjectCopy, project_copy
from mutants import Mutant, mistakes, mutants

TABLE = Path(__file__).with_suffix(".yaml")
CAUGHT, TIMEOUT, SURVIVED, EXPLAINED = "caught", "timeout", "survived", "explained"
SEED = 1
AT_ONCE = 30
"""Mistakes after which outcomes are shown and kept."""


@dataclass(frozen=True)
class Reason:
    """Why a mistake does not matter."""

    line: str
    changes: tuple[str, ...]
    because: str

    def fits(self, mutant: Mutant) -> bool:
        return mutant.text == self.line and mutant.change in self.changes


class Module:
    """A module whose tests are tested."""

    def __init__(self, path: str, tests: Sequence[str], reasons: Sequence[Reason]) -> None:
        self.path, self.tests, self._reasons = path, tests, reasons
        self.source = (ROOT / path).read_text("utf-8")

    @cached_property
    def mutants(self) -> list[Mutant]:
        return mutants(self.source, self.path)

    def explained(self, mutant: Mutant) -> bool:
        return any(reason.fits(mutant) for reason in self._reasons)

    @property
    def name(self) -> str:
        """Its file and folder."""
        return "/".join(Path(self.path).parts[-2:])

    @property
    def outdated(self) -> list[str]:
        """Reasons for mistakes that cannot be made any more, one line each."""
        possible = mistakes(self.source)
        given = [(reason.line, change) for reason in self._reasons for change in reason.changes]
        return [f"{self.path}: {line}: {change}" for line, change in given if (line, change) not in possible]


def modules(part: str = "") -> list[Module]:
    """Return the modules of the table whose path contains this."""
    table = yaml.safe_load(TABLE.read_text("utf-8"))
    return [
        Module(path, entry["tests"], [Reason(**each) for each in entry.get("reasons", ())])
        for path, entry in table.items()
        if part in path
    ]


class NoticedMistakes:
    """Mistakes that tests have noticed in earlier runs, in a file, and how."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._outcomes: dict[str, str] = json.loads(file.read_text("utf-8")) if file and file.exists() else {}

    def outcome(self, mutant: Mutant) -> str | None:
        return self._outcomes.get(self._name(mutant))

    def keep(self, outcomes: dict[Mutant, str]) -> None:
        """Add outcomes. A mistake that survives is tried again: there may be a test of it by then."""
        noticed = {self._name(mutant): outcome for mutant, outcome in outcomes.items() if outcome != SURVIVED}
        self._outcomes |= noticed
        if self._file:
            self._file.write_text(json.dumps(self._outcomes, indent=0), "utf-8")

    @staticmethod
    def _name(mutant: Mutant) -> str:
        return sha256(mutant.source.encode()).hexdigest()


def trial(copy: ProjectCopy, module: Module, tried: Sequence[Mutant], kept: NoticedMistakes) -> Counter[str]:
    """Return how many mutants of a module had which outcome; print those that survive."""
    known = {mutant: EXPLAINED if module.explained(mutant) else kept.outcome(mutant) for mutant in tried}
    counts = Counter(outcome for outcome in known.values() if outcome)
    unknown = [mutant for mutant, outcome in known.items() if not outcome]
    for begin in range(0, len(unknown), AT_ONCE):
        some = unknown[begin : begin + AT_ONCE]
        codes = copy.codes(module.path, module.tests, some)
        named = ({PASSED: SURVIVED, TOO_LONG: TIMEOUT}.get(code, CAUGHT) for code in codes)
        outcomes = dict(zip(some, named, strict=True))
        for mutant in (mutant for mutant, outcome in outcomes.items() if outcome == SURVIVED):
            print(shown(module, mutant), flush=True)
        kept.keep(outcomes)
        counts.update(outcomes.values())
    return counts


def shown(module: Module, mutant: Mutant) -> str:
    return f"{module.path}:{mutant.line}\n  {mutant.text}\n  {mutant.change}"


def rows(found: dict[Module, Counter[str]]) -> Iterator[str]:
    """Yield the table of outcomes, in Markdown: `mistakes` are all that can be made, `tried` those of this trial."""
    columns = (CAUGHT, TIMEOUT, EXPLAINED, SURVIVED)
    yield "| " + " | ".join(("module", "mistakes", "tried", *columns)) + " |"
    yield "|---|" + "---:|" * (2 + len(columns))
    together = sum(len(module.mutants) for module in found), sum(found.values(), Counter())
    for name, size, counts in (
        *((f"`{module.name}`", len(module.mutants), counts) for module, counts in found.items()),
        ("together", *together),
    ):
        figures = (size, counts.total(), *(counts[column] for column in columns))
        yield f"| {name} | " + " | ".join(f"{figure:,}" for figure in figures) + " |"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--module", default="", metavar="PART", help="only modules whose path contains PART")
    parser.add_argument("--sample", type=int, metavar="N", help="only N mistakes of each module, by lot")
    parser.add_argument("--list", action="store_true", help="list the mistakes, and test nothing")
    parser.add_argument(
        "--kept", type=Path, metavar="FILE", help="keep what is noticed in FILE, and do not try it again"
    )
    choice = parser.parse_args(arguments)
    chosen = modules(choice.module)
    tried = {module: drawn(module.mutants, choice.sample) for module in chosen}
    if choice.list:
        print(*(shown(module, mutant) for module, each in tried.items() for mutant in each), sep="\n")
        return 0
    if not hasattr(os, "fork"):
        sys.exit("This program needs Linux or macOS.")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Ended by a signal."))
    with project_copy() as copy:
        kept = NoticedMistakes(choice.kept)
        found = {module: trial(copy, module, each, kept) for module, each in tried.items()}
    outdated = [each for module in chosen for each in module.outdated]
    print(*rows(found), *(f"Fits no mistake any more: {each}" for each in outdated), sep="\n")
    return int(bool(outdated) or any(counts[SURVIVED] for counts in found.values()))


def drawn(found: Sequence[Mutant], size: int | None) -> Sequence[Mutant]:
    """Return some mutants, in their order, or all."""
    if size is None or size >= len(found):
        return found
    return sorted(Random(SEED).sample(found, size), key=lambda mutant: mutant.line)  # noqa: S311


if __name__ == "__main__":
    sys.exit(main())
