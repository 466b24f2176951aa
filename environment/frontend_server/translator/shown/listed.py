"""Simulations as the front page lists them: to watch, to go on with, and to start from."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from datetime import datetime, time

from django.contrib.staticfiles import finders

from translator.persona_name import PersonaName
from translator.shown import page_data
from translator.storage.runs import simulations
from translator.storage.runs.simulations import SimulationEntry
from translator.storage.runs.stored_simulation import Store
from ville.errors import CorruptFile
from ville.storage.compressed.cast import Cast
from ville.storage.folder.branches import read_branch

WAKING = time(6, 40)
"""Links of the list lead to this time of the first day: a town that begins at midnight sleeps before."""
OFFERED = ("base_the_ville_isabella_maria_klaus", "base_the_ville_n25")
"""Starting points that are offered first, if they are there."""
PASTS = {OFFERED[0]: "the_ville/agent_history_init_n3.csv", OFFERED[1]: "the_ville/agent_history_init_n25.csv"}
"""Histories of starting points, below the assets."""
MOST_FACES = 25
BASE = "base"
"""Beginning of the names of those from which others begin."""


@dataclass(frozen=True)
class Listed:
    """A simulation in a list. What is only shown is read when it is."""

    entry: SimulationEntry
    copy: bool = False
    """Whether it is there compressed, too."""

    @property
    def sim_code(self) -> str:
        return self.entry.code

    @property
    def form(self) -> str:
        return self.entry.store

    @property
    def title(self) -> str:
        return self.entry.title

    @property
    def tags(self) -> list[str]:
        return self.entry.notes.tags

    @property
    def note(self) -> str:
        return self.entry.notes.note

    @property
    def people(self) -> int:
        return len(self.entry.meta.persona_names)

    @property
    def steps(self) -> int:
        return self.entry.steps

    @property
    def start(self) -> datetime:
        return self.entry.meta.start

    @property
    def curr_time(self) -> datetime:
        return self.entry.meta.time_of(self.steps) if self.steps else self.entry.meta.curr_time

    @property
    def clock(self) -> str:
        """Return the time at which it stands."""
        return f"{self.curr_time:%H:%M}"

    @property
    def sprites(self) -> list[str]:
        return sprites(self.entry.meta.persona_names, self.entry.cast)

    @property
    def waking(self) -> int:
        return waking(self.entry)

    @property
    def past(self) -> str:
        return past(self.entry)


@dataclass(frozen=True)
class Lists:
    """All simulations, as pages list them, newest first."""

    saved: list[Listed]
    """Towns of the user: those that have been run, but no runs of studies, and those that are no base by their name."""
    bases: list[Listed]
    """Those that have not been run, from which others may begin."""
    recorded: list[Listed]
    """Those that are compressed."""
    taken: list[str]
    damage: list[str]

    @property
    def offered(self) -> list[Listed]:
        """Return the starting points that are offered first."""
        return [each for code in OFFERED for each in self.bases if each.sim_code == code]

    @property
    def others(self) -> list[Listed]:
        return [each for each in self.bases if each.sim_code not in OFFERED]

    @property
    def runs(self) -> list[Listed]:
        """Return what can be compared."""
        return [each for each in (*self.saved, *self.recorded) if each.steps]

    def of_form(self, form: Store) -> list[Listed]:
        return self.saved if form is Store.SAVED else self.recorded


def lists(running: str | None, left_out: Container[str] = ()) -> Lists:
    """Return all simulations, and the reasons why others cannot be listed. `left_out` are runs of studies."""
    found = simulations.listing()
    entries = sorted(found.entries, key=lambda entry: entry.changed, reverse=True)
    kept = [entry for entry in entries if entry.store is Store.SAVED]
    recorded = [Listed(entry) for entry in entries if entry.store is Store.COMPRESSED]
    codes = {each.sim_code for each in recorded}
    begun = [entry for entry in kept if entry.steps or entry.meta.step]
    towns = [entry for entry in kept if entry in begun or not entry.code.startswith(BASE)]
    return Lists(
        saved=[Listed(entry, entry.code in codes) for entry in towns if entry.code not in left_out],
        bases=[Listed(entry) for entry in kept if entry not in begun and entry.code != running],
        recorded=recorded,
        taken=[entry.code for entry in kept],
        damage=list(found.damage),
    )


def best(recorded: Sequence[Listed]) -> Listed | None:
    """Return the recording to watch first: that of most people, the longest of them."""
    return max(recorded, key=lambda each: (each.people, each.steps), default=None)


def past(entry: SimulationEntry) -> str:
    """Return the history file of a starting point, or of what it was made of before the first step; empty if there is
    none.
    """
    try:
        branch = read_branch(entry.root)
    except CorruptFile:
        return ""
    name = PASTS.get(branch.origin if branch and not branch.step else entry.code, "")
    return name if name and finders.find(f"assets/{name}") else ""


def waking(entry: SimulationEntry) -> int:
    """Return the step at which the town wakes up; 0 if the recording does not reach it."""
    asleep = datetime.combine(entry.meta.start, WAKING) - entry.meta.start
    step = int(asleep.total_seconds()) // entry.meta.sec_per_step
    return step if 0 <= step < entry.steps else 0


def sprites(names: Sequence[str], cast: Cast) -> list[str]:
    """Return the sprites of the first people of a simulation."""
    return [page_data.persona(PersonaName(name), cast)["sprite"] for name in names[:MOST_FACES]]
