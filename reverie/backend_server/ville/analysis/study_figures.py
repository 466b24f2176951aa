"""Draws a measure of a study as SVG: a dot for each run, mean and interval of each arm, and differences to the first.

After the estimation plots of Gardner and Altman (1986), with a column for each arm, and side by side on one scale the
columns of each base. Colours are those of Okabe and Ito
(2008), which people with any colour vision can tell apart. The same values give the same bytes.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from ville.analysis.figure_scale import FigureScale, swarm
from ville.analysis.run_counts import LEVEL
from ville.analysis.run_statistics import IntervalEstimate, MeasuredRun, RunDifference
from ville.analysis.study_statistics import ArmDifference, BaseValues, MeasureByArm

LETTER = 6.3
"""Average width of a letter of a text in size 12."""
MOST_LINES = 3
NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML does not know."""


def svg_tag(name: str, content: str = "", *, raw: bool = False, **attributes: Any) -> str:
    """Return an element; `raw`: its content is markup."""
    texts = {key: svg_number(value) if isinstance(value, float) else str(value) for key, value in attributes.items()}
    values = "".join(f" {key.rstrip('_').replace('_', '-')}={quoteattr(text)}" for key, text in texts.items())
    inner = content if raw else escape(content)
    made = f"<{name}{values}>{inner}</{name}>" if inner else f"<{name}{values}/>"
    return NO_XML.sub("\ufffd", made)


def svg_text(x: float, y: float, text: str, **attributes: Any) -> str:
    """Return a line of text."""
    return svg_tag("text", text, x=x, y=y, **attributes)


def svg_number(value: float) -> str:
    """Return a coordinate with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0")


def text_lines(text: str, width: float, *, most: int = MOST_LINES) -> list[str]:
    """Return a text in lines of about this width, broken after spaces, hyphens and underscores."""
    room = max(4, int(width / LETTER))
    lines = [""]
    for part in re.findall(r"[^\s_-]*[\s_-]*", text):
        for piece in (part[place : place + room] for place in range(0, len(part), room)):
            if lines[-1] and len(lines[-1]) + len(piece.rstrip()) > room:
                lines.append("")
            lines[-1] += piece
    found = [line.strip() for line in lines]
    return found if len(found) <= most else [*found[: most - 1], f"{found[most - 1][: room - 1]}…"]


COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
INK, SOFT, GRID, THREAD, PAPER = "#222222", "#5c5c5c", "#e6e6e6", "#b5b5b5", "#ffffff"
LEFT, RIGHT, COLUMN, BETWEEN, NARROWEST = 50, 10, 112, 18, 340
TITLE, NOTE_LINE, UPPER, LOWER, GAP = 22, 14, 190, 120, 26
NAME_LINE, NUMBER_LINE = 15, 14
DOTS, MEAN = -14, 26
"""Where in a column, from its middle, the dots and the mean are."""
RADIUS, APART, SPREAD, CAP = 4.2, 9.0, 46.0, 4.0
LONGEST_FILE = 80
LEAST_P = 0.001
"""The smallest p that is printed as it is."""
DASHES = "4 3"
FEW = 10
"""Seeds up to which the lines between their runs are drawn strongly."""
FONT = "Helvetica, Arial, sans-serif"


@dataclass(frozen=True)
class FigureWords:
    """Texts of a figure, so that pages can show it in the reader's language."""

    note: str = (
        "Dots: runs; lines join runs of the same seed. Black: mean with 95% interval. p: permutation test, adjusted "
        "for all differences of the study (Holm). Hollow and dashed: too few runs to say."
    )
    difference: str = "difference to %(arm)s"
    paired: str = "paired by seed"
    unpaired: str = "of means, not paired"
    p: str = "p = %(p)s"
    below: str = "p < %(p)s"
    too_few: str = "too few to say"
    exploratory: str = "exploratory"
    partly: str = "%(done)s of %(all)s runs"
    seed: str = "%(arm)s, seed %(seed)s: %(value)s"
    decimal: str = "."

    def number(self, value: float, digits: int, *, signed: bool = False) -> str:
        """Return a number with a true minus sign."""
        text = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
        if not text.strip("+-0."):
            text = text.lstrip("+-")
        return text.replace("-", "−").replace(".", self.decimal)

    def interval(self, estimate: IntervalEstimate, digits: int, *, signed: bool = False) -> str:
        """Return an interval in brackets; empty if there is none."""
        if estimate.low is None or estimate.high is None:
            return ""
        low, high = (self.number(value, digits, signed=signed) for value in (estimate.low, estimate.high))
        separator = "; " if self.decimal == "," else ", "
        return f"[{low}{separator}{high}]"

    def verdict(self, found: RunDifference) -> str:
        """Return the adjusted p of a difference, or that there are too few runs; and that it was not registered."""
        told = self._p_text(found)
        return f"{told}, {self.exploratory}" if found.plan == "exploratory" else told

    def _p_text(self, found: RunDifference) -> str:
        if found.too_few:
            return self.too_few
        if found.adjusted_p < LEAST_P:
            return self.below % {"p": self.number(LEAST_P, 3)}
        return self.p % {"p": self.number(found.adjusted_p, 3 if found.adjusted_p < LEVEL else 2)}


def figure_files(measures: Iterable[str]) -> dict[str, str]:
    """Return the name of the file of each measure's figure; a number tells those apart that would be the same."""
    files: dict[str, str] = {}
    taken: set[str] = set()
    for measure in measures:
        plain = re.sub(r"[^\w-]+", "_", measure).strip("_")[:LONGEST_FILE] or "measure"
        names = chain([plain], (f"{plain}_{number}" for number in count(2)))
        name = next(name for name in names if name.casefold() not in taken)
        taken.add(name.casefold())
        files[measure] = f"{name}.svg"
    return files


def draw_measure(
    measure: MeasureByArm,
    *,
    title: str = "",
    words: FigureWords = FigureWords(),
    links: Mapping[str, str] | None = None,
) -> str:
    """Return a measure as SVG; `links`: where the dot of a run leads, for pages."""
    return _Figure(measure, title, words, links or {}).drawn()


@dataclass(frozen=True)
class _Panel:
    """The columns of one base."""

    number: int
    values: BaseValues
    left: float
    column: float
    """Width of a column."""

    @property
    def right(self) -> float:
        return self.left + self.column * len(self.values.arms)

    def middle(self, place: int) -> float:
        """Return where the column of an arm has its middle."""
        return self.left + self.column * (place + 0.5)

    def seed(self, run: MeasuredRun) -> str:
        """Return what runs have in common that are compared."""
        return f"{self.number}/{run.seed}"


class _Figure:
    def __init__(self, measure: MeasureByArm, title: str, words: FigureWords, links: Mapping[str, str]) -> None:
        self._measure, self._title, self._words, self._links = measure, title, words, links
        arms, bases = measure.bases[0].arms, measure.bases
        gaps, columns = BETWEEN * (len(bases) - 1), len(arms) * len(bases)
        self._width = max(NARROWEST, LEFT + RIGHT + COLUMN * columns + gaps)
        column = (self._width - LEFT - RIGHT - gaps) / columns
        apart = column * len(arms) + BETWEEN
        self._panels = [_Panel(number, base, LEFT + number * apart, column) for number, base in enumerate(bases)]
        self._names = [text_lines(arm.arm, COLUMN - 8) for arm in arms]
        self._bases = [text_lines(base.base, apart - BETWEEN) for base in bases] if len(bases) > 1 else []
        self._notes = text_lines(words.note, self._width - 12, most=9) if title else []
        self._head = TITLE + NOTE_LINE * len(self._notes) + 12 if title else 8
        self._top = self._head + (NAME_LINE * max(map(len, self._bases)) + 8 if self._bases else 0)
        self._places: dict[str, tuple[float, float]] = {}
        """Of the dot of each run."""

    def drawn(self) -> str:
        parts = [*self._heading(), *self._upper()]
        bottom = self._top + UPPER + self._text_height()
        if any(base.differences for base in self._measure.bases):
            parts += self._lower(bottom + GAP)
            bottom += GAP + LOWER + 3 * NUMBER_LINE + 6
        bottom += 8
        label = svg_tag("title", self._title or self._measure.measure)
        box = svg_tag("rect", width=self._width, height=bottom, fill=PAPER, class_="paper")
        return svg_tag(
            "svg", label + svg_tag("desc", self._words.note) + box + "".join(parts), raw=True,
            xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {self._width} {bottom}", width=self._width,
            height=bottom, font_family=FONT, font_size=12, fill=INK,
        ) + "\n"  # fmt: skip

    def _text_height(self) -> int:
        """Return the height of names and numbers below the upper panel."""
        partly = any(len(arm.runs) < arm.planned for base in self._measure.bases for arm in base.arms)
        return 8 + NAME_LINE * max(map(len, self._names)) + NUMBER_LINE * (2 + partly)

    def _heading(self) -> Iterable[str]:
        """Yield the title, and the names of the bases if there are several."""
        if self._title:
            yield svg_text(6, 18, self._title, font_size=15, font_weight=600)
            for number, line in enumerate(self._notes, 1):
                yield svg_text(6, 20 + NOTE_LINE * number, line, font_size=11, fill=SOFT)
        for panel, lines in zip(self._panels, self._bases, strict=False):
            for number, line in enumerate(lines, 1):
                y = self._head + NAME_LINE * number
                yield svg_text((panel.left + panel.right) / 2, y, line, text_anchor="middle", fill=SOFT)

    def _upper(self) -> Iterable[str]:
        columns = [arm for base in self._measure.bases for arm in base.arms]
        values = [value for arm in columns for value in _all_values(arm.runs, arm.estimate)]
        scale = FigureScale.around(values, self._top + UPPER, self._top, whole=self._measure.whole)
        yield from self._axis(scale)
        for panel in self._panels:
            yield from self._runs(panel, scale)

    def _runs(self, panel: _Panel, scale: FigureScale) -> Iterable[str]:
        """Yield the runs of a base, with means and names of its arms."""
        arms = panel.values.arms
        for place, arm in enumerate(arms):
            heights = [scale.at(run.value) for run in arm.runs]
            for run, y, aside in zip(arm.runs, heights, swarm(heights, apart=APART, width=SPREAD), strict=True):
                self._places[run.run] = (panel.middle(place) + DOTS + aside, y)
        yield from self._threads(panel)
        for place, arm in enumerate(arms):
            yield from (self._dot(run, panel, place) for run in arm.runs)
            if arm.estimate:
                yield from _mean(panel.middle(place) + MEAN, arm.estimate, scale)
            yield from self._labels(panel, place)

    def _axis(self, scale: FigureScale, *, signed: bool = False) -> Iterable[str]:
        for tick in scale.ticks:
            y = scale.at(tick)
            zero = signed and abs(tick) < scale.step / 2
            look: dict[str, Any] = {"stroke": SOFT, "stroke_dasharray": "3 3"} if zero else {"stroke": GRID}
            yield from (svg_tag("line", x1=panel.left, x2=panel.right, y1=y, y2=y, **look) for panel in self._panels)
            text = self._words.number(tick, scale.digits, signed=signed)
            yield svg_text(LEFT - 7, y + 4, text, text_anchor="end", font_size=11, fill=SOFT)

    def _threads(self, panel: _Panel) -> Iterable[str]:
        """Yield the lines between runs of the same seed."""
        joined: dict[str, list[tuple[float, float]]] = {}
        for arm in panel.values.arms:
            for run in arm.runs:
                joined.setdefault(panel.seed(run), []).append(self._places[run.run])
        faint = 0.45 if len(joined) > FEW else 0.9
        for seed, points in joined.items():
            if len(points) > 1:
                line = " ".join(f"{svg_number(x)},{svg_number(y)}" for x, y in points)
                yield svg_tag(
                    "polyline",
                    points=line,
                    fill="none",
                    stroke=THREAD,
                    data_seed=seed,
                    stroke_opacity=faint,
                    class_="thread",
                )

    def _dot(self, run: MeasuredRun, panel: _Panel, place: int) -> str:
        x, y = self._places[run.run]
        value = self._words.number(run.value, 0 if self._measure.whole else self._measure.digits)
        says = self._words.seed % {"arm": panel.values.arms[place].arm, "seed": run.seed, "value": value}
        if self._bases:
            says = f"{panel.values.base}, {says}"
        dot = svg_tag(
            "circle", svg_tag("title", says), raw=True, cx=x, cy=y, r=RADIUS, fill=colour(place), stroke=PAPER,
            class_="dot", data_seed=panel.seed(run),
        )  # fmt: skip
        address = self._links.get(run.run)
        return svg_tag("a", dot, raw=True, href=address, aria_label=says) if address else dot

    def _labels(self, panel: _Panel, place: int) -> Iterable[str]:
        """Yield the name of an arm, its mean and its interval."""
        arm, x, y = panel.values.arms[place], panel.middle(place), self._top + UPPER + 8
        for line in self._names[place]:
            y += NAME_LINE
            yield svg_text(x, y, line, text_anchor="middle", font_weight=600, fill=INK)
        if arm.estimate:
            yield from self._numbers(x, y, arm.estimate)
        if len(arm.runs) < arm.planned:
            y += 3 * NUMBER_LINE
            text = self._words.partly % {"done": len(arm.runs), "all": arm.planned}
            yield svg_text(x, y, text, text_anchor="middle", font_size=11, fill=SOFT)

    def _numbers(self, x: float, y: float, estimate: IntervalEstimate, *, signed: bool = False) -> Iterable[str]:
        digits = self._measure.digits
        mean = self._words.number(estimate.mean, digits, signed=signed)
        yield svg_text(x, y + NUMBER_LINE, mean, text_anchor="middle")
        if between := self._words.interval(estimate, digits, signed=signed):
            yield svg_text(x, y + 2 * NUMBER_LINE, between, text_anchor="middle", font_size=11, fill=SOFT)

    def _lower(self, top: float) -> Iterable[str]:
        """Yield the differences to the first arm."""
        found = [each for base in self._measure.bases for each in base.differences]
        values = [0.0, *(value for each in found for value in _all_values(each.found.pairs, each.found.estimate))]
        scale = FigureScale.around(values, top + LOWER, top, whole=self._measure.whole, signed=True)
        yield from self._axis(scale, signed=True)
        yield from self._what_differs(scale, is_paired=all(each.found.pairs for each in found))
        names = [arm.arm for arm in self._measure.bases[0].arms]
        for panel in self._panels:
            for each in panel.values.differences:
                place = names.index(each.arm)
                yield from self._pairs(each, panel, place, scale)
                yield from _mean(panel.middle(place) + MEAN, each.found.estimate, scale, sure=not each.found.too_few)
                yield from self._numbers(panel.middle(place), top + LOWER + 4, each.found.estimate, signed=True)
                yield self._verdict(each, panel.middle(place), top + LOWER + 4 + 3 * NUMBER_LINE)

    def _what_differs(self, scale: FigureScale, *, is_paired: bool) -> Iterable[str]:
        """Yield what the lower panel shows, in the column of the first arm, which is empty, away from the zero line."""
        words, panel = self._words, self._panels[0]
        lines = text_lines(words.difference % {"arm": panel.values.arms[0].arm}, panel.column - 16)
        height = 15 * len(lines) + 18
        top = scale.top if scale.at(0.0) > scale.top + height else scale.bottom - height - 2
        yield svg_tag("rect", x=LEFT, y=top + 1, width=panel.column - 10, height=height, fill=PAPER, class_="paper")
        for number, line in enumerate(lines, 1):
            yield svg_text(LEFT + 6, top + 15 * number, line, font_weight=600)
        how = words.paired if is_paired else words.unpaired
        yield svg_text(LEFT + 6, top + 15 * len(lines) + 13, how, font_size=11, fill=SOFT)

    def _verdict(self, difference: ArmDifference, x: float, y: float) -> str:
        weight: dict[str, Any] = {"font_weight": 600} if difference.found.exceeds_noise else {}
        fill = INK if difference.found.exceeds_noise else SOFT
        text = self._words.verdict(difference.found)
        return svg_text(x, y, text, text_anchor="middle", font_size=11, fill=fill, class_="verdict", **weight)

    def _pairs(self, difference: ArmDifference, panel: _Panel, place: int, scale: FigureScale) -> Iterable[str]:
        heights = [scale.at(pair.value) for pair in difference.found.pairs]
        moved = swarm(heights, apart=APART - 1, width=SPREAD)
        for pair, y, aside in zip(difference.found.pairs, heights, moved, strict=True):
            yield svg_tag(
                "circle", cx=panel.middle(place) + DOTS + aside, cy=y, r=RADIUS - 0.9, fill=PAPER, stroke=colour(place),
                stroke_width=1.4, class_="pair", data_seed=panel.seed(pair),
            )  # fmt: skip


def _all_values(runs: Sequence[MeasuredRun], estimate: IntervalEstimate | None) -> Iterable[float]:
    """Yield all that a column shows."""
    yield from (run.value for run in runs)
    if estimate:
        yield from (each for each in (estimate.mean, estimate.low, estimate.high) if each is not None)


def _mean(x: float, estimate: IntervalEstimate, scale: FigureScale, *, sure: bool = True) -> Iterable[str]:
    """Yield a mean with its interval; unless it is `sure`, hollow and dashed."""
    y = scale.at(estimate.mean)
    if estimate.low is not None and estimate.high is not None:
        low, high = scale.at(estimate.low), scale.at(estimate.high)
        ends: dict[str, Any] = {"x1": x, "x2": x, "y1": low, "y2": high}
        dashes: dict[str, Any] = {} if sure else {"stroke_dasharray": DASHES}
        yield svg_tag("line", **ends, stroke=PAPER, stroke_width=5, class_="halo")
        yield svg_tag("line", **ends, stroke=INK, stroke_width=1.8, **dashes)
        for end in (low, high):
            yield svg_tag("line", x1=x - CAP, x2=x + CAP, y1=end, y2=end, stroke=INK, stroke_width=1.8)
    look: dict[str, Any] = (
        {"fill": INK} if sure else {"fill": PAPER, "stroke": INK, "stroke_width": 1.8, "class_": "unsure"}
    )
    yield svg_tag("circle", cx=x, cy=y, r=3.8, **look)


def colour(place: int) -> str:
    """Return the colour of an arm, by its place in the study."""
    return COLOURS[place % len(COLOURS)]
