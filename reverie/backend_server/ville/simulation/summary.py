"""What became of a run: counted while it goes on, told at its end."""

from collections import Counter

from ville.simulation.progress import counted, spent
from ville.simulation.simulation import Simulation
from ville.simulation.step import StepReport
from ville.storage.dates import time_text

MOST = 10
"""Pairs that are named."""


def saved_line(simulation: Simulation) -> str:
    """Right after a save: how far it goes."""
    clock = simulation.clock
    return f"{simulation.name} is saved: {time_text(clock.now)}, step {clock.step:,}."


class Summary:
    """Of one run. Raises nothing and changes nothing."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._thoughts_before = self._thoughts()
        self._steps = 0
        self._asked = self._unusable = self._failures = 0
        self._fallbacks: Counter[str] = Counter()
        self._judged: Counter[tuple[str, bool]] = Counter()
        """Model, and whether its answer was of no use."""
        self._talks: Counter[frozenset[str]] = Counter()

    def count(self, report: StepReport) -> None:
        self._steps += 1
        self._failures += len(report.failures)
        for tally in report.tallies.values():
            self._asked += tally.asked
            self._unusable += tally.corrected
            self._fallbacks.update(tally.fallbacks)
            self._judged.update((each.model, bool(each.wrong)) for each in tally.judged)
        self._talks.update(map(frozenset, report.talks))

    def lines(self) -> list[str]:
        """Ready to be read."""
        questions = counted(self._asked, "question", "questions")
        unusable = counted(self._unusable, "unusable answer", "unusable answers")
        people = len(self._simulation.town.personas)
        met = [f"  {' and '.join(sorted(pair))}: {times}" for pair, times in self._talks.most_common(MOST)]
        more = [f"  and {len(self._talks) - MOST} more pairs"] if len(self._talks) > MOST else []
        fallbacks = [f"  {question}: {times}" for question, times in self._fallbacks.most_common()]
        return [
            f"{counted(self._steps, 'step', 'steps')} of {counted(people, 'person', 'people')}",
            f"{counted(self._talks.total(), 'talk', 'talks')} between {counted(len(self._talks), 'pair', 'pairs')}",
            *met,
            *more,
            counted(self._thoughts() - self._thoughts_before, "thought", "thoughts"),
            f"{questions}, {unusable}, {self._fallbacks.total():,} answered by a fallback",
            *fallbacks,
            *self._by_model(),
            *self._unanswered(),
            *([f"{spent(ledger.spend)} since it was begun"] if (ledger := self._simulation.telephone.ledger) else []),
        ]

    def _by_model(self) -> list[str]:
        """Of the models that gave some question no usable answer: to how many."""
        failed = {model: times for (model, wrong), times in sorted(self._judged.items()) if wrong}
        return [
            f"  {model}: no usable answer to {times:,} of {times + self._judged[model, False]:,} questions"
            for model, times in failed.items()
        ]

    def _unanswered(self) -> list[str]:
        """Whoever gets no answer loses a turn, not more."""
        turns = counted(self._failures, "turn", "turns")
        return [f"{turns} without an answer: who had asked went on as before"] if self._failures else []

    def _thoughts(self) -> int:
        return sum(len(persona.mind.stream.newest("thought")) for persona in self._simulation.town.personas.values())
