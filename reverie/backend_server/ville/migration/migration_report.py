"""Report of a migration for programs: the plan, how far it has come, and the proof, in a file of JSON."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ville.json_types import Json
from ville.migration.map_folder import MapFolder
from ville.migration.migration_plan import MigrationPlan, Transfer
from ville.migration.migration_proof import Proof
from ville.plain_text import one_line
from ville.storage.files import pretty, write_text


@dataclass
class MigrationReport:
    """Written anew at each change, so that it can be read while the migration runs."""

    plan: MigrationPlan
    file: Path | None
    """None: it is not written."""
    does: dict[str, Json] = field(default_factory=dict)
    """Present deed: `deed` (bring or check), `kind`, `name`, its `number` and how many there are (`of`)."""
    notes: list[str] = field(default_factory=list)
    proofs: list[Proof] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    """Settings that were added to .env, by name."""
    faults: list[str] = field(default_factory=list)
    done: bool = False

    def bring(self, transfers: Iterable[Transfer]) -> Iterator[Transfer]:
        """Yield things, noting that each is being brought."""
        yield from self._each("bring", list(transfers))

    def check(self, transfers: Iterable[Transfer]) -> Iterator[Transfer]:
        """Yield things, noting that each is being checked."""
        yield from self._each("check", list(transfers))

    def _each(self, deed: str, transfers: list[Transfer]) -> Iterator[Transfer]:
        for number, each in enumerate(transfers, 1):
            self.does = {
                "deed": deed, "kind": each.kind, "name": each.target.name, "number": number, "of": len(transfers),
            }  # fmt: skip
            self.write()
            yield each

    def finish(self, faults: Iterable[str]) -> None:
        """Note that all is done, and what needs attention."""
        self.does, self.faults, self.done = {}, [*faults], True
        self.write()

    def write(self) -> None:
        """Write the report, if it is to be written. Raises CannotWrite."""
        if self.file:
            write_text(self.file, pretty(self.as_json()))

    def as_json(self) -> dict[str, Json]:
        """Return the content of the file. Names of files may hold anything: each text is one line."""
        top = top_of(self.plan)
        return {
            "folder": one_line(str(top)),
            "things": [_thing(each, top) for each in self.plan.transfers],
            "settings": _lines(self.plan.settings.lines()),
            "kept": _lines(self.plan.settings.kept),
            "left": [{"text": one_line(str(each)), "lost": each.lost} for each in self.plan.left],
            "wrong": _lines(self.plan.settings.faults),
            "size": self.plan.size,
            "does": self.does,
            "notes": _lines(self.notes),
            "proofs": [_proof(proof) for proof in self.proofs],
            "added": _lines(self.added),
            "faults": _lines(self.faults),
            "done": self.done,
        }


def top_of(plan: MigrationPlan) -> Path:
    """Return the folder in which everything lies that is brought."""
    folders = [str(each.source.parent) for each in plan.transfers]
    return Path(os.path.commonpath(folders)) if folders else plan.project.root


def histories_of(transfer: Transfer) -> int:
    """Return how many histories come with a map."""
    return len(MapFolder(transfer.source).histories()) if transfer.kind == "map" else 0


def _thing(each: Transfer, top: Path) -> dict[str, Json]:
    return {
        "kind": each.kind,
        "from": one_line(str(each.source.relative_to(top))),
        "to": one_line(each.target.name),
        "maze": one_line(each.maze),
        "histories": histories_of(each),
        "size": each.size,
        "there": each.is_there and each.kind != "pools",
    }


def _proof(proof: Proof) -> dict[str, Json]:
    checks: list[Json] = [
        {"of": column, "said": one_line(check.said), "fault": bool(check.fault)}
        for column, check in proof.checks.items()
    ]
    return {"name": one_line(proof.transfer.target.name), "kind": proof.transfer.kind, "checks": checks}


def _lines(texts: Iterable[str]) -> list[Json]:
    return [one_line(text) for text in texts]
