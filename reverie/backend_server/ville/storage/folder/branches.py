"""`reverie/branch.json`: what a simulation was forked from, and at which moment. Simulations form a tree by it."""

from collections.abc import Iterable, Iterator
from math import inf
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ville.errors import CorruptFile
from ville.json_types import Json
from ville.storage.files import pretty, read_object, read_object_if_whole, write_text
from ville.storage.flaws import complaint
from ville.storage.past.checkpoints import Stem
from ville.storage.records.meta import META
from ville.storage.records.title import LONGEST_TITLE
from ville.storage.shapes import Text, Whole

BRANCH = "branch.json"
LEDGER = "ledger.sqlite3"
Answers = Literal["shared", "fresh"]
"""Whether the parent's answers are taken for identical requests, or the model is asked anew."""


class Branch(BaseModel):
    """Where a simulation comes from."""

    model_config = ConfigDict(frozen=True, strict=True, populate_by_name=True)

    origin: Annotated[Text, Field(alias="from")]
    """Name of the simulation it was forked from."""
    step: Whole
    """The next one at that moment."""
    rows: Whole = 0
    """Interventions up to that moment."""
    rows_here: Whole = 0
    """Those of them that took effect before the coming step."""
    digest: str = ""
    """Of the save at that moment; empty if it is not known."""
    seed: int | None = None
    settings: dict[str, object] = {}
    """Settings that the results also depend on: models, embedder, language and others."""
    answers: Answers = "fresh"
    title: Annotated[Text, Field(max_length=LONGEST_TITLE)] = ""
    computed: list[dict[str, object]] = []
    """Program, machine, map and cast that it is computed with, from which `step` on; the newest last."""
    request: Text = ""
    """Who owns it: the id of the request that it was begun by, or of the job of a study; empty: who has forked it."""

    @property
    def moment(self) -> Stem:
        return Stem(self.step, self.rows_here)

    def as_json(self) -> dict[str, Json]:
        """Return the content of the file."""
        return self.model_dump(mode="json", by_alias=True)


def read_branch(simulation: Path) -> Branch | None:
    """Return where a simulation comes from; None if it does not say. Raises CorruptFile.

    Older engines copy the file of the origin into a fork, as they copy everything. It does not count there.
    """
    path = simulation / "reverie" / BRANCH
    if not path.exists():
        return None
    values = read_object(path)
    try:
        branch = Branch.model_validate(values)
    except ValidationError as fault:
        template = "%(file)s: %(reason)s Correct it, or remove the file."
        raise CorruptFile(template, file=path, reason=complaint(fault, values)) from None
    return branch if _is_of(simulation, branch) else None


def is_made_for(simulation: Path, request: str) -> bool:
    """Return whether a simulation was made for this request of a page or program, or this job of a study. Raises
    CorruptFile.
    """
    branch = read_branch(simulation)
    return branch is not None and branch.request == request


def _is_of(simulation: Path, branch: Branch) -> bool:
    """Return whether a simulation was forked from what its file says, as far as its meta.json is there to say so."""
    meta = read_object_if_whole(simulation / META) or {}
    return bool(meta.get("fork_sim_code", branch.origin) == branch.origin)


def write_branch(simulation: Path, branch: Branch, *, fsync: bool = False) -> None:
    """Write the file into the folder of a simulation that is being made. Raises CannotWrite."""
    write_text(simulation / "reverie" / BRANCH, pretty(branch.as_json()), fsync=fsync)


def ancestors(simulation: Path) -> Iterator[tuple[Path, Branch]]:
    """Yield what a simulation was forked from, then what that was forked from, as long as they are there; each with how
    the one before came from it. Raises CorruptFile.
    """
    known = {simulation}
    while branch := read_branch(simulation):
        simulation = simulation.with_name(branch.origin)
        if simulation in known or not (simulation / "reverie").is_dir():
            return
        known.add(simulation)
        yield simulation, branch


def computed_in(simulation: Path, step: int) -> Path:
    """Return the simulation in which a step of this one was computed: the one that it was forked from later, if that is
    still there. Raises CorruptFile.
    """
    for ancestor, branch in ancestors(simulation):
        if step >= branch.step:
            break
        simulation = ancestor
    return simulation


def parting_step(simulation: Path, others: Iterable[Path]) -> int:
    """Return the step from which on a simulation has nothing in common with any of the others: where it was forked from
    one of them, or they from it or from the same one; 0 if they have nothing in common. Raises CorruptFile.
    """
    own = _parts(simulation)
    return max(
        (
            int(min(own[part], until))
            for other in others
            if other != simulation
            for part, until in _parts(other).items()
            if part in own
        ),
        default=0,
    )


def _parts(simulation: Path) -> dict[Path, float]:
    """Return what a simulation consists of: itself, and what it came from, each with the step up to which it is part of
    it. A simulation that was removed counts by its name.
    """
    found, until = {simulation: inf}, inf
    while branch := read_branch(simulation):
        simulation, until = simulation.with_name(branch.origin), min(until, branch.step)
        if simulation in found:
            break
        found[simulation] = until
    return found


def with_ledger(storage: Path, names: Iterable[str]) -> list[Path]:
    """Return those of these simulations that are there and have a ledger."""
    return [storage / name for name in names if (storage / name / "reverie" / LEDGER).exists()]


def answering_ancestors(simulation: Path, chosen: Answers | Literal[""] = "") -> list[Path]:
    """Return the simulations whose answers a branch takes, the nearest one first: those that have a ledger.

    `chosen` is the setting of this session; empty: as the branch was begun. Raises CorruptFile.
    """
    found: list[Path] = []
    for ancestor, branch in ancestors(simulation):
        if (chosen or branch.answers) != "shared":
            break
        chosen = ""
        found += [ancestor] if (ancestor / "reverie" / LEDGER).exists() else []
    return found
