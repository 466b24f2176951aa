"""Agreement of raters, where it can be counted by hand."""

import pytest
from evaluation_files import write_evaluation

from ville.believability.agreement import agreement
from ville.storage.evaluations.ranking_sheet import read_sheet
from ville.storage.evaluations.rating_files import Rating


@pytest.fixture
def sheet(tmp_path):
    return read_sheet(write_evaluation(tmp_path / "studies"))


def rated(sheet, rater, places):
    """Return ratings of all tasks with these places, in the order of codes."""
    return [
        Rating(rater=rater, task=task.id, shown=codes, places=dict(zip(codes, places, strict=True)))
        for task in sheet.tasks
        for codes in [[card.code for card in task.cards]]
    ]


@pytest.mark.parametrize(("others", "concordance"), [((1, 2, 3, 4), 1), ((4, 3, 2, 1), 0), ((1, 3, 2, 4), 0.9)])
def test_concordance_of_two(sheet, others, concordance):
    """Alike, turned round, and with one exchange: W = 12 S / (m² (k³ - k))."""
    found = agreement(sheet, [*rated(sheet, "a", (1, 2, 3, 4)), *rated(sheet, "b", others)])
    assert (found.tasks, found.concordance) == (len(sheet.tasks), pytest.approx(concordance))


def test_kappa_of_two(sheet):
    """They agree on which answer of a pair is better in every second task, in which all pairs are turned round: half of
    the pairs are agreed on, and as many would be by chance.
    """
    mine, theirs = rated(sheet, "a", (1, 2, 3, 4)), rated(sheet, "b", (1, 2, 3, 4))
    turned = [*rated(sheet, "a", (4, 3, 2, 1))[::2], *rated(sheet, "a", (1, 2, 3, 4))[1::2]]
    assert agreement(sheet, [*turned, *theirs]).kappa == pytest.approx(0)
    assert agreement(sheet, [*mine, *theirs]).kappa == 1
    alike = [*turned, *(each.model_copy(update={"rater": "c"}) for each in turned)]
    assert agreement(sheet, alike).kappa == pytest.approx(1)


def test_raters_who_share_no_task_cannot_agree(sheet):
    """And one who rates alone neither."""
    half = len(sheet.tasks) // 2
    found = agreement(sheet, [*rated(sheet, "a", (1, 2, 3, 4))[:half], *rated(sheet, "b", (1, 2, 3, 4))[half:]])
    assert (found.tasks, found.kappa, found.concordance) == (0, None, None)
