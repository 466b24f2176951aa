"""Sayings: lines by key from data/sayings, filled in to be said, and recognised again when they are heard."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from types import MappingProxyType

from ville.offline.grammar import capitalised, lower_first
from ville.offline.table import FOLDER, checked, fault, load, rows

BLANKS = frozenset((
    "other", "name", "news", "told", "teller", "who", "topic", "their_topic", "doing", "their_doing", "unfinished",
    "when", "daypart", "part", "weekday", "place", "what", "host", "reason", "shift", "fact", "more", "thought",
    "incident", "since",
))  # fmt: skip
FORMS = ("plain", "warm", "cool", "home", "kin")
"""For everyone; for friends; for people one dislikes; for husband and wife; for parents and children."""
NO_TOPIC = (
    "giving|running for|coming|going to|getting|afraid|sure|glad|not|told|being|having|hoping|standing|sitting"
    "|something|anything|nothing|everything|morning|evening|calling|seeing|talking|saying"
)
"""After `I'm`, these words do not start a project."""
_TOPIC = rf"(?!(?:{NO_TOPIC})\b)\w+ing\b[^.,;!?]*?"
_NAME = r"(?-i:(?![a-z])[\w’'-]+(?: (?:[a-z]{1,3} )?(?![a-z])[\w’'.-]+){0,3}?)"
_SHAPES = dict.fromkeys(("other", "name", "who", "teller", "host"), _NAME) | {
    "news": ".+?", "topic": _TOPIC, "their_topic": _TOPIC, "doing": "[^.!?]+?", "their_doing": "[^.!?]+?",
    "unfinished": "[^.!?]+?", "incident": "[^.!?]+?", "thought": "[^.!?]+?", "reason": "[^!?]+?",
    "fact": r"I\b[^.!?]*[.!?]", "more": r"I\b[^.!?]*[.!?]",
}  # fmt: skip
_BOUNDARY = re.compile(r"(?<=[.!?:])\s+")


@dataclass(frozen=True)
class RecognizedLine:
    """A line of an utterance: its key and what stood in its blanks. The key of unknown words is empty."""

    key: str
    text: str
    blanks: Mapping[str, str]


@dataclass(frozen=True)
class Subject:
    """A row of subjects.yaml: remarks and questions about a kind of work."""

    means: re.Pattern[str]
    remarks: tuple[str, ...]
    questions: tuple[Mapping[str, object], ...]


@dataclass(frozen=True)
class _Line:
    """A saying with its pattern and its longest part without blanks."""

    key: str
    source: str
    literal: str

    @cached_property
    def shape(self) -> re.Pattern[str]:
        return re.compile(self.source, re.IGNORECASE)


@cache
def subjects() -> Mapping[str, Subject]:
    """Return the subjects of work by name, in the order in which they are tried."""
    values = load("subjects.yaml")
    return dict(zip(values, rows(values.values(), Subject), strict=True))


@lru_cache(maxsize=2048)
def subject_of(topic: str) -> str:
    """Return the name of the first subject that matches a topic, or an empty string."""
    return next((name for name, subject in subjects().items() if subject.means.search(topic)), "")


@cache
def _table() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the lines by key and form."""
    found: dict[str, Mapping[str, tuple[str, ...]]] = {}
    for path in sorted((FOLDER / "sayings").glob("*.yaml")):
        for key, value in load(f"sayings/{path.name}").items():
            forms = value if isinstance(value, Mapping) else {"plain": value}
            if wrong := [form for form in forms if form not in FORMS] or ([key] if "plain" not in forms else []):
                raise fault(wrong, f"'{wrong[0]}': forms are {', '.join(FORMS)}, and plain is required")
            if key in found:
                raise fault(key, f"'{key}' is defined twice")
            found[key] = {form: checked(lines, BLANKS) for form, lines in forms.items()}
    return found | {key: {"plain": checked(lines, BLANKS)} for key, lines in _questions_and_answers()}


def _questions_and_answers() -> Iterator[tuple[str, object]]:
    """Yield `ask about the weekend`, `interest book`, `ask book 1` and the like, with their answers."""
    for about, row in load("questions.yaml").items():
        yield f"ask about {about}", row["asks"]
        yield f"answer about {about}", row["answers"]
    for name, subject in subjects().items():
        yield f"interest {name}", list(subject.remarks)
        for number, question in enumerate(subject.questions, start=1):
            yield f"ask {name} {number}", [question["asks"]]
            yield f"answer {name} {number}", question["answers"]


def exists(key: str) -> bool:
    return key in _table()


def keys(beginning: str) -> list[str]:
    return [key for key in _table() if key.startswith(beginning)]


def templates(key: str, form: str = "plain") -> tuple[str, ...]:
    """Return the lines of a key in a form, with their blanks; the plain ones if it has no such form."""
    forms = _table()[key]
    return forms.get(form, forms["plain"])


def filled(line: str, blanks: Mapping[str, str]) -> str:
    """Fill the blanks of a line. A blank starts with a capital at the beginning of a sentence."""
    text = ""
    for number, part in enumerate(re.split(r"\{(\w+)\}", line)):
        starts = not text or text.endswith((". ", "! ", "? "))
        value = blanks[part] if number % 2 else part
        text += capitalised(value) if starts else lower_first(value) if number % 2 and part == "news" else value
    return text


@cache
def _index() -> Mapping[str, list[_Line]]:
    """Return the lines by their first word; those that begin with a blank under an empty string."""
    found: dict[str, list[_Line]] = {}
    for key, forms in _table().items():
        for text in (line for each in forms.values() for line in each):
            parts = re.split(r"\{(\w+)\}", text)
            seen: set[str] = set()
            shape = "".join(_blank(part, seen) if number % 2 else re.escape(part) for number, part in enumerate(parts))
            head = re.match(r"[\w'’]+", text)
            line = _Line(key, shape, max(parts[::2], key=len).strip().lower())
            found.setdefault(head[0].lower() if head else "", []).append(line)
    return found


def _blank(name: str, seen: set[str]) -> str:
    if name in seen:
        return f"(?P={name})"
    seen.add(name)
    shape = _sources() if name == "told" else _SHAPES.get(name, "[^.!?,:;]+?")
    return f"(?P<{name}>{shape})"


@cache
def _sources() -> str:
    """Return the pattern of the words that introduce news, such as `Tom told me:`."""
    found = (line for key in ("told by", "told in person", "told") for line in _table()[key]["plain"])
    return "|".join(re.escape(line).replace(r"\{teller\}", _NAME) for line in found)


@lru_cache(maxsize=32768)
def heard(utterance: str) -> tuple[RecognizedLine, ...]:
    """Split an utterance into lines of the tables; unknown sentences come without a key."""
    found, end = [], 0
    starts = [0, *(space.end() for space in _BOUNDARY.finditer(utterance))]
    for number, start in enumerate(starts):
        if start < end:
            continue
        line, end = _longest(utterance, start)
        if line is None:
            end = starts[number + 1] if number + 1 < len(starts) else len(utterance)
            line = RecognizedLine("", utterance[start:end].strip(), MappingProxyType({}))
        found.append(line)
    return tuple(found)


def _longest(text: str, start: int) -> tuple[RecognizedLine | None, int]:
    """Return the longest line that matches at a position, and its end; of equals the most literal one."""
    low = text[start:].lower()
    word = re.match(r"[\w'’]+", low)
    best: tuple[RecognizedLine | None, int] = (None, start)
    rank = (start, 0)
    for line in (*_index().get(word[0] if word else "", ()), *_index()[""]):
        found = line.shape.match(text, start) if line.literal in low else None
        if found is None or text[found.end() : found.end() + 1] not in {"", " "}:
            continue
        news = found.groupdict().get("news") or ""
        if (found.end(), len(line.literal)) > rank and not _BOUNDARY.search(news.strip()):
            rank = found.end(), len(line.literal)
            best = RecognizedLine(line.key, found[0], MappingProxyType(found.groupdict())), found.end()
    return best
