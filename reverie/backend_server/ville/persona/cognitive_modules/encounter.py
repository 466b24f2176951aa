"""Two people in sight of each other: what manners and circumstances allow."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from ville.persona.cognitive_modules.view import PersonaView
from ville.persona.memory_structures.action import Action
from ville.persona.memory_structures.associative_memory import AssociativeMemory
from ville.persona.memory_structures.scratch import Scratch
from ville.persona.prompt_template.blanks import blank_text
from ville.persona.prompt_template.react import Choice
from ville.world.address import WAITING

LATE = 23
"""The hour from which on people leave each other alone."""
COOL_DOWN = timedelta(hours=2, minutes=13, seconds=20)
"""How long one does not talk to the same person again: 800 steps of ten seconds."""
NEVER = "never"
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Encounter:
    """One persona, from the inside, before another, from the outside."""

    me: Scratch
    other: PersonaView
    now: datetime

    @property
    def action(self) -> Action:
        """Mine. Only to be asked for when there is one."""
        if self.me.action is None:
            raise ValueError(f"{self.me.name} does nothing yet.")
        return self.me.action

    @property
    def doings(self) -> tuple[str, str]:
        """What the two are doing: mine, then the other's."""
        return self.action.description, self.other.doing or ""

    @property
    def wait_ends(self) -> datetime:
        """A minute before the other is done; now, if nobody knows when that is."""
        return self.other.until - MINUTE if self.other.until else self.now


def allowed_choices(encounter: Encounter) -> tuple[Choice, ...]:
    """What can be done; carrying on always can."""
    if not _both_are_busy(encounter):
        return ("carry on",)
    allowed = (choice for choice, rules in RULES.items() if all(rule(encounter) for rule in rules))
    return (*allowed, "carry on")


def available_to_talk(me: Scratch) -> bool:
    """Whether somebody may go up to this persona at all: it is not asleep, waiting or talking."""
    if me.action is None or me.conversation:
        return False
    return not me.action.asleep and not me.action.address.startswith(WAITING)


def describe_last_talk(memory: AssociativeMemory, other: str, now: datetime) -> str:
    """When and about what the two last talked, as it stands in a prompt."""
    node = memory.last_chat_with(other)
    if node is None:
        return NEVER
    return f"{blank_text(node.created)}, {(now - node.created) // MINUTE} minutes ago, {node.description}"


def _both_are_busy(encounter: Encounter) -> bool:
    other = encounter.other
    return encounter.me.action is not None and other.doing is not None and other.address is not None


def _both_are_awake(encounter: Encounter) -> bool:
    return not encounter.action.asleep and not encounter.other.asleep


def _it_is_not_late(encounter: Encounter) -> bool:
    return encounter.now.hour < LATE


def _i_am_not_engaged(encounter: Encounter) -> bool:
    return encounter.me.conversation is None and not encounter.action.address.startswith(WAITING)


def _the_other_is_not_engaged(encounter: Encounter) -> bool:
    return encounter.other.chatting_with is None and not (encounter.other.address or "").startswith(WAITING)


def _we_have_not_just_talked(encounter: Encounter) -> bool:
    return encounter.me.cool_downs.get(encounter.other.name, 0) <= 0


def _the_other_does_not_wait(encounter: Encounter) -> bool:
    return "waiting" not in encounter.doings[1]


def _i_am_still_on_my_way(encounter: Encounter) -> bool:
    return bool(encounter.me.planned_path)


def _we_need_the_same(encounter: Encounter) -> bool:
    return encounter.action.address == encounter.other.address


def _waiting_takes_time(encounter: Encounter) -> bool:
    return encounter.wait_ends > encounter.now


ALWAYS = (_both_are_awake, _it_is_not_late, _i_am_not_engaged)
RULES: dict[Choice, tuple[Callable[[Encounter], bool], ...]] = {
    "talk": (*ALWAYS, _the_other_is_not_engaged, _we_have_not_just_talked),
    "wait": (*ALWAYS, _the_other_does_not_wait, _i_am_still_on_my_way, _we_need_the_same, _waiting_takes_time),
}
"""What has to be true for a choice."""
