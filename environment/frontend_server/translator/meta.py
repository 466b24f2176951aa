"""Pure: what meta.json says of a simulation as a whole (docs/storage.md)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

DAY = 86_400
"""Seconds."""
TIME = "%B %d, %Y, %H:%M:%S"


@dataclass(frozen=True)
class Meta:
    start: datetime
    """Game time of step 0. It has no zone."""
    sec_per_step: int
    """Game seconds."""
    maze_name: str
    persona_names: tuple[str, ...]
    """In the order in which everybody takes their turn."""
    step: int
    """The next one, as last saved."""

    @property
    def now(self) -> datetime:
        """Game time of the next step, as last saved."""
        return self.time_of(self.step)

    def time_of(self, step: int) -> datetime:
        """Game time at which a step is computed."""
        return self.start + timedelta(seconds=step * self.sec_per_step)


def parse_meta(values: Mapping[str, Any]) -> Meta:
    """Raises KeyError, TypeError, ValueError or OverflowError if a key is missing or says something impossible.

    Time counts back from `curr_time`, which is right also for simulations that did not begin at midnight.
    """
    step, seconds = int(values["step"]), int(values["sec_per_step"])
    if step < 0 or not 0 < seconds <= DAY:
        raise ValueError("step must be at least 0, sec_per_step at least 1 and at most a day")
    now = datetime.strptime(values["curr_time"], TIME)  # noqa: DTZ007 - game time has no zone
    return Meta(
        start=now - timedelta(seconds=step * seconds),
        sec_per_step=seconds,
        maze_name=str(values["maze_name"]),
        persona_names=tuple(map(str, values["persona_names"])),
        step=step,
    )
