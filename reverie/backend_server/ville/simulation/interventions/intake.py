"""Takes interventions between two steps: prepares, records and applies them, in the order of arrival."""

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import takewhile
from uuid import uuid4

from ville.errors import BadIntervention
from ville.json_types import JsonObject
from ville.simulation.interventions.intervention import Intervention, Source
from ville.simulation.interventions.planned import Planned, planned_again
from ville.simulation.interventions.prepare import check_alone, prepare
from ville.simulation.interventions.target import Effect, Target
from ville.storage.records.intervention_log import InterventionLog, Row


class Intake:
    """Takes the interventions of one simulation. Use it only between two steps."""

    def __init__(self, target: Callable[[], Target], log: InterventionLog, applied: int) -> None:
        """Begin with the rows of the log that are newer than the save, which are due again at their steps.

        Args:
            target: returns the simulation as it is now.
            log: its log.
            applied: number of rows that the save contains.

        Raises CorruptFile.
        """
        self._now, self._log = target, log
        self.applied = applied
        """Number of rows that have taken effect."""
        self._again = list(planned_again(log, applied, logged=True))
        self.ahead: list[Planned] = []
        """Planned interventions that are not due yet."""
        self._planned: list[Planned] = []
        """All that were planned, with those that have taken effect."""

    def plan(self, ahead: Iterable[Planned]) -> None:
        """Replace the planned interventions, given in any order; those that are in the log are left out, and those that
        come twice are kept once.

        Raises BadIntervention for one whose step is over, or whose id another one has.
        """
        self._planned = list(_once(ahead))
        new = [each for each in self._planned if each.id not in self._log.ids]
        self.ahead = sorted(new, key=lambda each: each.step)
        if self.ahead and self.ahead[0].step < self._step:
            raise BadIntervention(
                f"An intervention ({self.ahead[0].intervention.kind}) is planned for step {self.ahead[0].step:,}, but "
                f"{self._now().folder.name} is at step {self._step:,}. Remove it, or fork an earlier save."
            )

    @property
    def not_applied(self) -> list[Planned]:
        """Planned interventions that have not taken effect, recorded or not: what a save has to keep."""
        again = {each.id for each in self._again}
        return sorted([*(each for each in self._planned if each.id in again), *self.ahead], key=lambda each: each.step)

    @property
    def applied_here(self) -> int:
        """Number of rows that have taken effect before the coming step."""
        before = takewhile(lambda row: row["step"] == self._step, reversed(self._log.rows[: self.applied]))
        return sum(1 for _ in before)

    @property
    def _step(self) -> int:
        return self._now().town.clock.step

    async def apply_due(self) -> list[str]:
        """Apply what is due before the coming step; return what was done, one line each.

        Raises BadIntervention for one that does not apply to the town as it is, and ModelError. It stays due then.
        """
        lines = []
        while due := self._next_due():
            queue, planned = due
            (effect,) = await self._prepare([planned.intervention])
            if not planned.logged:
                self._log.append([self._row(effect, planned.envelope)])
            queue.pop(0)
            lines.append(self._apply(effect))
        return lines

    async def apply_again(self) -> None:
        """Apply what is due and recorded, but nothing that is only planned. Raises as `apply_due` does."""
        ahead, self.ahead = self.ahead, []
        try:
            await self.apply_due()
        finally:
            self.ahead = ahead

    def _next_due(self) -> tuple[list[Planned], Planned] | None:
        """Return the next intervention that is due, with its queue: those of the log come first."""
        queues = (self._again, self.ahead)
        return next(((queue, queue[0]) for queue in queues if queue and queue[0].step <= self._step), None)

    async def take(self, interventions: Iterable[Intervention], source: Source) -> list[str]:
        """Apply interventions that have arrived; return what was done, one line each.

        All are prepared before the first is recorded, so that either all take effect or none. Returns nothing for a
        request that was taken before. Raises BadIntervention, UnknownPersona, ModelError or CannotWrite; nothing has
        changed then.
        """
        if source.id and self.knows(source.id):
            return []
        await self.apply_due()
        self._check_caught_up()
        asked = list(interventions)
        check_alone(asked)
        effects = await self._prepare(asked)
        if not effects:
            return []
        envelope = {**source.as_json(), "id": source.id or uuid4().hex}
        rows: list[Row] = []
        for number, effect in enumerate(effects, 1):
            unique = {} if number == 1 else {"id": f"{envelope['id']}+{number}"}
            rows.append({**self._row(effect, {**envelope, **unique}), "n": len(self._log.rows) + number})
        self._log.append(rows)
        return [self._apply(effect) for effect in effects]

    def knows(self, identifier: str) -> bool:
        """Return whether a request is in the log, or among the planned interventions."""
        return identifier in self._log.ids or self.plans(identifier)

    def plans(self, identifier: str) -> bool:
        """Return whether a request is among the planned interventions."""
        return any(each.id == identifier for each in self.ahead)

    def row_of(self, identifier: str) -> Row | None:
        """Return the row that a request led to; None if it is not in the log."""
        return next((row for row in self._log.rows if row["id"] == identifier), None)

    def leave_out(self, identifiers: Collection[str]) -> None:
        """Forget interventions that are still ahead, recorded or planned, by the ids of their requests."""
        self._again = [each for each in self._again if each.id not in identifiers]
        self.ahead = [each for each in self.ahead if each.id not in identifiers]

    @property
    def catching_up(self) -> bool:
        """Whether recorded interventions are still to be applied again, so that new ones have to wait."""
        return any(each.step > self._step for each in self._again)

    def _check_caught_up(self) -> None:
        """Raise BadIntervention while recorded interventions are still to be applied again."""
        if self._again:
            name = self._now().folder.name
            raise BadIntervention(
                f"{name} is being run again up to step {self._again[-1].step:,}, with its recorded interventions. Try "
                "again then, or leave without saving to drop them."
            )

    async def _prepare(self, interventions: Iterable[Intervention]) -> list[Effect]:
        """Return their effects. If one cannot be prepared, the next attempt pays for no answer again."""
        target = self._now()
        target.services.begin_step(target.town.clock.step)
        with target.services.numbering.attempt():
            return [await prepare(target, each) for each in interventions]

    def _row(self, effect: Effect, envelope: JsonObject) -> Row:
        return self._log.next_row(self._step, {**effect.intervention.as_json(), **envelope})

    def _apply(self, effect: Effect) -> str:
        self.applied += 1
        return effect.apply()


def _once(planned: Iterable[Planned]) -> Iterator[Planned]:
    """Yield interventions without repetitions. Raises BadIntervention if two that differ have the same id."""
    known: dict[str, Planned] = {}
    for each in planned:
        first = known.setdefault(each.id, each)
        if first is each:
            yield each
        elif (first.step, first.intervention) != (each.step, each.intervention):
            raise BadIntervention(
                f"Two planned interventions, for steps {first.step:,} and {each.step:,}, have the id '{each.id}'. "
                "Give one of them another id, or none."
            )
