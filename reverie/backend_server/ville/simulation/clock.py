"""The time in town: it has no zone and moves by whole steps."""

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Self


@dataclass(frozen=True, slots=True)
class Steps:
    """So many steps."""

    count: int


@dataclass(frozen=True, slots=True)
class Duration:
    """As long as this in game time."""

    time: timedelta


@dataclass(frozen=True, slots=True)
class UntilTime:
    """Until the clock next shows this."""

    time: time


@dataclass(frozen=True, slots=True)
class UntilMoment:
    """Until this moment; no step if it is past."""

    moment: datetime


Span = Steps | Duration | UntilTime | UntilMoment
"""How far a run goes."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Between two steps."""

    start: date
    now: datetime
    """Game time of the next step."""
    step: int
    """The next one."""
    seconds_per_step: int

    def ticked(self) -> Self:
        """One step later."""
        return replace(self, now=self.now + timedelta(seconds=self.seconds_per_step), step=self.step + 1)

    def steps_in(self, span: Span) -> int:
        """The fewest steps that go this far."""
        match span:
            case Steps(count):
                return count
            case Duration(length):
                return self._steps_for(length)
            case UntilTime(clock_time):
                today = datetime.combine(self.now, clock_time)
                moment = today if today > self.now else today + timedelta(days=1)
                return self._steps_for(moment - self.now)
            case UntilMoment(moment):
                return self._steps_for(moment - self.now)

    def _steps_for(self, length: timedelta) -> int:
        return max(0, -(-length // timedelta(seconds=self.seconds_per_step)))
