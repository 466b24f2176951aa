"""How somebody is called."""

import pytest

from translator.persona_name import PersonaName


@pytest.mark.parametrize(
    ("name", "underscore", "initials"),
    [
        ("Ada Stone", "Ada_Stone", "AS"),
        ("Ben van Reed", "Ben_van_Reed", "BR"),
        ("Cher", "Cher", "CC"),
        ("ada stone", "ada_stone", "AS"),
    ],
)
def test_a_name_has_an_address_and_two_letters(name, underscore, initials):
    """Every space becomes an underscore; the letters are those of the first and the last word, in capitals."""
    person = PersonaName(name)
    assert (person.underscore, person.initials) == (underscore, initials)
