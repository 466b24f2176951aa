"""Other words for what a model reads: prompts that say the same differently, and other names for people.

The town does not change: questions get other words on their way to the model, and answers their own names on the way
back. So memories, histories, the map and what interventions say are renamed alike.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml

from ville.llm.gateway import Chat, ChatReply, ChatRequest

NAMES = "names"
FAMILY = re.compile(r"\b(?P<name>[^\W\d_]+)(?= family\b)")
"""The name of a family alone, as in `Moore family's house`."""
TITLED = re.compile(r"\b(?P<title>(?:Mr|Mrs|Ms|Dr|Professor)\.? )(?P<name>[^\W\d_]+)")


@cache
def _data() -> Mapping[str, Any]:
    data: Mapping[str, Any] = yaml.safe_load(Path(__file__).with_name("rewordings.yaml").read_text("utf-8"))
    return data


def phrases(name: str) -> Mapping[str, str]:
    """Return the phrases of prompts that a rewording replaces, and what stands for each."""
    found: Mapping[str, str] = _data()["prompts"].get(name, {})
    return found


def reworded_chat(chat: Chat, chosen: str, people: Sequence[str]) -> Chat:
    """Return a chat that reads other words; the same chat if no rewording is chosen. `people` have whole names."""
    names = tuple(sorted(people)) if NAMES in chosen.split() else ()
    return RewordedChat(chat, chosen, names) if chosen else chat


class RewordedChat:
    """Layer that words requests differently, and gives answers the names of the town again."""

    def __init__(self, chat: Chat, chosen: str, people: tuple[str, ...]) -> None:
        self._chat = chat
        self._phrases = [pair for name in chosen.split() for pair in phrases(name).items()]
        self._renaming = OtherNames.of(people) if people else None

    async def complete(self, request: ChatRequest) -> ChatReply:
        messages = tuple(replace(each, content=self._worded(each.content)) for each in request.messages)
        asked = replace(request, messages=messages)
        if (renaming := self._renaming) is None:
            return await self._chat.complete(asked)
        told = {name: mapped(value, renaming.told) for name, value in request.fields.items()}
        schema: Mapping[str, object] = json.loads(renaming.told(json.dumps(request.schema, ensure_ascii=False)))
        reply = await self._chat.complete(replace(asked, fields=told, schema=schema))
        return replace(reply, text=renaming.heard(reply.text))

    def _worded(self, text: str) -> str:
        for phrase, other in self._phrases:
            text = text.replace(phrase, other)
        return self._renaming.told(text) if self._renaming else text


class OtherNames:
    """Other names for the people of a town; no two get the same, and no one gets a name that someone has."""

    def __init__(self, first: Mapping[str, str], last: Mapping[str, str]) -> None:
        """Both by the name in the town."""
        self._there = _Names(first, last)
        self._back = _Names({other: name for name, other in first.items()}, {new: old for old, new in last.items()})

    @classmethod
    def of(cls, people: tuple[str, ...]) -> "OtherNames":
        """Return names for people; a family keeps one name."""
        return _renaming(people)

    def told(self, text: str) -> str:
        """Return a text of the town with the other names."""
        return self._there.replaced(text)

    def heard(self, text: str) -> str:
        """Return a text with the other names as the town would say it."""
        return self._back.replaced(text)


@lru_cache(maxsize=64)
def _renaming(people: tuple[str, ...]) -> OtherNames:
    parts = [name.split() for name in people]
    taken = {part for each in parts for part in each}
    firsts = dict.fromkeys(each[0] for each in parts)
    lasts = dict.fromkeys(each[-1] for each in parts if len(each) > 1)
    data = _data()[NAMES]
    return OtherNames(_given(firsts, data["first"], taken), _given(lasts, data["last"], taken))


def _given(names: Mapping[str, None], others: Sequence[str], taken: set[str]) -> dict[str, str]:
    """Return another name for each, as far as there are any; numbers tell apart what follows."""
    free = [each for each in others if each not in taken]
    numbered = (
        f"{free[place % len(free)]}{'' if place < len(free) else place // len(free) + 1}" for place in range(len(names))
    )
    return dict(zip(names, numbered, strict=True))


class _Names:
    """Replaces names in texts: whole ones, first names alone, and those of families where it is plain that they are."""

    def __init__(self, first: Mapping[str, str], last: Mapping[str, str]) -> None:
        self._first, self._last = first, last
        one, family = ("|".join(map(re.escape, sorted(each, key=len, reverse=True))) for each in (first, last))
        self._whole = re.compile(rf"\b(?P<first>{one})(?:(?P<between> )(?P<last>{family or '(?!)'}))?\b")

    def replaced(self, text: str) -> str:
        text = FAMILY.sub(lambda found: self._last.get(found["name"], found["name"]), text)
        text = TITLED.sub(lambda found: found["title"] + self._last.get(found["name"], found["name"]), text)
        return self._whole.sub(self._name, text)

    def _name(self, found: re.Match[str]) -> str:
        first = self._first[found["first"]]
        return f"{first} {self._last[found['last']]}" if found["last"] else first


def mapped(value: Any, change: Callable[[str], str]) -> Any:
    """Return a value of a question with its texts changed, also those within."""
    if isinstance(value, str):
        return change(value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{each.name: mapped(getattr(value, each.name), change) for each in fields(value) if each.init}
        )
    if isinstance(value, Mapping):
        return {mapped(key, change): mapped(each, change) for key, each in value.items()}
    if isinstance(value, tuple):
        parts = [mapped(each, change) for each in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, list | set | frozenset):
        return type(value)(mapped(each, change) for each in value)
    return value
