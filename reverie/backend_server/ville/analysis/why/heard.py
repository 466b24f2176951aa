"""Records of what is heard when a step is computed again: questions, retrievals, and what everyone was about to do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ville.plain_text import shortened


@dataclass(frozen=True)
class ScoredMemory:
    """A memory as a retrieval weighed it. Components are scaled to 0-1 among all memories of the persona."""

    node: str
    text: str
    recency: float
    relevance: float
    importance: float
    score: float
    """Weighted sum of the three."""
    reserved: bool = False
    """Whether it was taken because it names the person whom the retrieval is about, whatever its score."""


@dataclass(frozen=True)
class HeardRetrieval:
    """One retrieval: for what, with which weights, what was taken, and the best of what was not."""

    persona: str
    focus: str
    """Text of the focal point."""
    weights: tuple[float, float, float]
    """Of recency, relevance and importance."""
    taken: tuple[ScoredMemory, ...]
    runners_up: tuple[ScoredMemory, ...]


@dataclass(frozen=True)
class HeardQuestion:
    """One question with the parts of its prompt, its answer, and what was retrieved for it."""

    step: int
    persona: str
    question: str
    """Name of its template, for example `converse/next_utterance`."""
    parts: tuple[tuple[str, str], ...]
    """Blanks of the template, filled in."""
    prompt: str
    answer: str
    retrievals: tuple[HeardRetrieval, ...] = ()

    def says(self, words: str) -> bool:
        """Return whether the answer has the words of an act, which it may quote as JSON."""
        return says(self.answer, words)


def says(answer: str, words: str) -> bool:
    """Return whether an answer has the words of an act, which it may quote as JSON."""
    plain = answer.replace('\\"', '"').replace("\\n", " ")
    return words in plain or shortened(words, 60).rstrip("…. ") in plain


@dataclass(frozen=True)
class DayEntry:
    """An entry of the plan of a day, in minutes after midnight."""

    start: int
    end: int
    what: str

    def __str__(self) -> str:
        start, end = (f"{minute // 60 % 24:02}:{minute % 60:02}" for minute in (self.start, self.end))
        return f"{start}-{end} {self.what}"


@dataclass(frozen=True)
class DoingState:
    """Action of a persona after a step, and the entry of its plan that it belongs to."""

    doing: str
    """Description of the action: `studying (reading a chapter)`."""
    begun: int
    """Step in which the action began."""
    entry: DayEntry | None
    """Entry of the hourly plan at that time."""
    identity: Mapping[str, str]
    """Lines of the character, by field."""


@dataclass(frozen=True)
class HeardStep:
    """One step that was computed again."""

    step: int
    questions: tuple[HeardQuestion, ...] = ()
    states: Mapping[str, DoingState] = field(default_factory=dict)

    def asked(self, persona: str, *names: str) -> list[HeardQuestion]:
        """Return the questions of a persona whose name begins so, in order."""
        return [each for each in self.questions if each.persona == persona and each.question.startswith(names)]


Listen = Callable[[int], HeardStep | None]
"""Computes a step again and returns what is heard; None if that cannot be done."""


def deaf(_step: int) -> None:
    """Hear nothing: only files are read."""
