"""How far and how fast a run goes. The run looks at it between two steps; prompt and requests change it at any time."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from ville.simulation.pacing.visit_pace import Visit, VisitPace

SLOWEST, FASTEST = 0.1, 100_000.0
"""Limits of a speed, in game seconds per second."""

RunState = Literal["waiting", "running", "paused"]
Ended = Literal["", "reached", "stopped", "talk", "failed"]
"""Why a run has ended: at its end, on request, because two people began to talk, or by an error."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Game seconds per second of a run; it only waits between steps, so it never changes what is computed."""

    factor: float = math.inf
    """Infinite: as fast as steps can be computed."""

    def seconds(self, game_seconds: int) -> float:
        """Return how long this much game time should take."""
        return game_seconds / self.factor

    def as_json(self) -> float | str:
        return "max" if math.isinf(self.factor) else self.factor

    def __str__(self) -> str:
        return "as fast as possible" if math.isinf(self.factor) else f"{self.factor:g} game seconds per second"


def _ignore() -> None:
    """No-op: the goal of the run is not recorded."""


@dataclass
class RunControl:
    """The target, speed and pause of the run of one simulation."""

    until_step: int | None = None
    """Step at which the current run ends; None if no run is in progress."""
    paused: bool = False
    """Whether the current run is held between two steps."""
    speed: Speed = Speed()
    """Kept from one run to the next."""
    last_request: int | None = None
    """Number of the last acknowledged request; None if there is none."""
    until_talk: bool = False
    """Whether the current run also ends when two people begin to talk."""
    halted: bool = False
    """Whether the current run was told to end at once."""
    ended: Ended = ""
    """Why the last run ended; empty while one is in progress, and before the first."""
    fault: str = ""
    """The error by which the last run ended, in one line."""
    noted: Callable[[], None] = _ignore
    """Called when a run begins, and when its end, speed or pause changes."""

    @property
    def state(self) -> RunState:
        if self.until_step is None:
            return "waiting"
        return "paused" if self.paused else "running"

    visit_pace: VisitPace = field(default_factory=VisitPace)
    awaits_visitor: bool = False
    """Whether the run is held for the words of a visitor."""

    def wait(self, seconds_per_step: int, passed: float, visit: Visit | None) -> float:
        """Return the seconds until the next step may begin, given those since the last one began.

        With a visitor whose page is open, steps are slow enough to be followed, and wait in a conversation for what the
        visitor says, which is then answered at once.
        """
        self.awaits_visitor = False
        if self.paused:
            return math.inf
        wait = self.speed.seconds(seconds_per_step) - passed
        if visit is None or visit.page == "closed":
            return wait
        shortest = self.visit_pace.shortest_step(visit, seconds_per_step) - passed
        wait = shortest if visit.spoke else max(wait, shortest)
        for_words = self.visit_pace.wait(visit, seconds_per_step, passed)
        self.awaits_visitor = for_words > max(wait, 0)
        return max(wait, for_words)

    def begin(self, until_step: int) -> None:
        """Note that a run begins, which may be held from its beginning."""
        self.until_step, self.halted = until_step, False
        self.ended, self.fault = "", ""
        self.noted()

    def go(self, until_step: int, *, until_talk: bool = False) -> None:
        """Begin a run, or change the end of the current one; a paused one goes on."""
        self.until_talk, self.paused = until_talk, False
        self.begin(until_step)

    def hold(self) -> None:
        """Pause the current run."""
        self.paused = True
        self.noted()

    def set_speed(self, speed: Speed) -> None:
        """Change the speed of this run and of later ones."""
        self.speed = speed
        self.noted()

    def halt(self, step: int) -> None:
        """Let the current run end before this step."""
        self.until_step, self.paused, self.halted = step, False, True
        self.noted()

    def end(self, ended: Ended, fault: str = "") -> None:
        """Note that the run is over, and why."""
        self.until_step, self.until_talk, self.paused, self.awaits_visitor = None, False, False, False
        self.ended, self.fault = ended, fault
