"""Pictures of a person: sprite sheet, profile and portrait."""

from dataclasses import asdict

from town_builder.art.canvas import Canvas, noise
from town_builder.art.palette import RAMPS, mix
from town_builder.art.people.figure import frame
from town_builder.art.people.look import Look
from town_builder.art.people.pose import FRAME, STRIDES, Pose, View

BUST = 24
"""Side length of the part of a frame that a portrait shows, from (4, 0), in pixels."""
PORTRAIT_SCALE = 4
FIGURE_SCALE = 2
BACKDROPS = ("yellow", "teal", "blue", "purple", "orange", "pink", "leaf", "red")


def sheet(look: Look) -> Canvas:
    """Draw the sprite sheet, 96 × 128: rows down, left, right, up; columns first step, standing, second step."""
    canvas = Canvas(len(STRIDES) * FRAME, 4 * FRAME)
    for column, stride in enumerate(STRIDES):
        side = frame(look, Pose(View.SIDE, stride))
        rows = (frame(look, Pose(View.FRONT, stride)), side, side.flipped(), frame(look, Pose(View.BACK, stride)))
        for row, picture in enumerate(rows):
            canvas.over(picture, column * FRAME, row * FRAME)
    return canvas


def profile(look: Look) -> Canvas:
    """Draw the standing frame in front view."""
    return frame(look, Pose(View.FRONT, 0))


def card(look: Look) -> Canvas:
    """Draw the portrait, and beside it the figure from the front, the side and the back at twice the size, 288 × 96."""
    face, figure = PORTRAIT_SCALE * BUST, FIGURE_SCALE * FRAME
    canvas = Canvas(face + len(View) * figure, face).over(portrait(look))
    for place, view in enumerate(View):
        canvas.over(frame(look, Pose(view, 0)).scaled(FIGURE_SCALE), face + place * figure, face - figure)
    return canvas


def portrait(look: Look) -> Canvas:
    """Draw head and shoulders at four times the size, 96 × 96, on a background colour that the person does not wear."""
    worn = {look.clothes.top, look.hair.colour, *look.worn.values()}
    free = [name for name in BACKDROPS if name not in worn]
    ramp = RAMPS[free[int(noise(*asdict(look).items()) * len(free))]]
    canvas = Canvas(BUST, BUST).rect(0, 0, BUST, BUST, mix(ramp[3], ramp[4], 0.3))
    canvas.ellipse(11.5, 11, 9.6, 9.6, mix(ramp[3], ramp[4], 0.8))
    return canvas.over(profile(look).crop(4, 0, BUST, BUST)).scaled(PORTRAIT_SCALE)
