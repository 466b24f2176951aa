"""Golden set: what ought to come to mind about whom, and why, in a life full of other things (situations.yaml)."""

# ruff: noqa: RUF001 - Russian

import json
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

import pytest
import yaml

from ville.home import PAGES
from ville.llm.embedders import HashingEmbedder
from ville.persona.cognitive_modules.conversing.converse import UTTERANCE_MEMORIES
from ville.persona.cognitive_modules.conversing.impression import RELATIONSHIP_MEMORIES
from ville.persona.cognitive_modules.react import RETRIEVED_MEMORIES
from ville.persona.cognitive_modules.retrieve import retrieve
from ville.persona.memory_structures.scratch import Tuning
from ville.persona.memory_structures.stream.associative_memory import AssociativeMemory
from ville.persona.memory_structures.stream.concept_node import Experience, read_experience, thought

START = datetime(2023, 2, 13)  # noqa: DTZ001 - game time has no zone
RECORDED = {"two_days": "a_day_of_twenty_five", "three_people": "a_day_of_three", "russian": ""}
RUSSIAN_DAY = (
    "Песня Изабеллы Росси понравилась всем, {day}", "Концерт Марии Каллас слушали весь вечер, {day}",
    "{who} думает, что день {day} прошёл не зря", "{who} устаёт от учёбы, {day}", "В день {day} шёл дождь",
    "{who} хочет выспаться, день {day}", "В кафе вкусно пахнет хлебом, {day}", "Выборы мэра всё ближе, {day}",
    "{who} любит утренний свет, день {day}", "В парке Клаус Кински читал стихи, {day}",
)  # fmt: skip
DAYS = 8
NEWS = re.compile(r"^For .* planning: | heard from ")
"""Memories from a talk, which are more poignant than what has always been known."""
SITUATIONS = yaml.safe_load(Path(__file__).with_name("situations.yaml").read_text("utf-8"))


def life_in(setting: str, who: str) -> Iterator[Experience]:
    """Return a day as it was recorded, or some in Russian."""
    if setting == "russian":
        texts = [text.format(who=who, day=day) for day in range(DAYS) for text in RUSSIAN_DAY]
        for hour, text in enumerate(texts):
            yield thought(START + timedelta(hours=hour / DAYS), (who, "is", "x"), text, poignancy=5)
    else:
        yield from recorded(RECORDED[setting], who)


@cache
def recorded(name: str, who: str) -> list[Experience]:
    folder = PAGES / "compressed_storage" / name / "personas" / who
    nodes = json.loads((folder / "bootstrap_memory" / "associative_memory" / "nodes.json").read_text("utf-8"))
    return [read_experience(who, nodes[f"node_{number}"]) for number in range(1, len(nodes) + 1)]


async def memory_of(setting: str, situation) -> AssociativeMemory:
    """Return a life with the decisive memories: news from an hour ago, the rest known from the start.

    Purposes came to mind an hour ago, too.
    """
    who, embedder = situation["who"], HashingEmbedder()
    life = [node for node in life_in(setting, who) if node.created <= situation["at"]]
    known = {node.description for node in life}
    for text in sorted(set(situation["decisive"]) - known):
        told, poignancy = (situation["at"] - timedelta(hours=1), 7) if NEWS.search(text) else (START, 1)
        life += [thought(told, (who, "knows", "x"), text, poignancy=poignancy)]
    life.sort(key=lambda node: node.created)
    stream = AssociativeMemory(who)
    for node, vector in zip(life, await embedder.embed([node.embedding_key for node in life]), strict=True):
        stream.add(node, vector)
    if situation["kind"] == "errand":
        purposes = [node for node in stream if node.description in situation["decisive"]]
        stream.mark_accessed(purposes, situation["at"] - timedelta(hours=1))
    return stream


def retrievals(situation) -> Iterator[tuple[str, list[str], int]]:
    """Return the retrievals about the other: for what, focal points, number of memories."""
    seen = f"{situation['about']} is {situation['doing']}"
    if situation["kind"] != "errand":
        yield "relationship", [situation["about"]], RELATIONSHIP_MEMORIES
    yield "utterance", [situation["impression"], seen, situation.get("said", seen)], UTTERANCE_MEMORIES
    yield "reaction", [seen, f"What {situation['who']} wants to tell {situation['about']}"], RETRIEVED_MEMORIES


@pytest.mark.parametrize(
    ("setting", "situation"),
    [
        pytest.param(setting, situation, id=f"{setting}-{situation['kind']}-{situation['who']}-{situation['about']}")
        for setting, found in SITUATIONS.items()
        for situation in found
    ],
)
async def test_the_decisive_memories_come_to_mind(setting, situation):
    """All of them, for the relationship, an utterance and a reaction, with as many memories as these take."""
    stream = await memory_of(setting, situation)
    about = [stream.known_as(situation["about"], [each["who"] for each in SITUATIONS["two_days"]])]
    missed = {}
    for kind, points, count in retrievals(situation):
        nodes = []
        for vector in await HashingEmbedder().embed(points):
            found = retrieve(
                stream, vector, tuning=Tuning(), now=situation["at"], count=count, about=about,
                found_before={node.embedding_key for node in nodes},
            )  # fmt: skip
            nodes += [each.node for each in found]
        lost = set(situation["decisive"]) - {node.description for node in nodes}
        missed |= {kind: lost} if lost else {}
    assert not missed
