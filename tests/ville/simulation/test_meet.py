"""Who talks to whom."""

from hypothesis import given
from hypothesis import strategies as st

from ville.persona.cognitive_modules.view import Intent, Talk
from ville.simulation.meet import pair_up
from ville.world.address import Tile

NAMES = "ABCDEFG"


def intents(**wishes: str) -> list[Intent]:
    return [Intent(name, Tile(0, 0), "", "", Talk(to)) for name, to in wishes.items()]


@given(st.dictionaries(st.sampled_from(NAMES), st.sampled_from(NAMES)))
def test_nobody_is_in_two_conversations(wishes):
    """Every pair is somebody's wish, and all their members are different."""
    pairs = pair_up(intents(**wishes), NAMES)
    members = [name for pair in pairs for name in pair]
    assert len(set(members)) == len(members)
    assert all(wishes[asking] == asked for asking, asked in pairs)


@given(st.dictionaries(st.sampled_from(NAMES), st.sampled_from(NAMES)))
def test_no_wish_is_refused_without_need(wishes):
    """Whoever wants to talk to somebody else does, unless one of the two already talks."""
    pairs = pair_up(intents(**wishes), NAMES)
    busy = {name for pair in pairs for name in pair}
    assert all(busy & {asking, asked} for asking, asked in wishes.items() if asking != asked)


def test_the_first_in_the_roster_asks_first():
    """When two want the same person, the order decides; when two want each other, there is one talk."""
    assert pair_up(intents(A="C", B="C"), NAMES) == [("A", "C")]
    assert pair_up(intents(A="B", B="A"), NAMES) == [("A", "B")]


def test_whoever_has_just_fallen_asleep_is_left_alone():
    """Only those who are free now are gone up to, and go up to anybody."""
    assert pair_up(intents(A="B", C="D"), {"A", "C", "D"}) == [("C", "D")]
