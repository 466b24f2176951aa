"""Visitors: people without a mind, whom users move and speak for, and their open conversations with personas.

Where a visitor stands is decided here, whatever a browser reports. Counters are steps and game time, never the wall
clock.
"""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, replace

from pydantic import TypeAdapter, ValidationError

from ville.errors import CorruptFile
from ville.json_types import JsonObject
from ville.persona.cognitive_modules.conversing.open_talk import CONVERSING_WITH, OpenTalk, visitor_event
from ville.persona.cognitive_modules.view import VisiblePersona
from ville.persona.memory_structures.stream.concept_node import CHATS_WITH
from ville.simulation.pacing.visit_pace import PageState, Visit
from ville.storage.flaws import complaint
from ville.storage.steps.step_files import MoveRecord, Transcript
from ville.world.address import NearPersona, Tile
from ville.world.maze import Maze
from ville.world.path_finder import PathFinder
from ville.world.tile_event import Event

SUITCASE, BUBBLE = "🧳", "💬"
PATIENCE = 30 * 60
"""Seconds of game time after which a visitor whose user has gone silent walks out."""


@dataclass(frozen=True)
class Visitor:
    """A person without a mind who is in the town."""

    name: str
    look: str
    """Name of a sprite."""
    about: str
    """Description for others, in a sentence without its name."""
    entrance: Tile
    """Where it came in, and goes out by itself."""
    tile: Tile
    seen_in: int
    """Step of its latest intervention."""
    path: tuple[Tile, ...] = ()
    """Tiles still to walk, without the current one."""
    leaves: bool = False
    """Whether it is on its way out."""
    heard: Transcript = ()
    """Utterances that it heard in this visit: speaker and words."""


@dataclass(frozen=True)
class _Saved:
    """The section of town.json."""

    present: tuple[Visitor, ...] = ()
    talks: tuple[OpenTalk, ...] = ()
    known: dict[str, str] = field(default_factory=dict)


_SAVED = TypeAdapter(_Saved)


class Visitors:
    """The visitors of a town."""

    def __init__(self) -> None:
        self.present: dict[str, Visitor] = {}
        """By name, in order of arrival."""
        self.talks: dict[str, OpenTalk] = {}
        """Conversations that are not over, by the name of the persona."""
        self.known: dict[str, str] = {}
        """Descriptions of the visitors who are or were in the town, by name."""

    # What users do, between two steps.

    def enter(self, visitor: Visitor) -> None:
        self.present[visitor.name] = visitor
        self.known[visitor.name] = visitor.about

    def set_out(self, name: str, path: Collection[Tile], step: int) -> None:
        """Let a visitor walk."""
        self.present[name] = replace(self.present[name], path=tuple(path), leaves=False, seen_in=step)

    def note_talk(self, talk: OpenTalk, step: int) -> None:
        """Keep a conversation in which a visitor has just spoken; an earlier one with another persona is over."""
        for other in self.talks.values():
            if other.visitor == talk.visitor and other.persona != talk.persona:
                self.talks[other.persona] = other.ending()
        self.talks[talk.persona] = talk
        self.present[talk.visitor] = replace(self.present[talk.visitor], seen_in=step, leaves=False)

    def leave(self, name: str) -> None:
        """Take a visitor out of the town. Personas end their conversations with it in the coming step."""
        self.present.pop(name, None)

    # What happens in a step.

    def begin_step(self, step: int, paths: PathFinder, seconds_per_step: int) -> None:
        """Send out visitors whose users have gone silent, and remove those who have reached the way out."""
        for visitor in list(self.present.values()):
            if visitor.leaves and not visitor.path:
                self.leave(visitor.name)
            elif not visitor.leaves and (step - visitor.seen_in) * seconds_per_step >= PATIENCE:
                way_out = paths.path(visitor.tile, visitor.entrance) or [visitor.tile]
                self.present[visitor.name] = replace(visitor, path=tuple(way_out[1:]), leaves=True)

    def talk_of(self, name: str) -> OpenTalk | None:
        """Return the conversation that a visitor is in."""
        talks = list(self.talks.values())  # other threads may ask
        return next((talk for talk in talks if talk.visitor == name and talk.state != "ending"), None)

    def visit(self, page: Mapping[str, object]) -> Visit | None:
        """Return the visitor whose page is open, otherwise the first one; None if there is none.

        `page` is the content of visit.json; empty if no page of a visitor is open.
        """
        present = dict(self.present)  # other threads may ask
        if not present:
            return None
        name = str(page.get("name", ""))
        visitor = present.get(name) or next(iter(present.values()))
        shown: PageState = "closed"
        if visitor.name == name:
            shown = "typing" if page["typing"] else "open"
        talk = self.talk_of(visitor.name)
        if talk is None:
            return Visit(visitor.name, shown, walks=bool(visitor.path))
        return Visit(
            visitor.name,
            shown,
            partner=talk.persona,
            turn=talk.state == "open" and talk.turn == "visitor",
            spoke=bool(talk.pending),
            walks=bool(visitor.path),
            turns=len(talk.transcript),
        )

    @property
    def free(self) -> set[str]:
        """Visitors whom a persona can approach."""
        return {name for name in self.present if self.talk_of(name) is None}

    def note_answer(self, talk: OpenTalk, said: str) -> None:
        """Keep a conversation after the persona's part; `said` are its words."""
        self.talks[talk.persona] = talk
        visitor = self.present.get(talk.visitor)
        if said and visitor:
            self.present[visitor.name] = replace(visitor, heard=(*visitor.heard, (talk.persona, said)))

    def close(self, talk: OpenTalk) -> None:
        """Forget a conversation whose consequences are stored."""
        del self.talks[talk.persona]

    def event_of(self, visitor: Visitor) -> Event:
        """Return what others see of a visitor."""
        talk = self.talk_of(visitor.name)
        if talk is None:
            return visitor_event(visitor.name, visitor.about)
        return Event(visitor.name, CHATS_WITH, talk.persona, CONVERSING_WITH.format(name=talk.persona))

    def events(self) -> list[tuple[Tile, Event]]:
        """Return what can be seen of the visitors, and where."""
        return [(visitor.tile, self.event_of(visitor)) for visitor in self.present.values()]

    def as_seen(self, maze: Maze) -> dict[str, VisiblePersona]:
        """Return the visitors as personas see them."""
        return {name: self._seen(visitor, maze) for name, visitor in self.present.items()}

    def _seen(self, visitor: Visitor, maze: Maze) -> VisiblePersona:
        talk, event = self.talk_of(visitor.name), self.event_of(visitor)
        return VisiblePersona(
            name=visitor.name,
            tile=visitor.tile,
            event=event,
            address=str(NearPersona(talk.persona)) if talk else maze.tile_path(visitor.tile, "arena"),
            doing=event.description,
            asleep=False,
            until=None,
            chatting_with=talk.persona if talk else None,
            walking=bool(visitor.path),
        )

    def move(self, maze: Maze) -> dict[str, MoveRecord]:
        """Let all walk a tile, and return what they show in this step."""
        for name, visitor in self.present.items():
            if visitor.path:
                self.present[name] = replace(visitor, tile=visitor.path[0], path=visitor.path[1:])
        return {name: self._record(visitor, maze) for name, visitor in self.present.items()}

    def _record(self, visitor: Visitor, maze: Maze) -> MoveRecord:
        talk = self.talk_of(visitor.name)
        place = maze.place(visitor.tile)
        where = str(NearPersona(talk.persona)) if talk else f"{place.path('arena')}:"
        description = f"{self.event_of(visitor).description} @ {where}"
        return MoveRecord(
            visitor.tile, BUBBLE if talk else SUITCASE, description, talk.transcript if talk else None
        )  # fmt: skip

    # What is saved.

    def as_json(self) -> JsonObject:
        """Return the section of town.json; empty if there was never a visitor."""
        if not self.known:
            return {}
        talks = tuple(self.talks[persona] for persona in sorted(self.talks))
        values: JsonObject = _SAVED.dump_python(_Saved(tuple(self.present.values()), talks, self.known), mode="json")
        return values

    @classmethod
    def read(cls, values: object, maze: Maze, personas: Collection[str]) -> "Visitors":
        """Return the visitors of a section of town.json, with their talks with `personas`. Raises CorruptFile."""
        try:
            saved = _SAVED.validate_python(values or asdict(_Saved()))
        except ValidationError as fault:
            raise CorruptFile(f"town.json: visitors: {complaint(fault, values)}") from None
        visitors = cls()
        visitors.present = {visitor.name: visitor for visitor in saved.present}
        visitors.talks = {talk.persona: talk for talk in saved.talks if talk.persona in personas}
        visitors.known = saved.known
        visitors._check(maze)
        return visitors

    def _check(self, maze: Maze) -> None:
        """Raise CorruptFile for a visitor off the map."""
        for visitor in self.present.values():
            lost = [tile for tile in (visitor.tile, visitor.entrance, *visitor.path) if tile not in maze]
            if lost:
                where = f"{lost[0].x}, {lost[0].y}"
                raise CorruptFile(f"town.json: visitors: {visitor.name}: {where} is off the map. Correct it.")
