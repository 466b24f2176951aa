"""The fast writers against json.dumps."""

import json

from hypothesis import given
from hypothesis import strategies as st

from ville.storage.steps.step_files import EnvironmentWriter, MovementWriter, MoveRecord

names = st.text(max_size=8)
positions = st.tuples(st.integers(0, 200), st.integers(0, 200))
chats = st.none() | st.lists(st.tuples(names, st.text(max_size=20)), max_size=3).map(tuple)
moves = st.builds(MoveRecord, positions, st.text(max_size=3), st.text(max_size=20), chats)
frames = st.lists(st.dictionaries(names, moves, max_size=4), max_size=4)


@given(frames, st.text())
def test_movement_is_as_json_writes_it(frames, curr_time):
    """Frame after frame, with everything remembered, the text is that of json.dumps with indent 2."""
    writer = MovementWriter()
    for frame in frames:
        plain = {"persona": {name: move._asdict() for name, move in frame.items()}, "meta": {"curr_time": curr_time}}
        assert writer.text(frame, curr_time) == json.dumps(plain, indent=2)


@given(st.lists(st.dictionaries(names, positions, max_size=4), max_size=4), names)
def test_environment_is_as_json_writes_it(frames, maze):
    """The same for where people stand."""
    writer = EnvironmentWriter(maze)
    for frame in frames:
        plain = {name: {"maze": maze, "x": x, "y": y} for name, (x, y) in frame.items()}
        assert writer.text(frame) == json.dumps(plain, indent=2)
