"""Names of personas."""

import pytest

from translator.persona_name import PersonaName, unique_initials


@pytest.mark.parametrize(
    ("name", "underscore", "initials"),
    [
        ("Ada Stone", "Ada_Stone", "AS"),
        ("Ben van Reed", "Ben_van_Reed", "BR"),
        ("Cher", "Cher", "CC"),
        ("ada stone", "ada_stone", "AS"),
        (" ", "_", "  "),
    ],
)
def test_a_name_has_an_address_and_two_letters(name, underscore, initials):
    """Every space becomes an underscore; the letters are those of the first and the last word, in capitals."""
    person = PersonaName(name)
    assert (person.underscore, person.initials) == (underscore, initials)


def test_no_two_people_on_a_map_have_the_same_initials():
    """As short as possible: a letter more of the last word, then of the first; namesakes are numbered."""
    people = ["Maria Lopez", "Mei Lin", "Max Lin", "Klaus Mueller", "Ann Lee", "ANN LEE", "Ann  Lee"]
    initials = unique_initials(PersonaName(name) for name in people)
    assert len(set(initials.values())) == len(people)
    assert (initials["Klaus Mueller"], initials["Maria Lopez"]) == ("KM", "MLo")
    assert all(initials[name].startswith("M") for name in people[:3])
