"""Laws of spoken words: stage directions and quotes of oneself are left out, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.persona.prompt_template.answers.speech import spoken_by, without_directions

ADA, BEN = "Ada Stone", "Ben Reed"
PLAIN = st.text(st.characters(categories=["L", "N", "Zs"], include_characters=".,!?'")).map(str.strip)


@pytest.mark.parametrize(
    "written",
    [
        "*smiles* Come in, the bread is warm.",
        "*smiles warmly and nods* Come in, the bread is warm.",
        "Come in, *laughing* the bread is warm.",
        "(smiling) Come in, the bread is warm.",
        "Come in, the bread is warm. (laughs)",
        "[opens the door] Come in, the bread is warm.",
        'Ada says, "Come in, the bread is warm."',
        'Ada Stone replies with a smile: "Come in, the bread is warm."',
        '"Come in, the bread is warm," says Ada.',
        '"Come in, the bread is warm," she said.',
        "Ada: Come in, the bread is warm.",
        "Ada Stone: *waves* “Come in, the bread is warm.”",
    ],
)
def test_only_the_words_remain(written):
    """However they are dressed up."""
    assert spoken_by(ADA, written, BEN) == "Come in, the bread is warm."


@pytest.mark.parametrize(
    "said",
    [
        "I *really* mean it.",
        "*Yes*, gladly.",
        "We meet at five (six if it rains).",
        "Bring bread. (It is for Ben.)",
        "Ben says, 'Come in.'",
        'My grandmother said "Come in" to everybody.',
        "Room [4] is free.",
        "2 * 3 * 4 is 24.",
    ],
)
def test_emphasis_and_remarks_are_kept(said):
    """They are part of what is said."""
    assert spoken_by(ADA, said, BEN) == said


@given(PLAIN)
def test_words_without_brackets_are_kept(said):
    """To the letter."""
    assert without_directions(said) == said


@given(PLAIN, st.sampled_from(["*nods*", "(laughing)", "[sighs softly]"]))
def test_a_direction_before_words_is_left_out(said, direction):
    """Whatever the words are."""
    assert without_directions(f"{direction} {said}") == said
