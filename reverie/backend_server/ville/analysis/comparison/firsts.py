"""The first differences between two runs: memories, decisions and moves, kept apart."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.comparison.memory_streams import own_nodes, parting
from ville.analysis.comparison.steps import StepComparison
from ville.analysis.measures import NodeData
from ville.analysis.meetings import PLAN
from ville.storage.frames import FrameRecord

MOST = 5
"""First differences of one kind that are told."""
MEMORY, DECISION, MOVE = "memory", "decision", "move"
NONE = "–"


@dataclass(frozen=True)
class FirstDifference:
    """When a persona first differs in one respect."""

    kind: str
    """`memory`, `decision` or `move`."""
    step: int
    time: str
    who: str
    a: str
    """What the first run has there."""
    b: str


def first_memories(a: ComparedRun, b: ComparedRun) -> list[FirstDifference]:
    """Return the first memory of each persona that differs, the earliest first."""
    return sorted(_memories(a, b), key=lambda found: (found.step, found.who))


def _memories(a: ComparedRun, b: ComparedRun) -> Iterator[FirstDifference]:
    for name in (name for name in a.people if name in b.people):
        place = parting(a.memories[name], b.memories[name])
        if place is not None:
            rest = a.memories[name][place:], b.memories[name][place:]
            step = min(run.step_of(nodes[0]) for run, nodes in zip((a, b), rest, strict=True) if nodes)
            yield FirstDifference(MEMORY, step, a.time(step), name, *_parted(*rest))


def _parted(mine: Sequence[NodeData], others: Sequence[NodeData]) -> tuple[str, str]:
    """Return the first memory of each, but none for one that the other run has later: it lacks what comes before."""
    texts = [_text(side[0]) if side else NONE for side in (mine, others)]
    own = [list(own_nodes(side[:1], rest)) for side, rest in ((mine, others), (others, mine))]
    if bool(own[0]) != bool(own[1]):
        texts = [text if there else NONE for text, there in zip(texts, own, strict=True)]
    return texts[0], texts[1]


def _text(node: NodeData) -> str:
    return str(node["description"])


def first_decisions(a: ComparedRun, b: ComparedRun, steps: StepComparison) -> list[FirstDifference]:
    """Return the first activity, talk or plan of each persona that differs, the earliest first."""
    found = {name: _doing(a, b, name, step) for name, step in steps.doings.items()}
    for plan in _plans(a, b):
        if plan.who not in found or plan.step <= found[plan.who].step:
            found[plan.who] = plan
    return sorted(found.values(), key=lambda each: (each.step, each.who))


def _doing(a: ComparedRun, b: ComparedRun, name: str, step: int) -> FirstDifference:
    records = [run.frame(step).get(name) for run in (a, b)]
    texts = [record["description"] if record else "not in town" for record in records]
    if texts[0] == texts[1]:
        texts = [_said(mine, other) for mine, other in (records, records[::-1])]
    return FirstDifference(DECISION, step, a.time(step), name, texts[0], texts[1])


def _said(record: FrameRecord | None, other: FrameRecord | None) -> str:
    """Return the first line of a talk that is not said in the other one."""
    lines, others = ((each or {}).get("chat") or [] for each in (record, other))
    own = [line for place, line in enumerate(lines) if line not in others[place : place + 1]]
    return ": ".join(own[0]) if own else NONE


def _plans(a: ComparedRun, b: ComparedRun) -> Iterator[FirstDifference]:
    """Yield the first plan of a day of each persona that differs."""
    for name in (name for name in a.people if name in b.people):
        mine, other = ([node for node in run.memories[name] if node["predicate"] == PLAN] for run in (a, b))
        pairs = zip(mine, other, strict=False)
        for one, two in pairs:
            if one["description"] != two["description"]:
                step = min(a.step_of(one), b.step_of(two))
                yield FirstDifference(DECISION, step, a.time(step), name, _text(one), _text(two))
                break


def first_moves(a: ComparedRun, b: ComparedRun, steps: StepComparison) -> list[FirstDifference]:
    """Return the first move of each persona that leads elsewhere, the earliest first."""
    found = (
        FirstDifference(MOVE, step, a.time(step), name, _tile(a, name, step), _tile(b, name, step))
        for name, step in steps.moves.items()
    )
    return sorted(found, key=lambda each: (each.step, each.who))


def _tile(run: ComparedRun, name: str, step: int) -> str:
    x, y = run.frame(step)[name]["movement"]
    return f"tile {x}, {y}"


def told(found: Iterable[FirstDifference]) -> tuple[FirstDifference, ...]:
    """Return those that are told."""
    return tuple(found)[:MOST]
