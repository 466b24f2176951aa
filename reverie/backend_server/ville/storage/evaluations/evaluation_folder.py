"""`believability/<name>/`: what is kept of one evaluation of believability, beside the simulation it asks about."""

from pathlib import Path
from typing import Literal

from ville.errors import BadArgument
from ville.storage.files import pretty, write_text, writing
from ville.storage.safe_names import safe_name
from ville.storage.shapes import Text, Whole
from ville.storage.stored_part import PartT, StoredPart, read_part

FOLDER = "believability"
"""Folder of all evaluations, beside that of the studies."""
NOTE, ANSWERS, PEOPLE, JUDGING = "evaluation.json", "answers", "people", "judging"


class EvaluationQuestion(StoredPart):
    """A question as it stands in the file of questions, with its blanks."""

    key: Text
    category: Text
    text: Text


class EvaluationNote(StoredPart):
    """`evaluation.json`: what is asked, of whom, and who answers."""

    v: Literal[1] = 1
    run: Text
    """Simulation, with the moment if one was named."""
    step: Whole
    time: Text
    """Game time of the interviews."""
    seed: int
    """Decides the codes and the order of answers, and whom questions name."""
    conditions: list[Text]
    """Those that were asked; `people`, if there are answers of people, is not among them."""
    people: list[Text]
    answered_by: list[Text]
    """Models under test; empty if the offline rules answered."""
    questions: list[EvaluationQuestion]


class AnswerSet(StoredPart):
    """`answers/<condition>/<person>.json`: the answers of one person under one condition, by key of the question."""

    v: Literal[1] = 1
    person: Text
    condition: Text
    answers: dict[Text, Text]


class ShownMemory(StoredPart):
    """A memory as raters read it."""

    time: Text
    """`YYYY-MM-DD HH:MM:SS` of game time."""
    kind: Text
    """event, thought or chat."""
    text: Text


class ShownPerson(StoredPart):
    """`people/<person>.json`: what raters learn of a person, and the questions with their names filled in."""

    v: Literal[1] = 1
    name: Text
    about: list[Text]
    """Sentences of the identity."""
    memories: list[ShownMemory]
    """Oldest first."""
    questions: dict[Text, Text]


class EvaluationFolder:
    """Reads and writes the files of one evaluation."""

    def __init__(self, evaluations: Path, name: str) -> None:
        self.name = name
        self.root = evaluations / name

    @property
    def is_there(self) -> bool:
        return (self.root / NOTE).exists()

    def write_note(self, note: EvaluationNote) -> None:
        """Raises CannotWrite."""
        self.write(NOTE, pretty(note.as_json()))

    def note(self) -> EvaluationNote:
        """Raises CorruptFile."""
        return self.read(EvaluationNote, NOTE)

    def answers(self, condition: str, person: str) -> AnswerSet | None:
        """Return the answers of a person under a condition; None if there are none yet. Raises CorruptFile."""
        file = _answer_file(condition, person)
        return self.read(AnswerSet, file) if (self.root / file).exists() else None

    def write_answers(self, answers: AnswerSet) -> None:
        """Raises CannotWrite."""
        self.write(_answer_file(answers.condition, answers.person), pretty(answers.as_json()))

    def person(self, name: str) -> ShownPerson:
        """Raises CorruptFile."""
        return self.read(ShownPerson, f"{PEOPLE}/{safe_name(name)}.json")

    def write_person(self, person: ShownPerson) -> None:
        """Raises CannotWrite."""
        self.write(f"{PEOPLE}/{safe_name(person.name)}.json", pretty(person.as_json()))

    def read(self, shape: type[PartT], file: str) -> PartT:
        """Return a file of this folder. Raises CorruptFile, also if it is missing."""
        return read_part(shape, self.root / file)

    def write(self, file: str, text: str) -> None:
        """Write a file of this folder, as a whole. Raises CannotWrite."""
        path = self.root / file
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, text)


def _answer_file(condition: str, person: str) -> str:
    return f"{ANSWERS}/{safe_name(condition)}/{safe_name(person)}.json"


def evaluations_beside(studies: Path) -> Path:
    """Return the folder of the evaluations that belongs to a folder of studies."""
    return studies.parent / FOLDER


def find_evaluations(folder: Path) -> list[str]:
    """Return the names of all evaluations, sorted."""
    return sorted(path.parent.name for path in folder.glob(f"[!.]*/{NOTE}"))


def find_evaluation(folder: Path, name: str) -> EvaluationFolder:
    """Return an evaluation that was begun. Raises BadArgument with the known names."""
    if name not in (known := find_evaluations(folder)):
        raise BadArgument(f"There is no evaluation '{name}' in {folder}. There are: {', '.join(known) or 'none'}.")
    return EvaluationFolder(folder, name)
