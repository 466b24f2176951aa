"""States of objects and events at places: values that are saved and read again."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import CorruptFile
from ville.world.occurrences import LastingState, Occurrences, PlaceEvent

STOVE, CAFE = "the Town:Cafe:cafe:stove", "the Town:Cafe"
steps = st.integers(0, 9)
fields = {"words": st.text(max_size=9), "since": steps, "until": st.none() | steps}
states = st.builds(LastingState, where=st.sampled_from([STOVE, f"{CAFE}:cafe:bed"]), **fields)
events = st.builds(PlaceEvent, where=st.sampled_from([CAFE, "the Town"]), **fields)


@st.composite
def occurrences(draw):
    found = Occurrences()
    for each in draw(st.lists(states | events, max_size=6)):
        found = found.with_object(each) if isinstance(each, LastingState) else found.with_event(each)
    return found


@given(occurrences())
def test_what_is_saved_is_read(found):
    """Through JSON; nothing is saved if nothing happens."""
    assert Occurrences.read(json.loads(json.dumps(found.as_json()))) == found
    assert bool(found.as_json()) == bool(found)


@given(occurrences(), steps)
def test_what_is_over_is_left_out(found, step):
    """From its last step on; everything else stays as it is, in its order."""
    for before, after in ((found.objects, found.at_step(step).objects), (found.events, found.at_step(step).events)):
        assert list(after) == [each for each in before if each.until is None or step < each.until]


@given(occurrences())
def test_an_object_has_one_state_and_an_event_is_there_once(found):
    """And each is found by the event that personas perceive."""
    assert len({each.where for each in found.objects}) == len(found.objects)
    assert len({each.event for each in found.events}) == len(found.events)
    assert all(found.behind(each.event[:3]) == each for each in (*found.objects, *found.events))


@pytest.mark.parametrize(
    "values",
    [
        {"objects": {}},
        {"objects": [1]},
        {"events": [{"where": CAFE, "words": "rain falls"}]},
        {"events": [{"where": CAFE, "words": 1, "since": 0}]},
        {"objects": [{"where": STOVE, "words": "hot", "since": True}]},
        {"objects": [{"where": STOVE, "words": "hot", "since": 0, "till": 3}]},
    ],
)
def test_a_damaged_file_is_refused(values):
    """In one line."""
    with pytest.raises(CorruptFile) as caught:
        Occurrences.read(values)
    assert "\n" not in str(caught.value)
