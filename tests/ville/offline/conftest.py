"""Shared fixtures for the offline mind: the cast of the Ville, a way to ask, and patterns of faulty English."""

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from ville.llm.gateway import ChatMessage, ChatRequest
from ville.offline.rule_book import RuleBook
from ville.persona.memory_structures.identity import Identity
from ville.persona.prompt_template.blanks import QuotedMemory
from ville.persona.prompt_template.question import Question, schema_of

HOUSE = Path(__file__).resolve().parents[3]
BASE = HOUSE / "environment/frontend_server/storage/base_the_ville_n25/personas"
HISTORY = HOUSE / "environment/frontend_server/static_dirs/assets/the_ville/agent_history_init_n25.csv"
TODAY = date(2023, 2, 13)

TWICE = re.compile(r"\b(?!had\b|that\b|hm\b|so\b|know\b|right\b|her\b|well\b)(\w+) \1\b", re.IGNORECASE)
FAULTS = {
    "a word stands twice": TWICE,
    "a before a vowel": re.compile(r"\b[Aa] (?!one\b|once\b|uni|use|usu|eu)(?:[aeiouAEIOU]|hour|honest|heir)\w*"),
    "an before a consonant": re.compile(r"\b[Aa]n (?!hour|honest|heir|F|H|L|M|N|R|S|X)[^aeiouAEIOU\W]\w*"),
    "an unfilled blank": re.compile(r"[{}]|\bNone\b|\bnull\b|\$\w"),
    "space before a mark": re.compile(r"\s[,.;:!?](?!\.)|\(\s|\s\)"),
    "marks that do not go together": re.compile(r"[,;:]\s*[.!?]|(?<!\.)\.\.(?!\.)|[!?]\.|,,|\.,"),
    "two spaces": re.compile(r"  "),
    "verb and subject quarrel": re.compile(
        r"(?<!and )\bI (?:is|are|has|does|wants|likes|goes|means)\b"
        r"|\b(?:[Hh]e|[Ss]he) (?:are|have|do|am|want|like|go|mean)\b"
        r"|\b[Yy]ou (?:is|am|has|does)\b|\bI'm (?:is|am|are)\b|\b(?:is|am|are) (?:is|am|are)\b"
    ),
    "a small i": re.compile(r"(?<![\w.'’])i(?![\w.'’])"),
}


def faults(text: str) -> list[str]:
    """Return the faults of a text as English, as far as a pattern can see them."""
    found = [f"{what}: {said[0]!r}" for what, pattern in FAULTS.items() if (said := pattern.search(text))]
    if text.count("(") != text.count(")") or text.count('"') % 2 or text.count("“") != text.count("”"):
        found.append("a bracket or a quotation mark is open")
    return found


def sentence_faults(text: str) -> list[str]:
    """The same for what has to be whole sentences: capitals at their beginnings, a mark at the end."""
    found = faults(text)
    if not re.search(r"[.!?]$", text):
        found.append("no mark at the end")
    starts = [text, *re.split(r"(?<=[.!?])(?<!\b[A-Z]\.)\s+", text)[1:]]
    return [*found, *(f"no capital: {start!r}" for start in starts if start[:1].islower())]


@dataclass(frozen=True)
class Somebody:
    """One of the cast, as their scratch file says."""

    scratch: dict[str, Any]
    told: tuple[str, ...]
    """Thoughts of their history, told before the first step."""

    @property
    def name(self) -> str:
        return str(self.scratch["name"])

    @property
    def first(self) -> str:
        return self.name.split()[0]

    @property
    def home(self) -> str:
        return str(self.scratch["living_area"])

    def identity(self, today: date = TODAY, **changes: Any) -> str:
        facts = {key: self.scratch[key] for key in Identity.__dataclass_fields__}
        return Identity(**(facts | changes)).text(today)

    @property
    def memories(self) -> tuple[QuotedMemory, ...]:
        return tuple(QuotedMemory(datetime(2023, 2, 13), text, "thought") for text in self.told)


def load_cast() -> dict[str, Somebody]:
    history = HISTORY.read_text("utf-8")
    cast = {}
    for path in sorted(BASE.glob("*/bootstrap_memory/scratch.json")):
        scratch = json.loads(path.read_text("utf-8"))
        row = next((line for line in history.splitlines() if line.strip('"').startswith(scratch["name"])), "")
        whispers = [piece.strip(' "') for piece in row.partition(",")[2].split(";")]
        told = tuple(ask_rule("talk/whispered", identity="", name=scratch["name"], whisper=said)["text"]
                     for said in whispers if said)  # fmt: skip
        cast[scratch["name"]] = Somebody(scratch, told)
    return cast


def request_of(title: str, fields: dict[str, Any], *, seed: int = 1, step: int = 0) -> ChatRequest:
    words = (ChatMessage("user", str(sorted(fields.items(), key=lambda item: item[0]))),)
    return ChatRequest(question=title, fields=fields, messages=words, schema={}, persona="", step=step, seed=seed)


def ask_rule(title: str, *, seed: int = 1, step: int = 0, **fields: Any) -> dict[str, Any]:
    """The rule's answer, unchecked."""
    reply = asyncio.run(RuleBook().complete(request_of(title, fields, seed=seed, step=step)))
    return json.loads(reply.text)  # type: ignore[no-any-return]


def put(question: Question[Any], *, seed: int = 1, step: int = 0) -> Any:
    """The answer to a question as the minds get it: valid by its type and by its own check, or an error."""
    assert schema_of(question.answer)
    answer = question.answer.model_validate(ask_rule(question.title, seed=seed, step=step, **question.blanks()))
    question.check(answer)
    return answer


@pytest.fixture(scope="session")
def cast() -> dict[str, Somebody]:
    found = load_cast()
    if not found:
        pytest.skip(f"the cast is not built: {BASE} is needed")
    return found


@pytest.fixture(scope="session")
def ask() -> Callable[..., Any]:
    return put


@pytest.fixture(scope="session")
def english() -> Callable[[str], list[str]]:
    """Faults of a phrase."""
    return faults


@pytest.fixture(scope="session")
def sentences() -> Callable[[str], list[str]]:
    """Faults of whole sentences."""
    return sentence_faults
