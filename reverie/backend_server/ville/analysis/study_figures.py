"""Draws a measure of a study as SVG: a dot for each run, mean and interval of each arm, and differences to the first.

After the estimation plots of Gardner and Altman (1986), with a column for each arm. Colours are those of Okabe and Ito
(2008), which people with any colour vision can tell apart. The same values give the same bytes.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from ville.analysis.figure_scale import FigureScale, swarm
from ville.analysis.study_statistics import ArmDifference, IntervalEstimate, MeasureByArm, MeasuredRun

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
INK, SOFT, GRID, THREAD, PAPER = "#222222", "#5c5c5c", "#e6e6e6", "#b5b5b5", "#ffffff"
LEFT, RIGHT, COLUMN, NARROWEST = 50, 10, 112, 340
TITLE, NOTE_LINE, UPPER, LOWER, GAP = 22, 14, 190, 120, 26
NAME_LINE, NUMBER_LINE = 15, 14
DOTS, MEAN = -14, 26
"""Where in a column, from its middle, the dots and the mean are."""
RADIUS, APART, SPREAD, CAP = 4.2, 9.0, 46.0, 4.0
LETTER = 6.3
"""Average width of a letter of names, in units of the figure."""
MOST_LINES = 3
LONGEST_FILE = 80
FEW = 10
"""Seeds up to which the lines between their runs are drawn strongly."""
NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML does not know."""
FONT = "Helvetica, Arial, sans-serif"


@dataclass(frozen=True)
class FigureWords:
    """Texts of a figure, so that pages can show it in the reader's language."""

    note: str = "Dots: runs; lines join runs of the same seed. Black: mean with 95% bootstrap interval."
    difference: str = "difference to %(arm)s"
    paired: str = "paired by seed"
    unpaired: str = "of means, not paired"
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


class _Figure:
    def __init__(self, measure: MeasureByArm, title: str, words: FigureWords, links: Mapping[str, str]) -> None:
        self._measure, self._title, self._words, self._links = measure, title, words, links
        self._names = [_lines(arm.arm, COLUMN - 8) for arm in measure.arms]
        self._width = max(NARROWEST, LEFT + RIGHT + COLUMN * len(measure.arms))
        self._notes = _lines(words.note, self._width - 12, most=9) if title else []
        self._top = TITLE + NOTE_LINE * len(self._notes) + 12 if title else 8
        self._column = (self._width - LEFT - RIGHT) / len(measure.arms)
        self._places: dict[str, tuple[float, float]] = {}
        """Of the dot of each run."""

    def drawn(self) -> str:
        parts = [*self._head(), *self._upper()]
        bottom = self._top + UPPER + self._text_height()
        if self._measure.differences:
            parts += self._lower(bottom + GAP)
            bottom += GAP + LOWER + 2 * NUMBER_LINE + 6
        bottom += 8
        label = _tag("title", self._title or self._measure.measure)
        box = _tag("rect", width=self._width, height=bottom, fill=PAPER, class_="paper")
        return _tag(
            "svg", label + _tag("desc", self._words.note) + box + "".join(parts), raw=True,
            xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {self._width} {bottom}", width=self._width,
            height=bottom, font_family=FONT, font_size=12, fill=INK,
        ) + "\n"  # fmt: skip

    def _text_height(self) -> int:
        """Return the height of names and numbers below the upper panel."""
        partly = any(len(arm.runs) < arm.planned for arm in self._measure.arms)
        return 8 + NAME_LINE * max(map(len, self._names)) + NUMBER_LINE * (2 + partly)

    def _head(self) -> Iterable[str]:
        if self._title:
            yield _text(6, 18, self._title, font_size=15, font_weight=600)
            for number, line in enumerate(self._notes, 1):
                yield _text(6, 20 + NOTE_LINE * number, line, font_size=11, fill=SOFT)

    def _middle(self, place: int) -> float:
        return LEFT + self._column * (place + 0.5)

    def _upper(self) -> Iterable[str]:
        arms = self._measure.arms
        values = [value for arm in arms for value in _all_values(arm.runs, arm.estimate)]
        scale = FigureScale.around(values, self._top + UPPER, self._top, whole=self._measure.whole)
        yield from self._axis(scale)
        for place, arm in enumerate(arms):
            heights = [scale.at(run.value) for run in arm.runs]
            for run, y, aside in zip(arm.runs, heights, swarm(heights, apart=APART, width=SPREAD), strict=True):
                self._places[run.run] = (self._middle(place) + DOTS + aside, y)
        yield from self._threads()
        for place, arm in enumerate(arms):
            yield from (self._dot(run, arm.arm, place) for run in arm.runs)
            if arm.estimate:
                yield from _mean(self._middle(place) + MEAN, arm.estimate, scale)
            yield from self._labels(place)

    def _axis(self, scale: FigureScale, *, signed: bool = False) -> Iterable[str]:
        for tick in scale.ticks:
            y = scale.at(tick)
            zero = signed and abs(tick) < scale.step / 2
            look: dict[str, Any] = {"stroke": SOFT, "stroke_dasharray": "3 3"} if zero else {"stroke": GRID}
            yield _tag("line", x1=LEFT, x2=self._width - RIGHT, y1=y, y2=y, **look)
            text = self._words.number(tick, scale.digits, signed=signed)
            yield _text(LEFT - 7, y + 4, text, text_anchor="end", font_size=11, fill=SOFT)

    def _threads(self) -> Iterable[str]:
        """Yield the lines between runs of the same base and seed."""
        joined: dict[tuple[str, int], list[tuple[float, float]]] = {}
        for arm in self._measure.arms:
            for run in arm.runs:
                joined.setdefault((run.base, run.seed), []).append(self._places[run.run])
        faint = 0.45 if len(joined) > FEW else 0.9
        for (_base, seed), points in joined.items():
            if len(points) > 1:
                line = " ".join(f"{_short(x)},{_short(y)}" for x, y in points)
                yield _tag(
                    "polyline",
                    points=line,
                    fill="none",
                    stroke=THREAD,
                    data_seed=seed,
                    stroke_opacity=faint,
                    class_="thread",
                )

    def _dot(self, run: MeasuredRun, arm: str, place: int) -> str:
        x, y = self._places[run.run]
        value = self._words.number(run.value, 0 if self._measure.whole else self._measure.digits)
        says = self._words.seed % {"arm": arm, "seed": run.seed, "value": value}
        dot = _tag(
            "circle", _tag("title", says), raw=True, cx=x, cy=y, r=RADIUS, fill=colour(place), stroke=PAPER,
            class_="dot", data_seed=run.seed,
        )  # fmt: skip
        address = self._links.get(run.run)
        return _tag("a", dot, raw=True, href=address, aria_label=says) if address else dot

    def _labels(self, place: int) -> Iterable[str]:
        """Yield the name of an arm, its mean and its interval."""
        arm, x, y = self._measure.arms[place], self._middle(place), self._top + UPPER + 8
        for line in self._names[place]:
            y += NAME_LINE
            yield _text(x, y, line, text_anchor="middle", font_weight=600, fill=INK)
        if arm.estimate:
            yield from self._numbers(x, y, arm.estimate)
        if len(arm.runs) < arm.planned:
            y += 3 * NUMBER_LINE
            text = self._words.partly % {"done": len(arm.runs), "all": arm.planned}
            yield _text(x, y, text, text_anchor="middle", font_size=11, fill=SOFT)

    def _numbers(self, x: float, y: float, estimate: IntervalEstimate, *, signed: bool = False) -> Iterable[str]:
        digits = self._measure.digits
        mean = self._words.number(estimate.mean, digits, signed=signed)
        yield _text(x, y + NUMBER_LINE, mean, text_anchor="middle")
        if between := self._words.interval(estimate, digits, signed=signed):
            yield _text(x, y + 2 * NUMBER_LINE, between, text_anchor="middle", font_size=11, fill=SOFT)

    def _lower(self, top: float) -> Iterable[str]:
        """Yield the differences to the first arm."""
        found = self._measure.differences
        values = [0.0, *(value for each in found for value in _all_values(each.pairs, each.estimate))]
        scale = FigureScale.around(values, top + LOWER, top, whole=self._measure.whole)
        yield from self._axis(scale, signed=True)
        yield from self._what_differs(scale)
        names = [arm.arm for arm in self._measure.arms]
        for each in found:
            place = names.index(each.arm)
            yield from self._pairs(each, place, scale)
            yield from _mean(self._middle(place) + MEAN, each.estimate, scale)
            yield from self._numbers(self._middle(place), top + LOWER + 4, each.estimate, signed=True)

    def _what_differs(self, scale: FigureScale) -> Iterable[str]:
        """Yield what the lower panel shows, in the column of the first arm, which is empty, away from the zero line."""
        words = self._words
        how = words.paired if all(each.pairs for each in self._measure.differences) else words.unpaired
        lines = _lines(words.difference % {"arm": self._measure.arms[0].arm}, self._column - 16)
        height = 15 * len(lines) + 18
        top = scale.top if scale.at(0.0) > scale.top + height else scale.bottom - height - 2
        yield _tag("rect", x=LEFT, y=top + 1, width=self._column - 10, height=height, fill=PAPER, class_="paper")
        for number, line in enumerate(lines, 1):
            yield _text(LEFT + 6, top + 15 * number, line, font_weight=600)
        yield _text(LEFT + 6, top + 15 * len(lines) + 13, how, font_size=11, fill=SOFT)

    def _pairs(self, difference: ArmDifference, place: int, scale: FigureScale) -> Iterable[str]:
        heights = [scale.at(pair.value) for pair in difference.pairs]
        moved = swarm(heights, apart=APART - 1, width=SPREAD)
        for pair, y, aside in zip(difference.pairs, heights, moved, strict=True):
            x = self._middle(place) + DOTS + aside
            yield _tag(
                "circle", cx=x, cy=y, r=RADIUS - 0.9, fill=PAPER, stroke=colour(place), stroke_width=1.4,
                class_="pair", data_seed=pair.seed,
            )  # fmt: skip


def _all_values(runs: Sequence[MeasuredRun], estimate: IntervalEstimate | None) -> Iterable[float]:
    """Yield all that a column shows."""
    yield from (run.value for run in runs)
    if estimate:
        yield from (each for each in (estimate.mean, estimate.low, estimate.high) if each is not None)


def _mean(x: float, estimate: IntervalEstimate, scale: FigureScale) -> Iterable[str]:
    y = scale.at(estimate.mean)
    if estimate.low is not None and estimate.high is not None:
        low, high = scale.at(estimate.low), scale.at(estimate.high)
        ends: dict[str, Any] = {"x1": x, "x2": x, "y1": low, "y2": high}
        yield _tag("line", **ends, stroke=PAPER, stroke_width=5, class_="halo")
        yield _tag("line", **ends, stroke=INK, stroke_width=1.8)
        for end in (low, high):
            yield _tag("line", x1=x - CAP, x2=x + CAP, y1=end, y2=end, stroke=INK, stroke_width=1.8)
    yield _tag("circle", cx=x, cy=y, r=3.8, fill=INK)


def colour(place: int) -> str:
    """Return the colour of an arm, by its place in the study."""
    return COLOURS[place % len(COLOURS)]


def _lines(text: str, width: float, *, most: int = MOST_LINES) -> list[str]:
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


def _text(x: float, y: float, text: str, **attributes: Any) -> str:
    return _tag("text", text, x=x, y=y, **attributes)


def _tag(name: str, content: str = "", *, raw: bool = False, **attributes: Any) -> str:
    """Return an element; `raw`: its content is markup."""
    values = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_short(value) if isinstance(value, float) else str(value))}"
        for key, value in attributes.items()
    )
    inner = content if raw else escape(content)
    made = f"<{name}{values}>{inner}</{name}>" if inner else f"<{name}{values}/>"
    return NO_XML.sub("\ufffd", made)


def _short(value: float) -> str:
    """Return a coordinate with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0")
