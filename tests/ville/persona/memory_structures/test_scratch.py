"""Laws of the current state of a persona."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import CorruptFile
from ville.persona.memory_structures.schedule import Schedule
from ville.persona.memory_structures.scratch import KEYS, Conversation, Scratch
from ville.persona.memory_structures.social_impression import SocialImpression
from ville.world.address import Tile
from ville.world.tile_event import Event

BASE = {
    "curr_time": None, "curr_tile": None, "daily_req": [], "f_daily_schedule": [], "f_daily_schedule_hourly_org": [],
    "act_address": None, "act_start_time": None, "act_duration": None, "act_description": None,
    "act_pronunciatio": None, "act_event": ["Ada Stone", None, None], "chatting_with": None, "chat": None,
    "chatting_with_buffer": {}, "chatting_end_time": None, "act_path_set": False, "planned_path": [],
}  # fmt: skip
UNUSED = (
    "concept_forget", "daily_reflection_time", "daily_reflection_size", "overlap_reflect_th",
    "kw_strg_event_reflect_th", "kw_strg_thought_reflect_th", "thought_count",
)  # fmt: skip


@pytest.fixture
def values(classic_scratch):
    return json.loads(classic_scratch)


@pytest.fixture
def scratch(values) -> Scratch:
    return Scratch.load("Ada Stone", values)


def text(values) -> str:
    return json.dumps(Scratch.load("Ada Stone", values).as_json(), indent=2)


def test_a_file_of_the_released_code_is_written_as_it_was(values, classic_scratch):
    """During a run or before its first step, all 47 keys come back in order, byte for byte."""
    assert list(values) == list(KEYS)
    assert len(KEYS) == 47
    assert text(values) == classic_scratch
    assert text(values | BASE) == json.dumps(values | BASE, indent=2)
    assert text(values | BASE | {"act_event": [None] * 3}) == json.dumps(
        values | BASE | {"act_event": [None] * 3}, indent=2
    )


@given(
    st.permutations(range(47)), st.dictionaries(st.text(), st.none() | st.lists(st.integers()), max_size=3), st.data()
)
def test_a_file_with_other_keys_is_written_as_it_was(classic_scratch, order, unknown, data):
    """Unknown and unused keys come back unchanged in their place, whatever the order of the file."""
    values = json.loads(classic_scratch)
    unused = data.draw(st.fixed_dictionaries({key: st.none() | st.text() for key in UNUSED}))
    keys = [list(values)[number] for number in order]
    for key in [*(unknown.keys() - values.keys()), *data.draw(st.sampled_from([[], ["relationship"]]))]:
        keys.insert(data.draw(st.integers(0, len(keys))), key)
    values = {"relationship": {"Ben Reed": {"relationship": "friends", "feeling": "warm"}}} | unknown | values | unused
    file = {key: values[key] for key in keys}
    assert text(file) == json.dumps(file, indent=2)


def test_missing_keys_are_written_in_their_place(values):
    """State follows the key before it, the first impression the last key; an unused key is not invented."""
    del values["retention"], values["curr_time"], values["thought_count"]
    scratch = Scratch.load("Ada Stone", values | {"mood": 1})
    scratch.note_impression("Ben Reed", SocialImpression())
    written = [key for key in KEYS if key != "thought_count"]
    assert list(scratch.as_json()) == [*written, "relationship", "mood"]


@pytest.mark.parametrize("key", ["name", "age", "lifestyle", "living_area"])
def test_a_missing_fact_about_a_persona_is_named(values, key):
    """With the persona and the key."""
    del values[key]
    with pytest.raises(CorruptFile, match=f"Ada Stone: scratch.json has no '{key}'"):
        Scratch.load("Ada Stone", values)


@pytest.mark.parametrize(
    "change", [{"curr_time": "noon"}, {"curr_tile": [1]}, {"f_daily_schedule": [["a"]]}, {"chat": [["a", "b", "c"]]}]
)
def test_a_malformed_value_is_refused(values, change):
    """The message names the persona and the file."""
    with pytest.raises(CorruptFile, match="^Ada Stone: scratch.json"):
        Scratch.load("Ada Stone", values | change)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"vision_r": "8"}, "vision_r is '8', but should be a whole number"),
        ({"att_bandwidth": None}, "att_bandwidth is None, but should be a whole number"),
        ({"recency_decay": "slow"}, "recency_decay is 'slow', but should be a number"),
        ({"lifestyle": 5}, "lifestyle is 5, but should be a text"),
        ({"act_address": ["the Town"]}, r"act_address is \['the Town'\], but should be a text"),
        ({"act_address": "a:b:c:d:e"}, "'a:b:c:d:e' is not an address"),
        ({"act_duration": "long"}, "act_duration is 'long', but should be a whole number"),
        ({"planned_path": {}}, "planned_path is {}, but should be a list"),
        ({"planned_path": [["a", "b"]]}, r"planned_path\[0\]\[0\] is 'a', but should be a number"),
        ({"act_event": ["Ada Stone", ["is"], None]}, r"act_event\[1\] is \['is'\], but should be a text or null"),
        ({"chatting_with_buffer": [1]}, r"chatting_with_buffer is \[1\], but should be an object"),
        ({"retention": -9}, "retention is -9, but should be from 0 to"),
        ({"recency_decay": 1.5}, "recency_decay is 1.5, but should be from 0 to 1"),
        ({"importance_trigger_max": 0}, "importance_trigger_max is 0, but should be from 1 to"),
        ({"relevance_w": float("nan")}, "relevance_w is nan, but should be from"),
        ({"importance_trigger_curr": float("-inf")}, "importance_trigger_curr is -inf, but should be from"),
    ],
)
def test_a_value_of_another_type_is_refused(values, change, told):
    """When loading; the message names persona, file, key and the expected type."""
    with pytest.raises(CorruptFile, match=f"^Ada Stone: scratch.json.*{told}"):
        Scratch.load("Ada Stone", values | change)


def test_unknown_keys_of_an_impression_are_kept(values):
    """Also after it has changed."""
    scratch = Scratch.load("Ada Stone", values | {"relationship": {"Ben Reed": {"trust": 3, "relationship": "rivals"}}})
    scratch.note_impression("Ben Reed", SocialImpression("friends"))
    kept = json.loads(json.dumps(scratch.as_json()))["relationship"]["Ben Reed"]
    assert kept == {"trust": 3, "relationship": "friends", "feeling": "unknown"}


def test_no_impressions_may_be_null(values):
    """As all that is not known yet; the file is written as it was."""
    scratch = Scratch.load("Ada Stone", values | {"relationship": None})
    assert not scratch.impression_of("Ben Reed").known
    assert json.loads(json.dumps(scratch.as_json()))["relationship"] is None


def test_missing_state_and_tuning_have_defaults(values):
    """A file with an identity only is a persona before its first step."""
    identity = {key: values[key] for key in Scratch.load("Ada Stone", values).identity.__dataclass_fields__}
    scratch = Scratch.load("Ada Stone", identity)
    assert (scratch.curr_time, scratch.action, scratch.conversation, scratch.schedule) == (None, None, None, Schedule())
    assert (scratch.tuning.vision_r, scratch.importance_trigger_curr) == (4, 150)
    assert scratch.action_finished(Scratch.load("Ada Stone", values).curr_time)


def test_a_missing_start_of_the_action_leaves_the_time_alone(values):
    """There is no action then, and the file is written as it was."""
    scratch = Scratch.load("Ada Stone", values | {"act_start_time": None})
    assert scratch.action is None
    assert scratch.curr_time is not None
    assert json.loads(json.dumps(scratch.as_json())) == values | {"act_start_time": None}


def test_a_conversation_decides_when_its_action_ends(scratch):
    """Not the end of the action."""
    until = scratch.conversation.until
    assert not scratch.action_finished(until - timedelta(seconds=1))
    assert scratch.action_finished(until)
    scratch.conversation = Conversation("Ben Reed", (), until + timedelta(hours=2))
    assert not scratch.action_finished(scratch.action.ends + timedelta(hours=1))


def test_a_new_action_has_no_path_yet(scratch):
    """It has no conversation but its own."""
    action = replace(scratch.action, address="the Town:Cafe:cafe")
    scratch.begin(action)
    assert (scratch.action, scratch.conversation, scratch.path_set, scratch.planned_path) == (action, None, False, [])
    talk = Conversation("Ben Reed", (), None)
    scratch.begin(action, talk)
    assert scratch.conversation is talk


def test_cool_downs_stop_at_zero(scratch):
    """Each step counts for all but the current partner. Negative values of the released code stay."""
    scratch.cool_downs |= {"Di": 1}
    for _ in range(3):
        scratch.tick_cool_downs()
    assert scratch.cool_downs == {"Ben Reed": 799, "Cy Doe": -1525, "Di": 0}
    scratch.conversation = None
    scratch.tick_cool_downs()
    assert scratch.cool_downs["Ben Reed"] == 798


def test_the_visible_event_of_a_persona(scratch, values):
    """The current action, or idle before the first."""
    assert scratch.visible_event() == Event("Ada Stone", "chat with", "Ben Reed", "conversing about bread")
    assert scratch.planned_path == [Tile(73, 15), Tile(73, 16)]
    resting = Scratch.load("Ada Stone", values | BASE)
    assert (resting.visible_event(), resting.visible_object_event()) == (Event("Ada Stone"), None)


@pytest.mark.parametrize("half", [{}, {"relationship": None}, {"relationship": "", "feeling": 5}, None])
def test_a_half_written_impression_is_unknown(values, half):
    """A value that is not a text is read as empty."""
    scratch = Scratch.load("Ada Stone", values | {"relationship": {"Ben Reed": half}})
    assert scratch.impression_of("Ben Reed") == SocialImpression()


def test_impressions_are_unknown_until_noted(scratch):
    """An impression of one persona does not change those of others."""
    assert not scratch.impression_of("Ben Reed").known
    scratch.note_impression("Ben Reed", SocialImpression("friends", "warm"))
    assert scratch.impression_of("Ben Reed") == SocialImpression("friends", "warm")
    assert scratch.impression_of("Cy Doe") == SocialImpression("unknown", "unknown")
