"""Frames in responses."""

import json

import pytest
from edges import edged
from hypothesis import given
from hypothesis import strategies as st

from translator.frame_chunk import MOST_BYTES, MOST_STEPS, frame_chunk
from ville.storage.steps.frames import encoded

RECORDS = st.fixed_dictionaries(
    {
        "movement": st.lists(st.integers(0, 3), min_size=2, max_size=2),
        "pronunciatio": st.sampled_from(["😴", "☕"]),
        "description": st.text(max_size=5),
        "chat": st.none() | st.just([["Ada Stone", "Good morning."]]),
    }
)
FRAMES = st.lists(st.fixed_dictionaries({"Ada Stone": RECORDS, "Ben Reed": RECORDS}), min_size=1, max_size=8)


@given(FRAMES, edged(0, 10**9 - 1))
def test_a_chunk_is_the_json_of_its_steps(frames, first):
    """Its steps are numbered from the first one; the length of the run is given."""
    sent = frame_chunk(first, map(encoded, frames))
    steps = {str(first + number): frame for number, frame in enumerate(frames)}
    last = first + len(frames) - 1
    assert json.loads(sent.as_json(10**9, ["a"])) == {
        "first": first, "last": last, "total": 10**9, "damage": ["a"], "frames": steps,
    }  # fmt: skip


@pytest.mark.parametrize(("weight", "steps"), [(10, MOST_STEPS), (MOST_BYTES // 4, 4), (MOST_BYTES * 2, 1)])
def test_a_chunk_has_limits(weight, steps):
    """It ends before it has too many steps or bytes, but has at least one step, so that a page can go on."""
    assert len(frame_chunk(0, iter([b"x" * weight] * 1000)).frames) == steps
