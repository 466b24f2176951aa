"""`registration.json`: what was laid down before a study was run, with its digest.

It lies beside the study file (`party.registration.json`) and, once the study is run, in its folder.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from ville.errors import CorruptFile
from ville.json_types import Json
from ville.storage.files import pretty, write_text
from ville.storage.shapes import Text
from ville.storage.stored_part import StoredPart, read_part
from ville.storage.studies.study_folder import StudyFolder

REGISTRATION, ENDING = "registration.json", ".registration.json"
CONFIRMATION = "confirmation.json"
"""In the folder of a study that confirms a registered one."""
DAY = r"\d{4}-\d{2}-\d{2}"
Direction = Literal["more", "fewer", "other"]
"""Which way an arm is expected to differ from the first one; `other`: either way."""


class Hypothesis(StoredPart):
    """A measure of an arm is expected to differ from that of the first arm."""

    measure: Text
    arm: Text
    direction: Direction


class Registration(StoredPart):
    """A plan that was registered."""

    v: Literal[1] = 1
    digest: Text
    """SHA-256 of the plan as canonical JSON."""
    registered: Annotated[str, Field(pattern=f"^{DAY}$")]
    """The day, by the clock of whoever registered it."""
    plan: dict[str, object]
    """All that was laid down, by key."""
    deleted: list[Text] = []
    """Runs of this plan that were begun and deleted again, in words: whoever reads the outcome should know of them."""

    @property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        found = self.plan.get("hypotheses")
        return tuple(Hypothesis.model_validate(each) for each in found) if isinstance(found, list) else ()

    @property
    def primary(self) -> tuple[str, ...]:
        return self._names("primary")

    @property
    def eligible_models(self) -> tuple[str, ...]:
        return self._names("eligible_models")

    def _names(self, key: str) -> tuple[str, ...]:
        found = self.plan.get(key)
        return tuple(map(str, found)) if isinstance(found, list) else ()


def plan_digest(plan: Mapping[str, Json]) -> str:
    """Return the SHA-256 of a plan as canonical JSON: keys sorted, no spaces, UTF-8."""
    text = json.dumps(plan, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def registration_beside(file: Path) -> Path:
    """Return where the registration of a study file lies."""
    return file.with_name(f"{file.stem}{ENDING}")


def read_registration(path: Path) -> Registration | None:
    """Return a registration; None if there is none. Raises CorruptFile if it was changed since it was written."""
    if not path.exists():
        return None
    found = read_part(Registration, path)
    try:
        whole = plan_digest(found.plan) == found.digest and found.hypotheses is not None  # type: ignore[arg-type]
    except ValueError:
        whole = False
    if not whole:
        template = "%(file)s was changed since the study was registered: its digest is another one. Restore the file."
        raise CorruptFile(template, file=path)
    return found


def registration_of(folder: StudyFolder) -> Registration | None:
    """Return what was registered of a study that was run; None if nothing was. Raises CorruptFile."""
    return read_registration(folder.root / REGISTRATION)


def write_registration(path: Path, registration: Registration) -> None:
    """Write a registration. Raises CannotWrite."""
    write_text(path, pretty(registration.as_json()) + "\n")
