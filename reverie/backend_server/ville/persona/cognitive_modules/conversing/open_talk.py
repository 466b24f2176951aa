"""Conversations with a visitor, turn by turn: a visitor answers when its user does, and the town goes on meanwhile.

A conversation is `invited` until the persona has first spoken, then `open`, and `ending` until its consequences are
stored. Deadlines count game time from the last turn.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from ville.persona.cognitive_modules.conversing.converse import (
    BUBBLE,
    note_cool_down,
    speak,
    summed_up,
)
from ville.persona.cognitive_modules.conversing.impression import form_relationship
from ville.persona.cognitive_modules.conversing.speaker import MOST_UTTERANCES, Speaker
from ville.persona.cognitive_modules.mind import (
    Embedded,
    Mind,
    Moment,
    add_to_stream,
    embed_experiences,
    minute_of_day,
    next_full_minute,
    remember,
)
from ville.persona.cognitive_modules.planning.reschedule import reschedule
from ville.persona.cognitive_modules.view import VISITING, TownView
from ville.persona.memory_structures.action import Action
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY
from ville.persona.memory_structures.scratch import Conversation, Scratch, Transcript
from ville.persona.memory_structures.stream.concept_node import CHATS_WITH, talk, thought
from ville.persona.prompt_template.answers.poignancy import DEFAULT_POIGNANCY
from ville.persona.prompt_template.conversation_answers import Utterance
from ville.world.address import NearPersona, Tile
from ville.world.maze import Maze
from ville.world.tile_event import Event

MINUTE = timedelta(minutes=1)
NUDGES_AFTER, LEAVES_AFTER = 6 * MINUTE, 12 * MINUTE
"""Silence of a visitor after which the persona speaks once more, and after which it leaves."""
CLOSE = 2
"""Tiles at which two hear each other across the border of an arena."""
CONVERSING_WITH = "conversing with {name}"

State = Literal["invited", "open", "ending"]
Side = Literal["persona", "visitor"]
Part = Literal["wait", "speak", "nudge", "end"]


@dataclass(frozen=True)
class OpenTalk:
    """A conversation between a persona and a visitor that is not over yet."""

    persona: str
    visitor: str
    situation: str
    """How it began."""
    opened: datetime
    """Game time."""
    since: datetime
    """Game time of the last turn."""
    transcript: Transcript = ()
    turn: Side = "persona"
    """Who speaks next."""
    state: State = "invited"
    relationship: str = ""
    """Relationship of the visitor to the persona; empty while invited."""
    nudged: bool = False
    """Whether the persona has spoken again because the visitor was silent."""

    def heard(self, words: str, now: datetime) -> "OpenTalk":
        """Return the conversation with words of the visitor; several before an answer make one turn."""
        turns = self.transcript
        if self.turn == "persona" and turns and turns[-1][0] == self.visitor:
            turns, words = turns[:-1], f"{turns[-1][1]} {words}"
        said = (*turns, (self.visitor, words))
        return replace(self, transcript=said, turn="persona", since=now, nudged=False)

    def with_utterance(self, spoken: Utterance, since: datetime) -> "OpenTalk":
        """Return the conversation with an utterance of the persona; it is over if that ends it or is empty."""
        said = ((self.persona, spoken.utterance),) if spoken.utterance else ()
        transcript = (*self.transcript, *said)
        over = spoken.ends or not said or len(transcript) >= MOST_UTTERANCES - 1
        return replace(self, transcript=transcript, turn="visitor", since=since, state="ending" if over else "open")

    def ending(self) -> "OpenTalk":
        """Return the conversation as over; its consequences are stored in the coming step."""
        return replace(self, state="ending")

    def words_since(self, before: "OpenTalk | None") -> str:
        """Return what the persona has said since an earlier state of the conversation, if anything."""
        new = self.transcript[len(before.transcript) if before else 0 :]
        return new[-1][1] if new else ""

    @property
    def pending(self) -> str:
        """The words of the visitor that are not answered yet."""
        spoken_last = self.turn == "persona" and self.transcript and self.transcript[-1][0] == self.visitor
        return self.transcript[-1][1] if spoken_last else ""


def visitor_event(name: str, about: str) -> Event:
    """Return what others see of a visitor."""
    return Event(name, "is", VISITING, f"{VISITING}: {about}")


def within_earshot(maze: Maze, here: Tile, there: Tile, radius: int) -> bool:
    """Return whether two can talk: in sight of each other in the same arena, or very close."""
    distance = max(abs(here.x - there.x), abs(here.y - there.y))
    same = maze.tile_path(here, "arena") == maze.tile_path(there, "arena")
    return distance <= CLOSE or (same and distance <= radius)


def begin_talk(persona: Scratch, visitor: str, about: str, now: datetime, *, approached: bool) -> OpenTalk:
    """Return a new conversation. `approached`: the visitor has come up to the persona, not the other way round."""
    doing = persona.action.description if persona.action else "here"
    comes = f"{visitor} came up" if approached else f"{persona.name} saw {visitor} and went up to {visitor}"
    situation = f"{persona.name} was {doing} when {comes}. {visitor} is {VISITING}: {about}."
    return OpenTalk(persona.name, visitor, situation, now, now)


def show_talk(scratch: Scratch, talk: OpenTalk, seconds_per_step: int) -> None:
    """Make the conversation the current action, or show its latest words.

    It ends by itself a little after the visitor's time is up: in engines that do not know conversations with visitors.
    """
    until = next_full_minute(talk.since + LEAVES_AFTER + 2 * timedelta(seconds=seconds_per_step))
    action, shown = scratch.action, scratch.conversation
    if shown is None or not shown.is_open or action is None:
        action = Action(
            address=str(NearPersona(talk.visitor)),
            start=talk.opened,
            minutes=1,
            description=CONVERSING_WITH.format(name=talk.visitor),
            emoji=BUBBLE,
            event=(scratch.name, CHATS_WITH, talk.visitor),
        )
        scratch.begin(action)
        scratch.path_set = talk.state == "invited"  # who is spoken to stands still, who begins walks up to the visitor
    scratch.action = replace(action, minutes=_minutes(talk.opened, until))
    scratch.conversation = Conversation(talk.visitor, talk.transcript, until, is_open=True)


def _minutes(start: datetime, end: datetime) -> int:
    """Return the length of an action that ends at a full minute."""
    return max(1, (end - next_full_minute(start)) // MINUTE)


def part_of(persona: Scratch, talk: OpenTalk, view: TownView) -> Part:
    """Return what the persona does in this step."""
    silence = view.now - talk.since
    if talk.state == "ending" or not _is_within_earshot(persona, view, talk.visitor):
        return "end"
    if talk.turn == "persona":
        return "speak"
    if silence >= LEAVES_AFTER:
        return "end"
    return "nudge" if silence >= NUDGES_AFTER and not talk.nudged else "wait"


def _is_within_earshot(persona: Scratch, view: TownView, visitor: str) -> bool:
    if visitor not in view.people:
        return False
    here, there = view.people[persona.name].tile, view.people[visitor].tile
    return within_earshot(view.maze, here, there, persona.tuning.vision_r)


async def approach(mind: Mind, moment: Moment, visitor: str) -> OpenTalk | None:
    """Return the conversation that a persona begins with a visitor; None if it has nothing to say.

    Raises a ModelError.
    """
    about = moment.view.visitors[visitor]
    talk = await answer(mind, moment, begin_talk(mind.scratch, visitor, about, moment.now, approached=False))
    return talk if talk.transcript else None


async def answer(mind: Mind, moment: Moment, talk: OpenTalk, *, nudges: bool = False) -> OpenTalk:
    """Return the conversation with what the persona says next; `nudges`: because the visitor is silent.

    Raises a ModelError; nothing has been said then.
    """
    silent = f" {talk.visitor} has been silent for {NUDGES_AFTER // MINUTE} minutes." if nudges else ""
    side = Speaker(mind, moment, talk.visitor, talk.situation + silent)
    introduced = await _introduction(mind, moment, talk.visitor)
    relationship = talk.relationship or await form_relationship(side)
    spoken = await speak(side, relationship, talk.transcript)
    add_to_stream(mind, introduced)
    after = talk.with_utterance(spoken, talk.since if nudges else moment.now)
    return replace(after, relationship=relationship, nudged=nudges)


async def _introduction(mind: Mind, moment: Moment, visitor: str) -> list[Embedded]:
    """Return who the visitor is as a thought, which comes to mind when it is spoken of; nothing if that is known."""
    text = f"{visitor} is {VISITING}: {moment.view.visitors[visitor]}"
    known_before = any(node.description == text for node in mind.stream.with_keyword("thought", visitor))
    if known_before or moment.frozen(mind.name):
        return []
    known = thought(moment.now, (visitor, "is", VISITING), text, poignancy=DEFAULT_POIGNANCY, keywords=(visitor,))
    return await embed_experiences(mind, moment, [known])


async def break_off(mind: Mind, moment: Moment) -> None:
    """Remember the open conversation that the persona leaves at once, if any. Raises a ModelError."""
    conversation = mind.scratch.conversation
    if conversation is None or not conversation.is_open:
        return
    other, transcript = conversation.partner, conversation.transcript
    text, poignancy = CONVERSING_WITH.format(name=other), DEFAULT_POIGNANCY
    triple = (mind.name, CHATS_WITH, other)
    chat = talk(moment.now, triple, text, poignancy=poignancy, keywords=(mind.name, other), transcript=transcript)
    await remember(mind, moment, [chat])
    note_cool_down(mind.scratch, other, moment.view)


async def close_talk(mind: Mind, moment: Moment, talk: OpenTalk) -> None:
    """Turn an open conversation into one that is ending, and make room in the schedule for the time it took.

    The next steps store it and think about it, as after any conversation. Raises a ModelError; nothing changes then.
    """
    now, step = moment.now, timedelta(seconds=moment.view.seconds_per_step)
    gist = (await summed_up(moment, talk.transcript)).gist
    until = next_full_minute(now + 2 * step)
    began = minute_of_day(talk.opened) if talk.opened.date() == now.date() else 0
    ends = minute_of_day(until) if until.date() == now.date() else MINUTES_PER_DAY
    schedule = await reschedule(mind, moment, gist, max(1, ends - began), since=began)
    scratch = mind.scratch
    if scratch.action:
        scratch.action = replace(scratch.action, description=gist, minutes=_minutes(talk.opened, until))
    scratch.schedule = schedule
    scratch.conversation = Conversation(talk.visitor, talk.transcript, until)
    note_cool_down(scratch, talk.visitor, moment.view)
