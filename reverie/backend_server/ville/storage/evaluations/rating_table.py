"""Ratings as a table, to be given away, and to be brought in from raters elsewhere. Conditions are not in it."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from ville.errors import CorruptFile
from ville.plain_text import csv_text
from ville.storage.evaluations.ranking_sheet import RankingSheet, RankingTask
from ville.storage.evaluations.rating_files import Rating, checked_rater
from ville.storage.files import read_text

NEEDED = ("rater", "task", "code", "shown", "place")
"""Columns without which ratings cannot be brought in."""
COLUMNS = ("rater", "turn", "task", "person", "question", "code", "shown", "place")
SEPARATORS = (",", ";", "\t")
PROTECTED = re.compile(r"^'(?=[=+\-@\t\r])")
"""Matches the sign that keeps spreadsheet programs from running a text."""
LARGEST_CSV = 4 * 2**20
"""Bytes."""


class RatedAnswer(NamedTuple):
    """A line of the table."""

    rater: str
    task: str
    shown: int
    code: str
    place: int
    line: int


def ratings_csv(sheet: RankingSheet, ratings: Iterable[Rating]) -> str:
    """Return finished ratings, a line for each answer."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for rating in ratings:
        task = sheet.task(rating.task)
        if task and rating.is_of(task):
            rater, person, question = map(csv_text, (rating.rater, task.person, task.question))
            about = (rater, rating.turn, task.id, person, question)
            writer.writerows((*about, code, rating.shown.index(code) + 1, rating.places[code]) for code in rating.shown)
    return text.getvalue()


def read_ratings_csv(path: Path, sheet: RankingSheet) -> list[Rating]:
    """Return the ratings in a table. Raises CorruptFile naming the line, and BadArgument for the name of a rater."""
    answers = sorted(_rated(path, number, row, sheet) for number, row in csv_rows(path, NEEDED))
    return [_rating(path, list(several), sheet) for _, several in groupby(answers, key=lambda each: each[:2])]


def _rated(path: Path, number: int, row: Mapping[str, str], sheet: RankingSheet) -> RatedAnswer:
    where, task = f"{path}:{number}", sheet.task(row["task"])
    if task is None or row["code"] not in {card.code for card in task.cards}:
        raise CorruptFile("%(file)s: this sheet has no such task or code. Rate its newest sheet.", file=where)
    shown, place = (_small(row[name], len(task.cards), where) for name in ("shown", "place"))
    return RatedAnswer(checked_rater(row["rater"]), task.id, shown, row["code"], place, number)


def _rating(path: Path, answers: list[RatedAnswer], sheet: RankingSheet) -> Rating:
    shown, places = [each.code for each in answers], {each.code: each.place for each in answers}
    rating = Rating(rater=answers[0].rater, task=answers[0].task, shown=shown, places=places)
    task: RankingTask | None = sheet.task(rating.task)
    if task is None or len(shown) != len(places) or not rating.is_of(task):
        template = "%(file)s: the places of this task are incomplete. Give one to each of its answers."
        raise CorruptFile(template, file=f"{path}:{min(each.line for each in answers)}")
    return rating


def csv_rows(path: Path, columns: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the lines of a table with their numbers, separated by what its first line has most of: spreadsheets write
    commas, semicolons or tabs. Raises CorruptFile if it cannot be read or lacks a column.
    """
    try:
        text = read_text(path, most=LARGEST_CSV)
        between = max(SEPARATORS, key=text.partition("\n")[0].count)
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True, delimiter=between)
        missing = [name for name in columns if name not in (reader.fieldnames or ())]
        if missing:
            raise CorruptFile("%(file)s has no column %(name)s. Add it.", file=path, name=missing[0])
        for row in reader:
            if None in row.values() or None in row:
                template = "%(file)s: this line has more or fewer cells than the first. Correct it."
                raise CorruptFile(template, file=f"{path}:{reader.line_num}")
            yield reader.line_num, {name: PROTECTED.sub("", str(cell)) for name, cell in row.items()}
    except OSError as fault:
        raise CorruptFile("%(file)s cannot be read (%(reason)s).", file=path, reason=fault.strerror) from None
    except (UnicodeDecodeError, csv.Error) as fault:
        raise CorruptFile(
            "%(file)s is not a CSV file in UTF-8 (%(reason)s). Save it as one.", file=path, reason=fault
        ) from None


def _small(text: str, most: int, where: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= most:
        template = "%(file)s: '%(text)s' is not a place from 1 to %(most)s."
        raise CorruptFile(template, file=where, text=text[:40], most=most)
    return int(text)
