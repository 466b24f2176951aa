"""Rules for two personas in sight of each other: may one talk to, or wait for, the other?"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from ville.persona.cognitive_modules.view import VisiblePersona
from ville.persona.memory_structures.action import Action
from ville.persona.memory_structures.scratch import Scratch
from ville.persona.memory_structures.stream.associative_memory import AssociativeMemory
from ville.persona.prompt_template.blanks import DialogueTurn, SaidOfLate, blank_text
from ville.persona.prompt_template.react_questions import Choice
from ville.world.address import WAITING

LATE = 23
"""Hour of the day from which no conversations start."""
COOL_DOWN = timedelta(hours=2, minutes=13, seconds=20)
"""Time between two conversations with the same persona: 800 steps of ten seconds, as in the released code."""
NEVER = "never"
OF_LATE = timedelta(days=2)
"""Time within which a persona does not tell or ask another the same again."""
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Encounter:
    """A persona with access to its own state, and what it sees of another."""

    own: Scratch
    other: VisiblePersona
    now: datetime
    may_talk: bool = True
    """Whether no rule keeps them from talking here."""

    @property
    def action(self) -> Action:
        """Own action. Raise ValueError if there is none."""
        if self.own.action is None:
            raise ValueError(f"{self.own.name} has no action yet.")
        return self.own.action

    @property
    def descriptions(self) -> tuple[str, str]:
        """Return the activities of this persona and of the other."""
        return self.action.description, self.other.doing or ""

    @property
    def wait_ends(self) -> datetime:
        """A minute before the other's action ends; now, if its end is unknown."""
        return self.other.until - MINUTE if self.other.until else self.now


def allowed_choices(encounter: Encounter) -> tuple[Choice, ...]:
    """Return the reactions that are possible; `carry on` always is."""
    if not _both_act(encounter):
        return ("carry on",)
    allowed = (choice for choice, rules in RULES.items() if all(rule(encounter) for rule in rules))
    return (*allowed, "carry on")


def available_to_talk(scratch: Scratch) -> bool:
    """Return whether a persona has an action and is not asleep, waiting, mending an object or in a conversation."""
    action = scratch.action
    if action is None or action.mends or scratch.conversation:
        return False
    return not action.asleep and not action.address.startswith(WAITING)


def describe_last_talk(memory: AssociativeMemory, other: str, now: datetime) -> str:
    """Return when and about what two personas last talked, as quoted in prompts."""
    node = memory.last_chat_with(other)
    if node is None:
        return NEVER
    return f"{blank_text(node.created)}, {(now - node.created) // MINUTE} minutes ago, {node.description}"


def said_of_late(memory: AssociativeMemory, other: str, now: datetime) -> SaidOfLate | None:
    """Return what a memory's owner and another said to each other in the last two days; None if they did not talk."""
    late = [node for node in memory.chats_with(other) if now - node.created <= OF_LATE and not memory.is_hidden(node)]
    turns = tuple(DialogueTurn(speaker, said) for node in reversed(late) for speaker, said in node.transcript)
    return SaidOfLate(memory.owner, turns) if turns else None


def _both_act(encounter: Encounter) -> bool:
    other = encounter.other
    return encounter.own.action is not None and other.doing is not None and other.address is not None


def _both_are_awake(encounter: Encounter) -> bool:
    return not encounter.action.asleep and not encounter.other.asleep


def _is_early_enough(encounter: Encounter) -> bool:
    return encounter.now.hour < LATE


def _self_is_free(encounter: Encounter) -> bool:
    return encounter.own.conversation is None and not encounter.action.address.startswith(WAITING)


def _other_is_free(encounter: Encounter) -> bool:
    return encounter.other.chatting_with is None and not (encounter.other.address or "").startswith(WAITING)


def _is_allowed(encounter: Encounter) -> bool:
    return encounter.may_talk


def _cool_down_is_over(encounter: Encounter) -> bool:
    return encounter.own.cool_downs.get(encounter.other.name, 0) <= 0


def _other_is_not_waiting(encounter: Encounter) -> bool:
    return "waiting" not in encounter.descriptions[1]


def _self_is_walking(encounter: Encounter) -> bool:
    return bool(encounter.own.planned_path)


def _same_destination(encounter: Encounter) -> bool:
    return encounter.action.address == encounter.other.address


def _wait_is_long_enough(encounter: Encounter) -> bool:
    return encounter.wait_ends > encounter.now


ALWAYS = (_both_are_awake, _is_early_enough, _self_is_free)
RULES: dict[Choice, tuple[Callable[[Encounter], bool], ...]] = {
    "talk": (*ALWAYS, _other_is_free, _cool_down_is_over, _is_allowed),
    "wait": (*ALWAYS, _other_is_not_waiting, _self_is_walking, _same_destination, _wait_is_long_enough),
}
"""Conditions of each reaction."""
