"""Names of files made of any text."""

from hypothesis import given
from hypothesis import strategies as st

from ville.storage.safe_names import safe_name

FORBIDDEN = set('<>:"/\\|?*') | {chr(code) for code in range(32)}
TEXTS = st.text(st.characters(codec="utf-8"), min_size=1) | st.text("aA./%25F:", min_size=1)


@given(TEXTS, TEXTS)
def test_every_text_has_a_file_name_of_its_own(one, other):
    """No text leads to another folder, and no two texts to the same file."""
    assert not FORBIDDEN & set(safe_name(one))
    assert (safe_name(one) == safe_name(other)) == (one == other)


def test_ordinary_names_stay_as_they_are():
    """Also with dots, and in other letters; names of devices of Windows do not."""
    for name in ("Isabella Rodriguez", "J. R. Smith Jr.", "Zoë O'Neil-Ray", "Анна"):
        assert safe_name(name) == name
    assert safe_name("../Ada") == "..%2FAda"
    assert safe_name("Con") == "%43on"
