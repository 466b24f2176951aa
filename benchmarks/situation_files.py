"""Recorded situations: questions as personas were asked them, with the right answers of the offline rules.

One folder below `situations/` for each set of questions (situated, paper), in it a file for each question, and a
situation in each line: the fields of the question, not its text, so that other words and another order of a prompt need
no new recording.
"""

import importlib
import json
import pkgutil
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, get_args

from pydantic import TypeAdapter, ValidationError

import ville.persona.prompt_template as questions
from ville.persona.prompt_template.question import Question, Wording, all_questions

FOLDER = Path(__file__).with_name("situations")
HOW = "Record anew: python benchmarks/record_situations.py"


@dataclass(frozen=True)
class Situation:
    """One question of one persona."""

    persona: str
    step: int
    question: Question[Any]
    answer: str
    """Right answer, as JSON."""
    wording: Wording = "situated"
    """Set of questions of the run in which it was asked."""


@dataclass(frozen=True)
class Kept:
    """Situations that could be read, and those that no longer fit their question."""

    situations: tuple[Situation, ...]
    misfits: tuple[str, ...]


@cache
def question_types() -> dict[str, type[Question[Any]]]:
    """Return the types of all questions by title."""
    for module in pkgutil.iter_modules(questions.__path__):
        importlib.import_module(f"{questions.__name__}.{module.name}")
    return {kind.template.removesuffix(".txt"): kind for kind in all_questions()}


def write(situations: Iterable[Situation], folder: Path = FOLDER) -> None:
    """Replace all files of a folder."""
    lines: dict[str, list[str]] = {}
    for each in situations:
        title = f"{each.wording}/{each.question.title}"
        lines.setdefault(title, []).append(json.dumps(_line(each), ensure_ascii=False))
    for old in folder.rglob("*.jsonl"):
        old.unlink()
    for title, rows in lines.items():
        path = folder / f"{title}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(rows) + "\n", "utf-8")


@cache
def _form(kind: type[Question[Any]]) -> TypeAdapter[Question[Any]]:
    return TypeAdapter(kind)


def _line(situation: Situation) -> dict[str, Any]:
    asked = _form(type(situation.question)).dump_python(situation.question, mode="json")
    return {"persona": situation.persona, "step": situation.step, "fields": asked, "answer": situation.answer}


def read(folder: Path = FOLDER) -> Kept:
    """Return all situations that fit the questions of today, and a line about each question that has others."""
    situations, misfits = list[Situation](), list[str]()
    for title, kind in sorted(question_types().items()):
        recorded = [path for wording in get_args(Wording) if (path := folder / wording / f"{title}.jsonl").exists()]
        for path in recorded:
            wording = path.relative_to(folder).parts[0]
            try:
                situations += [
                    _situation(kind, json.loads(line), wording) for line in path.read_text("utf-8").splitlines()
                ]
            except (LookupError, ValueError) as fault:
                misfits.append(f"{wording}/{title} is left out: {fault}. {HOW}")
        if not recorded:
            misfits.append(f"{title} has no situations. {HOW}")
    return Kept(tuple(situations), tuple(misfits))


def _situation(kind: type[Question[Any]], line: dict[str, Any], wording: Wording) -> Situation:
    """Raises ValueError for fields that are not those of the question."""
    asked = {field.name: field for field in _fields(kind)}
    unknown = sorted(line["fields"].keys() - asked.keys())
    missing = sorted(name for name, field in asked.items() if _required(field) and name not in line["fields"])
    if unknown or missing:
        raise ValueError(f"its fields have changed ({', '.join([*unknown, *missing])})")
    try:
        question = _form(kind).validate_python(line["fields"])
    except ValidationError as fault:
        wrong = fault.errors()[0]
        raise ValueError(f"the field {wrong['loc'][0]} has changed") from fault
    return Situation(line["persona"], line["step"], question, line["answer"], wording)


def _fields(kind: type[Question[Any]]) -> Iterator["Field[Any]"]:
    yield from fields(kind)  # type: ignore[arg-type]


def _required(field: "Field[Any]") -> bool:
    return field.default is MISSING and field.default_factory is MISSING
