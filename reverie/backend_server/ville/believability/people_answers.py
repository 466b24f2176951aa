"""Answers that people wrote in the place of the personas, brought in as a table."""

from collections.abc import Mapping
from pathlib import Path

from ville.believability.conditions import PEOPLE
from ville.errors import CorruptFile
from ville.persona.prompt_template import caps
from ville.plain_text import nearest, one_line
from ville.result_table import ResultTable
from ville.storage.evaluations.evaluation_folder import AnswerSet, EvaluationFolder
from ville.storage.evaluations.rating_table import csv_rows

COLUMNS = ("person", "question", "answer")


def answer_form(folder: EvaluationFolder) -> ResultTable:
    """Return the table that people fill in: a line for each question to each person, without an answer."""
    people = [folder.person(name) for name in folder.note().people]
    rows = [
        {"person": person.name, "question": key, "asked": asked, "answer": ""}
        for person in people
        for key, asked in person.questions.items()
    ]
    return ResultTable(("person", "question", "asked", "answer"), rows)


def read_people_answers(folder: EvaluationFolder, path: Path) -> list[AnswerSet]:
    """Return the answers in a table, by person. Empty ones are left out. Raises CorruptFile naming the line."""
    note = folder.note()
    keys = [question.key for question in note.questions]
    found: dict[str, dict[str, str]] = {}
    for number, row in csv_rows(path, COLUMNS):
        where = f"{path}:{number}"
        for what, known in (("person", note.people), ("question", keys)):
            if row[what] not in known:
                template = "%(file)s: there is no %(what)s '%(text)s'. %(fix)s"
                fix = nearest(row[what], known)
                raise CorruptFile(template, file=where, what=what, text=row[what][:60], fix=fix)
        if text := one_line(row["answer"]).strip():
            _keep(found.setdefault(row["person"], {}), row["question"], text, where)
    if not found:
        raise CorruptFile("%(file)s has no answers. Fill in the last column.", file=path)
    return [AnswerSet(person=name, condition=PEOPLE, answers=answers) for name, answers in found.items()]


def _keep(answers: dict[str, str], key: str, text: str, where: str) -> None:
    if key in answers:
        raise CorruptFile("%(file)s: this person has answered this question already. Keep one.", file=where)
    if len(text) > caps.UTTERANCE:
        template = "%(file)s: the answer has %(size)s characters; at most %(most)s are read. Make it shorter."
        raise CorruptFile(template, file=where, size=len(text), most=caps.UTTERANCE)
    answers[key] = text


def bring_in(folder: EvaluationFolder, sets: list[AnswerSet]) -> Mapping[str, int]:
    """Keep answers of people, beside those that were brought in before or in the place of these; return how many each
    person has now. Raises CannotWrite and CorruptFile.
    """
    counts = {}
    for each in sets:
        earlier = folder.answers(PEOPLE, each.person)
        whole = each.model_copy(update={"answers": {**(earlier.answers if earlier else {}), **each.answers}})
        folder.write_answers(whole)
        counts[each.person] = len(whole.answers)
    return counts
