"""Compose a whole person in one frame from body, head, hair and headwear, from back to front."""

import numpy as np

from town_builder.art.canvas import Canvas
from town_builder.art.palette import RAMPS, Ramp
from town_builder.art.people import hair as growth
from town_builder.art.people.body import body
from town_builder.art.people.colours import HAIRS, SKINS
from town_builder.art.people.haircuts import TAILS, Texture
from town_builder.art.people.head import face, skin
from town_builder.art.people.headwear import BANDS, GLASSES, HATS, TRINKETS
from town_builder.art.people.look import Look
from town_builder.art.people.pixel_grid import COLUMNS, ROWS
from town_builder.art.people.pose import FRAME, Pose, View
from town_builder.art.people.shading import shaded, tail
from town_builder.art.people.stencil import soft, steps

BRIM = 7
"""Row above which a hat hides the hair."""


def frame(look: Look, pose: Pose) -> Canvas:
    """Draw the person, 32 × 32 pixels, with the feet on the lowest or second lowest row."""
    figure = Canvas(FRAME, FRAME)
    for layer in _behind(look, pose):
        figure.over(layer.moved(0, pose.dip))
    figure.over(body(look, pose))
    for layer in (_head(look, pose.view), *_tails(look, pose, behind=False), *_worn(look, pose.view)):
        figure.over(layer.moved(0, pose.dip))
    return figure


def _behind(look: Look, pose: Pose) -> list[Canvas]:
    """Return the layers of hair behind the shoulders, in front view."""
    layers = _tails(look, pose, behind=True)
    if pose.view is View.FRONT and look.cut.falls and look.cut.texture is not Texture.COILS:
        ramp = HAIRS[look.hair.colour]
        fall = growth.behind_back(look.cut)
        canvas = shaded(fall, ramp, look.cut.texture, 15.5, shine=False)
        neck = fall & (abs(COLUMNS - 15.5) < 7)
        layers.append(canvas.fill(neck, ramp[0]).outline(strength=0.3))
    return layers


def _head(look: Look, view: View) -> Canvas:
    """Draw the head with its hair; in side and back view long hair covers the shoulders."""
    cut, ramp = look.cut, HAIRS[look.hair.colour]
    centre = growth.CENTRES[view]
    head = skin(look, view)
    hair = growth.thinned(view) if look.hair.cut == "bald" else growth.crown(cut, look.hair.fringe, view)
    if any(thing in HATS for thing in look.worn):
        hair &= ROWS >= BRIM
    shadow = np.roll(hair, 1, 0) & ~hair & head.drawn & (ROWS < 13)
    if view is not View.BACK:
        head.fill(shadow, soft(SKINS[look.skin], 0.6))
        face(head, look, view)
        for thing in look.worn.keys() & GLASSES.keys():
            GLASSES[thing][view].paint(head, steps(RAMPS[look.worn[thing]]))
    head.over(shaded(hair, ramp, cut.texture, centre))
    for thing in look.worn.keys() & BANDS.keys():
        _bind(head, thing, RAMPS[look.worn[thing]], view)
    return head.outline(strength=0.32)


def _bind(head: Canvas, band: str, ramp: Ramp, view: View) -> None:
    """Draw a band around the head, two pixels wide, lit on the left."""
    middle, hang, crown_column = BANDS[band]
    across = (COLUMNS - growth.CENTRES[view]) / 9.3
    if view is View.SIDE and crown_column:
        apart = COLUMNS - crown_column - 1.2 * (ROWS < 6)
        reach = ROWS < 13
    else:
        apart, reach = ROWS - middle - hang * across**2, ROWS < 14
    strip = (apart >= 0) & (apart < 2) & reach & head.drawn
    head.fill(strip, ramp[2]).fill(strip & (apart >= 1), ramp[1]).fill(strip & (across < -0.2) & (apart < 1), ramp[3])


def _tails(look: Look, pose: Pose, *, behind: bool) -> list[Canvas]:
    pieces = TAILS[look.cut.tails].get(pose.view, ()) if look.cut.tails else ()
    ramp, tie = HAIRS[look.hair.colour], RAMPS[look.hair.tie]
    return [tail(piece, ramp, tie, pose.stride) for piece in pieces if piece.behind is behind]


def _worn(look: Look, view: View) -> list[Canvas]:
    things = {**HATS, **TRINKETS}
    return [
        things[name][view].outlined(steps(RAMPS[colour]))
        for name, colour in look.worn.items()
        if name in things and view in things[name]
    ]
