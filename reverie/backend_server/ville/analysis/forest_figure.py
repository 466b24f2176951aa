"""Draws an effect under perturbations as SVG: a line for each, with mean and interval, below the effect as it is.

A forest plot (Lewis and Clarke 2001), in the colours of `study_figures.py`. The verdict beside each line says what its
colour does. The same values give the same bytes.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from ville.analysis.figure_scale import FigureScale
from ville.analysis.perturbed_effects import (
    LOST,
    REVERSED,
    SHOWS,
    SURVIVES,
    TOO_FEW,
    VANISHES,
    PerturbedEffect,
)
from ville.analysis.run_statistics import IntervalEstimate, RunDifference
from ville.analysis.study_figures import (
    CAP,
    COLOURS,
    DASHES,
    FONT,
    GRID,
    INK,
    NOTE_LINE,
    PAPER,
    SOFT,
    FigureWords,
    svg_tag,
    svg_text,
    text_lines,
)

NAMES, PLOT, NUMBERS, VERDICTS, LINE, MARGIN = 268, 300, 132, 128, 22, 8
WIDTH = MARGIN + NAMES + PLOT + NUMBERS + VERDICTS
BLUE, ORANGE = COLOURS[0], COLOURS[1]
INKS = {SURVIVES: BLUE, VANISHES: BLUE, LOST: ORANGE, REVERSED: ORANGE, SHOWS: ORANGE}
PLAIN = "as it is"
NOTE = (
    "Dots: mean difference over seeds, with 95% interval (Student). Grey band: the interval of the effect as it is. "
    "Hollow and dashed: too few to say. Perturbations that change nothing are not drawn."
)
WORDS = FigureWords()


def draw_forest(title: str, plain: RunDifference, effects: Sequence[PerturbedEffect], *, digits: int) -> str:
    """Return the figure; `digits` are decimals of numbers."""
    drawn = [(each, each.found) for each in effects if each.found and each.verdict in {*INKS, TOO_FEW}]
    heads, notes = text_lines(title, WIDTH - 20), text_lines(NOTE, WIDTH - 12, most=4)
    top = 8 + 20 * len(heads) + NOTE_LINE * len(notes) + 14
    height = top + LINE * (len(drawn) + 1) + 44
    scale = _scale([plain, *(found for _, found in drawn)])
    parts = [
        *(
            svg_text(MARGIN, 4 + 20 * number, line, font_size=15, font_weight=600)
            for number, line in enumerate(heads, 1)
        ),
        *(
            svg_text(MARGIN, 6 + 20 * len(heads) + NOTE_LINE * number, line, font_size=11, fill=SOFT)
            for number, line in enumerate(notes, 1)
        ),
        *_axis(scale, top, height - 30),
        *_band(plain.estimate, scale, top, height - 30),
        *_line(PLAIN, plain, "", scale=scale, y=top + LINE * 0.5, digits=digits),
    ]
    for place, (each, found) in enumerate(drawn, 1):
        y = top + LINE * (place + 0.5)
        parts += _line(each.says, found, each.verdict, scale=scale, y=y, digits=digits)
    box = svg_tag("rect", width=WIDTH, height=height, fill=PAPER, class_="paper")
    label = svg_tag("title", title) + svg_tag("desc", NOTE)
    return svg_tag(
        "svg", label + box + "".join(parts), raw=True, xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {height}", width=WIDTH, height=height, font_family=FONT, font_size=12, fill=INK,
    ) + "\n"  # fmt: skip


def _scale(differences: Iterable[RunDifference]) -> FigureScale:
    """Return the scale of the horizontal axis, with zero on it."""
    estimates = [each.estimate for each in differences]
    values = [0.0, *(value for each in estimates for value in (each.mean, each.low, each.high) if value is not None)]
    return FigureScale.around(values, MARGIN + NAMES, MARGIN + NAMES + PLOT, whole=False, signed=True)


def _axis(scale: FigureScale, top: float, bottom: float) -> Iterable[str]:
    for tick in scale.ticks:
        x = scale.at(tick)
        zero = abs(tick) < scale.step / 2
        look: dict[str, Any] = {"stroke": SOFT, "stroke_dasharray": "3 3"} if zero else {"stroke": GRID}
        yield svg_tag("line", x1=x, x2=x, y1=top, y2=bottom, **look)
        text = WORDS.number(tick, scale.digits, signed=True)
        yield svg_text(x, bottom + 16, text, text_anchor="middle", font_size=11, fill=SOFT)


def _band(plain: IntervalEstimate, scale: FigureScale, top: float, bottom: float) -> Iterable[str]:
    if plain.low is not None and plain.high is not None:
        left, right = scale.at(plain.low), scale.at(plain.high)
        yield svg_tag(
            "rect", x=left, y=top, width=max(1.0, right - left), height=bottom - top, fill=GRID, fill_opacity=0.7
        )


def _line(name: str, found: RunDifference, verdict: str, *, scale: FigureScale, y: float, digits: int) -> Iterable[str]:
    """Yield one line: name, interval with mean, numbers, verdict."""
    estimate, sure = found.estimate, verdict != TOO_FEW
    ink = INKS.get(verdict, SOFT) if verdict else INK
    yield svg_text(MARGIN, y + 4, text_lines(name, NAMES - 10, most=1)[0], font_weight=400 if verdict else 600)
    if estimate.low is not None and estimate.high is not None:
        low, high = scale.at(estimate.low), scale.at(estimate.high)
        dashes: dict[str, Any] = {} if sure else {"stroke_dasharray": DASHES}
        yield svg_tag("line", x1=low, x2=high, y1=y, y2=y, stroke=ink, stroke_width=1.8, **dashes)
        for end in (low, high):
            yield svg_tag("line", x1=end, x2=end, y1=y - CAP, y2=y + CAP, stroke=ink, stroke_width=1.8)
    look: dict[str, Any] = {"fill": ink} if sure else {"fill": PAPER, "stroke": ink, "stroke_width": 1.8}
    yield svg_tag("circle", cx=scale.at(estimate.mean), cy=y, r=3.8, **look)
    left = MARGIN + NAMES + PLOT + 10
    numbers = f"{WORDS.number(estimate.mean, digits, signed=True)} {WORDS.interval(estimate, digits, signed=True)}"
    yield svg_text(left, y + 4, numbers.strip(), font_size=11)
    weight = 600 if verdict in {LOST, REVERSED, SHOWS} else 400
    yield svg_text(left + NUMBERS, y + 4, verdict, font_size=11, font_weight=weight, fill=ink)
