"""Ratings: the places that a rater, or a judging model, gives the answers of a task. Each is a file of its own."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from ville.errors import BadArgument
from ville.storage.evaluations.evaluation_folder import EvaluationFolder
from ville.storage.evaluations.ranking_sheet import COPY, RankingTask
from ville.storage.files import pretty
from ville.storage.safe_names import safe_name
from ville.storage.shapes import Text
from ville.storage.stored_part import StoredPart

RATINGS, JUDGEMENTS = "ratings", "judgements"
RATER = re.compile(r"[^\W_][\w .\-]{0,39}")
"""Matches names and initials of raters."""


class Rating(StoredPart):
    """The places of the answers of one task: 1 is the most believable, and equal ones share a place."""

    v: Literal[1] = 1
    rater: Text
    """Name of a person, or of the model that was asked to judge."""
    task: Text
    turn: Annotated[int, Field(ge=1, le=2)] = 1
    """Which of its two orders a model was shown; people see one."""
    shown: list[Text]
    """Codes in the order in which they were shown."""
    places: dict[Text, int]
    """Empty or incomplete while a rater is at it, and if a model gave no usable answer."""
    done: bool = True
    asked: int = 1
    """How often a model was asked for it: again if it gave no usable answer."""
    served: Text = ""
    """Model that answered, as its provider names it; empty of people."""

    def is_of(self, task: RankingTask) -> bool:
        """Return whether it ranks all answers of a task as it is now."""
        return self.done and {code for code in self.places if not code.endswith(COPY)} == {
            card.code for card in task.cards
        }

    def without_copies(self) -> dict[str, int]:
        return {code: place for code, place in self.places.items() if not code.endswith(COPY)}


def checked_rater(text: str) -> str:
    """Return the name of a rater, without blanks around it. Raises BadArgument."""
    name = " ".join(text.split())
    if not RATER.fullmatch(name):
        raise BadArgument("The name of a rater has 1 to 40 letters, digits, blanks, dots and hyphens.")
    return name


def _rating_file(rater: str, task: str) -> str:
    return f"{_ratings_folder(rater)}/{task}.json"


def _ratings_folder(rater: str) -> str:
    """Return the folder of a rater, whose name may end with a dot."""
    return f"{RATINGS}/{safe_name(rater.casefold())}.rater"


def _judgement_file(judge: str, task: str, turn: int) -> str:
    return f"{JUDGEMENTS}/{safe_name(judge.casefold())}/{task}.{turn}.json"


def write_rating(folder: EvaluationFolder, rating: Rating) -> None:
    """Keep what a person has rated, also if it is unfinished. Raises CannotWrite."""
    folder.write(_rating_file(rating.rater, rating.task), pretty(rating.as_json()))


def write_judgement(folder: EvaluationFolder, rating: Rating) -> None:
    """Keep what a model has judged. Raises CannotWrite."""
    folder.write(_judgement_file(rating.rater, rating.task, rating.turn), pretty(rating.as_json()))


def read_judgement(folder: EvaluationFolder, judge: str, task: str, turn: int) -> Rating | None:
    """Return what a model has judged of a task in one of two orders; None if nothing. Raises CorruptFile."""
    file = _judgement_file(judge, task, turn)
    return folder.read(Rating, file) if (folder.root / file).exists() else None


def ratings_of(folder: EvaluationFolder, rater: str) -> dict[str, Rating]:
    """Return what a person has rated so far, by task. Raises CorruptFile."""
    root = folder.root / _ratings_folder(rater)
    return {rating.task: rating for rating in _all(folder, sorted(root.glob("[!.]*.json")))}


def all_ratings(folder: EvaluationFolder) -> list[Rating]:
    """Return what people have rated. Raises CorruptFile."""
    return list(_all(folder, sorted((folder.root / RATINGS).glob("[!.]*/[!.]*.json"))))


def all_judgements(folder: EvaluationFolder) -> list[Rating]:
    """Return what models have judged. Raises CorruptFile."""
    return list(_all(folder, sorted((folder.root / JUDGEMENTS).glob("[!.]*/[!.]*.json"))))


def _all(folder: EvaluationFolder, paths: Iterable[Path]) -> Iterator[Rating]:
    return (folder.read(Rating, path.relative_to(folder.root).as_posix()) for path in paths)
