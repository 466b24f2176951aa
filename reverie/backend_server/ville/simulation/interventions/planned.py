"""An intervention that is due before a step to come."""

from collections.abc import Iterator
from dataclasses import dataclass

from ville.errors import BadIntervention, CorruptFile
from ville.json_types import Json, JsonObject
from ville.simulation.interventions.catalogue import parse_intervention
from ville.simulation.interventions.intervention import Intervention
from ville.storage.records.intervention_log import InterventionLog, Row

ENVELOPE = ("v", "n", "step", "door", "by", "id", "at")
"""Keys of a row beside those of the intervention."""


@dataclass(frozen=True)
class Planned:
    """An intervention that is due before a step."""

    step: int
    intervention: Intervention
    envelope: JsonObject
    """Door, name and identifier, and what else its row has to have."""
    logged: bool = False
    """Whether it is in the log already."""

    @classmethod
    def from_row(cls, row: Row, where: str, *, logged: bool) -> "Planned":
        """Return the intervention of a row; `where` names its file and line. Raises CorruptFile."""
        values = {key: value for key, value in row.items() if key not in ENVELOPE}
        envelope = {key: row[key] for key in ENVELOPE if key in row and key not in {"v", "n", "step"}}
        try:
            return cls(row["step"], parse_intervention(values), envelope, logged)
        except BadIntervention as fault:
            raise CorruptFile("%(where)s: %(reason)s", where=where, reason=fault) from None

    @property
    def id(self) -> str:
        """Identifier of the request that it comes from."""
        return str(self.envelope.get("id", ""))

    def row(self) -> dict[str, Json]:
        """Return the intervention as it is stored until it is due."""
        return {"step": self.step, **self.intervention.as_json(), **self.envelope}


def planned_again(log: InterventionLog, first: int, last: int | None = None, *, logged: bool) -> Iterator[Planned]:
    """Yield the interventions of some rows of a log, which are due at their steps. Raises CorruptFile."""
    for row in log.rows[first:last]:
        yield Planned.from_row(row, f"{log.path}:{row['n']}", logged=logged)
