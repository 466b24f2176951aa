"""The answers of a recorded run in another one, but for one question: the one whose answer is an act.

A test with a model holds what was asked before the act, so that what differs between its two sides is the deciding
question alone, which is asked afresh.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from ville.analysis.why.cause import Act
from ville.analysis.why.chain import DECIDES, LEADING
from ville.analysis.why.heard import says
from ville.analysis.why.likeness import words_of
from ville.assembly.same_draws import Asked
from ville.llm.gateway import OFFLINE_RULES, Chat, ChatReply, ChatRequest
from ville.offline.rule_book import RuleBook

TOPICS = ("about", "activity", "action", "doing", "happened", "happenings", "other", "transcript")
"""Blanks that tell questions of one name in a step apart; of a transcript, its length: the turn of a talk."""
TALK, WHOLE_TALK = "converse/", "converse/whole_talk"
SPEAKING = ("converse/next_utterance", "converse/utterance_by_impression")
LEADS: dict[str, tuple[str, ...]] = {
    "action": tuple(name for names in DECIDES.values() for name in names),
    "utterance": (TALK,),
    "thought": (*LEADING, WHOLE_TALK, *DECIDES["plan"]),
}
"""Beginnings of the names of questions that may decide each kind of act."""
MOST = 0.5
"""Least share of the words of an act that the answer has which decides it, where none has it word for word."""


class QuestionKey(NamedTuple):
    """Step, persona, name and topic of a question, however its prompt is worded: its corrections have the same."""

    step: int
    persona: str
    question: str
    topic: tuple[str, ...]

    @classmethod
    def of(cls, request: ChatRequest) -> "QuestionKey":
        fields = request.fields
        topic = tuple(
            str(_turn(request) if name == "transcript" else fields[name]) for name in TOPICS if fields.get(name)
        )
        return cls(request.step, request.persona, request.question, topic)


def _turn(request: ChatRequest) -> int:
    lines = request.fields.get("transcript") or ()
    return len(lines) if isinstance(lines, tuple) else 0


def deciding_question(asked: Iterable[Asked], act: Act) -> QuestionKey | None:
    """Return the question whose answer is an act: the turn of an utterance, else the last one whose answer says it,
    else the one whose answer has most of its words; None if there is none among these.
    """
    able = [each for each in asked if _may_decide(each.request, act)]
    turns = [each for each in able if _is_turn(each.request, act)]
    told = turns or [each for each in able if says(each.reply.text, act.words)]
    if told:
        return QuestionKey.of(told[-1].request)
    words = words_of(act.words) - words_of(act.who)
    shares = [(len(words & words_of(each.reply.text)) / max(len(words), 1), place) for place, each in enumerate(able)]
    share, place = max(shares, default=(0.0, 0))
    return QuestionKey.of(able[place].request) if share >= MOST else None


def _may_decide(request: ChatRequest, act: Act) -> bool:
    """Return whether a question leads to such acts, and was put to the persona, or to the first speaker of a talk."""
    own = request.persona == act.who or request.question.startswith((WHOLE_TALK, "converse/conversation_gist"))
    if act.kind == "utterance" and not request.question.startswith((*SPEAKING, WHOLE_TALK)):
        return False
    return own and request.step <= act.step and request.question.startswith(LEADS[act.kind])


def _is_turn(request: ChatRequest, act: Act) -> bool:
    speaks = act.kind == "utterance" and request.question.startswith(SPEAKING)
    return speaks and (request.step, _turn(request)) == (act.step, act.turn)


class HeldAnswers:
    """Layer that gives recorded answers, whatever their prompts say now. The deciding question is asked afresh, and so
    is what was not asked in the recorded run. What comes after the act does not change it: there, the rules answer what
    has no recorded answer.
    """

    def __init__(self, chat: Chat, asked: Iterable[Asked], *, deciding: QuestionKey | None, seed: int) -> None:
        self._chat, self._rules, self._deciding = chat, RuleBook(seed), deciding
        self._held: defaultdict[QuestionKey, list[ChatReply]] = defaultdict(list)
        noted = list(asked)
        lines = {place: words for each in noted for place, words in _lines(each.request)}
        for each in noted:
            self._held[QuestionKey.of(each.request)].append(_as_said(each, lines))
        self.decided = False
        """Whether the deciding question has come."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        key = QuestionKey.of(request)
        if key == self._deciding:
            self.decided = True
            return await self._chat.complete(request)
        if held := self._held.get(key):
            return held.pop(0)
        return await (self._rules if self.decided else self._chat).complete(request)


Line = tuple[int, str, int]
"""Step, speaker and turn."""


def _has_own_keys(request: ChatRequest) -> bool:
    parts = request.schema.get("properties")
    return isinstance(parts, dict) and "utterance" not in parts


def _lines(request: ChatRequest) -> Iterator[tuple[Line, str]]:
    """Yield the lines of a talk that a question tells."""
    lines = request.fields.get("transcript") or ()
    for turn, line in enumerate(lines if isinstance(lines, tuple) else ()):
        yield (request.step, line.speaker, turn), line.said


def _as_said(asked: Asked, lines: dict[Line, str]) -> ChatReply:
    """Return an answer. The keys of an utterance are those of its subject, which may be another now: it is given as it
    was said.
    """
    request, reply = asked
    said = lines.get((request.step, request.persona, _turn(request)))
    if said and reply.model != OFFLINE_RULES and request.question.startswith(SPEAKING) and _has_own_keys(request):
        return replace(reply, text=json.dumps({"utterance": said}), fault="")
    return reply
