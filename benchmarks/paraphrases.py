"""Measure which embedders find a memory by a question in other words.

`python benchmarks/paraphrases.py` puts forty questions to eighty memories, in English and Russian, and prints how many
find their memory first, and among the first five. Twenty of them are held out: nothing may be chosen by their result.
Embedders of this machine can be named: `python benchmarks/paraphrases.py hashing meaning`.
"""

import argparse
import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from ville.assembly.model_choice import HASHING, MEANING, local_embedder
from ville.llm.gateway import Embedder
from ville.settings import load_settings

FILE = Path(__file__).with_name("paraphrases.yaml")
LANGUAGES = {"English": "", "Russian": "_ru"}
SETS = ("question", "held_out")
FEW = 5


@dataclass(frozen=True)
class Paraphrases:
    """Questions to one list of memories."""

    memories: Sequence[str]
    questions: Mapping[str, int]
    """Question to the place of its memory."""


@dataclass(frozen=True)
class FoundMemories:
    """Results of an embedder."""

    first: int
    in_few: int
    asked: int
    seconds: float
    """A text."""

    def __str__(self) -> str:
        return f"{self.first:>3} first, {self.in_few:>3} among {FEW} (of {self.asked})"


def read(language: str, chosen: str) -> Paraphrases:
    """Return the memories in a language, and the chosen set of questions."""
    suffix, rows = LANGUAGES[language], yaml.safe_load(FILE.read_text("utf-8"))
    asked = {row[f"question{suffix}" if suffix else chosen]: place for place, row in enumerate(rows) if chosen in row}
    return Paraphrases([row[f"memory{suffix}"] for row in rows], asked)


async def find(embedder: Embedder, paraphrases: Paraphrases) -> FoundMemories:
    """Count the questions whose memory has the largest cosine, or one of the five largest; ties count against it."""
    began = time.perf_counter()
    memories = await embedder.embed(paraphrases.memories)
    questions = await embedder.embed(list(paraphrases.questions))
    seconds = time.perf_counter() - began
    cosines = questions @ memories.T
    own = cosines[range(len(questions)), list(paraphrases.questions.values())]
    nearer = (cosines >= own[:, None]).sum(axis=1) - 1
    texts = len(memories) + len(questions)
    return FoundMemories(int((nearer == 0).sum()), int((nearer < FEW).sum()), len(questions), seconds / texts)


async def _table(names: Iterable[str]) -> None:
    for name in names:
        embedder = local_embedder(replace(load_settings(), embedder=name))
        for language in LANGUAGES:
            for chosen in SETS:
                found = await find(embedder, read(language, chosen))
                print(f"{embedder.name:<32}{language:<9}{chosen:<10}{found}, {found.seconds * 1000:.1f} ms a text")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("embedders", nargs="*", default=(HASHING, MEANING))
    asyncio.run(_table(parser.parse_args().embedders))


if __name__ == "__main__":
    main()
