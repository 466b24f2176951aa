"""Two runs, step by step: who shows something else, from when to when."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from ville.analysis.comparison.compared_run import ComparedRun
from ville.storage.steps.frames import Frame, FrameRecord


class Unlike(IntEnum):
    """In what way a persona differs in a step; the greatest that applies."""

    NOT = 0
    PLACE = 1
    """It stands on another tile."""
    DOING = 2
    """It does something else, or elsewhere."""
    TALK = 3
    """It talks otherwise, or in one run only."""
    ABSENT = 4
    """It is in town in one run only."""


@dataclass(frozen=True)
class UnlikeSpan:
    """Consecutive steps in which a persona differs in the same way."""

    first: int
    last: int
    how: Unlike


@dataclass
class StepComparison:
    """Differences in the steps that both runs have."""

    first: int
    """The first step that both have."""
    end: int
    """The step after the last one that both have."""
    movement: int | None = None
    """The first step that differs."""
    environment: int | None = None
    """The first step before which someone stands elsewhere; only of simulations that are not compressed."""
    spans: dict[str, list[UnlikeSpan]] = field(default_factory=dict)
    """By persona, in the order of the steps."""
    moves: dict[str, int] = field(default_factory=dict)
    """Persona to the first step that leads it elsewhere."""
    doings: dict[str, int] = field(default_factory=dict)
    """Persona to the first step in which it does something else, or talks otherwise."""

    def add(self, step: int, unlike: Mapping[str, Unlike]) -> None:
        """Add a step in which these personas differ."""
        if unlike and self.movement is None:
            self.movement = step
        for name, how in unlike.items():
            spans = self.spans.setdefault(name, [])
            if spans and spans[-1].last == step - 1 and spans[-1].how == how:
                spans[-1] = UnlikeSpan(spans[-1].first, step, how)
            else:
                spans.append(UnlikeSpan(step, step, how))
            if how >= Unlike.DOING:
                self.doings.setdefault(name, step)


def compare_steps(a: ComparedRun, b: ComparedRun) -> StepComparison:
    """Compare the movement and environment files of two runs."""
    found = StepComparison(max(a.first, b.first), min(a.steps, b.steps))
    states: dict[str, tuple[FrameRecord | None, FrameRecord | None, Unlike]] = {}
    for step, frame_a, frame_b in _differing_frames(a, b, found):
        unlike: dict[str, Unlike] = {}
        for name in dict.fromkeys((*frame_a, *frame_b)):
            mine, other = frame_a.get(name), frame_b.get(name)
            known = states.get(name)
            if known is None or known[0] is not mine or known[1] is not other:
                known = states[name] = mine, other, how_unlike(mine, other)
            if known[2]:
                unlike[name] = known[2]
            if mine and other and mine["movement"] != other["movement"]:
                found.moves.setdefault(name, step)
        found.add(step, unlike)
    return found


def _differing_frames(a: ComparedRun, b: ComparedRun, found: StepComparison) -> Iterator[tuple[int, Frame, Frame]]:
    """Yield the frames of the steps that may differ. Files with the same content are not parsed."""
    for step in range(found.first, found.end):
        if found.environment is None and _stand_elsewhere(a, b, step):
            found.environment = step
        content = a.movement(step)
        if content and content == b.movement(step):
            continue
        frame_a, frame_b = a.frame(step), b.frame(step)
        if frame_a and frame_b:
            yield step, frame_a, frame_b


def _stand_elsewhere(a: ComparedRun, b: ComparedRun, step: int) -> bool:
    """Return whether both runs have an environment file for a step, and these differ."""
    mine, other = a.environment(step), b.environment(step)
    return bool(mine and other) and mine != other and a.positions(step) != b.positions(step)


def how_unlike(mine: FrameRecord | None, other: FrameRecord | None) -> Unlike:
    """Return how two records of a persona differ."""
    if mine is None or other is None:
        return Unlike.ABSENT
    if mine["chat"] != other["chat"]:
        return Unlike.TALK
    if mine["description"] != other["description"]:
        return Unlike.DOING
    return Unlike.PLACE if mine["movement"] != other["movement"] else Unlike.NOT
