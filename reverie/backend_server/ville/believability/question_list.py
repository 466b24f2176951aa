"""The questions of an evaluation, and how names of the town are filled in."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from string import Template

from ville.errors import BadArgument, BadStudy, CorruptFile, Fault
from ville.persona.memory_structures.stream.associative_memory import AssociativeMemory
from ville.simulation.user_texts import checked_line
from ville.storage.evaluations.evaluation_folder import EvaluationQuestion
from ville.storage.files import read_text
from ville.yaml_lines import YamlValue, read_yaml

FILE = Path(__file__).resolve().with_name("questions.yaml")
CATEGORIES = ("self-knowledge", "memory", "plans", "reactions", "reflections")
"""Those of the paper, section 6.1."""
BLANKS = {"first", "second", "town"}
MOST = 2_000
"""Values of a file of questions."""
EMPTY = "a file of questions has categories, each with questions by key"


def read_question_list(path: Path = FILE) -> list[EvaluationQuestion]:
    """Return the questions of a file. Raises BadStudy with all faults, BadYaml, and CorruptFile."""
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError) as fault:
        raise CorruptFile("%(file)s cannot be read (%(reason)s).", file=path, reason=fault) from None
    document = read_yaml(text, str(path), most=MOST, name="the file of questions")
    if document is None:
        raise BadStudy(Fault(f"{EMPTY}, but this one is empty", "look at questions.yaml", str(path), 1))
    found = [
        question
        for category, entries in document.fields(CATEGORIES).items()
        for key, entry in entries.fields().items()
        if (question := _question(category, key, entry))
    ]
    for key in (key for key, count in Counter(question.key for question in found).items() if count > 1):
        document.fault(f"two questions have the key '{key}'", "give each its own")
    if not found:
        document.fault(EMPTY, "write some")
    if document.faults.all:
        raise BadStudy(*document.faults.all)
    return found


def _question(category: str, key: str, entry: YamlValue) -> EvaluationQuestion | None:
    """Return a question; None if it has a fault, which is noted."""
    text = entry.text()
    if text is None:
        return None
    if not key.isascii() or not key.replace("_", "").replace("-", "").isalnum():
        entry.fault(f"'{key}' is not a key", "use letters, digits, _ and -")
    template = Template(text)
    if not template.is_valid() or not BLANKS.issuperset(template.get_identifiers()):
        entry.fault(f"{key} has an unknown blank", "use $first, $second and $town, or $$ for a dollar sign")
    try:
        return EvaluationQuestion(key=key, category=category, text=checked_line(text))
    except BadArgument as fault:
        entry.fault(f"{key}: {fault}", "correct it")
    return None


def worded(question: EvaluationQuestion, names: dict[str, str]) -> str:
    """Return the words of a question with names filled in."""
    return Template(question.text).substitute(names)


def names_for(person: str, people: Sequence[str], stream: AssociativeMemory, seed: int) -> dict[str, str]:
    """Return whom the questions to a person name: whom it has talked with most, then another one; drawn, if there is
    more than one, from the seed. Raises BadArgument if no one else lives there.
    """
    others = [name for name in people if name != person]
    if not others:
        raise BadArgument(f"{person} lives alone. An evaluation asks about others: use a town with two people or more.")
    Random(f"{seed} {person}").shuffle(others)  # noqa: S311 - a draw, not a secret
    talks = Counter(node.object for node in stream.newest("chat"))
    first, *rest = sorted(others, key=lambda name: -talks[name])
    return {"first": first, "second": (rest or [first])[0]}
