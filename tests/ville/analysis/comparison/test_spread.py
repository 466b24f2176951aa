"""Who was reached, and who was not: what the report says of it agrees with how the difference spread."""

import pytest

from ville.analysis.comparison.set_up import ForeignChange, SetUpComparison
from ville.analysis.comparison.spread import INTERVENTION, OWN, SIGHT, TALK, ReachedPersona, compare_reach

WAYS = {"Ada": INTERVENTION, "Ben": TALK, "Cleo": SIGHT, "Dan": OWN}


@pytest.mark.parametrize("known", [None, ["Ada", "Eve"]])
def test_who_was_reached_is_not_unreached(known):
    """Each person the difference came to by a contact was reached, also if no news came with it."""
    told = SetUpComparison(
        (), (), (ForeignChange(4, "", "whisper", "Ada", "Sing"), ForeignChange(5, "", "", "Eve", ""))
    )
    ways = [ReachedPersona(who, 6, "", via, "", "") for who, via in WAYS.items()]
    found = compare_reach(told, (), dict.fromkeys(WAYS, 6), ways=ways, known=known)
    assert found.moved_unreached == ("Dan",)
    assert found.reached_unmoved == ("Eve",)
    assert set(found.reached) == ({"Ada", "Eve", "Ben", "Cleo"} if known is None else set(known))
