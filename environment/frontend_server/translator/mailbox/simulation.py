"""What any simulation can be asked, whether it lies in storage step by step or compressed in one file."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from django.utils.translation import gettext as _

from translator.errors import Damaged
from translator.forms import SimCode
from translator.mailbox.files import read_object
from translator.meta import Meta, parse_meta
from translator.replays import Frame
from translator.timeline import Conversation


class Store(StrEnum):
    """The two shelves a simulation can stand on."""

    SAVED = "saved"
    COMPRESSED = "compressed"


class Simulation(Protocol):
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

    def conversations(self) -> Sequence[Conversation]: ...


def read_meta(path: Path) -> Meta:
    """Raises Damaged."""
    try:
        return parse_meta(read_object(path) or {})
    except (KeyError, TypeError, ValueError, OverflowError) as fault:
        values = {"file": "/".join(path.parts[-3:]), "reason": fault}
        raise Damaged(_("%(file)s cannot be understood (%(reason)s): restore it.") % values) from fault
