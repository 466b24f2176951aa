"""A resident who moves in during a run begins like those whom the town builder puts into a base simulation."""

import json
from datetime import date

import pytest

from town_builder.cast import cast_file
from town_builder.cast.base_simulation import scratch
from town_builder.cast.cast import CastMember, SourceText
from ville.persona.memory_structures.identity import Identity
from ville.persona.memory_structures.new_persona import new_scratch
from ville.persona.memory_structures.scratch import Scratch
from ville.simulation.interventions.kinds import resident_in

IDENTITY = Identity(
    name="Dora van Quill",
    first_name="Dora",
    last_name="Quill",
    age=34,
    innate="calm",
    learned="Dora binds books.",
    currently="Dora is new here.",
    lifestyle="Dora goes to bed around 10pm.",
    living_area="the Town:Dora's flat:main room",
    daily_plan_req="Dora reads.",
)


def words(text: str) -> SourceText:
    return SourceText(text, "")


def test_the_scratch_is_that_of_a_base():
    """Key by key in the same order, with the same tuning; and it is read and written unchanged."""
    member = CastMember(
        name=IDENTITY.name,
        where="",
        age=IDENTITY.age,
        living_area=words("Dora's flat:main room"),
        start=(1, 2),
        innate=words(IDENTITY.innate),
        learned=words(IDENTITY.learned),
        currently=words(IDENTITY.currently),
        lifestyle=words(IDENTITY.lifestyle),
        daily_plan_req=words("Dora reads."),
        knows={},
        thoughts=(),
        relations=(),
        recency_decay=cast_file.RECENCY_DECAY,
        importance_trigger=cast_file.IMPORTANCE_TRIGGER,
    )
    new = new_scratch(IDENTITY)
    assert json.dumps(new) == json.dumps(scratch(member, "the Town"))
    assert json.dumps(Scratch.load(IDENTITY.name, new).as_json()) == json.dumps(new)
    assert Scratch.load(IDENTITY.name, new).identity.text(date(2023, 2, 13)) == IDENTITY.text(date(2023, 2, 13))


@pytest.mark.parametrize("name", ["Ada Stone", "Ada", "Ada  Stone", "Zoë O", "Ada-Lou van Stone", "A/B C", "Ada 2"])
def test_names_are_those_of_a_people_file(name):
    """Names that a people file accepts may move in, and no others."""
    assert bool(resident_in.NAME.fullmatch(name)) == bool(cast_file.NAME.fullmatch(name))
