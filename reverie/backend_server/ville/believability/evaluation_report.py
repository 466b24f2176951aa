"""Findings of an evaluation: numbers, tables for other programs, and a report in words."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from statistics import fmean

from ville.believability.agreement import Agreement, OrderAgreement, agreement, order_agreement
from ville.believability.bias import PositionBias, StyleBias, position_bias, style_bias
from ville.believability.conditions import CONDITIONS, PEOPLE
from ville.believability.plain_style import plain_answer
from ville.believability.question_list import CATEGORIES
from ville.believability.rank_tests import (
    OverallTest,
    PairTest,
    SkillRating,
    overall_test,
    pair_tests,
    skill_ratings,
)
from ville.believability.rankings import RankedSheet, RaterGroup, ranks_by_condition, rater_groups
from ville.errors import BadArgument
from ville.llm.gateway import OFFLINE_RULES
from ville.plain_text import quantity
from ville.result_table import ResultTable, TableRow
from ville.storage.evaluations.evaluation_folder import EvaluationFolder, EvaluationNote
from ville.storage.evaluations.rating_table import ratings_csv

NOT_COMPARABLE = (
    "The last column is the paper's (100 people, other answers). A rating is relative to those that it was ranked "
    "against, so its numbers do not compare with ours: compare the order, and which differences are found."
)
DEPENDENT = (
    "Kruskal–Wallis and Dunn are the paper's; they take the ranks of one ranking for independent, so their p are too "
    "small. Friedman and the sign test compare within rankings: report these."
)
TOO_FEW = "too few rankings to test"
NO_RANKING = "It gave no ranking that can be used."
NOTHING = "–"


@dataclass(frozen=True)
class GroupFindings:
    """Findings from the ratings of one group."""

    group: RaterGroup
    skills: dict[str, SkillRating]
    """By condition, in the order of the paper."""
    overall: OverallTest | None
    pairs: Sequence[PairTest]
    position: PositionBias
    style: StyleBias
    agreement: Agreement | None
    """Of people."""
    orders: OrderAgreement | None
    """Of a model with itself."""


@dataclass(frozen=True)
class EvaluationReport:
    """An evaluation, with what each group found."""

    name: str
    note: EvaluationNote
    tasks: int
    unranked: int
    """Questions to which all conditions gave the same answer."""
    groups: Sequence[GroupFindings]


def report_of(folder: EvaluationFolder) -> EvaluationReport:
    """Return what is rated so far. Raises BadArgument if that is nothing, and CorruptFile."""
    ranked, note = RankedSheet.of(folder), folder.note()
    groups = [findings_of(ranked, group) for group in rater_groups(folder)]
    if not groups:
        raise BadArgument(f"Nothing of {folder.name} is rated yet. Rate it on its page, or let a model judge it.")
    return EvaluationReport(folder.name, note, len(ranked.sheet.tasks), ranked.sheet.unranked, groups)


def findings_of(ranked: RankedSheet, group: RaterGroup) -> GroupFindings:
    """Return what the ratings of one group say."""
    skills = skill_ratings(group.rankings, ranked.sheet.seed)
    return GroupFindings(
        group=group,
        skills={name: skills[name] for name in CONDITIONS if name in skills},
        overall=overall_test(group.rankings),
        pairs=pair_tests(group.rankings, list(CONDITIONS)),
        position=position_bias(group.ratings),
        style=style_bias(ranked.sheet, ranked.key, group.ratings),
        agreement=None if group.by_model else agreement(ranked.sheet, group.ratings),
        orders=order_agreement(group.ratings) if group.by_model else None,
    )


def report_lines(report: EvaluationReport) -> Iterator[str]:
    """Yield the report in words."""
    note = report.note
    people, questions = (
        quantity(len(each), one, many)
        for each, one, many in ((note.people, "person", "people"), (note.questions, "question", "questions"))
    )
    yield f"{report.name}: {note.run} at {note.time}, {people}, {questions}"
    yield f"Answered by {', '.join(note.answered_by) or OFFLINE_RULES}"
    same = (
        f"; {report.unranked:,} had the same answer under all conditions and are not ranked" if report.unranked else ""
    )
    yield f"{quantity(report.tasks, 'ranking', 'rankings')} to make{same}"
    for found in report.groups:
        yield ""
        yield from _group_lines(found)
    yield ""
    yield NOT_COMPARABLE


def _group_lines(found: GroupFindings) -> Iterator[str]:
    group = found.group
    if group.by_model:
        as_whom = f" (served as {', '.join(group.served)})" if [*group.served] not in ([], [group.name]) else ""
        rankings = quantity(len(group.rankings), "ranking", "rankings")
        yield f"Judged by {group.name}{as_whom}: {rankings}, each in two orders"
        if group.unusable:
            yield f"  {group.unusable:,} times it gave no usable answer"
    else:
        raters = quantity(len(group.raters), "person", "people")
        yield f"Ranked by {raters}: {quantity(len(group.rankings), 'ranking', 'rankings')}"
    if not found.skills:
        yield f"  {NO_RANKING}"
        return
    yield from _skill_lines(found)
    yield from _test_lines(found)
    yield from _agreement_lines(found)
    yield from _position_lines(found.position)
    yield from _style_lines(found.style)


def _skill_lines(found: GroupFindings) -> Iterator[str]:
    ranks = ranks_by_condition(found.group.rankings)
    yield f"  {'':<28}{'rating':>8}{'95 % interval':>18}{'mean rank':>11}{'paper':>8}"
    for name, skill in sorted(found.skills.items(), key=lambda entry: -entry[1].mean):
        low, high = skill.interval
        interval = f"[{low:.2f}, {high:.2f}]"
        condition = CONDITIONS[name]
        yield (
            f"  {condition.title:<28}{skill.mean:>8.2f}{interval:>18}{fmean(ranks[name]):>11.2f}{condition.paper:>8.2f}"
        )


def _test_lines(found: GroupFindings) -> Iterator[str]:
    overall = found.overall
    if overall is None:
        yield f"  Kruskal–Wallis: {TOO_FEW}"
        return
    yield (
        f"  Kruskal–Wallis: H({overall.freedom}) = {overall.statistic:.2f}, p {p_text(overall.p)}, "
        f"epsilon squared {overall.effect:.2f}"
    )
    if overall.blocked_p is not None:
        yield f"  Within rankings (Friedman): p {p_text(overall.blocked_p)}"
    for pair in found.pairs:
        one, other = CONDITIONS[pair.one].title, CONDITIONS[pair.other].title
        tests = f"Dunn p {p_text(pair.adjusted)}, sign test p {p_text(pair.sign_p)} (both Holm)"
        yield f"    {one} ahead of {other} in {pair.ahead:.0%}: z {pair.z:.2f}, {tests}"
    yield f"  {DEPENDENT}"


def p_text(p: float) -> str:
    """Return a p as papers write it."""
    return "< .001" if p < 0.001 else f"= {p:.3f}".replace("0.", ".", 1)  # noqa: PLR2004 - a convention


def _agreement_lines(found: GroupFindings) -> Iterator[str]:
    if found.agreement:
        if not found.agreement.tasks:
            yield "  Agreement: no ranking was made by two people"
        else:
            kappa, concordance = (_number(each) for each in (found.agreement.kappa, found.agreement.concordance))
            tasks = quantity(found.agreement.tasks, "ranking", "rankings")
            yield f"  Agreement on {tasks} that several people made: kappa {kappa}, Kendall's W {concordance}"
    if found.orders:
        correlation = _number(found.orders.correlation)
        yield (
            f"  Turned round, it names the same first in {found.orders.same_first:.0%} of {found.orders.tasks:,}; "
            f"Kendall's tau {correlation}"
        )


def _number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.2f}"


def _position_lines(bias: PositionBias) -> Iterator[str]:
    if bias.p is None:
        yield "  Position bias: too few rankings with one first to say"
        return
    verdict = "FOUND" if bias.is_found else "not found" if bias.is_excluded else "too few rankings to say"
    found = f"; twice as many firsts for the top answer would be found in {bias.power:.0%} of cases"
    yield f"  Position bias: {verdict} (permutation, p {p_text(bias.p)}{'' if bias.is_found else found})"
    for each in bias.shares:
        yield (
            f"    position {each.position}: first in {each.share:.0%} [{each.low:.0%}, {each.high:.0%}], "
            f"expected {each.expected:.0%}"
        )


def _style_lines(bias: StyleBias) -> Iterator[str]:
    if bias.length_alike is None:
        yield "  Length: too few answers of different length to say"
    else:
        within = f"{bias.length_alike:.2f} [{bias.length_low:.2f}, {bias.length_high:.2f}]"
        preferred = f": {'longer' if bias.length_alike > 0 else 'shorter'} ones are preferred"
        yield (
            f"  Length and rank go together by {_number(bias.length)}, among answers of one condition by {within}"
            f"{preferred if bias.length_found else ''}"
        )
    if bias.copies:
        verdict = "too few to say" if bias.p is None else "FOUND" if bias.copies_found else "not found"
        p = "" if bias.p is None else f", p {p_text(bias.p)}"
        yield (
            f"  Style: preference {verdict}; the same answer, longer and marked up, is ahead in "
            f"{bias.copies_ahead:g} of {bias.copies:,}{p}"
        )


def report_tables(folder: EvaluationFolder, report: EvaluationReport) -> dict[str, str]:
    """Return the tables as CSV, by file name. Raises CorruptFile."""
    ranked = RankedSheet.of(folder)
    ratings = [rating for found in report.groups for rating in found.group.ratings]
    return {
        "conditions.csv": _conditions(report).to_csv(),
        "pairs.csv": _pairs(report).to_csv(),
        "categories.csv": _categories(report).to_csv(),
        "positions.csv": _positions(report).to_csv(),
        "answers.csv": _answers(folder).to_csv(),
        "ratings.csv": ratings_csv(ranked.sheet, ratings),
    }


def _row(columns: Sequence[str], *values: object) -> TableRow:
    return dict(zip(columns, values, strict=True))


def _conditions(report: EvaluationReport) -> ResultTable:
    columns = ("raters", "condition", "rating", "deviation", "low", "high", "mean_rank", "rankings", "paper")
    rows: list[TableRow] = []
    for found in report.groups:
        ranks = ranks_by_condition(found.group.rankings)
        for name, skill in found.skills.items():
            cells = (*(skill.mean, skill.deviation), *skill.interval, fmean(ranks[name]), len(ranks[name]))
            rows.append(_row(columns, found.group.name, name, *cells, CONDITIONS[name].paper))
    return ResultTable(columns, rows)


def _pairs(report: EvaluationReport) -> ResultTable:
    columns = ("raters", "one", "other", "z", "p", "adjusted_p", "sign_p", "ahead", "rankings")
    rows = [_row(columns, found.group.name, *astuple(each)) for found in report.groups for each in found.pairs]
    return ResultTable(columns, rows)


def _categories(report: EvaluationReport) -> ResultTable:
    """Return the mean rank of each condition in each category of questions."""
    rows = []
    for found in report.groups:
        for category in CATEGORIES:
            ranks = ranks_by_condition([each for each in found.group.rankings if each.category == category])
            for name in (name for name in CONDITIONS if name in ranks):
                cells = {"mean_rank": fmean(ranks[name]), "rankings": len(ranks[name])}
                rows.append({"raters": found.group.name, "category": category, "condition": name, **cells})
    return ResultTable(("raters", "category", "condition", "mean_rank", "rankings"), rows)


def _positions(report: EvaluationReport) -> ResultTable:
    columns = ("raters", "position", "ratings", "first", "expected", "low", "high", "share")
    rows = [
        _row(columns, found.group.name, *astuple(each), each.share)
        for found in report.groups
        for each in found.position.shares
    ]
    return ResultTable(columns, rows)


def _answers(folder: EvaluationFolder) -> ResultTable:
    """Return all answers, as they were given and as they are ranked."""
    note = folder.note()
    columns = ("person", "category", "question", "condition", "asked", "answer", "ranked_as")
    rows = [
        _row(columns, name, question.category, question.key, condition, asked, text, plain_answer(text, name))
        for name in note.people
        for questions in [folder.person(name).questions]
        for question in note.questions
        for asked in [questions[question.key]]
        for condition in (*note.conditions, PEOPLE)
        if (given := folder.answers(condition, name)) and (text := given.answers.get(question.key)) is not None
    ]
    return ResultTable(columns, rows)
