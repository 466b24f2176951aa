"""Laws of frames and changes."""

from hypothesis import given
from hypothesis import strategies as st

from ville.storage.steps.frames import changed, changes, decoded, encoded, whole_frame

RECORDS = st.fixed_dictionaries(
    {
        "movement": st.lists(st.integers(0, 3), min_size=2, max_size=2),
        "pronunciatio": st.sampled_from(["😴", "☕"]),
        "description": st.text(max_size=5),
        "chat": st.none() | st.just([["Ada Stone", "Good morning."]]),
    }
)
NAMES = ("Ada Stone", "Ben Reed", "Cleo Moor")
FRAMES = st.lists(st.dictionaries(st.sampled_from(NAMES), RECORDS, min_size=1), min_size=1, max_size=8)
"""People come and go."""


@given(FRAMES)
def test_changes_give_the_frames_again(frames):
    """Applied one after the other; the first is whole. A frame that is missing is as the one before."""
    shown, again = {}, []
    for new in changes(frames):
        shown = changed(shown, new)
        again.append(shown)
    assert again == frames
    assert next(changes(frames)) == frames[0]
    assert [*changes([*frames, {}, frames[-1]])][-2:] == [{}, {}]


@given(FRAMES)
def test_a_change_holds_only_what_is_new(frames):
    """A persona with the same record is left out; one without a record has left."""
    for before, now, new in zip(frames, frames[1:], list(changes(frames))[1:], strict=False):
        assert set(new) == {name for name in NAMES if now.get(name) != before.get(name)}


@given(FRAMES)
def test_a_frame_is_read_as_it_was_written(frames):
    """The text is ASCII."""
    for frame in frames:
        text = encoded(frame)
        assert text.isascii()
        assert decoded(text) == frame


def test_a_record_is_reduced_to_the_four_fields():
    """Other fields are left out."""
    four = {"movement": [1, 2], "pronunciatio": "b", "description": "a", "chat": None}
    assert whole_frame({"Ada": {"mood": "fine", **four}}) == {"Ada": four}
