"""A small map with a flat, a cafe, a park and a vault without a door, and personas to put there."""

import json
from collections import deque
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest

from ville.llm.gateway import ChatReply, ChatRequest
from ville.persona.cognitive_modules.mind import Mind, Moment
from ville.persona.cognitive_modules.mind_settings import MindSettings
from ville.persona.cognitive_modules.view import People, TownView
from ville.persona.memory_structures.action import Action
from ville.persona.memory_structures.identity import Identity
from ville.persona.memory_structures.schedule import Activity, Schedule
from ville.persona.memory_structures.scratch import Scratch, Tuning
from ville.persona.memory_structures.spatial_memory import SpatialMemory
from ville.persona.memory_structures.stream.associative_memory import AssociativeMemory
from ville.persona.persona import Persona
from ville.persona.prompt_template.ask import Caller
from ville.world.address import Tile
from ville.world.maze import Layers, Maze, Place
from ville.world.path_finder import PathFinder

ROWS = (
    "##############",
    "#BaaaCtccc#vv#",
    "#aaaa#cccc####",
    "##.###c.######",
    "#........pppp#",
    "##############",
)
PLACES = {
    "a": Place("the Town", "Ada's flat", "main room"),
    "B": Place("the Town", "Ada's flat", "main room", "bed"),
    "c": Place("the Town", "Cafe", "cafe"),
    "C": Place("the Town", "Cafe", "cafe", "counter"),
    "t": Place("the Town", "Cafe", "cafe", "table"),
    "p": Place("the Town", "Park", "park"),
    "v": Place("the Town", "Bank", "vault", "safe"),
}
TREE = {
    "the Town": {"Ada's flat": {"main room": ["bed"]}, "Cafe": {"cafe": ["counter", "table"]}, "Park": {"park": []}}
}
BED, COUNTER, TABLE = Tile(1, 1), Tile(5, 1), Tile(6, 1)
HOME = "the Town:Ada's flat:main room"
MIDNIGHT = datetime(2023, 2, 13)  # noqa: DTZ001 - game time has no zone
DAY_AT_HOME = [
    {"from": "7:00", "to": "12:00", "activity": "baking"}, {"from": "12:00", "to": "22:00", "activity": "reading"},
]  # fmt: skip

ANSWERS: dict[str, Any] = {
    "talk/changed_today": {"called_off": "nothing"},
    "plan/wake_up_hour": {"wake_up_hour": 7},
    "plan/revise_identity": {"currently": "Ada looks forward to the party.", "daily_requirement": "Bake a cake."},
    "plan/day_plan": {"plans": ["wake up at 7 am", "bake bread at 8 am", "go to bed at 10 pm"]},
    "plan/hourly_schedule": {"activities": DAY_AT_HOME},
    "plan/subtasks": lambda request: {
        "subtasks": [
            {"what": "kneading dough", "minutes": 20}, {"what": "resting", "minutes": request.fields["minutes"] - 20},
        ]
    },
    "day/bring_up_to_date": {"currently": "Ada looks forward to the party."},
    "day/fill_the_day": {"gaps": [{"what": "baking", "where": "home"}, {"what": "reading", "where": "home"}]},
    "day/step_by_step": {"steps": ["kneading dough", "resting"]},
    "day/where_usually": {"place": "home", "thing": "bed", "emoji": "🍞"},
    "plan/where_and_how": {
        "sector": "Ada's flat", "arena": "main room", "game_object": "bed", "emoji": "😴",
        "object_state": "is being slept in",
    },
    "plan/reschedule": lambda request: {
        "activities": [{"what": "catching up", "minutes": request.fields["remaining"]}]
    },
    "react/how_to_react": {"choice": "carry on"},
    "react/how_to_respond": {"choice": "carry on"},
    "converse/relationship": {"relationship": "Ada and Ben are friends."},
    "converse/impression": {"relationship": "Ada and Ben are friends.", "summary": "They bake."},
    "converse/utterance_by_impression": {"utterance": "Good morning!", "ends": False},
    "converse/after_impression": {"for_planning": {"text": ""}, "memo": {"text": ""}},
    "converse/whole_talk": lambda request: {
        "lines": [{"speaker": request.fields[side], "said": "Good morning!"} for side in ("first", "second")],
        "about": "the party",
        "kept": [{"whose": request.fields[side], "for_planning": {"text": ""}, "memo": {"text": f"{side} was nice."},
                  "relationship": f"{side} likes the other.", "summary": f"{side} has talked."}
                 for side in ("first", "second")],
    },
    "converse/conversation_gist": {"about": "the party"},
    "converse/next_utterance": {"utterance": "Good morning!", "ends": False},
    "converse/after_conversation": {"for_planning": {"text": ""}, "memo": {"text": ""}},
    "converse/after_small_talk": {"memo": {"text": ""}},
    "reflect/focal_points": {"questions": ["What does Ada care about?"]},
    "reflect/insights": {"insights": []},
    "reflect/direct_insights": {"insights": []},
}  # fmt: skip
BRIEFLY = "_briefly"
"""End of the titles of questions in fewer words, which have the same answers."""


class Oracle:
    """Scripted model: answers by title, one after the other; the last answer is repeated."""

    def __init__(self) -> None:
        self.history: list[ChatRequest] = []
        self.answers = {title: deque([answer]) for title, answer in ANSWERS.items()}

    def teach(self, title: str, *answers: Any) -> None:
        self.answers[title] = deque(answers)

    def asked(self, title: str) -> list[ChatRequest]:
        return [request for request in self.history if request.question == title]

    @property
    def titles(self) -> list[str]:
        return [request.question for request in self.history]

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.history.append(request)
        title = request.question.removesuffix(BRIEFLY)
        if title in {"perceive/how_important", "talk/whispers_matter"} and title not in self.answers:
            return ChatReply(json.dumps({"scores": [4] * len(request.fields["happenings"])}), "oracle")
        queue = self.answers[title]
        answer = queue.popleft() if len(queue) > 1 else queue[0]
        if isinstance(answer, Exception):
            raise answer
        return ChatReply(json.dumps(answer(request) if callable(answer) else answer), "oracle")


class LetterEmbedder:
    """Embeds a text as its counts of the letters a to m, and keeps every batch."""

    name = "letters-13"

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    async def embed(self, texts, _step=None):
        self.batches.append(list(texts))
        return np.array([[1 + text.lower().count(letter) for letter in "abcdefghijklm"] for text in texts], np.float32)


class Hamlet:
    """A map, a scripted model, an embedder and a clock. Add personas with `person`."""

    def __init__(self) -> None:
        places = [PLACES.get(sign, Place("the Town")) for row in ROWS for sign in row]
        walls = [sign == "#" for row in ROWS for sign in row]
        size = {"width": len(ROWS[0]), "height": len(ROWS)}
        self.maze = Maze(Layers("hamlet", **size, places=places, walls=walls, spawns=[""] * len(places)))
        self.paths = PathFinder(self.maze)
        self.oracle, self.embedder = Oracle(), LetterEmbedder()
        self.people: dict[str, Persona] = {}
        self.tiles: dict[str, Tile] = {}
        self.now, self.step, self.seconds_per_step = MIDNIGHT + timedelta(hours=8), 7, 10
        self.seed = 0
        self.questions = "situated"

    def person(self, name: str = "Ada Stone", tile: Tile = BED, doing: str = "", **state: Any) -> Persona:
        """Add a persona on a tile, with an action that ends in an hour if `doing` is given."""
        first, last = name.split()
        identity = Identity(
            name=name, first_name=first, last_name=last, age=34, innate="kind", learned=f"{first} is a baker.",
            currently="Status: Ada plans a party.", lifestyle="Up at 7.", living_area=HOME, daily_plan_req="Bake.",
        )  # fmt: skip
        tuning = Tuning(vision_r=4, att_bandwidth=8, retention=8)
        scratch = Scratch(identity, tuning, importance_trigger_curr=150, curr_time=self.now - self.tick)
        scratch.schedule = scratch.hourly_schedule = Schedule.whole_day(
            [Activity("sleeping", 420), Activity("baking", 300), Activity("reading", 600)]
        )
        if doing:
            scratch.begin(self.action(name, doing))
            scratch.path_set = True
        places, stream = SpatialMemory.load(name, TREE), AssociativeMemory(name)
        persona = Persona(Mind(replace(scratch, **state), places, stream, MindSettings(questions=self.questions)))
        self.people[name], self.tiles[name] = persona, tile
        self.maze.add_event(tile, persona.scratch.visible_event())
        return persona

    def action(self, name: str, doing: str, address: str = f"{HOME}:bed", minutes: int = 60) -> Action:
        return Action(
            address=address, start=self.now - self.tick, minutes=minutes, description=doing, emoji="🙂",
            event=(name, "is", doing),
        )  # fmt: skip

    @property
    def tick(self) -> timedelta:
        return timedelta(seconds=self.seconds_per_step)

    def view(self) -> TownView:
        people = People({name: persona.as_seen(self.tiles[name]) for name, persona in self.people.items()})
        return TownView(self.maze, self.paths, self.step, self.now, self.seconds_per_step, people)

    def moment(self, name: str = "Ada Stone") -> Moment:
        return Moment(self.view(), Caller(self.oracle, name, self.step, self.seed), self.embedder)

    def arrive(self) -> None:
        """Put the current events of all personas on the map."""
        for name, persona in self.people.items():
            self.leave(name)
            self.maze.add_event(self.tiles[name], persona.scratch.visible_event())

    def leave(self, name: str) -> None:
        here = self.tiles[name]
        self.maze.replace_events(here, [event for event in self.maze.events_at(here) if event.subject != name])

    async def live(self, name: str = "Ada Stone"):
        """Compute one step of a persona, move it and advance the clock."""
        moment = self.moment(name)
        intent = await self.people[name].think(moment.view, moment.caller, moment.embedder)
        self.pass_time({name: intent.next_tile})
        return intent

    def pass_time(self, tiles: dict[str, Tile] | None = None) -> None:
        for name in self.people:
            self.leave(name)
        self.tiles |= tiles or {}
        self.arrive()
        self.now += self.tick
        self.step += 1


@pytest.fixture
def hamlet() -> Hamlet:
    return Hamlet()


@pytest.fixture
def oracle(hamlet) -> Oracle:
    return hamlet.oracle
