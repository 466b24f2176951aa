"""Files of a base simulation, byte for byte in the classic format."""

import json
from pathlib import PurePosixPath
from typing import Any

from town_builder.cast.cast import BaseSimulation, Cast, CastMember

SECONDS_PER_STEP = 10
DAY = "%B %d, %Y"
MOMENT = "%B %d, %Y, %H:%M:%S"
SENSES = {"vision_r": 8, "att_bandwidth": 8, "retention": 8}
THRESHOLDS = {
    "concept_forget": 100,
    "daily_reflection_time": 180,
    "daily_reflection_size": 5,
    "overlap_reflect_th": 4,
    "kw_strg_event_reflect_th": 10,
    "kw_strg_thought_reflect_th": 9,
}
WEIGHTS = {"recency_w": 1, "relevance_w": 1, "importance_w": 1}
NO_ACTION = dict.fromkeys(
    ("act_address", "act_start_time", "act_duration", "act_description", "act_pronunciatio"),
)
NO_PLAN: dict[str, Any] = {"daily_req": [], "f_daily_schedule": [], "f_daily_schedule_hourly_org": []}
NO_OBJECT = {"act_obj_description": None, "act_obj_pronunciatio": None, "act_obj_event": [None, None, None]}
NO_CHAT: dict[str, Any] = {"chatting_with": None, "chat": None, "chatting_with_buffer": {}, "chatting_end_time": None}
NO_PATH: dict[str, Any] = {"act_path_set": False, "planned_path": []}
EMPTY_MEMORY: dict[str, Any] = {
    "nodes.json": {},
    "embeddings.json": {},
    "kw_strength.json": {"kw_strength_event": {}, "kw_strength_thought": {}},
}


def simulation_files(base: BaseSimulation, cast: Cast) -> dict[PurePosixPath, str]:
    """Return all files of a base simulation: path below the storage folder → content."""
    root = PurePosixPath(base.name)
    files = {root / "reverie/meta.json": _broad(meta(base, cast))}
    standing = {
        person.name: {"maze": cast.maze_name, "x": person.start[0], "y": person.start[1]} for person in base.people
    }
    files[root / "environment/0.json"] = _broad(standing)
    for person in base.people:
        memory = root / "personas" / person.name / "bootstrap_memory"
        files[memory / "scratch.json"] = _broad(scratch(person, cast.world))
        files[memory / "spatial_memory.json"] = json.dumps({cast.world: person.knows})
        for name, content in EMPTY_MEMORY.items():
            files[memory / "associative_memory" / name] = json.dumps(content)
    return files


def meta(base: BaseSimulation, cast: Cast) -> dict[str, Any]:
    """Return the content of meta.json. A base simulation names itself as its origin."""
    return {
        "fork_sim_code": base.name,
        "start_date": cast.start.strftime(DAY),
        "curr_time": cast.start.strftime(MOMENT),
        "sec_per_step": SECONDS_PER_STEP,
        "maze_name": cast.maze_name,
        "persona_names": [person.name for person in base.people],
        "step": 0,
    }


def scratch(person: CastMember, world: str) -> dict[str, Any]:
    """Return the content of scratch.json before the first step: 47 keys in the classic order."""
    return {
        **SENSES,
        "curr_time": None,
        "curr_tile": None,
        **identity(person, world),
        **THRESHOLDS,
        **WEIGHTS,
        "recency_decay": person.recency_decay,
        "importance_trigger_max": person.importance_trigger,
        "importance_trigger_curr": person.importance_trigger,
        "importance_ele_n": 0,
        "thought_count": 5,
        **NO_PLAN,
        **NO_ACTION,
        "act_event": [person.name, None, None],
        **NO_OBJECT,
        **NO_CHAT,
        **NO_PATH,
    }


def identity(person: CastMember, world: str) -> dict[str, Any]:
    first, *_, last = person.name.split()
    return {
        "daily_plan_req": person.daily_plan_req.words if person.daily_plan_req else "",
        "name": person.name,
        "first_name": first,
        "last_name": last,
        "age": person.age,
        "innate": person.innate.words,
        "learned": person.learned.words,
        "currently": person.currently.words,
        "lifestyle": person.lifestyle.words,
        "living_area": f"{world}:{person.living_area.words}",
    }


def _broad(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=2)
