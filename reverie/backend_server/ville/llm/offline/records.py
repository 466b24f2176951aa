"""What a talk leaves behind, as records: the sentences that keep them, and the way back from those sentences."""

import re
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, lru_cache

from ville.llm.offline.news import NewsItem, told
from ville.llm.offline.rule import Answer
from ville.llm.offline.table import Value, load
from ville.llm.offline.verbs import first_of

_HOSTS = {"has invited": "me", "was invited": "other"}
"""In these records, whose the occasion is."""
PLANNING = re.compile(r"^For .{1,60}'s planning: ")


@dataclass(frozen=True)
class MemoryRecord:
    """A sentence of the table, filled in."""

    kind: str
    me: str
    other: str = ""
    topic: str = ""
    what: str = ""
    news: NewsItem | None = None
    answer: str = ""
    """`yes`, `no` or nothing: whether the guest wants to come."""
    guest: str = ""
    """First name of who gave the answer or the opinion."""


@cache
def _table() -> Value:
    return load("memories.yaml")


def written(kind: str, **blanks: str) -> str:
    """Return the sentence of a record."""
    return str(_table()["records"][kind]["says"]).format_map({"answer": "", "mood": ""} | blanks)


def memory(kind: str, **blanks: str) -> Answer:
    """Return a record as an answer of `after_conversation`: sentence, predicate, object and weight."""
    row, text = _table()["records"][kind], written(kind, **blanks)
    return {
        "text": text,
        "predicate": row["verb"],
        "object": row["thing"].format_map(blanks),
        "poignancy": row["weight"],
    }


def answer_text(answer: str, guest: str) -> str:
    """Return `, and Klaus wants to go`, or nothing."""
    return str(_table()["answers"][answer]).format(first=first_of(guest)) if answer else ""


def opinion_text(key: str, listener: str) -> str:
    """Return `, and Klaus supports it`."""
    return str(_table()["opinions"][key]).format(first=first_of(listener))


def opinions() -> tuple[str, ...]:
    return tuple(_table()["opinions"])


def moods(*, goes: bool) -> list[str]:
    return list(_table()["moods"]["goes" if goes else "stays"])


def talked() -> list[str]:
    return list(_table()["talked"])


_BLANKS = {
    "me": r"(?P<me>[^,;:]+?)", "other": r"(?P<other>[^,;:]+?)", "topic": r"(?P<topic>.+)", "what": r"(?P<what>.+)",
    "news": r"(?P<news>.+?)", "noun": r"(?P<noun>.+?)", "mood": r"(?:,.*)?",
}  # fmt: skip


@cache
def _shapes() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Kind, the words every such sentence holds, and its shape."""
    endings = {**_table()["answers"], **{f"={key}": line for key, line in _table()["opinions"].items()}}
    ends = "|".join(re.escape(line).replace(r"\{first\}", r"\S+") for line in endings.values())
    blanks = _BLANKS | {"answer": rf"(?P<answer>(?:{ends})?)"}
    found = []
    for kind, row in _table()["records"].items():
        parts = re.split(r"\{(\w+)\}", row["says"])
        shape = "".join(blanks[part] if number % 2 else re.escape(part) for number, part in enumerate(parts))
        found.append((kind, max(parts[::2], key=len), re.compile(shape)))
    return tuple(found)


@lru_cache(maxsize=65536)
def record_of(text: str, day: date) -> MemoryRecord | None:
    """Return what a remembered sentence keeps; None if it is no sentence of the table."""
    for kind, sign, shape in _shapes():
        if sign in text and (found := shape.fullmatch(PLANNING.sub("", text).rstrip("."))):
            parts = {name: value or "" for name, value in found.groupdict().items()}
            news = told(parts.get("news") or parts.get("noun") or "", day)
            host = parts.get(_HOSTS.get(kind, ""), "")
            news = replace(news, who=host) if news and host else news
            answer, guest = _answer(parts.get("answer", ""))
            rest = {name: parts.get(name, "") for name in ("me", "other", "topic", "what")}
            return MemoryRecord(kind, **rest, news=news, answer=answer, guest=guest)
    return None


def _answer(text: str) -> tuple[str, str]:
    words = text.split(" ")
    guest = words[2] if len(words) > 2 else ""  # noqa: PLR2004 - `, and Klaus ...`
    for answer in _table()["answers"]:
        if guest and text == answer_text(answer, guest):
            return answer, guest
    return "", guest
