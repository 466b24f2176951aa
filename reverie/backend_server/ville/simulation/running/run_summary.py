"""Totals of a run, counted step by step."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from ville.llm.accounting.ledger import Spend
from ville.plain_text import quantity
from ville.simulation.running.progress import spent
from ville.simulation.simulation import Simulation
from ville.simulation.stepping.own_steps import Gain
from ville.simulation.stepping.step import StepReport
from ville.storage.dates import time_text

MOST = 10
"""Number of pairs listed by name."""


def saved_line(simulation: Simulation) -> str:
    """Return the line shown after a save."""
    clock = simulation.clock
    return f"Saved {simulation.name}: {time_text(clock.now)}, step {clock.step:,}."


@dataclass(frozen=True)
class RunReport:
    """Totals of one run."""

    steps: int
    """Steps computed in this run."""
    step: int
    """Number of the next step."""
    now: datetime
    """Game time of the next step."""
    personas: int
    thoughts: int
    """Thoughts added to memory streams."""
    questions: int
    """Questions to the model or the offline rules; corrections do not count again."""
    unusable: int
    """Unusable answers that were sent back for correction."""
    fallbacks: Counter[str] = field(default_factory=Counter)
    """How often each question was answered by its fallback, for lack of a usable answer."""
    judged: Counter[tuple[str, bool]] = field(default_factory=Counter)
    """Number of questions by model and whether it gave no usable answer."""
    failures: int = 0
    """Turns in which a persona continued its current action because a call failed."""
    talks: Counter[frozenset[str]] = field(default_factory=Counter)
    """Number of conversations by pair of names."""
    braked: Counter[str] = field(default_factory=Counter)
    """How often personas did not talk or reflect because they had done it much."""
    nods: int = 0
    """Encounters that passed with a nod, because one of the two had nothing to say."""
    spend: Spend | None = None
    """Calls, tokens and dollars since the simulation was created; None for the offline rules."""

    gain: Gain = Gain()  # noqa: RUF009 - it is frozen
    """Time gained by letting people be ahead of others."""

    def lines(self) -> list[str]:
        """Return the report as lines of text."""
        met = [f"  {' and '.join(sorted(pair))}: {times}" for pair, times in self.talks.most_common(MOST)]
        more = [f"  and {len(self.talks) - MOST} more pairs"] if len(self.talks) > MOST else []
        fallbacks = [f"  {question}: {times}" for question, times in self.fallbacks.most_common()]
        conversations = quantity(self.talks.total(), "conversation", "conversations")
        questions = quantity(self.questions, "question", "questions")
        unusable = quantity(self.unusable, "unusable answer", "unusable answers")
        return [
            f"{quantity(self.steps, 'step', 'steps')} with {quantity(self.personas, 'persona', 'personas')}",
            f"{conversations} between {quantity(len(self.talks), 'pair', 'pairs')}",
            *met,
            *more,
            *(
                [f"{quantity(self.nods, 'nod', 'nods')} in passing, one of the two having nothing to say"]
                if self.nods
                else []
            ),
            quantity(self.thoughts, "thought", "thoughts"),
            f"{questions}, {unusable}, {self.fallbacks.total():,} answered by a fallback",
            *fallbacks,
            *self._by_model(),
            *self._failed(),
            *self._gained(),
            *self._braked(),
            *([f"{spent(self.spend)} since the simulation was created"] if self.spend else []),
        ]

    def _by_model(self) -> list[str]:
        """Return a line for each model that left questions without a usable answer."""
        failed = {model: times for (model, wrong), times in sorted(self.judged.items()) if wrong}
        return [
            f"  {model}: no usable answer to {times:,} of {times + self.judged[model, False]:,} questions"
            for model, times in failed.items()
        ]

    def _gained(self) -> list[str]:
        """Return a line of what was gained, if anybody was ahead of others."""
        gain = self.gain
        if not gain.ahead or not gain.taken:
            return []
        times = f"at most {gain.lockstep / gain.taken:.2f} times as fast as in lockstep"
        return [
            f"{times} ({gain.taken:,.1f} s instead of about {gain.lockstep:,.1f} s), up to {gain.ahead:,} steps ahead"
        ]

    def _failed(self) -> list[str]:
        turns = quantity(self.failures, "turn", "turns")
        return [f"{turns} without an answer; those personas continued as before"] if self.failures else []

    def _braked(self) -> list[str]:
        """Return a line of what brakes have prevented or put off."""
        talks = quantity(self.braked["talk"], "talk", "talks")
        reflections = quantity(self.braked["reflection"], "reflection", "reflections")
        acted = " and ".join([*([talks] * ("talk" in self.braked)), *([reflections] * ("reflection" in self.braked))])
        return [f"{acted} fewer or later, by talks_per_hour and reflections_per_hour"] if acted else []


class Summary:
    """Counts what happens in a run; changes nothing."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._thoughts_before = self._thoughts()
        self._steps = 0
        self._asked = self._unusable = self._failures = self._nods = 0
        self._fallbacks: Counter[str] = Counter()
        self._judged: Counter[tuple[str, bool]] = Counter()
        """By model and whether its answer was unusable."""
        self._talks: Counter[frozenset[str]] = Counter()
        self._braked: Counter[str] = Counter()

    def count(self, report: StepReport) -> None:
        """Add one step."""
        self._steps += 1
        self._failures += len(report.failures)
        for tally in report.tallies.values():
            self._asked += tally.asked
            self._unusable += tally.corrected
            self._fallbacks.update(tally.fallbacks)
            self._braked.update(tally.braked)
            self._nods += len(tally.nods)
            self._judged.update((each.model, bool(each.wrong)) for each in tally.judged)
        self._talks.update(map(frozenset, report.talks))

    def report(self) -> RunReport:
        """Return the totals so far."""
        simulation = self._simulation
        return RunReport(
            steps=self._steps,
            step=simulation.clock.step,
            now=simulation.clock.now,
            personas=len(simulation.town.personas),
            thoughts=sum(number - self._thoughts_before.get(name, 0) for name, number in self._thoughts().items()),
            questions=self._asked,
            unusable=self._unusable,
            judged=self._judged,
            fallbacks=self._fallbacks,
            failures=self._failures,
            talks=self._talks,
            braked=self._braked,
            nods=self._nods,
            spend=simulation.services.spend,
            gain=simulation.gain if simulation.services.ledger else Gain(),  # rules take no time of their own
        )

    def _thoughts(self) -> dict[str, int]:
        """Return how many thoughts everybody in town remembers."""
        people = self._simulation.town.personas
        return {name: len(persona.mind.stream.newest("thought")) for name, persona in people.items()}
