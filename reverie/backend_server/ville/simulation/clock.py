"""Game time: without a time zone, advancing by whole steps."""

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Self

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Steps:
    """A number of steps."""

    count: int


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of game time."""

    time: timedelta


@dataclass(frozen=True, slots=True)
class UntilTime:
    """Until the clock next shows this time."""

    time: time


@dataclass(frozen=True, slots=True)
class UntilMoment:
    """Until this game time; no steps if it is in the past."""

    moment: datetime


@dataclass(frozen=True, slots=True)
class UntilStep:
    """Until the next step has this number; no steps if it is in the past."""

    step: int


@dataclass(frozen=True, slots=True)
class UntilTalk:
    """Until two people begin to talk, at most a day."""


Span = Steps | Duration | UntilTime | UntilMoment | UntilStep | UntilTalk
"""A length of a run."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Start date, current game time, and step number."""

    start: date
    now: datetime
    """Game time of the next step."""
    step: int
    """Number of the next step."""
    seconds_per_step: int

    def ticked(self) -> Self:
        """Return the clock one step later."""
        return replace(self, now=self.now + timedelta(seconds=self.seconds_per_step), step=self.step + 1)

    def steps_in(self, span: Span) -> int:
        """Return the smallest number of steps that covers a span."""
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
            case UntilStep(step):
                return max(0, step - self.step)
            case UntilTalk():
                return self._steps_for(DAY)

    def _steps_for(self, length: timedelta) -> int:
        return max(0, -(-length // timedelta(seconds=self.seconds_per_step)))
