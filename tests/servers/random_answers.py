"""Random answers, mostly bad, made from the schema and the words of a question."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any

from ville.llm.gateway import ChatReply, ChatRequest
from ville.llm.wire.schemas import strict_schema

NASTY = (
    "", " ", "\n", "(", ")", "sleeping", "asleep (in bed)", "a:b:c:d:e", "<random>", "<persona> Ben Reed", "the Town",
    "<waiting> 0 0", "🙂" * 30, "null", "\x00", "ÿ" * 300, "talk to Ben Reed", "idle", "a @ b", "{", "}", '"', "```",
    "x" * 9_000, "\x1b[2J\x9b", "\u202eup\u2066", "\ud83d", "\u2028\r\n", "\u200b",
    "9" * 400, f"{'9' * 400} minutes", "not the Cafe", "x" * 600,
)  # fmt: skip
NUMBERS = (-1, 0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 15, 24, 30, 60, 61, 1440, 10**9, 10**30, 10**400, 7.5, float("inf"))
CLOCKS = (
    "7:00",
    "8:30",
    "12",
    "9 PM",
    "24:00",
    "noon",
    7,
    *["6:00"] * 20,
    "25:00",
    "soon",
    "9" * 400,
    10**400,
    "7:00 – 8:00",
    "0700",
    7.5,
)
UNASKED = {"unasked": 1}
LENGTHS = (0, 1, 1, 2, 2, 3, 24, 24)
JUNK = (None, True, 3.5, float("nan"), "7", [], {}, ["x"], 10**400)
BROKEN = "the answer broke off"


class RandomChat:
    """Chat with random answers; the same seed gives the same answers."""

    def __init__(self, seed: int) -> None:
        self._lot = Random(seed)  # noqa: S311 - no secrets

    async def complete(self, request: ChatRequest) -> ChatReply:
        text = self.text(request.schema, request.fields)
        return ChatReply(text, "random", fault="" if self._lot.randrange(10) else BROKEN)

    def text(self, schema: Mapping[str, Any], fields: Mapping[str, Any]) -> str:
        """Return an answer in the right form, nearly right, or wrong."""
        self._words = sorted(set(_words(list(fields.values()))) | set(self._lot.sample(NASTY, 5)))
        self._numbers = [value for value in fields.values() if type(value) is int] * 5 + list(NUMBERS)
        value = self._value(strict_schema(json.dumps(schema)))
        if isinstance(value, dict) and "options" in fields and self._lot.randrange(3):
            for placed in value["subtasks"] if isinstance(value.get("subtasks"), list) else [value]:
                if isinstance(placed, dict):
                    placed |= self._place(fields["options"].places)  # noqa: PLW2901 - in place
        return self._wrapped(json.dumps(value))

    def _value(self, schema: Mapping[str, Any]) -> Any:
        if not self._lot.randrange(30):
            return self._lot.choice(JUNK)
        match schema.get("type"):
            case "object":
                names = [name for name in schema["properties"] if self._lot.randrange(30)]
                values = {name: self._value(schema["properties"][name]) for name in names}
                return values | {name: self._lot.choice(CLOCKS) for name in names if name in {"from", "to"}} | UNASKED
            case "array":
                return [self._value(schema["items"]) for _ in range(self._lot.choice(LENGTHS))]
            case "integer":
                return self._lot.choice(self._numbers)
            case "boolean":
                return bool(self._lot.randrange(2))
            case _:
                return self._lot.choice([*self._words, *schema.get("enum", ()) * 2])

    def _place(self, places: Mapping[str, Mapping[str, tuple[str, ...]]]) -> dict[str, str]:
        """Return an existing arena, with an object that may be elsewhere."""
        sector = self._lot.choice(sorted(places))
        arena = self._lot.choice(sorted(places[sector]))
        return {"sector": sector, "arena": arena, "game_object": self._lot.choice([*places[sector][arena], "table"])}

    def _wrapped(self, text: str) -> str:
        wrappings = (
            text,
            text,
            text,
            f"```json\n{text}\n```",
            f"<think>{{}}</think>{text}!",
            f"[{text}]",
            text[:-9],
            "",
        )
        return self._lot.choice(wrappings)


def _words(value: Any) -> list[str]:
    """Return all texts in a question that an answer might misuse: places, people, choices."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [*_words(list(value)), *_words(list(value.values()))]
    if isinstance(value, list | tuple):
        return [word for item in value for word in _words(item)]
    return _words(vars(value)) if hasattr(value, "__dict__") else []
