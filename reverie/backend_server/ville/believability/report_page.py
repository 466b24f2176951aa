"""The report of an evaluation as one page that needs no network."""

from collections.abc import Iterator

from ville.analysis.study_figures import GRID, INK, SOFT, svg_tag, svg_text
from ville.believability.conditions import CONDITIONS
from ville.believability.evaluation_report import (
    NO_RANKING,
    NOT_COMPARABLE,
    EvaluationReport,
    GroupFindings,
    p_text,
    report_lines,
)
from ville.believability.rank_tests import SkillRating
from ville.sharing.html_file import HtmlFile
from ville.sharing.recording_file import style_text
from ville.sharing.report.markup import Html, block, element, section, table

WIDTH, ROW, LEFT, RIGHT = 720, 34, 220, 40
OURS, THEIRS = "#0072b2", "#b5b5b5"
LEGEND = "Blue: rating with its 95 % interval. Grey: the paper."
TESTED = ("condition", "against", "ahead in", "p (Dunn, Holm)", "p (sign test, Holm)")


def report_page(report: EvaluationReport) -> str:
    """Return the report as HTML: for each group a figure and its tests, then all of it in words."""
    title = f"Believability: {report.name}"
    body = element(
        "main",
        element("header", element("h1", title)),
        *map(_group, report.groups),
        element("p", NOT_COMPARABLE),
        section("words", "In words", block("\n".join(report_lines(report)))),
        class_="study-sheet report-sheet",
    )
    return HtmlFile(title, "", style_text("study.css", "report.css"), {}, {}, body, "study report").text()


def _group(found: GroupFindings) -> Html:
    who = f"Judged by {found.group.name}" if found.group.by_model else "Ranked by people"
    if not found.skills:
        return element("section", element("h2", who), element("p", NO_RANKING))
    pairs = [
        (
            CONDITIONS[each.one].title,
            CONDITIONS[each.other].title,
            f"{each.ahead:.0%}",
            _cell(each.adjusted),
            _cell(each.sign_p),
        )
        for each in found.pairs
    ]
    drawn = element("div", Html(rating_figure(found)), class_="drawing")
    return element(
        "section",
        element("h2", who),
        element("figure", drawn, class_="measure wide"),
        element("p", LEGEND, class_="soft"),
        table(TESTED, ("", pairs), words=2) if pairs else "",
    )


def _cell(p: float) -> str:
    return p_text(p).removeprefix("= ")


def rating_figure(found: GroupFindings) -> str:
    """Return a figure as SVG: the rating of each condition with its 95 % interval, and that of the paper in grey."""
    skills = sorted(found.skills.items(), key=lambda entry: -entry[1].mean)
    papers = [CONDITIONS[name].paper for name, _ in skills]
    ends = [*papers, *(end for _, skill in skills for end in skill.interval)]
    scale = (int(min(ends)) - 1, int(max(ends)) + 2)
    height = ROW * (len(skills) + 1)
    rows = "".join(part for place, (name, skill) in enumerate(skills) for part in _row(name, skill, place, scale))
    axis = "".join(_axis(*scale, height - ROW))
    return svg_tag(
        "svg",
        axis + rows,
        raw=True,
        viewBox=f"0 0 {WIDTH} {height}",
        width=WIDTH,
        role="img",
        aria_label="Rating of each condition with its 95 % interval; grey: the paper",
    )


def _x(value: float, scale: tuple[int, int]) -> float:
    low, high = scale
    return LEFT + (WIDTH - LEFT - RIGHT) * (value - low) / (high - low)


def _row(name: str, skill: SkillRating, place: int, scale: tuple[int, int]) -> Iterator[str]:
    middle = ROW * (place + 0.5)
    low, high = (_x(end, scale) for end in skill.interval)
    yield svg_text(0, middle + 4, CONDITIONS[name].title, fill=INK, font_size=14)
    yield svg_tag("circle", cx=_x(CONDITIONS[name].paper, scale), cy=middle, r=4, fill=THEIRS)
    yield svg_tag("line", x1=low, x2=high, y1=middle, y2=middle, stroke=OURS, stroke_width=2)
    yield svg_tag("circle", cx=_x(skill.mean, scale), cy=middle, r=5, fill=OURS)


def _axis(low: int, high: int, bottom: float) -> Iterator[str]:
    for value in range(low, high + 1, max(1, (high - low) // 6)):
        x = _x(value, (low, high))
        yield svg_tag("line", x1=x, x2=x, y1=0, y2=bottom, stroke=GRID)
        yield svg_text(x, bottom + 18, str(value), fill=SOFT, font_size=12, text_anchor="middle")
