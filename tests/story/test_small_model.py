"""A day with a model that answers as small ones do: the right thing, in the wrong way."""

import re

import pytest
from chat_server import ChatServer
from spoiling import Profile, Spoiler
from step_texts import shown_in

STEPS, NOON = 60 * 13, 60 * 12
"""Of one minute each."""
MOST_CORRECTED, MOST_FALLBACKS = 0.05, 0.003
"""Shares of the questions."""
TOTALS = re.compile(r"([\d,]+) questions, ([\d,]+) unusable answers?, ([\d,]+) answered by a fallback")


@pytest.mark.slow
def test_a_small_model_is_understood(storage):
    """Few questions are put again, hardly any stays without an answer, and at noon everybody is up."""
    with ChatServer(Spoiler(Profile.named("small"), 1).chat) as server:
        storage.settings.update(VILLE_PROVIDER="compatible", VILLE_BASE_URL=server.url, VILLE_FAST_MODEL="small")
        code, out = storage.run("reverie_offline", "-o", "base", "-t", "new", "-s", STEPS)
    assert (code, "Traceback" in out) == (0, False), out
    asked, corrected, fallbacks = (int(number.replace(",", "")) for number in TOTALS.search(out).groups())
    assert asked > 200
    assert corrected <= MOST_CORRECTED * asked, out
    assert fallbacks <= MOST_FALLBACKS * asked, out
    noon = shown_in(storage.folder("new"), NOON)
    assert not [name for name, record in noon.items() if record["description"].startswith("sleeping")]
