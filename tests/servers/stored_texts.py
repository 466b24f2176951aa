"""Check every text that a simulation stores: length and characters."""

import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ville.llm.accounting.ledger import Ledger
from ville.llm.wire.responses import MAX_LENGTH
from ville.persona.prompt_template import caps

PROMPT = 100_000
"""Longest question, in characters, with everything it quotes."""
PLAN_OF_A_DAY = caps.PLANS * (caps.PLAN + len(", ")) + 100
PREFIX = 100
"""Longest prefix of a text, for example `For Ada Stone's planning: `."""
CAPS = {
    "daily_req": caps.PLAN,
    "currently": caps.CURRENTLY,
    "daily_plan_req": caps.REQUIREMENT,
    "relationship": caps.RELATIONSHIP,
    "feeling": caps.FEELING,
    "pronunciatio": caps.EMOJI,
    "act_pronunciatio": caps.EMOJI,
    "predicate": caps.KEYWORD,
    "chat": caps.UTTERANCE,
    "subject": caps.PLACE * 4,
    "object": caps.SCHEDULE_ENTRY + PREFIX,
    "keywords": caps.SCHEDULE_ENTRY + PREFIX,
    "f_daily_schedule": caps.SCHEDULE_ENTRY + caps.ACTIVITY + PREFIX,
    "act_description": caps.SCHEDULE_ENTRY + caps.ACTIVITY + PREFIX,
    "act_obj_description": caps.STATE + PREFIX,
}
"""Longest text by JSON key; other texts may have the length of a memory."""


def texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text in a JSON value with its key; keys are texts themselves."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from [("", name), *texts(each, name)]
    elif isinstance(value, list):
        for each in value:
            yield from texts(each, key)


def is_safe(text: str) -> bool:
    """Whether a text has no control characters except line feeds, and no bidirectional controls."""
    return (text.isascii() and text.replace("\n", "").isprintable()) or not any(map(_controls, set(text) - {"\n"}))


def _controls(sign: str) -> bool:
    turning = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    return unicodedata.category(sign) in {"Cc", "Cs", "Zl", "Zp"} or unicodedata.bidirectional(sign) in turning


def check_texts(folder: Path) -> None:
    """Check all texts in all files of a simulation, including its ledger."""
    for path in folder.rglob("*.json"):
        for key, text in texts(json.loads(path.read_text("utf-8"))):
            plan = text.startswith("This is ") and "'s plan for " in text
            cap = PLAN_OF_A_DAY if plan else CAPS.get(key, caps.THOUGHT + PREFIX)
            assert is_safe(text.replace("\n", "\x00")), (path, key, text[:200])
            assert len(text) <= cap, (path, key, len(text), text[:200])
    ledger = Ledger.read(folder / "reverie")
    columns = "question, persona, model, outcome, fault, answer, messages"
    for *plain, answer, messages in ledger.connection.execute(f"SELECT {columns} FROM calls"):  # noqa: S608
        assert all(is_safe(text) and len(text) <= caps.THOUGHT for text in plain), plain
        assert is_safe(answer)
        assert len(answer) <= MAX_LENGTH
        for _, text in texts(json.loads(messages)):
            assert is_safe(text), text
            assert len(text) <= PROMPT, (len(text), text[:200])
    ledger.close()
