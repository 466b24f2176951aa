"""Ends a run whose model hardly ever gives a usable answer, before it is paid for a whole day of fallbacks.

Answers are counted when a step is over, by what they were and not by when they came: neither the number of lines nor a
replay makes a difference. What is counted is saved with the simulation.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, Self

from ville.errors import UnusableModel
from ville.persona.prompt_template.ask import ATTEMPTS, AnswerVerdict, Tally

WINDOW = 100
"""Questions to one model that are looked at, the last ones."""
ASK_ONCE_AFTER, STOP_AFTER = 10, 20
"""Questions in a row without a usable answer after which a model is no longer told its mistakes, and a run ends."""
EXCERPT = 120
"""Characters of what was wrong that are told."""


class StepOutcome(NamedTuple):
    """The questions to one model in one step."""

    asked: int
    fallbacks: int

    @classmethod
    def of(cls, judged: Sequence[AnswerVerdict]) -> Self:
        return cls(len(judged), sum(bool(each.wrong) for each in judged))


class Breaker:
    """Counts, for each model, how many of its last questions ended in a fallback."""

    def __init__(self, limit: int = 0, kept: Mapping[str, Iterable[Sequence[int]]] | None = None) -> None:
        """`limit` is how many of the last 100 may, 0 for any number; `kept` an earlier `state`. Raises ValueError."""
        self._limit = limit
        self._outcomes = {
            model: deque(_step_outcome(*pair) for pair in outcomes) for model, outcomes in (kept or {}).items()
        }
        self.unusable = self.fallbacks = 0
        """Answers that could not be used, and questions that ended in a fallback, since the simulation was opened."""

    def attempts(self, model: str) -> int:
        """How often a question may be put to a model: once if nothing it has said lately could be used."""
        return 1 if _streak(self._outcomes.get(model, ())) >= ASK_ONCE_AFTER else ATTEMPTS

    def count(self, tallies: Iterable[Tally]) -> UnusableModel | None:
        """Take in the answers of a step; the fault that ends the run, if there are too few usable ones.

        The model it is about is then given another chance, should the run be resumed.
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
        """What has to be kept; nothing of a model that has answered all its last questions."""
        return {
            model: [list(outcome) for outcome in self._outcomes[model]]
            for model in sorted(self._outcomes)
            if self._outcomes[model]
        }

    def _excess(self, outcomes: Sequence[StepOutcome]) -> str:
        """How many of the last questions got no usable answer, if that ends the run."""
        if not self._limit:
            return ""
        if (streak := _streak(outcomes)) >= STOP_AFTER:
            return f"any of its last {streak}"
        found = _recent_fallbacks(outcomes)
        return f"{round(found)} of its last {WINDOW}" if found > self._limit else ""

    def _add(self, model: str, outcome: StepOutcome) -> None:
        """Also forget what can no longer matter: what lies too far back, and at the beginning what was usable."""
        outcomes = self._outcomes.setdefault(model, deque())
        outcomes.append(outcome)
        while outcomes and (
            sum(each.asked for each in outcomes) - outcomes[0].asked >= WINDOW or not outcomes[0].fallbacks
        ):
            outcomes.popleft()


def _step_outcome(asked: int, fallbacks: int) -> StepOutcome:
    """Raises ValueError."""
    if not 0 <= fallbacks <= asked or not asked:
        raise ValueError(f"{fallbacks} of {asked} questions")
    return StepOutcome(asked, fallbacks)


def _streak(outcomes: Sequence[StepOutcome]) -> int:
    """Questions since the last usable answer, as far as whole steps tell."""
    streak = 0
    for asked, fallbacks in reversed(outcomes):
        if fallbacks < asked:
            break
        streak += asked
    return streak


def _recent_fallbacks(outcomes: Sequence[StepOutcome]) -> Fraction:
    """Among the last questions; of a step that lies in them only in part, in proportion."""
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
        "Set another model (fast_model, advanced_model, MODEL_…), or max_fallbacks (0: go on in any case)."
    )
