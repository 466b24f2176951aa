"""A run of a study, as measures of one's own get it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from statistics import fmean
from typing import Any

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.tables.run_tables import RunTables
from ville.errors import BadArgument
from ville.plain_text import nearest
from ville.result_table import ResultTable
from ville.storage.dates import parse_node_time
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.past.moments import NamedMoment
from ville.storage.steps.frames import Frame

DIGITS = 12
"""Decimals of a difference: those that are equal are equal to the last one, as tests need it."""
REST = "rest"
"""Group of those who were drawn for none."""
ANSWER_COLUMNS = ("name", "ask", "when", "step", "role", "who", "group", "answer", "form", "value")


@dataclass(frozen=True)
class RunConversation:
    """A conversation, as those who had it remember it."""

    time: datetime
    """Game time at which it was remembered, which is when it ended."""
    people: tuple[str, ...]
    """Names of both, sorted. A visitor is among them."""
    lines: tuple[tuple[str, str], ...]
    """Speaker and words of each turn."""


def group_of(who: str, groups: Mapping[str, Sequence[str]]) -> str:
    """Return the group that a person was drawn for, or the rest; empty if none were drawn."""
    return next((group for group, people in groups.items() if who in people), "")


class Run(ComparedRun):
    """A run of a study, as a measure of your own gets it. Its files are read when they are asked for.

    It is there to be read: each measure gets one of its own, so that what one changes there changes no other. In the
    dry run it is the town with which the study begins: perhaps nothing has happened, and no one was asked.

    Attributes:
        name: name of its simulation, for example `party-told-s3`.
        people: full names of all residents, also of those who have moved away.
        steps: number of steps of the town so far, with those before the study began.
        begins: game time of step 0, a `datetime`.
        ends: game time after the last step, a `datetime`.
        memories: nodes of the memory stream of each person, oldest first, as docs/storage.md describes them: a dict
            with `type` (`event`, `thought` or `chat`), `description`, `created`, `poignancy` and others.
        conversations: a `RunConversation` for each talk, in order of time, once, whoever remembers it.
        answers: answers to the questions of the study, a dict each: `name`, `ask`, `when`, `step`, `role`, `who`,
            `group`, `answer` (as it was given), `form`, and `value`: a choice, a number, or None, which means that
            it was in words, or not usable.
        groups: people of each group that was drawn, and of the `rest`, by name; empty without `assign`.
        rows: interventions so far, as rows of their log.
    """

    def __init__(
        self,
        folder: SimulationFolder,
        moment: NamedMoment | None = None,
        *,
        answers: Sequence[Mapping[str, Any]] = (),
        groups: Mapping[str, Sequence[str]] | None = None,
        name: str = "",
    ) -> None:
        """`name`: another one than that of the simulation, for a dry run."""
        super().__init__(folder, moment)
        self.name = name or self.name
        self._moment = moment
        self.answers = ResultTable(ANSWER_COLUMNS, [{name: each[name] for name in ANSWER_COLUMNS} for each in answers])
        self.groups: dict[str, tuple[str, ...]] = {name: tuple(people) for name, people in (groups or {}).items()}

    def read_again(self) -> "Run":
        """Return the same run, of which nothing was read yet."""
        return Run(self.folder, self._moment, answers=self.answers, groups=self.groups, name=self.name)

    def movements(self, every: int = 1) -> Iterator[tuple[int, Frame]]:
        """Yield steps with what everyone shows in each, by name, in every so many steps; `frame(step)` returns one.

        A record has `movement` (column and row of the tile), `description` (`activity @ place`), `pronunciatio` (emoji)
        and `chat` (turns of the talk that goes on, or None). A step is usually ten seconds, so 360 are an hour. Steps
        of a shared beginning are there, too; those without a record are left out.
        """
        for step in range(0, self.steps, every):
            if shown := self.frame(step):
                yield step, shown

    @cached_property
    def conversations(self) -> list[RunConversation]:
        """All conversations in order of time."""
        found = {
            RunConversation(
                parse_node_time(node["created"]),
                tuple(sorted((name, str(node["object"])))),
                tuple((str(speaker), str(words)) for speaker, words in node["filling"] or ()),
            )
            for name in self.people
            for node in self.memories[name]
            if node["type"] == "chat"
        }
        return sorted(found, key=lambda talk: (talk.time, talk.people, talk.lines))

    @property
    def calls(self) -> ResultTable:
        """Calls to models, a dict each, with the columns of `calls` in docs/tables.md; empty if the rules answered."""
        return self.table("calls")

    def table(self, name: str) -> ResultTable:
        """Return a table of docs/tables.md as dicts: `people`, `actions`, `conversations`, `ties`, `news` and others.

        What is private is left out: talks and interviews with users, prompts and answers of calls. Raises BadArgument
        if there is no such table.
        """
        tables = RunTables(self)
        if name not in tables:
            raise BadArgument(f"a run has no table '{name}'; {nearest(name, tables)}")
        columns = [column.name for column in tables[name].columns]
        return ResultTable(columns, (dict(zip(columns, row, strict=True)) for row in tables[name].rows()))

    def group_of(self, who: str) -> str:
        """Return the group of a person; empty if the study draws none."""
        return group_of(who, self.groups)

    def contrast(self, values: Mapping[str, float | None], group: str, other: str = REST) -> float | None:
        """Return the mean of a group minus that of another one, by default of the rest.

        People of one town influence each other: this is one value of the town, not evidence of so many people. None if
        no one of a group has a value. Raises BadArgument for a group that was not drawn.
        """
        means = []
        for each in (group, other):
            if each not in self.groups:
                raise BadArgument(f"there is no group '{each}'; {nearest(each, self.groups)}")
            known = [value for who in self.groups[each] if (value := values.get(who)) is not None]
            means.append(fmean(known) if known else None)
        first, second = means
        return None if first is None or second is None else round(first - second, DIGITS)
