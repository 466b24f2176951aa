"""Laws of frames and changes."""

from hypothesis import given
from hypothesis import strategies as st

from ville.storage.frames import changes, decoded, encoded, whole_frame

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
def test_changes_give_the_frames_again(frames):
    """Laid over one another; the first is whole."""
    shown, again = {}, []
    for new in changes(frames):
        shown = {**shown, **new}
        again.append(shown)
    assert again == frames
    assert next(changes(frames)) == frames[0]


@given(FRAMES)
def test_a_change_holds_only_what_is_new(frames):
    """Personas whose record is unchanged are left out."""
    for before, now, new in zip(frames, frames[1:], list(changes(frames))[1:], strict=False):
        assert set(new) == {name for name in now if now[name] != before[name]}


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
