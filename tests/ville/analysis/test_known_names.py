"""Many names are found in a text as each one is."""

# ruff: noqa: RUF001 - Russian

from hypothesis import given
from hypothesis import strategies as st

from ville.analysis.known_names import KnownNames, is_named

LATIN = ["Ann", "Lee", "Ann Lee", "Lee Ann", "Jean-Luc Moor", "Luc", "O'Neil", "Ann2", "'Tom'"]
PIECES = [*LATIN, "Анна", "Анна Ли", "Ли"]
BETWEEN = [" ", "-", "", ", ", "ой", "а", "s", "'s", ".", "1"]
TEXTS = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(BETWEEN)), max_size=6)


@given(st.sets(st.sampled_from(PIECES)), TEXTS)
def test_names_are_found_as_one_by_one(names, parts):
    """Within others, beside others, with endings and hyphens, in both alphabets."""
    text = "".join(part for pair in parts for part in pair)
    assert KnownNames(names).within(text) == {name for name in names if is_named(name, text)}
