"""Evaluations of believability in their folder, and what raters have said of them so far."""

from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from translator.errors import BadRequest, NotFound
from translator.forms import CODE
from translator.storage.folder_names import folder_names
from ville.errors import BadArgument
from ville.storage.evaluations.evaluation_folder import EvaluationFolder, evaluations_beside
from ville.storage.evaluations.ranking_sheet import SHEET, RankingSheet, read_sheet
from ville.storage.evaluations.rating_files import checked_rater
from ville.storage.files import check_no_links


@dataclass(frozen=True)
class FoundEvaluation:
    """An evaluation whose answers can be ranked."""

    folder: EvaluationFolder
    sheet: RankingSheet

    @property
    def name(self) -> str:
        return self.folder.name


def evaluation_names() -> list[str]:
    """Return the names of all evaluations whose answers can be ranked, sorted."""
    root = evaluations_beside(settings.STUDIES)
    return sorted(name for name in folder_names(root) if (root / name / SHEET).exists())


def find_evaluation(name: str) -> FoundEvaluation:
    """Return an evaluation. Raises BadRequest, NotFound, and CorruptFile if its files are damaged."""
    if not CODE.fullmatch(name):
        raise BadRequest(
            _("This is not the name of an evaluation: use letters, digits, '-' and '_', at most 100 of them.")
        )
    if name not in evaluation_names():
        raise NotFound(_("There is no evaluation called %(name)s.") % {"name": name})
    folder = EvaluationFolder(evaluations_beside(settings.STUDIES), name)
    for place in ("ratings", "people"):
        check_no_links(folder.root / place, folder.root)
    return FoundEvaluation(folder, read_sheet(folder))


def rater_named(text: str) -> str:
    """Return the name of a rater. Raises BadRequest."""
    try:
        return checked_rater(text)
    except BadArgument:
        raise BadRequest(_("Use 1 to 40 letters, digits, blanks, dots and hyphens for your name.")) from None
