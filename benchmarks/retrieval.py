"""Measure which memories come to mind: replay the retrievals of two days of 25 people with each method.

`python benchmarks/retrieval.py` runs the two days with the offline rules for each seed, which takes some minutes, and
prints how many of the decisive memories of labelled situations each method finds, by number of memories, and again
after ten days. The ten days are synthetic: the second day eight times more, with activities, topics and conclusions
exchanged. What is said does not change in a replay, only what is retrieved. `--keep FOLDER` keeps the runs, and reads
those that are there.
"""

import argparse
import asyncio
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from retrieval_run import STEPS, LabelledMeeting, Request, RetrievalRun, load, people, record, situations
from ten_days import DAY, DAYS, MIDNIGHT, ten_days

from ville.llm.embedders import HashingEmbedder
from ville.llm.gateway import Embedder
from ville.llm.meaning_embedder import MeaningEmbedder
from ville.persona.cognitive_modules.conversing.converse import UTTERANCE_MEMORIES
from ville.persona.cognitive_modules.conversing.impression import RELATIONSHIP_MEMORIES
from ville.persona.cognitive_modules.mind import BLANK
from ville.persona.cognitive_modules.react import RETRIEVED_MEMORIES
from ville.persona.cognitive_modules.retrieve import Method, retrieve
from ville.persona.memory_structures.scratch import Tuning
from ville.persona.memory_structures.stream.associative_memory import AssociativeMemory
from ville.persona.memory_structures.stream.concept_node import ConceptNode, Experience

EVENING = timedelta(hours=22)
KINDS = ("relationship", "utterance", "reaction")
COUNTS = {"relationship": (5, 8, 10, 15, 20, 30, 50), "utterance": (5, 8, 10, 15), "reaction": (5, 8, 10)}
"""Numbers of memories to compare. The largest is that of the released code."""
IN_USE = {"relationship": RELATIONSHIP_MEMORIES, "utterance": UTTERANCE_MEMORIES, "reaction": RETRIEVED_MEMORIES}
"""Numbers of memories that the town takes."""
KINDS_OF = {"person": KINDS, "errand": KINDS[1:]}
"""Kinds of retrieval that should find memories about the other, and purposes of one's own."""
METHODS: tuple[Method, ...] = ("person", "paper", "released")
LSA_SIZE = 150

TUNING = Tuning()

Vectors = Mapping[str, Any]
Embed = Callable[[Iterable[str]], Vectors]


@dataclass
class RecallCounts:
    """Results of a replay."""

    found: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    """By persons or errand, kind and number of memories."""
    decisive: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    sides: Counter[int] = field(default_factory=Counter)
    """Sides of talks with a history about the other, by number of memories."""
    forgotten: Counter[int] = field(default_factory=Counter)
    """Of these, without any of it."""
    missed: set[tuple[str, ...]] = field(default_factory=set)

    def add(self, other: "RecallCounts") -> None:
        for one, more in ((self.found, other.found), (self.decisive, other.decisive)):
            one.update(more)
        self.sides.update(other.sides)
        self.forgotten.update(other.forgotten)
        self.missed |= other.missed

    def share(self, group: str, kind: str, count: int) -> float:
        """Return the share of decisive memories found; 1 if there are none."""
        key = group, kind, count
        return self.found[key] / self.decisive[key] if self.decisive[key] else 1.0

    @property
    def overall(self) -> float:
        """Mean share of all kinds of retrieval, with as many memories as the town takes."""
        columns = [(group, kind) for group, kinds in KINDS_OF.items() for kind in kinds]
        return sum(self.share(group, kind, IN_USE[kind]) for group, kind in columns) / len(columns)


class Replay:
    """One persona's memory under one method, with access times of its own."""

    def __init__(self, name: str, life: Sequence[Experience], vectors: Vectors, method: Method) -> None:
        self._life, self._vectors, self._method = life, vectors, method
        self.stream = AssociativeMemory(name)

    def remember(self, nodes: int) -> None:
        """Add memories until there are so many."""
        for experience in self._life[len(self.stream) : nodes]:
            self.stream.add(experience, self._vectors[experience.embedding_key])

    def find(
        self, points: Iterable[str], now: datetime, count: int, about: Sequence[str]
    ) -> Iterator[list[ConceptNode]]:
        """Return what each focal point finds, one after another."""
        names, texts = [self.stream.known_as(name, people()) for name in about], set[str]()
        for point in points:
            found = retrieve(
                self.stream, self._vectors[point], tuning=TUNING, now=now, count=count, method=self._method,
                about=names, found_before=texts,
            )  # fmt: skip
            nodes = [each.node for each in found]
            texts |= {node.embedding_key for node in nodes}
            yield nodes

    def follow(self, request: Request, tally: RecallCounts) -> None:
        """Retrieve as in the run, mark what is found as accessed, and count the sides of talks without their past."""
        self.remember(request.nodes)
        if request.kind == "relationship":
            self._count_side(request, tally)
        for nodes in self.find(request.points, request.now, request.count, request.about):
            self.stream.mark_accessed(nodes, request.now)

    def _count_side(self, request: Request, tally: RecallCounts) -> None:
        """Count a side whose history names the other, and whether nothing of that history is found."""
        other, now = request.about[0], request.now
        naming = set(self.stream.thoughts_naming(self.stream.known_as(other, people())).tolist())
        history = {number for number in naming if self.stream[number].created == MIDNIGHT}
        for count in COUNTS["relationship"] if history else ():
            found = {node.number for nodes in self.find([other], now, count, request.about) for node in nodes}
            tally.sides[count] += 1
            tally.forgotten[count] += not found & history

    def probe(self, situation: LabelledMeeting, now: datetime, tally: RecallCounts) -> None:
        """Count the decisive memories that are found in a situation, without marking any as accessed."""
        texts = {node.description for node in self.stream} & set(situation.decisive)
        group = "errand" if situation.kind == "errand" else "person"
        for kind, points in situation.points.items():
            for count in COUNTS[kind]:
                found = self.find(points, now, count, (situation.about,))
                got = texts & {node.description for nodes in found for node in nodes}
                tally.found[group, kind, count] += len(got)
                tally.decisive[group, kind, count] += len(texts)
                if count == IN_USE[kind]:
                    tally.missed |= {(kind, situation.who, situation.about, text) for text in texts - got}


def replay(run: RetrievalRun, vectors: Vectors, method: Method) -> RecallCounts:
    """Replay all retrievals of a run, with the labelled situations at their times."""
    tally = RecallCounts()
    for name, life in run.lives.items():
        mind, waiting = Replay(name, life, vectors, method), _by_time(name)
        for request in run.requests[name]:
            while waiting and waiting[0].at <= request.now:
                _probe_at(mind, life, waiting.pop(0), tally)
            mind.follow(request, tally)
        for situation in waiting:
            _probe_at(mind, life, situation, tally)
    return tally


def _by_time(name: str) -> list[LabelledMeeting]:
    return sorted((each for each in situations() if each.who == name), key=lambda each: each.at)


def _probe_at(mind: Replay, life: Sequence[Experience], situation: LabelledMeeting, tally: RecallCounts) -> None:
    mind.remember(sum(node.created <= situation.at for node in life))
    mind.probe(situation, situation.at, tally)


def replay_ten_days(run: RetrievalRun, vectors: Vectors, method: Method) -> RecallCounts:
    """Replay ten days. Talks of the last day count, and all situations as if they came that evening."""
    tally, now = RecallCounts(), MIDNIGHT + (DAYS - 1) * DAY + EVENING
    for name, life in run.lives.items():
        mind = Replay(name, life, vectors, method)
        for request in run.requests[name]:
            mind.follow(request, tally if request.now >= MIDNIGHT + (DAYS - 1) * DAY else RecallCounts())
        for situation in _by_time(name):
            mind.probe(situation, now, tally)
    return tally


def embedded(embedder: Embedder, texts: Iterable[str]) -> Vectors:
    """Embed as the town does on this machine."""
    found = list(texts)
    return dict(zip(found, asyncio.run(embedder.embed([text or BLANK for text in found])), strict=True))


def hashing(texts: Iterable[str]) -> Vectors:
    return embedded(HashingEmbedder(), texts)


def meaning(texts: Iterable[str]) -> Vectors:
    return embedded(MeaningEmbedder(), texts)


def latent(texts: Iterable[str]) -> Vectors:
    """Embed by latent semantic analysis of the town's own texts, in place of a semantic model."""
    from sklearn.decomposition import TruncatedSVD  # type: ignore[import-untyped]  # noqa: PLC0415 - slow
    from sklearn.feature_extraction.text import TfidfVectorizer  # type: ignore[import-untyped]  # noqa: PLC0415

    found = list(texts)
    weights = TfidfVectorizer(sublinear_tf=True).fit_transform(found)
    return dict(
        zip(found, TruncatedSVD(LSA_SIZE, random_state=0).fit_transform(weights).astype(np.float32), strict=True)
    )


EMBEDDERS: Mapping[str, Embed] = {"hashing": hashing, "lsa": latent, "meaning": meaning}


def tallies(
    runs: Iterable[RetrievalRun], embed: Embed, follow: Callable[[RetrievalRun, Vectors, Method], RecallCounts]
) -> dict[str, RecallCounts]:
    """Replay all runs with each method."""
    found = {method: RecallCounts() for method in METHODS}
    probed = [point for each in situations() for points in each.points.values() for point in points]
    for run in runs:
        vectors = embed(dict.fromkeys([*run.texts, *probed]))
        for method, tally in found.items():
            tally.add(follow(run, vectors, method))
    return dict(found)


def table(title: str, found: Mapping[str, RecallCounts]) -> Iterator[str]:
    """Return lines with the shares found, by number of memories and method, and sides without their past."""
    yield f"\n{title + ': share of decisive memories found':<58}" + "".join(f"{method:>12}" for method in found)
    columns = [(group, kind, count) for group, kinds in KINDS_OF.items() for kind in kinds for count in COUNTS[kind]]
    for group, kind, count in columns:
        shares = (each.share(group, kind, count) for each in found.values())
        yield _row(f"{group}: {kind}, {count} memories", shares)
    yield _row("mean of all kinds, with as many memories as the town takes", (each.overall for each in found.values()))
    yield "sides of talks with a history of the other that are given none of it"
    for count in COUNTS["relationship"]:
        lost = (f"{each.forgotten[count]}/{each.sides[count]}" for each in found.values())
        yield f"{f'  {count} memories':<58}" + "".join(f"{each:>12}" for each in lost)
    yield from (f"  missed by {METHODS[0]}: {': '.join(each)}" for each in sorted(found[METHODS[0]].missed))


def _row(title: str, shares: Iterable[float]) -> str:
    return f"{f'  {title}':<58}" + "".join(f"{share:>12.1%}" for share in shares)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--embedders", nargs="+", choices=EMBEDDERS, default=["hashing", "lsa"])
    parser.add_argument("--keep", type=Path, help="folder of the runs")
    parser.add_argument("--steps", type=int, default=STEPS, help="length of each run; fewer find little")
    choice = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept = choice.keep or Path(folder)
        for seed in choice.seeds:
            record(kept, seed, choice.steps)
        runs = {seed: load(kept, seed) for seed in choice.seeds}
        longer = {seed: ten_days(run, seed) for seed, run in runs.items()}
        for name in choice.embedders:
            for title, lives, follow in ((name, runs, replay), (f"{name}, ten days", longer, replay_ten_days)):
                print(*table(title, tallies(lives.values(), EMBEDDERS[name], follow)), sep="\n", flush=True)


if __name__ == "__main__":
    main()
