"""Frames, changes and pieces."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from translator.replays import HEAVIEST_PIECE, LONGEST_PIECE, changes, decoded, encoded, piece, whole_frame

RECORDS = st.fixed_dictionaries(
    {
        "movement": st.lists(st.integers(0, 3), min_size=2, max_size=2),
        "pronunciatio": st.sampled_from(["😴", "☕"]),
        "description": st.text(max_size=5),
        "chat": st.none() | st.just([["Ada Stone", "Good morning."]]),
    }
)
FRAMES = st.lists(st.fixed_dictionaries({"Ada Stone": RECORDS, "Ben Reed": RECORDS}), min_size=1, max_size=8)


@given(FRAMES)
def test_changes_laid_over_one_another_give_the_frames_again(frames):
    """Nothing is lost, and the first is whole."""
    shown, again = {}, []
    for new in changes(frames):
        shown = {**shown, **new}
        again.append(shown)
    assert again == frames
    assert next(changes(frames)) == frames[0]


@given(FRAMES)
def test_a_change_holds_only_what_is_new(frames):
    """Whoever shows what they showed before is left out."""
    for before, now, new in zip(frames, frames[1:], list(changes(frames))[1:], strict=False):
        assert set(new) == {name for name in now if now[name] != before[name]}


@given(FRAMES)
def test_a_frame_survives_the_way_to_the_page(frames):
    """Text is ASCII and short, and says the same."""
    for frame in frames:
        text = encoded(frame)
        assert text.isascii()
        assert decoded(text) == frame


@given(FRAMES, st.integers(0, 10**9 - 1))
def test_a_piece_is_the_json_of_its_steps(frames, first):
    """Numbered from its first step, with the length of the run beside it."""
    sent = piece(first, map(encoded, frames))
    steps = {str(first + number): frame for number, frame in enumerate(frames)}
    last = first + len(frames) - 1
    assert json.loads(sent.as_json(10**9, ["a"])) == {
        "first": first, "last": last, "total": 10**9, "damage": ["a"], "frames": steps,
    }  # fmt: skip


@pytest.mark.parametrize(("weight", "steps"), [(10, LONGEST_PIECE), (HEAVIEST_PIECE // 4, 4), (HEAVIEST_PIECE * 2, 1)])
def test_a_piece_is_neither_long_nor_heavy(weight, steps):
    """It ends before it holds too many steps or bytes, but it always brings one step, or a page could not go on."""
    assert len(piece(0, iter([b"x" * weight] * 1000)).frames) == steps


def test_a_record_is_reduced_to_the_four_fields():
    """Whatever else an engine writes stays on the disk."""
    four = {"movement": [1, 2], "pronunciatio": "b", "description": "a", "chat": None}
    assert whole_frame({"Ada": {"mood": "fine", **four}}) == {"Ada": four}
