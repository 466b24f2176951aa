"""The part of a run that is shared."""

from dataclasses import dataclass
from typing import Self

from ville.analysis.comparison.compared_run import ComparedRun
from ville.errors import BadMoment, CorruptFile
from ville.storage.past.moments import END, step_at


@dataclass(frozen=True)
class SharedSpan:
    """Steps from the first to the last, both shown."""

    first: int
    last: int

    @classmethod
    def of(cls, run: ComparedRun, begin: str = "", end: str = "") -> Self:
        """Return the span between two moments; without them, that from the first recorded step to the last.

        A moment is a step, a game time (`18:00`) or `end`; at the last one, the span is over. Raises BadMoment, and
        CorruptFile if nothing is recorded.
        """
        if run.steps <= run.first:
            raise CorruptFile("%(name)s holds no steps. Run the simulation before you share it.", name=run.name)
        first = max(run.first, _step(run, begin)) if begin else run.first
        last = min(run.steps, _step(run, end)) - 1 if end else run.steps - 1
        if last < first:
            template = "There is nothing of %(name)s between %(begin)s and %(end)s: it has steps %(first)s to %(last)s."
            raise BadMoment(
                template, name=run.name, begin=begin or run.first, end=end or END, first=run.first, last=run.steps - 1
            )
        return cls(first, last)

    @property
    def steps(self) -> int:
        return self.last - self.first + 1


def _step(run: ComparedRun, at: str) -> int:
    """Return the step of a moment. Raises BadMoment."""
    if at == END:
        return run.steps
    if not at.isdecimal():
        return step_at(run.folder.name, run.meta, at)
    if int(at) > run.steps:
        template = "%(name)s has no step %(step)s. Its last one is %(last)s."
        raise BadMoment(template, name=run.name, step=f"{int(at):,}", last=f"{run.steps - 1:,}")
    return int(at)
