"""Which personas talk to each other."""

from hypothesis import given
from hypothesis import strategies as st

from ville.persona.cognitive_modules.view import Intent, Talk
from ville.simulation.stepping.step import pair_up
from ville.world.address import Tile

NAMES = "ABCDEFG"


def intents(**wishes: str) -> list[Intent]:
    return [Intent(name, Tile(0, 0), "", "", Talk(to)) for name, to in wishes.items()]


@given(st.dictionaries(st.sampled_from(NAMES), st.sampled_from(NAMES)))
def test_no_persona_is_in_two_conversations(wishes):
    """Every pair was wanted by its first member, and no name occurs twice."""
    pairs = pair_up(intents(**wishes), NAMES)
    members = [name for pair in pairs for name in pair]
    assert len(set(members)) == len(members)
    assert all(wishes[asking] == asked for asking, asked in pairs)


@given(st.dictionaries(st.sampled_from(NAMES), st.sampled_from(NAMES)))
def test_a_wish_is_refused_only_for_another_conversation(wishes):
    """A wish is refused only if one of the two already talks."""
    pairs = pair_up(intents(**wishes), NAMES)
    busy = {name for pair in pairs for name in pair}
    assert all(busy & {asking, asked} for asking, asked in wishes.items() if asking != asked)


def test_the_first_in_the_roster_asks_first():
    """If two want the same persona, roster order decides; if two want each other, there is one conversation."""
    assert pair_up(intents(A="C", B="C"), NAMES) == [("A", "C")]
    assert pair_up(intents(A="B", B="A"), NAMES) == [("A", "B")]


def test_sleeping_personas_are_not_approached():
    """Only personas that are free now start or join a conversation."""
    assert pair_up(intents(A="B", C="D"), {"A", "C", "D"}) == [("C", "D")]
