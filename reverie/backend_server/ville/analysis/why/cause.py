"""Causes as data: a graph whose ends are a perception, a history or an intervention."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Literal

from ville.analysis.why.heard import HeardQuestion
from ville.json_types import Json

CauseKind = Literal[
    "perception", "history", "intervention", "memory", "reflection", "plan", "entry", "talk", "utterance", "action"
]
ENDS: frozenset[CauseKind] = frozenset(("perception", "history", "intervention"))
"""Kinds at which a chain ends."""


@dataclass(frozen=True)
class Removal:
    """Everything that is taken away before a step, for a run without a cause."""

    step: int
    memories: tuple[tuple[str, str], ...] = ()
    """Persona and node, never retrieved again."""
    sentences: tuple[tuple[str, str, str], ...] = ()
    """Persona, field of the character, and a sentence of it."""
    entries: tuple[tuple[str, str], ...] = ()
    """Persona, and an entry of its plan."""
    lines: tuple[tuple[str, str], ...] = ()
    """Speaker and words, which are replaced by a word that says nothing."""
    meetings: tuple[tuple[str, str], ...] = ()
    """Two who do not talk with each other."""
    rows: tuple[int, ...] = ()
    """Numbers of interventions."""

    def __add__(self, other: "Removal") -> "Removal":
        """Return what takes both away, from the earlier step on."""
        both = {name: tuple(dict.fromkeys((*getattr(self, name), *getattr(other, name)))) for name in PARTS}
        return Removal(min(self.step, other.step), **both)


PARTS = ("memories", "sentences", "entries", "lines", "meetings", "rows")


@dataclass(frozen=True)
class ActCause:
    """One cause. Its own causes come first what is named first."""

    key: str
    kind: CauseKind
    who: str
    step: int
    time: str
    words: str
    node: str = ""
    """Id of the memory, as `node_12`; empty if it is not one."""
    row: int = 0
    """Number of the intervention; 0 if it is not one."""
    because: tuple[str, ...] = ()
    """Keys of its causes, the first-named one first."""
    asked: tuple[HeardQuestion, ...] = ()
    """Questions that were asked for it, if its step was computed again."""
    removal: Removal | None = None
    """How a run without it is made; None if there is no way."""

    @property
    def is_end(self) -> bool:
        return self.kind in ENDS


@dataclass(frozen=True)
class Act:
    """Act that is asked about: an action, an utterance or a thought."""

    kind: Literal["action", "utterance", "thought"]
    who: str
    step: int
    """In which it is shown, said or thought."""
    words: str
    node: str = ""
    """Id of a thought."""
    other: str = ""
    """To whom something is said."""
    turn: int = 0
    """Number of an utterance in its talk, from 0."""
    part: str = ""
    """Words of an utterance that are asked about; empty for the whole of it."""


@dataclass(frozen=True)
class Chain:
    """An act with all of its causes."""

    run: str
    act: Act
    first: str
    """Key of the act among the causes."""
    causes: Mapping[str, ActCause]
    missing: str = ""
    """Parts that are not known, and why; empty if everything is."""

    @property
    def of_act(self) -> ActCause:
        return self.causes[self.first]

    @property
    def named(self) -> list[ActCause]:
        """The causes that are named for the act itself, the first-named one first."""
        return [self.causes[key] for key in self.of_act.because]

    def outline(self) -> Iterator[tuple[int, ActCause, bool]]:
        """Yield depth, cause, and whether it stands above already, in the order in which it is read."""
        seen: set[str] = set()

        def below(key: str, depth: int) -> Iterator[tuple[int, ActCause, bool]]:
            again = key in seen
            seen.add(key)
            yield depth, self.causes[key], again
            for cause in () if again else self.causes[key].because:
                yield from below(cause, depth + 1)

        return below(self.first, 0)

    def ends(self) -> list[ActCause]:
        """Return the causes that have no causes."""
        return [cause for _, cause, again in self.outline() if not cause.because and not again]

    def as_json(self) -> dict[str, Json]:
        """Return the act, its causes by key, and what is missing."""
        return asdict(replace(self, causes=dict(self.causes)))
