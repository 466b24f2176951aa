"""A server that answers as small models do: right answers, spoilt by their habits at known rates.

The same profile, seed and request give the same answer; a correction may be answered better. By hand:
`python tests/servers/spoiling.py 8001 --profile small`, then as for chat_server.py.
"""

import argparse
import json
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any, Self

import yaml
from chat_server import ChatServer, Received, Reply, completion
from default_answers import answer_to
from habits import AROUND, CONTENT, FORM, HabitContext, Text

DATA = Path(__file__).with_suffix(".yaml")
NAME = re.compile(r"^Name: (.+)$", re.MULTILINE)


@cache
def _data() -> dict[str, Any]:
    return dict(yaml.safe_load(DATA.read_text("utf-8")))


@dataclass(frozen=True)
class Profile:
    """Rates of habits."""

    rates: Mapping[str, float]
    stubborn: float = 0.0
    """Share of corrected answers that repeat the fault."""

    @classmethod
    def named(cls, name: str) -> Self:
        kept = _data()["profiles"][name]
        return cls(kept["habits"], kept["stubborn"])


PROFILES = tuple(_data()["profiles"])
WORDS = _data()["words"]


@dataclass(frozen=True)
class Spoilt:
    """A spoilt answer, why it ends, and the habits that it shows."""

    text: str
    finish: str = "stop"
    habits: tuple[str, ...] = ()


@dataclass(frozen=True)
class Spoiler:
    """Spoils answers by a profile."""

    profile: Profile
    seed: int = 0

    def spoil(self, messages: list[Mapping[str, str]], right: str) -> Spoilt:
        """Return a right answer, a JSON object, as the model of this profile would give it."""
        asked = [message["content"] for message in messages if message["role"] == "user"]
        attempt = len(asked) - 1
        while attempt and self._lot(f"{attempt} stubborn {asked[0]}").random() < self.profile.stubborn:
            attempt -= 1
        name = NAME.search(asked[0])
        return self._spoilt(right, f"{attempt} {asked[0]}", name[1] if name else "Assistant")

    def _spoilt(self, right: str, asked: str, name: str) -> Spoilt:
        """Apply habits of content, then at most one of form, then those around the answer."""
        answer, shown = json.loads(right), []
        prompts = {
            habit: HabitContext(name, _data()["words"], self._lot(f"{habit} {asked}")) for habit in self.profile.rates
        }
        due = [habit for habit, prompt in prompts.items() if prompt.lot.random() < self.profile.rates[habit]]
        for habit in (habit for habit in CONTENT if habit in due):
            before = json.dumps(answer)
            CONTENT[habit](answer, prompts[habit])
            shown += [habit] if json.dumps(answer) != before else []
        text = Text(json.dumps(answer, ensure_ascii=False))
        outside = [*[habit for habit in FORM if habit in due][:1], *(habit for habit in AROUND if habit in due)]
        for habit in outside:
            text = _then(text, (FORM | AROUND)[habit], prompts[habit])
        return Spoilt(text.text, text.finish, (*shown, *outside))

    def _lot(self, about: str) -> Random:
        return Random(blake2b(f"{self.seed} {about}".encode()).digest())  # noqa: S311 - a play, no secrets

    def chat(self, request: Received) -> Reply:
        """Answer a request to a chat server."""
        spoilt = self.spoil(request.body["messages"], answer_to(request.body))
        return Reply(completion(spoilt.text, request, finish=spoilt.finish))


def _then(text: Text, habit: Callable[[str, HabitContext], Text], prompt: HabitContext) -> Text:
    """Apply a habit to what another one has left; an answer that breaks off remains one."""
    changed = habit(text.text, prompt)
    return changed if text.finish == "stop" else Text(changed.text, text.finish)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", nargs="?", type=int, default=0)
    parser.add_argument("--profile", choices=PROFILES, default="small")
    parser.add_argument("--seed", type=int, default=0)
    choice = parser.parse_args()
    spoiler = Spoiler(Profile.named(choice.profile), choice.seed)
    with ChatServer(spoiler.chat, port=choice.port) as server:
        print(server.url, flush=True)  # noqa: T201
        threading.Event().wait()


if __name__ == "__main__":
    main()
