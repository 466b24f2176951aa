"""Sayings: lines by intent from data/sayings, filled in to be said, and recognised again when they are heard."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from types import MappingProxyType

from ville.llm.offline.grammar import capitalised
from ville.llm.offline.table import FOLDER, checked, fault, load, rows

BLANKS = frozenset((
    "other", "name", "news", "news_low", "told", "teller", "who", "topic", "doing", "doing_up", "when", "when_up",
    "daypart", "part", "weekday", "place", "what", "day", "on_day", "host", "reason",
))  # fmt: skip
FORMS = ("plain", "warm", "cool", "home", "kin")
"""For everyone; for friends; for people one dislikes; for husband and wife; for parents and children."""
NO_TOPIC = (
    "giving|running for|coming|going to|getting|afraid|sure|glad|not|told|being|having|hoping|standing|sitting"
    "|something|anything|nothing|everything|morning|evening|calling|seeing|talking|saying"
)
"""After `I'm`, these do not begin what somebody is busy with."""
_TOPIC = rf"(?!(?:{NO_TOPIC})\b)\w+ing\b[^.,;!?]*?"
_NAME = r"(?-i:(?![a-z])[\w’'-]+(?: (?:[a-z]{1,3} )?(?![a-z])[\w’'.-]+){0,3}?)"
_SHAPES = dict.fromkeys(("other", "name", "who", "teller", "host"), _NAME) | {
    "news": ".+?",
    "news_low": ".+?",
    "topic": _TOPIC,
    "doing": "[^.!?]+?",
    "reason": "[^!?]+?",
}
_BOUNDARY = re.compile(r"(?<=[.!?:])\s+")


@dataclass(frozen=True)
class RecognizedLine:
    """A line that was recognised: its key and what stood in its blanks. Without a key: free words."""

    key: str
    text: str
    blanks: Mapping[str, str]


@dataclass(frozen=True)
class Subject:
    """A row of subjects.yaml: what people remark on somebody's work, and ask about it."""

    means: re.Pattern[str]
    remarks: tuple[str, ...]
    questions: tuple[Mapping[str, object], ...]


@dataclass(frozen=True)
class _Line:
    key: str
    source: str
    """Its pattern."""
    sign: str
    """The longest part without blanks."""

    @cached_property
    def shape(self) -> re.Pattern[str]:
        return re.compile(self.source, re.IGNORECASE)


@cache
def subjects() -> Mapping[str, Subject]:
    """Return the subjects of work by name, in the order in which they are looked for."""
    values = load("subjects.yaml")
    return dict(zip(values, rows(values.values(), Subject), strict=True))


@cache
def _table() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Key → form → lines."""
    found: dict[str, Mapping[str, tuple[str, ...]]] = {}
    for path in sorted((FOLDER / "sayings").glob("*.yaml")):
        for key, value in load(f"sayings/{path.name}").items():
            forms = value if isinstance(value, Mapping) else {"plain": value}
            if wrong := [form for form in forms if form not in FORMS] or ([key] if "plain" not in forms else []):
                raise fault(wrong, f"'{wrong[0]}': forms are {', '.join(FORMS)}, and plain may not be missing")
            if key in found:
                raise fault(key, f"'{key}' stands in two files")
            found[key] = {form: checked(lines, BLANKS) for form, lines in forms.items()}
    return found | dict(_paired_sayings())


def _paired_sayings() -> Iterator[tuple[str, Mapping[str, tuple[str, ...]]]]:
    """`ask about the weekend`; `interest book`, and for each question of a subject `ask book 1`; with their answers."""
    for about, row in load("questions.yaml").items():
        yield f"ask about {about}", {"plain": checked(row["asks"], BLANKS)}
        yield f"answer about {about}", {"plain": checked(row["answers"], BLANKS)}
    for name, subject in subjects().items():
        yield f"interest {name}", {"plain": checked(list(subject.remarks), BLANKS)}
        for number, question in enumerate(subject.questions, start=1):
            yield f"ask {name} {number}", {"plain": checked([question["asks"]], BLANKS)}
            yield f"answer {name} {number}", {"plain": checked(question["answers"], BLANKS)}


def exists(key: str) -> bool:
    return key in _table()


def keys(beginning: str) -> list[str]:
    """Return the keys that begin so."""
    return [key for key in _table() if key.startswith(beginning)]


def lines(key: str, form: str = "", **blanks: str) -> list[str]:
    """Return the lines of a key in a form, filled in; the plain ones where it has no such form."""
    forms = _table()[key]
    return [capitalised(line.format_map(blanks)) for line in forms.get(form, forms["plain"])]


@lru_cache(maxsize=2048)
def subject_of(topic: str) -> str:
    """Return the subject that somebody's work belongs to, or nothing."""
    return next((name for name, subject in subjects().items() if subject.means.search(topic)), "")


@cache
def _index() -> Mapping[str, list[_Line]]:
    """The lines by their first word; those that begin with a blank under nothing."""
    found: dict[str, list[_Line]] = {}
    for key, forms in _table().items():
        for text in (line for each in forms.values() for line in each):
            parts = re.split(r"\{(\w+)\}", text)
            seen: set[str] = set()
            shape = "".join(_blank(part, seen) if number % 2 else re.escape(part) for number, part in enumerate(parts))
            led = re.match(r"(?:And|But) (?=\S+ )", text)
            shape = f"(?:{re.escape(led[0])})?{shape[len(re.escape(led[0])) :]}" if led else shape
            line = _Line(key, shape, max(parts[::2], key=len).strip().lower())
            head = re.match(r"[\w'’]+", text[led.end() :] if led else text)
            for word in {head[0].lower() if head and not led else "", "and" if led else ""}:
                found.setdefault(word, []).append(line)
    return found


def _blank(name: str, seen: set[str]) -> str:
    if name in seen:
        return f"(?P={name})"
    seen.add(name)
    shape = _sources() if name == "told" else _SHAPES.get(name, "[^.!?,:;]+?")
    return f"(?P<{name}>{shape})"


@cache
def _sources() -> str:
    """Return the shape of what leads over to news: who told it."""
    found = (line for key in ("told by", "told in person", "told") for line in _table()[key]["plain"])
    return "|".join(re.escape(line).replace(r"\{teller\}", _NAME) for line in found)


@lru_cache(maxsize=32768)
def heard(utterance: str) -> tuple[RecognizedLine, ...]:
    """Return what was said in a remark, line by line; words that no table holds come without a key."""
    found, end = [], 0
    starts = [0, *(space.end() for space in _BOUNDARY.finditer(utterance))]
    for number, start in enumerate(starts):
        if start < end:
            continue
        said, end = _longest(utterance, start)
        if said is None:
            end = starts[number + 1] if number + 1 < len(starts) else len(utterance)
            said = RecognizedLine("", utterance[start:end].strip(), MappingProxyType({}))
        found.append(said)
    if found and not found[-1].key and (bare := _without_habit(utterance)) != utterance:
        return heard(bare)
    return tuple(found)


def _longest(text: str, start: int) -> tuple[RecognizedLine | None, int]:
    """Return the line that stands at a place, and where it ends: the longest, and of equals the most literal one."""
    low = text[start:].lower()
    word = re.match(r"[\w'’]+", low)
    best: tuple[RecognizedLine | None, int] = (None, start)
    rank = (start, 0)
    for line in (*_index().get(word[0] if word else "", ()), *_index()[""]):
        found = line.shape.match(text, start) if line.sign in low else None
        ends = found is not None and text[found.end() : found.end() + 1] in {"", " "}
        if found and ends and (found.end(), len(line.sign)) > rank and _tells(found):
            rank = found.end(), len(line.sign)
            best = RecognizedLine(line.key, found[0], MappingProxyType(found.groupdict())), found.end()
    return best


def _tells(found: re.Match[str]) -> bool:
    """Return whether the words in the place of news, if any, are one sentence and not the end of another remark."""
    news = found.groupdict().get("news") or found.groupdict().get("news_low") or ""
    return not _BOUNDARY.search(news.strip())


def _without_habit(said: str) -> str:
    """Return words without a habit at their end, as in `Hello, yo.`"""
    return re.sub(r", [\w ]+(?=[.!?]$)", "", said)
