"""A provider that answers as the offline rules do, so that a model behind it is known to be like the reference.

A server reads only texts, and the rules read fields: so the request of each text is noted where it is sent, in this
process.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from chat_server import Received, Reply, completion

from ville.assembly.models import SwappedChat

SPOKEN = ("converse/next_utterance", "converse/utterance_by_impression", "converse/whole_talk")
"""Questions whose answers are said."""
FORM = "Answer only with one JSON object"
Change = Callable[[str, Any], Any]
"""Returns what is answered to a question of this title, instead of the answer of the rules."""


class RuledProvider:
    """Answers each question as the rules would in its run; what a model says differently is in `changes`, by name."""

    def __init__(self, monkeypatch: Any, changes: Mapping[str, Change]) -> None:
        self.changes = changes
        self.asked = 0
        self._noted: dict[str, tuple[Any, Any]] = {}
        """Rules and request by the words of a question."""
        complete = SwappedChat.complete

        async def noting(swapped: SwappedChat, request: Any) -> Any:
            self._noted[_asked([each.content for each in request.messages])] = (swapped._rules, request)
            return await complete(swapped, request)

        monkeypatch.setattr(SwappedChat, "complete", noting)

    def chat(self, request: Received) -> Reply:
        self.asked += 1
        rules, asked = self._noted[_asked([each["content"] for each in request.body["messages"]])]
        answer = json.loads(rules.answer(asked, like=asked).text)
        if change := self.changes.get(request.body["model"]):
            answer = change(asked.question, answer)
        return Reply(completion(json.dumps(answer), request))


def _asked(messages: Sequence[str]) -> str:
    """Return the words of a question without the form of its answer, which is added where it is sent."""
    return "\n".join(messages).partition(FORM)[0].strip()


def silent_about(word: str) -> Change:
    """Return the change of a model that says nothing with this word to anyone: whoever speaks, talks of the weather."""

    def change(title: str, answer: Any) -> Any:
        return _without(answer, word) if title in SPOKEN else answer

    return change


def _without(answer: Any, word: str) -> Any:
    if isinstance(answer, dict):
        return {key: _without(value, word) for key, value in answer.items()}
    if isinstance(answer, list):
        return [_without(value, word) for value in answer]
    return "What fine weather it is." if isinstance(answer, str) and word in answer.lower() else answer
