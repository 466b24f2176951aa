"""Requests to the engine, and its acknowledgements (docs/storage.md)."""

import time
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from translator.errors import NotFound, TooLarge
from translator.forms import SimCode
from ville.command_lines import typed
from ville.errors import BadArgument, SimulationNotFound
from ville.json_types import JsonObject
from ville.storage.exchange.inbox import Inbox

POLL = 0.05
"""Seconds between two looks for an acknowledgement."""
MOST_BOXES = 100
"""Simulations whose requests are remembered."""


def send(box: Inbox, request: JsonObject) -> int:
    """Send a request and return its number. Raises NotFound if no engine has listened, TooLarge, and CannotWrite."""
    try:
        return box.send(request)
    except SimulationNotFound:
        raise NotFound(_("No engine has listened here yet. Start one: %(how)s") % {"how": typed("start")}) from None
    except BadArgument as fault:
        raise TooLarge(str(fault)) from None


def acknowledgement(box: Inbox, number: int, wait: float) -> JsonObject | None:
    """Return the answer to a request; None if there is none within so many seconds. Raises CorruptFile."""
    deadline = time.monotonic() + wait
    while (found := box.acknowledgement(number)) is None and time.monotonic() < deadline:
        time.sleep(POLL)
    return found


def simulation_box(code: SimCode) -> Inbox:
    """Return the requests to a simulation. Raises BadSimulationName."""
    return _box(settings.TEMP_STORAGE, code)


def engine_box() -> Inbox:
    """Return the requests to the engine itself."""
    return _box(settings.TEMP_STORAGE, None)


@lru_cache(maxsize=MOST_BOXES)
def _box(root: Path, name: str | None) -> Inbox:
    """Return the same object for the same box: it remembers the requests that it has read."""
    return Inbox(root, name)
