"""The border to classes of a user's own: their methods are checked before a run, and what they return in every step."""

import inspect
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import get_args

from ville.errors import BadMind, ReverieError
from ville.persona.cognitive_modules.conversing.converse import ConversationResult
from ville.persona.cognitive_modules.mind import Mind, Moment
from ville.persona.cognitive_modules.protocols import PROTOCOLS, Method
from ville.persona.cognitive_modules.retrieve import RetrievedMemory
from ville.persona.cognitive_modules.view import Intent, Reaction, Talk
from ville.persona.memory_structures.action import Action
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, Schedule
from ville.persona.memory_structures.stream.concept_node import ConceptNode
from ville.plain_text import one_line, shortened
from ville.world.address import Tile

LONGEST_FAULT = 300
DOCUMENT = "docs/minds.md describes it"


def guarded(kind: str, name: str, made: object) -> Method:
    """Return the method of an object that replaces a part of a mind, with a check of what it returns.

    `name` is `module:Class`. Raises BadMind if there is no such method, or it takes other arguments.
    """
    protocol = PROTOCOLS[kind]
    method = _method(name, made, protocol)
    where, check = f"{protocol.__name__} of {name}", CHECKS[kind]

    def checked(returned: object, *arguments: object, **more: object) -> object:
        if said := check(returned, *arguments, **more):
            raise BadMind(f"{where} {said}; {DOCUMENT}.")
        return returned

    def now(*arguments: object, **more: object) -> object:
        with _told(where):
            returned = method(*arguments, **more)
        return checked(returned, *arguments, **more)

    async def later(*arguments: object, **more: object) -> object:
        with _told(where):
            returned = await method(*arguments, **more)
        return checked(returned, *arguments, **more)

    return later if inspect.iscoroutinefunction(protocol) else now


def told(fault: Exception) -> str:
    """Return what an error in code of a user says, in a few words."""
    return shortened(one_line(f"{type(fault).__name__}: {fault}"), LONGEST_FAULT)


@contextmanager
def _told(where: str) -> Iterator[None]:
    """Turn an error of a user's code into one line that says where it comes from."""
    try:
        yield
    except ReverieError:
        raise
    except Exception as fault:
        place = traceback.extract_tb(fault.__traceback__)[-1]
        line = f"{Path(place.filename).name}:{place.lineno}"
        raise BadMind(f"{where} failed at {line}: {told(fault)}.") from fault


def _method(name: str, made: object, protocol: Method) -> Method:
    """Return the method. Raises BadMind."""
    method: Method | None = getattr(made, protocol.__name__, None)
    later = inspect.iscoroutinefunction(protocol)
    shown = f"{'async ' if later else ''}def {protocol.__name__}({', '.join(_parameters(protocol))})"
    if not callable(method):
        raise BadMind(f"{name} has no method {protocol.__name__}. Define {shown}; {DOCUMENT}.")
    if inspect.iscoroutinefunction(method) is not later or not _takes(method, protocol):
        raise BadMind(f"{protocol.__name__} of {name} has another form. Define {shown}; {DOCUMENT}.")
    return method


def _takes(method: Method, protocol: Method) -> bool:
    """Return whether a method can be called with the arguments of the protocol."""
    parameters = list(inspect.signature(protocol).parameters.values())[1:]
    named = {each.name: None for each in parameters if each.kind is each.KEYWORD_ONLY}
    try:
        inspect.signature(method).bind(*[None] * (len(parameters) - len(named)), **named)
    except (TypeError, ValueError):
        return False
    return True


def _parameters(protocol: Method) -> Iterator[str]:
    """Yield the parameters as they are written."""
    only_named = False
    for each in inspect.signature(protocol).parameters.values():
        if each.kind is each.KEYWORD_ONLY and not only_named:
            only_named = True
            yield "*"
        yield each.name


def _perceived(nodes: object, mind: Mind, _moment: Moment) -> str:
    return "" if _are_memories(nodes, mind) else "does not return memories of the stream in a list"


def _retrieved(found: object, mind: Mind, *_: object, count: int, **_more: object) -> str:
    if not isinstance(found, list) or not all(isinstance(each, RetrievedMemory) for each in found):
        return "does not return a list of RetrievedMemory"
    if len(found) > count:
        return f"returns {len(found):,} memories; {count:,} were asked for"
    return "" if _are_memories([each.node for each in found], mind) else "returns memories that are not in the stream"


def _are_memories(nodes: object, mind: Mind) -> bool:
    """Return whether all nodes are in the stream of a mind."""
    if not isinstance(nodes, Sequence) or not all(isinstance(node, ConceptNode) for node in nodes):
        return False
    return all(0 < node.number <= len(mind.stream) and mind.stream[node.number] is node for node in nodes)


def _planned(returned: object, mind: Mind, moment: Moment, *_: object) -> str:
    scratch = mind.scratch
    for name, schedule in (("schedule", scratch.schedule), ("hourly_schedule", scratch.hourly_schedule)):
        if not isinstance(schedule, Schedule) or schedule.minutes != MINUTES_PER_DAY:
            return f"leaves a {name} that is no Schedule of {MINUTES_PER_DAY:,} minutes"
    if not isinstance(scratch.action, Action) or scratch.action_finished(moment.now):
        return "leaves no action that goes on; call mind.scratch.begin(Action(...))"
    return _nothing(returned)


def _reacted(reaction: object, _mind: Mind, moment: Moment, *_: object) -> str:
    if not isinstance(reaction, get_args(Reaction)):
        return "does not return CarryOn, Talk, WaitUntil or ChangeActivity"
    if isinstance(reaction, Talk) and reaction.to not in moment.view.people:
        return f"talks to {reaction.to}, who is not in town"
    return ""


def _conversed(result: object, first: tuple[Mind, Moment], second: tuple[Mind, Moment]) -> str:
    if result is None:
        return ""
    if not isinstance(result, ConversationResult):
        return "does not return a ConversationResult, or None"
    names = {first[0].name, second[0].name}
    turns = isinstance(result.transcript, tuple) and all(_is_turn(each, names) for each in result.transcript)
    if not turns or not result.transcript:
        return f"returns a transcript that is no tuple of pairs of speaker and words by {' and '.join(sorted(names))}"
    if not isinstance(result.minutes, int) or result.minutes < 1 or not isinstance(result.gist, str) or not result.gist:
        return "returns no gist, or no whole number of minutes from 1"
    return ""


def _is_turn(turn: object, names: set[str]) -> bool:
    return isinstance(turn, tuple) and len(turn) == 2 and turn[0] in names and isinstance(turn[1], str)  # noqa: PLR2004


def _nothing(returned: object, *_: object) -> str:
    return "" if returned is None else "returns something; what it does is in the mind"


def _thought(intent: object, mind: Mind, moment: Moment) -> str:
    if not isinstance(intent, Intent) or intent.name != mind.name:
        return f"does not return an Intent of {mind.name}"
    here, there, maze = moment.view.people[mind.name].tile, intent.next_tile, moment.view.maze
    if not isinstance(there, Tile) or (there != here and (_steps(here, there) > 1 or maze.is_wall(there))):
        return f"goes from {tuple(here)} to {there}, which is no tile next to it on which one can walk"
    return _reacted(intent.reaction, mind, moment)


def _steps(here: Tile, there: Tile) -> int:
    return abs(here.x - there.x) + abs(here.y - there.y)


CHECKS: Mapping[str, Callable[..., str]] = {
    "perceive": _perceived,
    "retrieve": _retrieved,
    "plan": _planned,
    "react": _reacted,
    "converse": _conversed,
    "reflect": _nothing,
    "persona": _thought,
}
"""Checks of the value that a method returns, given that and its arguments: the fault, or an empty text."""
