"""A memory that forgets by a power law: fast at first, then ever more slowly (Wickelgren 1974, Anderson 1990)."""

import argparse
from collections.abc import Collection
from datetime import timedelta
from pathlib import Path

import numpy as np

import ville
from ville.persona.cognitive_modules.mind import Mind, Moment
from ville.persona.cognitive_modules.retrieve import RetrievedMemory, score_memories
from ville.persona.memory_structures.stream.vectors import Vector

EXPONENT = 0.5
"""After an hour, 71 percent of a memory's strength is left; after a day 20, after a week 8."""


class PowerLaw:
    """Retrieves as the paper does (§4.1), but recency falls by a power of the hours since the last access."""

    def retrieve(
        self,
        mind: Mind,
        moment: Moment,
        focus: Vector,
        *,
        count: int,
        about: Collection[str],  # noqa: ARG002 - it treats people like anything else
        found_before: Collection[str],
    ) -> list[RetrievedMemory]:
        """Return the memories with the highest scores, texts that were found before only for lack of others."""
        stream, tuning = mind.stream, mind.scratch.tuning
        paper = score_memories(stream, focus, tuning=tuning, now=moment.now)
        nodes = [stream[number] for number in paper.numbers.tolist()]
        hours = np.array([(moment.now - stream.last_accessed(node)) / timedelta(hours=1) for node in nodes])
        recency = (1 + hours) ** -EXPONENT
        parts = np.column_stack([recency, paper.relevance, paper.importance])
        score = parts @ (tuning.recency_w, tuning.relevance_w, tuning.importance_w)
        memories = [RetrievedMemory(*row) for row in zip(nodes, *parts.T.tolist(), score.tolist(), strict=True)]
        ranked = sorted(memories, key=lambda each: (each.node.embedding_key in found_before, -each.score))
        best: dict[str, RetrievedMemory] = {}
        for each in ranked:  # each text once
            best.setdefault(each.node.embedding_key, each)
        return list(best.values())[:count]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--until", default="09:00", help="time until which it runs")
    until, folder = parser.parse_args().until, Path(__file__).resolve().parent
    minds, origin = {"retrieve": "power_law:PowerLaw"}, "base_the_ville_isabella_maria_klaus"
    with ville.fork(origin, "power_law", replace=True, minds=minds, minds_folder=folder) as town:
        town.run(until=until)
        print(*(town.interview(name, "What do you remember of today?").text for name in town.personas), sep="\n")


if __name__ == "__main__":
    main()
