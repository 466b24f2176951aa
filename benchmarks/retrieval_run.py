"""Recorded retrievals of two days of 25 people, and the labelled situations, for `benchmarks/retrieval.py`."""

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import yaml

import ville
from ville.persona.cognitive_modules import react, reflect
from ville.persona.cognitive_modules.conversing import converse, impression
from ville.persona.cognitive_modules.mind import Mind, Moment
from ville.persona.cognitive_modules.planning import plan
from ville.persona.memory_structures.stream.concept_node import Experience, read_experience
from ville.storage.files import read_object

ROOT = Path(__file__).resolve().parents[1]
SITUATIONS = ROOT / "tests" / "ville" / "persona" / "cognitive_modules" / "situations.yaml"
STORAGE = ROOT / "environment" / "frontend_server" / "storage"
BASE, HISTORY, STEPS = "base_the_ville_n25", "the_ville/agent_history_init_n25.csv", 17_280


@dataclass(frozen=True)
class Request:
    """One retrieval of a run."""

    who: str
    time: str
    nodes: int
    """Memories at that time."""
    kind: str
    points: tuple[str, ...]
    count: int
    about: tuple[str, ...]

    @property
    def now(self) -> datetime:
        return datetime.fromisoformat(self.time)


@dataclass(frozen=True)
class LabelledMeeting:
    """Two personas meet, and what one ought to have in mind about the other."""

    who: str
    about: str
    kind: str
    at: datetime
    decisive: tuple[str, ...]
    impression: str
    doing: str
    said: str = ""

    @property
    def points(self) -> dict[str, tuple[str, ...]]:
        """Focal points by kind of retrieval; what does not name the other is no part of the relationship."""
        seen = f"{self.about} is {self.doing}"
        found = {
            "utterance": tuple(filter(None, (self.impression, seen, self.said))),
            "reaction": (seen, f"What {self.who} wants to tell {self.about}"),
        }
        return found if self.kind == "errand" else {"relationship": (self.about,), **found}


@dataclass(frozen=True)
class RetrievalRun:
    """Memories and retrievals of a run, by persona."""

    lives: Mapping[str, list[Experience]]
    requests: Mapping[str, list[Request]]

    @cached_property
    def texts(self) -> list[str]:
        """All texts that are embedded."""
        found = [node.embedding_key for life in self.lives.values() for node in life]
        found += [point for requests in self.requests.values() for each in requests for point in each.points]
        return list(dict.fromkeys(found))


def record(folder: Path, seed: int, steps: int = STEPS) -> None:
    """Run the two days, or fewer steps, and write every retrieval to a file."""
    name, log = f"retrieval_{seed}", folder / f"retrieval_{seed}.jsonl"
    if log.exists():
        return
    if not (folder / BASE).exists():
        shutil.copytree(STORAGE / BASE, folder / BASE)
    asked: list[Request] = []
    for module in (converse, plan, react, reflect):
        module.retrieve_memories = _recorded(module.retrieve_memories, module.__name__, asked)  # type: ignore[attr-defined]
    impression.peek_memories = _recorded_relationship(impression.peek_memories, asked)  # type: ignore[attr-defined]
    with ville.fork(BASE, name, seed=seed, provider="offline", fs_storage=folder) as town:
        town.load_history(HISTORY)
        town.run(steps)
        town.save()
    log.write_text("".join(f"{json.dumps(asdict(each))}\n" for each in asked), "utf-8")


def _recorded(original: Any, module: str, asked: list[Request]) -> Any:
    async def recorded(
        mind: Mind, moment: Moment, points: Iterable[str], count: int, *, about: Sequence[str] = ()
    ) -> Any:
        focal = tuple(points)
        kind = {"converse": "utterance", "react": "reaction"}.get(module.rpartition(".")[2], "other")
        asked.append(Request(mind.name, str(moment.now), len(mind.stream), kind, focal, count, tuple(about)))
        return await original(mind, moment, focal, count, about=about)

    return recorded


def _recorded_relationship(original: Any, asked: list[Request]) -> Any:
    """Record what comes to mind about the other before a talk. Its focal point is the other's name."""

    def recorded(mind: Mind, moment: Moment, focus: Any, *, count: int, about: Sequence[str]) -> Any:
        asked.append(
            Request(mind.name, str(moment.now), len(mind.stream), "relationship", tuple(about), count, tuple(about))
        )
        return original(mind, moment, focus, count=count, about=about)

    return recorded


def load(folder: Path, seed: int) -> RetrievalRun:
    lives = {}
    for path in sorted((folder / f"retrieval_{seed}" / "personas").iterdir()):
        nodes = read_object(path / "bootstrap_memory" / "associative_memory" / "nodes.json")
        lives[path.name] = [read_experience(path.name, nodes[f"node_{number}"]) for number in range(1, len(nodes) + 1)]
    lines = (folder / f"retrieval_{seed}.jsonl").read_text("utf-8").splitlines()
    requests: dict[str, list[Request]] = {name: [] for name in lives}
    for values in map(json.loads, lines):
        each = Request(**values | {"points": tuple(values["points"]), "about": tuple(values["about"])})
        requests[each.who].append(each)
    return RetrievalRun(lives, requests)


def situations() -> list[LabelledMeeting]:
    rows = yaml.safe_load(SITUATIONS.read_text("utf-8"))["two_days"]
    return [LabelledMeeting(**row | {"decisive": tuple(row["decisive"])}) for row in rows]


@cache
def people() -> tuple[str, ...]:
    return tuple(sorted(path.name for path in (STORAGE / BASE / "personas").iterdir()))
