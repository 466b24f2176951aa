"""The first differences between two runs: memories, decisions and moves, kept apart."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.comparison.memory_streams import own_nodes, parting
from ville.analysis.comparison.steps import StepComparison
from ville.analysis.measures import NodeData
from ville.analysis.meetings import PLAN
from ville.storage.steps.frames import FrameRecord

MOST = 5
"""First differences of one kind that are told."""
LONG_BEGINNING, BEFORE = 80, 20
"""Characters at the beginning of both sides that are left out if there are more, and those kept before a difference."""
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
    """Value in the first run."""
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
    if mine and others and texts[0] == texts[1]:
        texts = [_detail(mine[0], others[0]), _detail(others[0], mine[0])]
    return texts[0], texts[1]


def _detail(node: NodeData, other: NodeData) -> str:
    """Return a memory with what else differs from another one: a line of the talk, or any other property."""
    if node["type"] == "chat" and node["filling"] != other["filling"]:
        lines = [(str(each[0]), str(each[1])) for each in node["filling"]]
        others = [(str(each[0]), str(each[1])) for each in other["filling"]]
        own = [line for place, line in enumerate(lines) if line not in others[place : place + 1]]
        return ": ".join(own[0]) if own else NONE
    own_values = (f"{key}: {node.get(key)}" for key in sorted({*node, *other}) if node.get(key) != other.get(key))
    return f"{_text(node)} ({', '.join(own_values)})"


def _text(node: NodeData) -> str:
    return str(node["description"])


def first_decisions(a: ComparedRun, b: ComparedRun, steps: StepComparison) -> list[FirstDifference]:
    """Return the first activity, talk or plan of each persona that differs, the earliest first."""
    alone = {*a.people} ^ {*b.people}
    doings = (_doing(a, b, name, step) for name, step in steps.doings.items() if name not in alone)
    found = {each.who: each for each in doings if each.a != each.b}
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
    lines, others = ((each and each["chat"]) or [] for each in (record, other))
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
    """Return those that are told, without long beginnings that both sides have."""
    firsts = list(found)[:MOST]
    ends = (_ends(each.a, each.b) for each in firsts)
    return tuple(replace(each, a=a, b=b) for each, (a, b) in zip(firsts, ends, strict=True))


def _ends(a: str, b: str) -> tuple[str, str]:
    pairs = enumerate(zip(a, b, strict=False))
    same = next((place for place, (one, other) in pairs if one != other), min(len(a), len(b)))
    if same <= LONG_BEGINNING:
        return a, b
    start = a.rfind(" ", 0, same - BEFORE) + 1
    return f"… {a[start:]}", f"… {b[start:]}"
