"""What any simulation can be asked, whether it lies in storage step by step or compressed in one file."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from django.utils.translation import gettext_lazy as _

from translator.errors import Damaged
from translator.forms import SimCode
from translator.meta import Meta, parse_meta
from translator.replays import Frame
from translator.shapes import Flaw, MetaShape, flaws
from translator.storage.files import read_object
from translator.timeline import ConversationSpan


class Store(StrEnum):
    """The two shelves a simulation can stand on."""

    SAVED = "saved"
    COMPRESSED = "compressed"


class StoredSimulation(Protocol):
    @property
    def code(self) -> SimCode: ...

    @property
    def root(self) -> Path:
        """Its folder; personas/ lies in it."""
        ...

    @property
    def store(self) -> Store: ...

    @property
    def meta(self) -> Meta: ...

    @property
    def steps(self) -> int:
        """How many can be shown."""
        ...

    def has(self, step: int) -> bool:
        """Whether a step can be shown; asked before anything long is read."""
        ...

    def state(self, step: int) -> Frame:
        """What everybody shows in a step: of each the latest record up to it."""
        ...

    def frames(self, first: int, last: int) -> Iterator[bytes]:
        """The whole frame of the first step, then what changes in each, as JSON."""
        ...

    def conversations(self) -> Sequence[ConversationSpan]: ...

    @property
    def damage(self) -> Sequence[Flaw]:
        """What has turned out to be wrong in the files read so far."""
        ...


def read_meta(path: Path, simulation: Path) -> Meta:
    """Raises Damaged."""
    values = read_object(path)
    found = [whole_flaw(path)] if values is None else flaws(MetaShape, values)
    if not found:
        try:
            return parse_meta(values or {})
        except OverflowError:
            found = [Flaw(("step",), _("has an impossible value"))]
    raise Damaged(_("%(what)s Restore it.") % {"what": found[0].of(named(path, simulation))})


def named(path: Path, simulation: Path) -> str:
    """A file of a simulation, as readers find it."""
    return path.relative_to(simulation.parent).as_posix()


def whole_flaw(path: Path) -> Flaw:
    """What is wrong with a file that holds no object."""
    return Flaw((), _("is not a JSON object") if path.exists() else _("is missing"))
