"""Models that err the same way every time, and models of another temperament: layers around right answers.

A habit changes every answer in which it has something to change, by the schema of the question alone, so that it knows
of no question by name. A corrected answer is right, unless the model is stubborn, by lot. Beside them stand the models
that err at random (tests/servers/spoiling.yaml).
"""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "servers"))

from spoiling import PROFILES, WORDS, Profile, Spoiler, Spoilt

from ville.llm.gateway import Chat, ChatReply, ChatRequest
from ville.llm.wire.responses import ResponseChoice
from ville.persona.prompt_template.question import TEMPLATES

NAME = "spoilt rules"
"""Model of a spoilt answer."""
STUBBORN = 0.25
"""Share of corrected answers that repeat the fault."""
EXAMPLE = re.compile(
    r"(?:such as|for example|e\.g\.),? ([\w:]+(?: [\w:]+){0,4})|(?<!\w)[\"“](\w[^\"”$]* [^\"”$]+)[\"”]"
)
TIME = re.compile(r"\b(1[3-9]|2[0-3]):([0-5]\d)\b")
NOON, RATED = 12, (1, 10)
WANTS_TO_TALK = 0.6
"""Share of encounters in which one who says yes to everything talks."""
LETS_GO = 0.2
"""Share of the ends of talks that it accepts."""
MORE_TO_SAY = ("And what else is new?", "Tell me more about that.", "What happened then?", "How did that feel?")


class AnswerValue(NamedTuple):
    """Value within an answer, with what its schema says of it."""

    holder: Any
    key: Any
    schema: Mapping[str, Any]

    @property
    def value(self) -> Any:
        return self.holder[self.key]

    @property
    def options(self) -> list[str]:
        return [each for each in self.schema.get("enum", ()) if each]

    @property
    def is_text(self) -> bool:
        return isinstance(self.value, str) and "enum" not in self.schema

    @property
    def is_rating(self) -> bool:
        return isinstance(self.value, int) and (self.schema.get("minimum"), self.schema.get("maximum")) == RATED


class HabitQuestion(NamedTuple):
    """Question that a habit answers, and a lot that is the same for the same question."""

    request: ChatRequest
    lot: Random


Habit = Callable[[AnswerValue, HabitQuestion], None]
Spoil = Callable[[ChatRequest, str], Spoilt]
"""Returns a right answer as a model would give it."""


def spots(answer: Any, schema: Mapping[str, Any], defined: Mapping[str, Any]) -> Iterator[AnswerValue]:
    """Yield every value of an answer that is no object or list, and every list of objects."""
    schema = defined.get(str(schema.get("$ref", "")).rpartition("/")[2], schema)
    if isinstance(answer, dict):
        inner = [(key, schema.get("properties", {}).get(key, {})) for key in answer]
    else:
        inner = [(place, schema.get("items", {})) for place in range(len(answer))]
    for key, form in inner:
        if isinstance(answer[key], dict | list):
            yield from spots(answer[key], form, defined)
        if not isinstance(answer[key], dict):
            yield AnswerValue(answer, key, form)


@cache
def examples(title: str) -> tuple[str, ...]:
    """Return the concrete examples in the template of a question."""
    file = TEMPLATES / f"{title}.txt"
    return tuple(_examples_in(file.read_text("utf-8"))) if file.is_file() else ()


def _examples_in(text: str) -> Iterator[str]:
    yield from (named or quoted for named, quoted in EXAMPLE.findall(text))


def hints_of(request: ChatRequest) -> Iterator[str]:
    """Yield what the form of a question says of its values, and the examples in its template."""
    yield from examples(request.question)
    yield from _descriptions(request.schema)


def _descriptions(schema: object) -> Iterator[str]:
    if isinstance(schema, Mapping):
        yield from (text for key, text in schema.items() if key == "description" and isinstance(text, str))
    inner = schema.values() if isinstance(schema, Mapping) else schema if isinstance(schema, list) else ()
    for each in inner:
        yield from _descriptions(each)


def copies(spot: AnswerValue, asked: HabitQuestion) -> None:
    """Write the example of a form or a prompt instead of an answer, and the hint of a form where nothing is to say."""
    if not spot.is_text:
        return
    hint = str(spot.schema.get("description", ""))
    found = next(_examples_in(hint), "") or next(iter(examples(asked.request.question)), "")
    spot.holder[spot.key] = found or spot.value or hint


def first_option(spot: AnswerValue, _asked: HabitQuestion) -> None:
    if spot.options:
        spot.holder[spot.key] = spot.options[0]


def ends_at_once(spot: AnswerValue, _asked: HabitQuestion) -> None:
    """End every talk with its first words."""
    if isinstance(spot.value, bool) and str(spot.key).startswith("end"):
        spot.holder[spot.key] = True
    elif isinstance(spot.value, list) and any(isinstance(each, dict) and "said" in each for each in spot.value):
        del spot.value[1:]


def mixes_clocks(spot: AnswerValue, _asked: HabitQuestion) -> None:
    """Write the hours after noon as on a 12-hour clock, without saying so."""
    if spot.is_text:
        spot.holder[spot.key] = TIME.sub(lambda time: f"{int(time[1]) - NOON}:{time[2]}", spot.value)
    elif type(spot.value) is int and "hour" in str(spot.key) and spot.value > NOON:
        spot.holder[spot.key] -= NOON


def talks(spot: AnswerValue, asked: HabitQuestion) -> None:
    """Talk to everyone, and never end a talk."""
    if "talk" in spot.options:
        spot.holder[spot.key] = "talk"
    elif isinstance(spot.value, bool) and str(spot.key).startswith("end"):
        spot.holder[spot.key] = False
    elif spot.key == "utterance" and not spot.value:
        spot.holder[spot.key] = asked.lot.choice(MORE_TO_SAY)


def says_yes(spot: AnswerValue, asked: HabitQuestion) -> None:
    """Find everything important, talk often, and rarely end a talk."""
    if spot.is_rating:
        spot.holder[spot.key] = min(RATED[1], spot.value + 3)
    elif "talk" in spot.options and asked.lot.random() < WANTS_TO_TALK:
        spot.holder[spot.key] = "talk"
    elif spot.value is True and str(spot.key).startswith("end"):
        spot.holder[spot.key] = asked.lot.random() < LETS_GO


SYSTEMATIC: Mapping[str, Habit] = {
    "copies": copies, "first option": first_option, "ends at once": ends_at_once, "mixes clocks": mixes_clocks,
}  # fmt: skip
TEMPERAMENTS: Mapping[str, Mapping[str, Habit]] = {
    "systematic": SYSTEMATIC,
    **{name.replace(" ", "-"): {name: habit} for name, habit in SYSTEMATIC.items()},
    "talker": {"talks": talks},
    "yes-sayer": {"says yes": says_yes},
}
"""Habits by the name of the model that has them: all systematic ones together, each alone, and two temperaments."""
MODELS = (*PROFILES, *TEMPERAMENTS)
PLANTED = [text for kind in ("sentences_abroad", "refusals", "closings") for text in WORDS[kind]]
"""Sentences that only these models say."""


@dataclass(frozen=True)
class Temperament:
    """Changes right answers as a model with these habits would."""

    habits: Mapping[str, Habit]
    seed: int = 0

    def spoil(self, request: ChatRequest, right: str) -> Spoilt:
        """Return a right answer, a JSON object, as this model would give it."""
        asked, corrections = request.messages[0].content, len(request.messages) // 2
        if corrections and self._lot(f"{corrections} stubborn {asked}").random() >= STUBBORN:
            return Spoilt(right)
        answer, shown = json.loads(right), []
        for name, habit in self.habits.items():
            before, question = json.dumps(answer), HabitQuestion(request, self._lot(f"{name} {asked}"))
            for spot in list(spots(answer, request.schema, request.schema.get("$defs", {}))):
                habit(spot, question)
            shown += [name] if json.dumps(answer) != before else []
        return Spoilt(json.dumps(answer, ensure_ascii=False), habits=tuple(shown))

    def _lot(self, about: str) -> Random:
        return Random(blake2b(f"{self.seed} {about}".encode()).digest())  # noqa: S311 - a play, no secrets


def model_named(name: str, seed: int) -> Spoil:
    """Return what a model of this name makes of right answers. Raises KeyError."""
    if name in TEMPERAMENTS:
        return Temperament(TEMPERAMENTS[name], seed).spoil
    spoiler = Spoiler(Profile.named(name), seed)
    return lambda request, right: spoiler.spoil(
        [{"role": message.role, "content": message.content} for message in request.messages], right
    )


def spoilt_reply(right: ChatReply, spoilt: Spoilt) -> ChatReply:
    """Return a reply with a spoilt answer, as it is read from a provider: judged as that of a model, for the rules are
    trusted.
    """
    choice = ResponseChoice.model_validate({"message": {"content": spoilt.text}, "finish_reason": spoilt.finish})
    return replace(right, text=choice.message.content, model=NAME, fault=choice.fault)


@dataclass(frozen=True)
class HabitualChat:
    """Chat client whose right answers are spoilt before they are read."""

    chat: Chat
    spoil: Spoil

    async def complete(self, request: ChatRequest) -> ChatReply:
        right = await self.chat.complete(request)
        return spoilt_reply(right, self.spoil(request, right.text))
