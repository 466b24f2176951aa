"""Pure: what meta.json says of a simulation as a whole (docs/storage.md)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

DAY = 86_400
"""Seconds."""
LAST_MOMENT = datetime(9999, 12, 31, 23, 59, 59)  # noqa: DTZ001 - game time has no zone
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
        """Game time at which a step is computed; the last there is, if the step lies beyond it."""
        try:
            return self.start + timedelta(seconds=step * self.sec_per_step)
        except OverflowError:
            return LAST_MOMENT


def parse_meta(values: Mapping[str, Any]) -> Meta:
    """Read values of the right shape (`shapes.MetaFile`). Raises OverflowError if step 0 lies before all time.

    Time counts back from `curr_time`, which is right also for simulations that did not begin at midnight.
    """
    step, seconds = values["step"], values["sec_per_step"]
    now = datetime.strptime(values["curr_time"], TIME)  # noqa: DTZ007 - game time has no zone
    return Meta(
        start=now - timedelta(seconds=step * seconds),
        sec_per_step=seconds,
        maze_name=values["maze_name"],
        persona_names=tuple(values["persona_names"]),
        step=step,
    )
