"""Stops a run whose model rarely gives usable answers, before a whole day of fallbacks has been paid for.

Answers are counted at the end of each step, so concurrency, timing and replays do not change the result. The counts are
saved with the simulation.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, Self

from ville.errors import UnusableModel
from ville.persona.prompt_template.ask import ATTEMPTS, AnswerVerdict, Tally

WINDOW = 100
"""Number of most recent questions to a model that are considered."""
ASK_ONCE_AFTER, STOP_AFTER = 10, 20
"""Consecutive questions without a usable answer after which a model gets no second attempts, and after which the run
stops."""
EXCERPT = 120
"""Longest excerpt of an error in the message, in characters."""


class StepOutcome(NamedTuple):
    """Questions to one model in one step."""

    asked: int
    fallbacks: int

    @classmethod
    def of(cls, judged: Sequence[AnswerVerdict]) -> Self:
        return cls(len(judged), sum(bool(each.wrong) for each in judged))


class Breaker:
    """Counts for each model how many of its recent questions ended in a fallback."""

    def __init__(self, limit: int = 0, kept: Mapping[str, Iterable[Sequence[int]]] | None = None) -> None:
        """Start with saved counts, if any. Raises ValueError if they are malformed.

        Args:
            limit: fallbacks among the last 100 questions above which a run stops; 0 means no limit.
            kept: counts as returned by `state`.
        """
        self._limit = limit
        self._outcomes = {
            model: deque(_step_outcome(*pair) for pair in outcomes) for model, outcomes in (kept or {}).items()
        }
        self.unusable = self.fallbacks = 0
        """Unusable answers and fallbacks since the simulation was opened."""

    def attempts(self, model: str) -> int:
        """Return how often a question may be put to a model: once if none of its recent answers was usable."""
        return 1 if _streak(self._outcomes.get(model, ())) >= ASK_ONCE_AFTER else ATTEMPTS

    def count(self, tallies: Iterable[Tally]) -> UnusableModel | None:
        """Add the answers of one step; return the error that ends the run if too few are usable.

        The counts of that model are then cleared, so that a resumed run gives it another chance.
        """
        judged: dict[str, list[AnswerVerdict]] = {}
        for tally in tallies:
            self.unusable += tally.corrected
            self.fallbacks += len(tally.fallbacks)
            for each in tally.judged:
                judged.setdefault(each.model, []).append(each)
        for model in sorted(judged):
            self._add(model, StepOutcome.of(judged[model]))
            if count := self._excess(self._outcomes[model]):
                self._outcomes[model].clear()
                return _fault(model, count, min(each for each in judged[model] if each.wrong))
        return None

    def state(self) -> dict[str, list[list[int]]]:
        """Return the counts to save; models without recent fallbacks are left out."""
        return {
            model: [list(outcome) for outcome in self._outcomes[model]]
            for model in sorted(self._outcomes)
            if self._outcomes[model]
        }

    def _excess(self, outcomes: Sequence[StepOutcome]) -> str:
        """Return how many recent questions got no usable answer, in words; empty if the run may go on."""
        if not self._limit:
            return ""
        if (streak := _streak(outcomes)) >= STOP_AFTER:
            return f"any of its last {streak}"
        fallbacks = _recent_fallbacks(outcomes)
        return f"{round(fallbacks)} of its last {WINDOW}" if fallbacks > self._limit else ""

    def _add(self, model: str, outcome: StepOutcome) -> None:
        """Add an outcome; drop outcomes outside the window, and leading ones without fallbacks."""
        outcomes = self._outcomes.setdefault(model, deque())
        outcomes.append(outcome)
        while outcomes and (
            sum(each.asked for each in outcomes) - outcomes[0].asked >= WINDOW or not outcomes[0].fallbacks
        ):
            outcomes.popleft()


def _step_outcome(asked: int, fallbacks: int) -> StepOutcome:
    """Check saved counts. Raises ValueError."""
    if not 0 <= fallbacks <= asked or not asked:
        raise ValueError(f"{fallbacks} of {asked} questions")
    return StepOutcome(asked, fallbacks)


def _streak(outcomes: Sequence[StepOutcome]) -> int:
    """Return the number of questions since the last step with a usable answer."""
    streak = 0
    for asked, fallbacks in reversed(outcomes):
        if fallbacks < asked:
            break
        streak += asked
    return streak


def _recent_fallbacks(outcomes: Sequence[StepOutcome]) -> Fraction:
    """Return the fallbacks within the window; a step that is partly inside counts in proportion."""
    room, found = WINDOW, Fraction(0)
    for asked, fallbacks in reversed(outcomes):
        part = min(room, asked)
        found += Fraction(fallbacks * part, asked)
        room -= part
    return found


def _fault(model: str, count: str, example: AnswerVerdict) -> UnusableModel:
    wrong = example.wrong if len(example.wrong) <= EXCERPT else f"{example.wrong[:EXCERPT]}…"
    return UnusableModel(
        f"{model} gave no usable answer to {count} questions, for example to {example.title}: {wrong}. "
        "Set another model (fast_model, advanced_model, MODEL_…), or raise max_fallbacks (0: no limit)."
    )
