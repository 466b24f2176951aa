"""The files of an evaluation, as `believability ask` leaves them: nothing is asked. Answers tell their condition."""

from zlib import crc32

from ville.storage.evaluations.evaluation_folder import (
    EvaluationFolder,
    EvaluationNote,
    EvaluationQuestion,
    ShownMemory,
    ShownPerson,
    evaluations_beside,
)
from ville.storage.evaluations.ranking_sheet import made_sheet, read_sheet, write_sheet

PEOPLE = ("Ada Stone", "Ben Reed")
CONDITIONS = ("full", "no_reflection", "no_reflection_no_planning", "none")
TELLS = dict(zip(CONDITIONS, ("oak", "elm", "fir", "ash"), strict=True))
"""Word in the answers of each condition."""
CATEGORIES = ("self-knowledge", "memory", "plans", "reactions", "reflections")


def answer(condition, question, who):
    """An answer whose length says nothing of its condition."""
    padding = crc32(f"{condition}{question}{who}".encode()) % 9
    return f"I sat below the {TELLS[condition]} in case {question}{' again and' * padding} again."


def write_evaluation(studies, name="party", questions=5, people=PEOPLE, **more):
    """Write an evaluation whose answers can be ranked; `more` are parts of its note. Return its folder."""
    asked = [
        EvaluationQuestion(key=f"q{number}", category=CATEGORIES[number % 5], text=f"What of the tree {number}?")
        for number in range(questions)
    ]
    values = {"run": "run", "step": 9, "time": "February 13, 2023, 18:00:00", "seed": 1, "answered_by": ["mind"]} | more
    note = EvaluationNote(conditions=list(CONDITIONS), people=list(people), questions=asked, **values)
    folder = EvaluationFolder(evaluations_beside(studies), name)
    shown = {
        who: ShownPerson(
            name=who,
            about=[f"Name: {who}", "Age: 30"],
            memories=[ShownMemory(time="2023-02-13 08:00:00", kind="chat", text=f"{who} talked about <b>trees</b>")],
            questions={question.key: question.text for question in asked},
        )
        for who in people
    }
    answers = {
        condition: {who: {each.key: answer(condition, each.key, who) for each in asked} for who in people}
        for condition in CONDITIONS
    }
    for person in shown.values():
        folder.write_person(person)
    folder.write_note(note)
    write_sheet(folder, *made_sheet(note.seed, {who: person.questions for who, person in shown.items()}, answers))
    return folder


def best_first(folder, number):
    """Return the codes of a task by their conditions, the one with all memories first."""
    task = read_sheet(folder).task(number)
    place = {tree: rank for rank, tree in enumerate(TELLS.values())}
    return [card.code for card in sorted(task.cards, key=lambda card: place[card.text.split()[4]])]
