"""Thoughts for which nobody waited, as a file has them."""

import pytest

from ville.errors import CorruptFile
from ville.persona.cognitive_modules.meanwhile import conclude
from ville.persona.cognitive_modules.musing import ALL_MUSINGS, Musing
from ville.storage.dates import time_text

DAMAGED = {
    "nothing was found": {},
    "it is about nothing, and failed": {"failed": "busy"},
    "of other kinds": {
        "found": {"ratings": 3, "insights": [7], "by_model": True},
        "about": {"nodes": [900], "known": 2},
    },
}


@pytest.mark.parametrize("kind", ALL_MUSINGS)
@pytest.mark.parametrize("damage", DAMAGED)
async def test_a_damaged_thought_is_refused_in_one_line(hamlet, kind, damage):
    """Whose it is, and in which file; not with whatever the content leads to."""
    mind = hamlet.person(doing="baking").mind
    saved = {"kind": kind, "due": time_text(hamlet.now), "about": {}, "found": {}, **DAMAGED[damage]}
    mind.musings.append(Musing.read(mind.name, saved))
    with pytest.raises(CorruptFile, match=f"{mind.name}: musings.json is invalid") as raised:
        await conclude(mind, hamlet.moment())
    assert "\n" not in str(raised.value)
