"""The blinded sheet: which answers are ranked against each other, without a word about their conditions."""

from collections.abc import Mapping
from hashlib import blake2b
from random import Random
from typing import Literal

from ville.errors import CorruptFile
from ville.storage.evaluations.evaluation_folder import EvaluationFolder
from ville.storage.files import pretty
from ville.storage.shapes import Text, Whole
from ville.storage.stored_part import StoredPart

SHEET, KEY = "sheet.json", "key.json"
FEWEST = 2
"""Different answers without which there is nothing to rank."""
COPY = "+"
"""Ends the code of a copy of an answer in another style, which is put before a judge to find bias."""


class AnswerCard(StoredPart):
    """An answer as it is ranked. Conditions that gave the same answer share one."""

    code: Text
    text: Text


class RankingTask(StoredPart):
    """The answers to one question to one person."""

    id: Text
    person: Text
    question: Text
    """Key of the question."""
    asked: Text
    """Its words, with names."""
    cards: list[AnswerCard]
    """In the order of their codes, which says nothing."""


class RankingSheet(StoredPart):
    """`sheet.json`: everything that is ranked."""

    v: Literal[1] = 1
    seed: int
    tasks: list[RankingTask]
    unranked: Whole
    """Questions to which all conditions gave the same answer."""

    def task(self, number: str) -> RankingTask | None:
        """Return the task of an id."""
        return next((task for task in self.tasks if task.id == number), None)


class SheetKey(StoredPart):
    """`key.json`: the conditions behind each code, by task. Raters never see it."""

    v: Literal[1] = 1
    conditions: dict[Text, dict[Text, list[Text]]]


def code_of(*parts: object) -> str:
    """Return a short code that tells nothing of what it stands for."""
    return blake2b("\n".join(map(str, parts)).encode(), digest_size=5).hexdigest()


def shown_cards(sheet: RankingSheet, task: RankingTask, rater: str) -> list[AnswerCard]:
    """Return the answers of a task in the order in which a rater sees them, always the same."""
    cards = list(task.cards)
    Random(f"{sheet.seed} {task.id} {rater.casefold()}").shuffle(cards)  # noqa: S311 - an order, not a secret
    return cards


def tasks_of(sheet: RankingSheet, rater: str) -> list[RankingTask]:
    """Return the tasks in the order of a rater: person by person, whom a rater has to get to know only once."""
    people = list(dict.fromkeys(task.person for task in sheet.tasks))
    draw = Random(f"{sheet.seed} {rater.casefold()}")  # noqa: S311 - an order, not a secret
    draw.shuffle(people)
    ordered = []
    for person in people:
        tasks = [task for task in sheet.tasks if task.person == person]
        draw.shuffle(tasks)
        ordered += tasks
    return ordered


def made_sheet(
    seed: int, asked: Mapping[str, Mapping[str, str]], answers: Mapping[str, Mapping[str, Mapping[str, str]]]
) -> tuple[RankingSheet, SheetKey]:
    """Return the sheet and its key.

    `asked` has the words of each question by person and key, `answers` the answers, brought to one style, by condition,
    person and key. What a condition leaves open is not ranked.
    """
    tasks, key, same = [], {}, 0
    for person, questions in asked.items():
        for question, words in questions.items():
            given = {condition: by_person.get(person, {}).get(question) for condition, by_person in answers.items()}
            number, cards = _cards(seed, person, question, given)
            if len(cards) < FEWEST:
                same += sum(text is not None for text in given.values()) >= FEWEST
                continue
            shown = [AnswerCard(code=code, text=text) for code, (text, _) in sorted(cards.items())]
            tasks.append(RankingTask(id=number, person=person, question=question, asked=words, cards=shown))
            key[number] = {code: conditions for code, (_, conditions) in sorted(cards.items())}
    return RankingSheet(seed=seed, tasks=tasks, unranked=same), SheetKey(conditions=key)


def _cards(
    seed: int, person: str, question: str, given: Mapping[str, str | None]
) -> tuple[str, dict[str, tuple[str, list[str]]]]:
    """Return the id of a task, and text and conditions of each of its different answers by code."""
    number = code_of(seed, person, question)
    found: dict[str, tuple[str, list[str]]] = {}
    for condition, text in given.items():
        if text is not None:
            found.setdefault(code_of(number, text), (text, []))[1].append(condition)
    return number, found


def write_sheet(folder: EvaluationFolder, sheet: RankingSheet, key: SheetKey) -> None:
    """Write the sheet, and its key apart from it. Raises CannotWrite."""
    folder.write(KEY, pretty(key.as_json()))
    folder.write(SHEET, pretty(sheet.as_json()))


def read_sheet(folder: EvaluationFolder) -> RankingSheet:
    """Raises CorruptFile, also if there is none yet."""
    if not (folder.root / SHEET).exists():
        template = "There is no %(file)s: not everyone has been asked. Give the command `ask` again, and it goes on."
        raise CorruptFile(template, file=folder.root / SHEET)
    return folder.read(RankingSheet, SHEET)


def read_key(folder: EvaluationFolder) -> SheetKey:
    """Raises CorruptFile, also if there is none yet."""
    return folder.read(SheetKey, KEY)
