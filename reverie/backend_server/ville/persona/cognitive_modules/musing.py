"""Thoughts that take a while, with the setting `thinking = meanwhile`: the persona goes on, and what came of them
counts from a step on that is set when they begin, however long the answers take.

So only the one who thinks waits for them, and only in that step. They are asked in the name of the step in which they
begin, about the mind as it was then.
"""

import asyncio
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, Self, get_args

from ville.errors import CorruptFile, ModelError
from ville.json_types import JsonObject
from ville.persona.prompt_template.ask import AnswerVerdict, Tally
from ville.plain_text import one_line
from ville.storage.dates import parse_time, time_text

MusingKind = Literal["sights", "memories", "talk"]
"""Subject of a musing: sights of the last quarter of an hour, recent memories, or a talk that is over."""
ALL_MUSINGS: tuple[MusingKind, ...] = get_args(MusingKind)
TAKES = timedelta(minutes=60)
"""Most game time from the beginning of a musing until it counts."""


@dataclass(frozen=True)
class Conclusion:
    """Result of a musing."""

    found: JsonObject = field(default_factory=dict)
    """Content by kind."""
    tally: Tally = field(default_factory=Tally)
    """Counts of its questions, which belong to the step in which it counts."""
    fault: ModelError | None = None
    """Failed call that ended it."""


@dataclass
class Musing:
    """A thought that takes a while."""

    kind: MusingKind
    due: datetime
    """When it counts."""
    about: JsonObject
    """Its subject, by kind."""
    conclusion: Conclusion | None = None
    """None as long as answers are awaited."""
    task: "asyncio.Task[None] | None" = None

    def begin(self, thought: Coroutine[object, None, JsonObject], tally: Tally) -> None:
        """Begin to think; nothing that the town or the mind will change may be read once that has been awaited."""
        self.task = asyncio.ensure_future(self._conclude(thought, tally))

    async def _conclude(self, thought: Coroutine[object, None, JsonObject], tally: Tally) -> None:
        try:
            self.conclusion = Conclusion(await thought, tally)
        except ModelError as fault:  # which of its questions were answered before depends on timing
            self.conclusion = Conclusion(fault=fault)

    async def concluded(self) -> Conclusion:
        """Return the result once it is there. Raise what ended the thought, unless that is a ModelError."""
        if self.task and not self.task.done():
            await asyncio.wait([self.task])  # who waits for it may be cancelled, it may not
        if self.task and self.conclusion is None:
            self.task.result()
        return self.conclusion or Conclusion()

    def as_json(self) -> JsonObject:
        """Return what is saved of a musing with a result."""
        result = self.conclusion or Conclusion()
        tally: JsonObject = {name: counted for name, counted in asdict(result.tally).items() if counted}
        failed: JsonObject = {"failed": str(result.fault)} if result.fault else {}
        begun: JsonObject = {"kind": self.kind, "due": time_text(self.due), "about": self.about}
        return {**begun, "found": result.found, "tally": tally, **failed}

    @classmethod
    def read(cls, owner: str, values: Mapping[str, Any]) -> Self:
        """Return what was saved. Raise CorruptFile, naming the persona."""
        try:
            kind = {each: each for each in ALL_MUSINGS}[values["kind"]]
            tally = dict(values.get("tally", {}))
            tally["judged"] = [AnswerVerdict(**each) for each in tally.get("judged", ())]
            fault = ModelError(str(values["failed"])) if "failed" in values else None
            result = Conclusion(dict(values["found"]), Tally(**tally), fault)
            return cls(kind, parse_time(values["due"]), dict(values["about"]), result)
        except (KeyError, TypeError, ValueError, AttributeError, CorruptFile) as wrong:
            raise unreadable(owner, wrong) from None


@contextmanager
def reading(owner: str, musing: Musing) -> Iterator[None]:
    """Use what a musing is about and what was found. Raise CorruptFile if that comes from a file, and is invalid."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError) as wrong:
        if musing.task:
            raise
        raise unreadable(owner, wrong) from None


def unreadable(owner: str, wrong: Exception) -> CorruptFile:
    """Return the error of a file whose musings cannot be read."""
    return CorruptFile(f"{owner}: musings.json is invalid ({one_line(repr(wrong))}). Restore or remove it.")
