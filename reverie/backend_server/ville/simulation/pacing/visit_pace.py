"""The pace of a run while the page of a visitor is open: slow enough to follow, and patient in a conversation.

The wall clock decides only in which step words land.
"""

import math
from dataclasses import dataclass
from time import monotonic
from typing import Literal

VISIT_SPEED = 20.0
"""Game seconds per second at most, while a visitor's page is open: at ten seconds a step, two tiles a second."""
TURN_SPEED = 1.0
"""The same while a persona waits for the visitor's words."""
PageState = Literal["closed", "open", "typing"]
MOST_TYPING = 20.0
"""Seconds in each turn for which a run is held while the visitor's user types."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A visitor in town, as far as it concerns pages and the pace of a run."""

    name: str
    page: PageState = "closed"
    partner: str | None = None
    """The persona that it talks with."""
    turn: bool = False
    """Whether the persona waits for its words."""
    spoke: bool = False
    """Whether its words wait for an answer."""
    walks: bool = False
    turns: int = 0
    """Length of the conversation so far."""


class VisitPace:
    """Delays the steps of a run for a visitor."""

    def __init__(self) -> None:
        self._turn: tuple[str | None, int] = (None, 0)
        self._typing_since = math.inf
        """When the user began to type in this turn, on the monotonic clock."""

    def shortest_step(self, visit: Visit, seconds_per_step: int) -> float:
        """Return the seconds that a step takes at least so that one can follow the visitor."""
        return 0.0 if visit.page == "closed" else seconds_per_step / VISIT_SPEED

    def wait(self, visit: Visit, seconds_per_step: int, passed: float) -> float:
        """Return for how many seconds the run is held for the visitor's words; 0 or less: no longer.

        `passed` are the seconds since the last step began.
        """
        if visit.page == "closed" or not visit.turn or visit.walks:
            return 0.0
        if (visit.partner, visit.turns) != self._turn:
            self._turn, self._typing_since = (visit.partner, visit.turns), math.inf
        wait = seconds_per_step / TURN_SPEED - passed
        if visit.page == "typing":
            now = monotonic()
            self._typing_since = min(self._typing_since, now)
            wait = max(wait, self._typing_since + MOST_TYPING - now)
        return wait
