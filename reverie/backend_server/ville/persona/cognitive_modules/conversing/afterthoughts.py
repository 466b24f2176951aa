"""Thoughts after a conversation (paper §4.2): what it means for plans, what was remarkable, what was agreed on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from pydantic import ValidationError

from ville.json_types import JsonObject
from ville.persona.cognitive_modules.committing.commit import FOR_PLANNING, agreed_today, commit_by_talk
from ville.persona.cognitive_modules.committing.telling import news_heard, note_talk
from ville.persona.cognitive_modules.conversing import social_memory
from ville.persona.cognitive_modules.conversing.agreed import may_agree, was_agreed
from ville.persona.cognitive_modules.mind import Mind, Moment, muse, remember
from ville.persona.cognitive_modules.planning.appointments import keep_appointment
from ville.persona.cognitive_modules.planning.subtasks import day_lines
from ville.persona.cognitive_modules.situated import situated_self
from ville.persona.memory_structures.scratch import Conversation
from ville.persona.memory_structures.stream.concept_node import CHATS_WITH, ConceptNode, Experience, thought
from ville.persona.prompt_template.ask import Caller, answered_by_rules, ask
from ville.persona.prompt_template.blanks import DialogueTurn
from ville.persona.prompt_template.conversation_answers import Afterthought, Appointment, KeptOfTalk
from ville.persona.prompt_template.converse_questions import AfterConversation, AfterImpression, AfterSmallTalk

HOUR = timedelta(hours=1)
OF_OTHER = {"relationship", "feeling", "summary"}
"""Fields of an impression."""


@dataclass(frozen=True)
class _AfterTalk:
    """All that a persona keeps of a talk."""

    for_planning: Afterthought
    memo: Afterthought
    today: Appointment
    """Agreed on for later today."""
    impression: KeptOfTalk | None
    """With that of the other, if it was asked for; None otherwise."""

    def as_json(self) -> JsonObject:
        parts = {"for_planning": self.for_planning, "memo": self.memo, "today": self.today}
        impression = self.impression.model_dump(include=OF_OTHER) if self.impression else None
        return {**{name: part.model_dump() for name, part in parts.items()}, "impression": impression}

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> "_AfterTalk":
        """Return what was written; it was checked when it was answered."""
        planning, memo = (Afterthought.model_construct(**values[name]) for name in ("for_planning", "memo"))
        impression = values["impression"] and KeptOfTalk.model_construct(**values["impression"])
        return cls(planning, memo, Appointment.model_construct(**values["today"]), impression)


async def reflect_on_talk(mind: Mind, moment: Moment, conversation: Conversation) -> None:
    """Remember what matters for planning and what was remarkable, with the conversation as evidence."""
    if mind.stream.last_chat_with(conversation.partner):
        asked = _question(mind, moment, conversation)
        await _keep(mind, moment, conversation, await _kept(mind, moment.caller, conversation, asked))


def muse_on_talk(mind: Mind, moment: Moment, conversation: Conversation) -> None:
    """Begin to think about a conversation whose words are known, unless that has begun.

    What came of it counts when the talk is over, at the earliest, and else before the next full hour: what was agreed
    on begins at one.
    """
    begun = (_conversation(each.about) for each in mind.musings if each.kind == "talk")
    if any(each.transcript == conversation.transcript for each in begun):
        return
    asked = _question(mind, moment, conversation)

    async def think_of_it(later: Moment) -> JsonObject:
        kept = await _kept(mind, later.caller, conversation, asked)
        await later.embed(list(_texts(mind, kept)))  # so that they are remembered without a call
        return kept.as_json()

    hour = moment.now.replace(minute=0, second=0, microsecond=0) + HOUR
    last = hour - timedelta(seconds=moment.view.seconds_per_step)
    lines: JsonObject = {"partner": conversation.partner, "transcript": conversation.transcript}
    about = {**lines, "kept": conversation.kept}
    until = max(last, conversation.until or last)
    muse(mind, moment, "talk", about=about, thought=think_of_it, until=until)


async def finish_talk(mind: Mind, moment: Moment, about: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    """Remember what came of thinking about a conversation."""
    await _keep(mind, moment, _conversation(about), _AfterTalk.read(found))


def begin_talk_again(mind: Mind, moment: Moment, about: Mapping[str, Any]) -> None:
    """Begin to think about a conversation of which a call has failed."""
    muse_on_talk(mind, moment, _conversation(about))


def _conversation(about: Mapping[str, Any]) -> Conversation:
    transcript = tuple((speaker, said) for speaker, said in about["transcript"])
    return Conversation(about["partner"], transcript, until=None, kept=about["kept"])


_Asked = KeptOfTalk | AfterImpression | AfterConversation
"""Memories that were written with a conversation, or the question for them."""


def _question(mind: Mind, moment: Moment, conversation: Conversation) -> _Asked:
    if kept := _kept_before(conversation):
        return kept
    return (_after_impression if mind.settings.social_memory else _after_conversation)(mind, moment, conversation)


async def _kept(mind: Mind, caller: Caller, conversation: Conversation, asked: _Asked) -> _AfterTalk:
    """Return what a persona keeps of a conversation. What a model says of it counts only if it was said."""
    impression, answer = None, None
    if isinstance(asked, AfterConversation):
        answer = await ask(caller, asked)
    else:
        impression = await ask(caller, asked) if isinstance(asked, AfterImpression) else asked
        answer = impression.afterthoughts
    planning, memo, today = answer.for_planning, answer.memo, answer.today
    if mind.settings.questions == "situated" and not answered_by_rules(caller):
        if news := news_heard(mind, conversation):
            memo = _heard(mind, conversation, *news)
        planning = planning if was_agreed(planning.text, conversation) else Afterthought(text="")
        today = today if was_agreed(f"{today.what} at {today.hour}:00", conversation) else Appointment()
    return _AfterTalk(planning, memo, today, impression)


async def _keep(mind: Mind, moment: Moment, conversation: Conversation, kept: _AfterTalk) -> None:
    """Remember and note what is kept of a conversation."""
    chat = mind.stream.last_chat_with(conversation.partner)
    if chat is None:
        return
    thoughts = [each for each in (kept.for_planning, kept.memo) if each.text]
    found = [
        _afterthought(mind, moment, text, answer=answer, chat=chat)
        for text, answer in zip(_texts(mind, kept), thoughts, strict=True)
    ]
    note_talk(mind, moment.now, conversation)
    commit_by_talk(mind, moment.view, conversation, await remember(mind, moment, found))
    if agreed_today(mind, moment, conversation, kept.today):
        keep_appointment(mind, moment.now, kept.today)
    if kept.impression:
        social_memory.note_kept(mind, moment.view, conversation.partner, kept.impression)


def _texts(mind: Mind, kept: _AfterTalk) -> Iterator[str]:
    """Yield the texts of the thoughts that are kept."""
    if kept.for_planning.text:
        yield FOR_PLANNING.format(name=mind.name) + kept.for_planning.text
    if kept.memo.text:
        yield kept.memo.text


def _heard(mind: Mind, conversation: Conversation, sentence: str, poignancy: int) -> Afterthought:
    """Return what one remembers of news: who told it, and the words."""
    text = f"{conversation.partner} told {mind.name}: {sentence}"
    return Afterthought.model_construct(text=text, predicate="told", object=sentence, poignancy=poignancy)


def _kept_before(conversation: Conversation) -> KeptOfTalk | None:
    """Return what was answered with the conversation; None if nothing usable was."""
    try:
        return KeptOfTalk.model_validate(conversation.kept) if conversation.kept else None
    except ValidationError:
        return None


def _after_conversation(mind: Mind, moment: Moment, conversation: Conversation) -> AfterConversation:
    situated = mind.settings.questions == "situated"
    small = situated and not may_agree(conversation, mind.places.sectors(moment.view.maze.world))
    kind = AfterSmallTalk if small else AfterConversation
    return kind(
        identity=mind.identity_text(moment.now),
        name=mind.name,
        other=conversation.partner,
        now=moment.now,
        day=day_lines(mind.scratch.hourly_schedule, moment.now),
        transcript=tuple(DialogueTurn(speaker, said) for speaker, said in conversation.transcript),
        at_hand=situated_self(mind, moment),
    )


def _after_impression(mind: Mind, moment: Moment, conversation: Conversation) -> AfterImpression:
    """Return the question for the afterthoughts and the impression of the other."""
    return AfterImpression(
        identity=mind.scratch.identity.character,
        name=mind.name,
        other=conversation.partner,
        known=social_memory.known_impression(mind, conversation.partner).whole_text,
        now=moment.now,
        day=social_memory.rest_of_day(mind, moment.now),
        transcript=tuple(DialogueTurn(speaker, said) for speaker, said in conversation.transcript),
        at_hand=situated_self(mind, moment),
    )


def _afterthought(mind: Mind, moment: Moment, text: str, *, answer: Afterthought, chat: ConceptNode) -> Experience:
    core = (mind.name, answer.predicate or CHATS_WITH, answer.object or chat.object)
    return thought(
        moment.now,
        core,
        text,
        poignancy=answer.poignancy,
        keywords=tuple(dict.fromkeys(core)),
        evidence=(chat.node_id,),
    )
