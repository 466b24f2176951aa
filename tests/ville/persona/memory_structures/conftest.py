"""Small files of a persona."""

import json
from datetime import datetime, timedelta

import pytest

MIDNIGHT = datetime(2023, 2, 13)


@pytest.fixture(scope="session")
def at():
    """Return a function from minutes to game time on the first day."""
    return lambda minutes=0: MIDNIGHT + timedelta(minutes=minutes)


@pytest.fixture(scope="session")
def classic_scratch():
    """Text of a scratch.json as the released code writes it during a run."""
    values = {
        "vision_r": 8, "att_bandwidth": 8, "retention": 8, "curr_time": "February 13, 2023, 09:00:10",
        "curr_tile": [73, 14], "daily_plan_req": "Ada bakes.", "name": "Ada Stone", "first_name": "Ada",
        "last_name": "Stone", "age": 34, "innate": "kind", "learned": "Ada is a baker.",
        "currently": "Status: Ada plans.", "lifestyle": "Ada goes to bed at 11pm.",
        "living_area": "the Town:Ada's flat:main room", "concept_forget": 100,
        "daily_reflection_time": 180, "daily_reflection_size": 5, "overlap_reflect_th": 4,
        "kw_strg_event_reflect_th": 10, "kw_strg_thought_reflect_th": 9, "recency_w": 1, "relevance_w": 1,
        "importance_w": 1, "recency_decay": 0.995, "importance_trigger_max": 150, "importance_trigger_curr": -3,
        "importance_ele_n": 12, "thought_count": 5, "daily_req": ["bake", "sleep"],
        "f_daily_schedule": [["sleeping", 360], ["baking (kneading (dough))", 5], ["sleeping", 0], ["sleeping", -20]],
        "f_daily_schedule_hourly_org": [["sleeping", 360], ["baking", 1080]],
        "act_address": "<persona> Ben Reed", "act_start_time": "February 13, 2023, 09:00:00", "act_duration": 3,
        "act_description": "conversing about bread", "act_pronunciatio": "\U0001f4ac",
        "act_event": ["Ada Stone", "chat with", "Ben Reed"], "act_obj_description": None,
        "act_obj_pronunciatio": None, "act_obj_event": [None, None, None], "chatting_with": "Ben Reed",
        "chat": [["Ada Stone", "Hello, Ben."], ["Ben Reed", "Hello!"]],
        "chatting_with_buffer": {"Ben Reed": 799, "Cy Doe": -1525},
        "chatting_end_time": "February 13, 2023, 09:03:00", "act_path_set": True, "planned_path": [[73, 15], [73, 16]],
    }  # fmt: skip
    return json.dumps(values, indent=2)
