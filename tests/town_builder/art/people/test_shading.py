"""Shading of hair."""

import pytest

from town_builder.art.people.colours import HAIRS
from town_builder.art.people.hair import CENTRES, crown
from town_builder.art.people.haircuts import CUTS, FRINGES
from town_builder.art.people.pose import View
from town_builder.art.people.shading import shaded


def test_colour_stays_where_hair_grows() -> None:
    """Exactly the pixels of hair are coloured, for every fringe."""
    for cut in CUTS:
        for view in View:
            for fringe in FRINGES:
                hair = crown(CUTS[cut], fringe, view)
                assert (shaded(hair, HAIRS["brown"], CUTS[cut].texture, CENTRES[view]).drawn == hair).all(), (cut, view)


@pytest.mark.parametrize("view", View)
def test_hair_is_shaded(view: View) -> None:
    """Every cut shows at least three tones from every side, and none covers more than nine tenths."""
    for cut in CUTS.values():
        hair = crown(cut, "short", view)
        picture = shaded(hair, HAIRS["brown"], cut.texture, CENTRES[view])
        tones = [tuple(pixel) for pixel in picture.pixels[hair].tolist()]
        most = max(tones.count(tone) for tone in set(tones))
        assert len(set(tones)) >= 3
        assert most < 0.9 * len(tones)
