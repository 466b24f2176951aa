"""What became of a run: counted while it goes on, told at its end."""

from collections import Counter

from simulation.progress import spent
from simulation.simulation import Simulation
from simulation.step import StepReport

MOST = 10
"""Pairs that are named."""


class Summary:
    """Of one run. Raises nothing and changes nothing."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._thoughts_before = self._thoughts()
        self._steps = 0
        self._asked = self._corrected = self._failures = 0
        self._fallbacks: Counter[str] = Counter()
        self._talks: Counter[frozenset[str]] = Counter()

    def count(self, report: StepReport) -> None:
        self._steps += 1
        self._failures += len(report.failures)
        for tally in report.tallies.values():
            self._asked += tally.asked
            self._corrected += tally.corrected
            self._fallbacks.update(tally.fallbacks)
        self._talks.update(map(frozenset, report.talks))

    def lines(self) -> list[str]:
        """Ready to be read."""
        met = [f"  {' and '.join(sorted(pair))}: {times}" for pair, times in self._talks.most_common(MOST)]
        more = [f"  and {len(self._talks) - MOST} more pairs"] if len(self._talks) > MOST else []
        fallbacks = [f"  {question}: {times}" for question, times in self._fallbacks.most_common()]
        return [
            f"{self._steps:,} steps of {len(self._simulation.town.personas)} people",
            f"{self._talks.total():,} talks between {len(self._talks):,} pairs",
            *met,
            *more,
            f"{self._thoughts() - self._thoughts_before:,} thoughts",
            f"{self._asked:,} questions, {self._corrected:,} corrections, {self._fallbacks.total():,} fallbacks",
            f"{self._failures:,} times a telephone failed",
            *fallbacks,
            *([f"{spent(ledger.spend)} since it was begun"] if (ledger := self._simulation.telephone.ledger) else []),
        ]

    def _thoughts(self) -> int:
        return sum(len(persona.mind.stream.newest("thought")) for persona in self._simulation.town.personas.values())
