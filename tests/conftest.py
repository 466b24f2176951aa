"""A small town that any test may have: two flats, a cafe and a square, and three people who live there."""

import asyncio
import functools
import gc
import json
import os
import random
import signal
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import httpcore2
import pytest
from chat_server import ChatServer
from hypothesis import settings as examples
from simulation_content import content_of
from step_texts import step_texts

from ville.llm.gateway import ChatReply, ChatRequest
from ville.persona.memory_structures.scratch import KEYS
from ville.settings import WALLET, Settings, model
from ville.storage.model_variables import KEY_NAMES

examples.register_profile("project", derandomize=True, deadline=None, max_examples=25)
examples.load_profile("project")  # the same code, the same examples; --hypothesis-profile=default looks for new ones

MAP = (
    "################",
    "#aaaa#bbbb#dddd#",
    "#AaaC#BbbC#DddC#",
    "#aaaa#bbbb#dddd#",
    "##.####.####.###",
    "#..............#",
    "#..............#",
    "#####.##########",
    "#ccccccccc.....#",
    "#KcccTcccPfffff#",
    "#ccccccccc.fffF#",
    "################",
)
WORLD = "the Town"
FLATS = {"a": "Ada's flat", "b": "Ben's flat", "d": "Cleo's flat", "c": "Hill Cafe", "f": "Green"}
ARENAS = {"a": "main room", "b": "main room", "d": "main room", "c": "cafe", "f": "lawn"}
OBJECTS = {"A": "bed", "B": "bed", "D": "bed", "C": "closet", "K": "counter", "T": "table", "P": "piano", "F": "bench"}
WHERE = {"A": "a", "B": "b", "D": "d", "K": "c", "T": "c", "P": "c", "F": "f", "C": ""}
WORKERS = 32
"""More than there are processes that run tests at the same time."""
People = Mapping[str, tuple[str, tuple[int, int]]]
"""The letter of the flat of each, and where it stands."""
PEOPLE: People = {"Ada Stone": ("a", (1, 2)), "Ben Reed": ("b", (6, 2)), "Cleo Adams Moor": ("d", (11, 2))}


@pytest.fixture(autouse=True, scope="session")
def no_provider_is_called():
    """Developers may have keys, and a .env: no test may ever spend anything by them."""
    with pytest.MonkeyPatch.context() as patch:
        for name in KEY_NAMES:
            patch.delenv(name.upper(), raising=False)
            patch.delenv(f"VILLE_{name.upper()}", raising=False)
        patch.setenv("VILLE_PROVIDER", "offline")
        patch.setenv("VILLE_EMBEDDER", "hashing")
        yield


@pytest.fixture(autouse=True, scope="session")
def no_wallet_is_touched(tmp_path_factory):
    """No test books anything in the wallet of a developer."""
    state = tmp_path_factory.mktemp("state")
    with pytest.MonkeyPatch.context() as patch:
        for name in WALLET:
            patch.delenv(f"VILLE_{name.upper()}", raising=False)
        patch.setenv("XDG_STATE_HOME", str(state))
        patch.setenv("VILLE_WALLET_FILE", str(state / "ville" / "wallet.sqlite3"))
        patch.setattr(model, "default_file", lambda: state / "ville" / "wallet.sqlite3")
        yield


@pytest.fixture(autouse=True, scope="session")
def nothing_is_waited_for_twice():
    """Do not wait until files would survive a power failure, and read the certificates of this machine once: no server
    of these tests has one.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VILLE_FSYNC", "false")
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr(httpcore2, "default_ssl_context", functools.cache(httpcore2.default_ssl_context))
        yield


@dataclass(frozen=True)
class SmallTown:
    """Where it is on disk."""

    root: Path

    @property
    def settings(self) -> Settings:
        return Settings(
            fs_storage=self.root / "storage", fs_temp_storage=self.root / "temp", assets=self.root / "assets", seed=1
        )

    def steps(self, name: str) -> dict[str, bytes]:
        """The movement and environment files of a simulation, packed or not."""
        return step_texts(self.root / "storage" / name)

    def files(self, name: str) -> dict[str, bytes]:
        """Everything of a simulation but what depends on its origin, and on when it was saved."""
        return content_of(self.root / "storage" / name)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-golden", action="store_true", help="keep what is rendered now as the golden prompts")


def pytest_collection_finish() -> None:
    """Leave thousands of collected tests out of every garbage collection."""
    gc.freeze()


@pytest.fixture(scope="session")
def free_port() -> Callable[[], int]:
    """Return free ports, below those that the system gives to clients; none is given twice, or by two workers."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    ports = list(range(20_000 + worker % WORKERS, 32_000, WORKERS))
    random.SystemRandom().shuffle(ports)
    return lambda: next(port for port in iter(ports.pop, None) if _is_free(port))


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


@pytest.fixture
def server() -> Iterator[ChatServer]:
    """A provider on this machine that speaks like OpenAI."""
    with ChatServer() as server:
        yield server


@pytest.fixture(autouse=True, scope="session")
def children_get_signals():
    """Handle the signals that are ignored here, as under nohup: child processes ignore what their parent ignores."""
    for number in (getattr(signal, name) for name in ("SIGINT", "SIGHUP", "SIGTERM") if hasattr(signal, name)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


@pytest.fixture(scope="session")
def write_small_town() -> Callable[..., SmallTown]:
    """Return the function that writes the small town below a folder."""
    return write_town


@pytest.fixture
def small_town(tmp_path) -> SmallTown:
    return write_town(tmp_path)


def write_town(
    root: Path, seconds_per_step: int = 60, *, rows: Sequence[str] = MAP, people: People = PEOPLE
) -> SmallTown:
    """The base simulation `base` and its map, below a folder."""
    _write_map(root / "assets" / "small" / "matrix", rows)
    _write_base(root / "storage" / "base", seconds_per_step, people)
    return SmallTown(root)


def _home(cell: str, x: int) -> str:
    """Which room a cell of the map lies in; closets by their place."""
    return {4: "a", 9: "b", 14: "d"}[x % (len(MAP[0]) - 1)] if cell == "C" else WHERE.get(cell, cell)


def _write_map(matrix: Path, rows: Sequence[str]) -> None:
    put(matrix / "maze_meta_info.json", {"maze_width": len(rows[0]), "maze_height": len(rows), "sq_tile_size": 32})
    cells = [(cell, _home(cell, x)) for row in rows for x, cell in enumerate(row)]
    rooms = list(FLATS)
    things = list(dict.fromkeys(OBJECTS.values()))
    layers = {
        "collision": ["32125" if cell == "#" else "0" for cell, _ in cells],
        "sector": [str(1 + rooms.index(room)) if room in rooms else "0" for _, room in cells],
        "arena": [str(11 + rooms.index(room)) if room in rooms else "0" for _, room in cells],
        "game_object": [str(21 + things.index(OBJECTS[cell])) if cell in OBJECTS else "0" for cell, _ in cells],
        "spawning_location": ["0"] * len(cells),
    }
    for layer, ids in layers.items():
        put(matrix / "maze" / f"{layer}_maze.csv", ", ".join(ids))
    blocks = {
        "world": [f"1, {WORLD}"],
        "sector": [f"{1 + n}, {WORLD}, {FLATS[room]}" for n, room in enumerate(rooms)],
        "arena": [f"{11 + n}, {WORLD}, {FLATS[room]}, {ARENAS[room]}" for n, room in enumerate(rooms)],
        "game_object": [f"{21 + n}, {WORLD}, <all>, {thing}" for n, thing in enumerate(things)],
        "spawning_location": [],
    }
    for kind, lines in blocks.items():
        put(matrix / "special_blocks" / f"{kind}_blocks.csv", "\n".join(lines))


def _write_base(root: Path, seconds_per_step: int, people: People) -> None:
    meta = {
        "fork_sim_code": "base",
        "start_date": "February 13, 2023",
        "curr_time": "February 13, 2023, 00:00:00",
        "sec_per_step": seconds_per_step,
        "maze_name": "small",
        "persona_names": list(people),
        "step": 0,
    }
    put(root / "reverie/meta.json", meta)
    put(root / "environment/0.json", {name: {"maze": "small", "x": x, "y": y} for name, (_, (x, y)) in people.items()})
    for name, (room, _) in people.items():
        memory = root / "personas" / name / "bootstrap_memory"
        put(memory / "scratch.json", _scratch(name, room))
        put(memory / "spatial_memory.json", {WORLD: {FLATS[room]: {ARENAS[room]: ["bed", "closet"]}}})
        put(memory / "associative_memory/nodes.json", {})
        put(memory / "associative_memory/embeddings.json", {})
        put(memory / "associative_memory/kw_strength.json", {"kw_strength_event": {}, "kw_strength_thought": {}})


def _scratch(name: str, room: str) -> dict[str, Any]:
    first, *_, last = name.split()
    values: dict[str, Any] = dict.fromkeys(KEYS)
    numbers = {
        "vision_r": 6, "att_bandwidth": 8, "retention": 8, "concept_forget": 100, "daily_reflection_time": 180,
        "daily_reflection_size": 5, "overlap_reflect_th": 4, "kw_strg_event_reflect_th": 10,
        "kw_strg_thought_reflect_th": 9, "recency_w": 1, "relevance_w": 1, "importance_w": 1, "recency_decay": 0.995,
        "importance_trigger_max": 40, "importance_trigger_curr": 40, "importance_ele_n": 0, "thought_count": 5,
    }  # fmt: skip
    empty = {
        "daily_req": [], "f_daily_schedule": [], "f_daily_schedule_hourly_org": [], "act_event": [name, None, None],
        "act_obj_event": [None, None, None], "chatting_with_buffer": {}, "act_path_set": False, "planned_path": [],
    }  # fmt: skip
    identity = {
        "name": name, "first_name": first, "last_name": last, "age": 30, "innate": "kind, curious",
        "learned": f"{name} lives in a small town.", "currently": f"{name} wants to see everybody.",
        "lifestyle": f"{first} goes to bed at 10pm and gets up at 6am.", "daily_plan_req": "",
        "living_area": f"{WORLD}:{FLATS[room]}:{ARENAS[room]}",
    }  # fmt: skip
    return values | numbers | empty | identity


def put(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")


class Townsfolk:
    """Answers every question by the draw of a seeded lot, in an order that cannot be relied on."""

    def __init__(self, seed: int = 1) -> None:
        self.seed = seed
        self.asked = 0

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.asked += 1
        for _ in range(Random().randrange(4)):  # noqa: S311 - the order of answers must not matter
            await asyncio.sleep(0)
        lot = Random(f"{self.seed} {request.persona} {request.step} {request.question}")  # noqa: S311
        return ChatReply(
            text=json.dumps(ANSWERS[request.question.removesuffix("_briefly")](request.fields, lot)), model="townsfolk"
        )


def _where(fields: Any, lot: Random) -> dict[str, str]:
    places = fields["options"].places
    sector = lot.choice(sorted(place for place in places if places[place]))
    arena = lot.choice(sorted(places[sector]))
    if fields["action"] == "sleeping":
        sector, arena = fields["home"].split(" > ")
    thing = lot.choice(places[sector][arena] or [""])
    return {
        "sector": sector, "arena": arena, "game_object": thing, "emoji": "🎲", "object_state": "being used",
    }  # fmt: skip


def _said(fields: Any, lot: Random) -> dict[str, Any]:
    number = len(fields["transcript"])
    return {"utterance": f"This is line {number}, {fields['other']}.", "ends": number > lot.randrange(1, 4)}


def _afterthoughts(fields: Any, _lot: Random) -> dict[str, Any]:
    text = f"{fields['name']} talked to {fields['other']}."
    return {
        "for_planning": {"text": text, "predicate": "talks to", "object": fields["other"]},
        "memo": {"text": f"{text} It was nice.", "predicate": "likes", "object": fields["other"]},
    }


def _kept(name: str, other: str) -> dict[str, Any]:
    text = f"{name} talked to {other}."
    return {
        "for_planning": {"text": text}, "memo": {"text": f"{text} It was nice.", "poignancy": 3},
        "relationship": f"{other} is a friend of {name}.", "feeling": "joy", "summary": text,
    }  # fmt: skip


def _whole_talk(fields: Any, lot: Random) -> dict[str, Any]:
    names = fields["first"], fields["second"]
    lines = [{"speaker": names[number % 2], "said": f"This is line {number}."} for number in range(lot.randrange(2, 6))]
    kept = [{"whose": name, **_kept(name, other)} for name, other in (names, names[::-1])]
    return {"lines": lines, "about": "lines and numbers", "kept": kept}


def _insights(fields: Any, _lot: Random) -> dict[str, Any]:
    insight = {"text": f"{fields['name']} gets about.", "because_of": [0], "subject": fields["name"]}
    return {"insights": [insight | {"predicate": "gets", "object": "about"}]}


DOINGS = ("reading", "having tea", "tidying up", "making music", "looking out of the window")


def _whispered(fields: Any, _lot: Random) -> dict[str, Any]:
    heard = {"text": f"{fields['name']} heard: {fields['whisper']}", "subject": fields["name"], "predicate": "heard"}
    return heard | {"object": fields["whisper"], "poignancy": 7}


ANSWERS: dict[str, Any] = {
    "plan/wake_up_hour": lambda _, lot: {"wake_up_hour": lot.randrange(5, 8)},
    "plan/revise_identity": lambda f, _: {"currently": f["currently"], "daily_requirement": f["daily_requirement"]},
    "day/bring_up_to_date": lambda f, _: {"currently": f["currently"]},
    "day/fill_the_day": lambda f, lot: {
        "gaps": [{"what": f"be {lot.choice(DOINGS)}", "where": lot.choice(f["places"])} for _ in range(9)]
    },
    "day/step_by_step": lambda *_: {"steps": ["a part of it", "another part of it"]},
    "day/where_usually": lambda *_: {"place": "home", "thing": "desk", "emoji": "🎲"},
    "plan/day_plan": lambda _, lot: {"plans": [f"be {lot.choice(DOINGS)} at 9:00", "go to bed at 22:00"]},
    "plan/hourly_schedule": lambda _, lot: {
        "activities": [{"from": hour, "to": hour + 1, "activity": lot.choice(DOINGS)} for hour in range(22)]
    },
    "plan/subtasks": lambda f, _: {"subtasks": [{"what": "a part of it", "minutes": f["minutes"] // 4}] * 4},
    "plan/where_and_how": _where,
    "plan/reschedule": lambda f, _: {"activities": [{"what": "making up for it", "minutes": f["remaining"]}]},
    "perceive/how_important": lambda f, lot: {
        str(number): lot.randint(1, 6) for number, _ in enumerate(f["happenings"], 1)
    },
    "react/how_to_react": lambda f, _: {"choice": f["choices"][0]},
    "react/how_to_respond": lambda f, lot: (
        {"choice": "change", "activity": "seeing to it", "minutes": lot.randint(1, 5), "ends_it": bool(f["thing"])}
    ),
    "converse/relationship": lambda f, _: {
        "relationship": f"{f['other']} is a neighbour of {f['name']}.",
        "feeling": "trust",
    },
    "converse/impression": lambda f, _: {
        "relationship": f"{f['other']} is a neighbour of {f['name']}.",
        "feeling": "trust",
        "summary": f"{f['name']} met {f['other']}.",
    },
    "converse/utterance_by_impression": _said,
    "converse/after_impression": lambda f, _: _kept(f["name"], f["other"]),
    "converse/whole_talk": _whole_talk,
    "converse/next_utterance": _said,
    "converse/conversation_gist": lambda *_: {"about": "lines and numbers"},
    "converse/after_conversation": _afterthoughts,
    "converse/after_small_talk": lambda fields, lot: {"memo": _afterthoughts(fields, lot)["memo"]},
    "reflect/focal_points": lambda f, _: {"questions": [f"What does {f['name']} do?"]},
    "reflect/insights": _insights,
    "reflect/direct_insights": _insights,
    "talk/whispered": _whispered,
    "talk/whispers_matter": lambda f, _: {str(number): 7 for number, _text in enumerate(f["happenings"], 1)},
    "talk/changed_today": lambda *_: {},
    "talk/interview": lambda f, _: {"utterance": f"I am {f['name']}."},
    "talk/typed_interview": lambda f, _: {"answer": (*f["form"].choices, f"{f['form'].least or 0:g}")[0]},
    "talk/anthropomorphising": lambda f, _: {"score": 9 if "love" in f["comment"] else 1},
}


@pytest.fixture
def townsfolk() -> Townsfolk:
    return Townsfolk()


@pytest.fixture(scope="session")
def new_townsfolk() -> type[Townsfolk]:
    """Return the class, for towns that several tests look at."""
    return Townsfolk
