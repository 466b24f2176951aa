"""The body below the chin: walking legs, a dressed torso, swinging arms."""

from town_builder.art.canvas import Canvas
from town_builder.art.palette import RAMPS, Colour, Ramp
from town_builder.art.people.colours import SKINS
from town_builder.art.people.garments import BARE_LEGGED, BUILDS, DETAILS, FITS, SHIRT, SLEEVES
from town_builder.art.people.look import Look
from town_builder.art.people.pose import FRAME, Pose, View
from town_builder.art.people.stencil import Stencil, stencil, steps

STANDING = stencil(12, 25, "dllllllm", "dlm..dlm", "dlm..dlm", "tst..tst", "ssS..ssS")
LEGS: dict[tuple[View, int], Stencil] = {
    (View.FRONT, 0): STANDING,
    (View.FRONT, -1): stencil(12, 26, "dllllllm", "dlm..mmm", "dlm..SSS", "tss.....", "ssS....."),
    (View.FRONT, 1): stencil(12, 26, "dllllllm", "mmm..dlm", "SSS..dlm", ".....tss", ".....ssS"),
    (View.BACK, 0): STANDING,
    (View.BACK, -1): stencil(12, 26, "dllllllm", "mmm..dlm", "SSS..dlm", ".....tss", ".....ssS"),
    (View.BACK, 1): stencil(12, 26, "dllllllm", "dlm..mmm", "dlm..SSS", "tss.....", "ssS....."),
    (View.SIDE, 0): stencil(13, 25, ".dlllmm", ".dllm", ".dllm", "ttss.", "sssS."),
    (View.SIDE, -1): stencil(9, 26, "....dllllmm", "...dll..mmm", "..dll....mmS", "ttss.....sSS", "sssS.....SS."),
    (View.SIDE, 1): stencil(9, 26, "....mmllllm", "...mmm..dll", "..mmm....dls", "SSSS.....tss", "SSSS.....ss."),
}
"""d, l, m: leg, light to dark. t, s, S: shoe, light to dark. In side view the leg nearer to the viewer is lighter."""

SWING = {-1: (0, 1, 1, 2, 2, 3), 0: (0, 0, 0, 0, 0, 0), 1: (0, -1, -1, -2, -3, -3)}
"""Horizontal offset of each row of an arm in side view, in pixels, by stride."""


def body(look: Look, pose: Pose) -> Canvas:
    """Draw legs, torso and arms in a frame, outlined."""
    figure = Canvas(FRAME, FRAME)
    LEGS[pose.view, pose.stride].paint(figure, _leg_key(look))
    trunk = Canvas(FRAME, FRAME)
    for part, key in _layers(look, pose.view):
        part.paint(trunk, key)
    figure.over(trunk.moved(0, pose.dip)).outline(strength=0.34)
    for arm in _arms(look, pose):
        figure.over(arm.outline(strength=0.42).moved(0, pose.dip))
    return figure


def _leg_key(look: Look) -> dict[str, Colour]:
    clothes = look.clothes
    cloth, shoe = RAMPS[clothes.bottom], RAMPS[clothes.shoes]
    leg = SKINS[look.skin] if clothes.fit in BARE_LEGGED else cloth
    return {"d": leg[3], "l": leg[2], "m": leg[1], "t": shoe[3], "s": shoe[2], "S": shoe[1]}


def _layers(look: Look, view: View) -> list[tuple[Stencil, dict[str, Colour]]]:
    """Return the clothes from the shirt outwards, each with its colours."""
    clothes = look.clothes
    key = steps(RAMPS[clothes.top]) | steps(RAMPS[clothes.bottom], "ABCD")
    worn = [(SHIRT, key), (FITS[clothes.fit], key)]
    worn += [(DETAILS[name], steps(RAMPS[colour])) for name, colour in clothes.details.items()]
    return [(part[view], colours) for part, colours in worn if view in part]


def _arms(look: Look, pose: Pose) -> list[Canvas]:
    width = BUILDS[look.build]
    if pose.view is View.SIDE:
        return [_arm(look, 14, width + 1, SWING[pose.stride])]
    raised = -pose.stride if pose.view is View.BACK else pose.stride
    left = _arm(look, 11 - width, width, (0,) * 6).moved(int(raised > 0), -int(raised > 0))
    right = _arm(look, 21, width, (0,) * 6).moved(-int(raised < 0), -int(raised < 0))
    return [left, right]


def _arm(look: Look, x: int, width: int, drift: tuple[int, ...]) -> Canvas:
    """Draw one arm from row 19 down: sleeve, then skin; light on the left, dark on the right."""
    covered = SLEEVES[look.clothes.sleeves]
    arm = Canvas(FRAME, FRAME)
    for row, shift in enumerate(drift):
        ramp: Ramp = RAMPS[look.clothes.sleeve_colour or look.clothes.top] if row < covered else SKINS[look.skin]
        arm.row(x + shift, 19 + row, width, ramp[2])
        arm.dot(x + shift, 19 + row, ramp[3] if x < 16 else ramp[2]).dot(x + shift + width - 1, 19 + row, ramp[1])
    return arm
