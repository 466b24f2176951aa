"""Requests to the engine of a simulation, and its acknowledgements: numbered files that are answered in order.

`temp_storage/inbox/<simulation>/000000000017.json` is answered by `temp_storage/outbox/<simulation>/000000000017.json`,
and a request to the engine itself in `engine_inbox/` by a file in `engine_outbox/`. A request exists as soon as it has
its number, and it is removed after its acknowledgement is written. So a request survives if either program is killed at
any point. A request that is handled again is recognized by its `id`, and one at which the engine has ended is not tried
for ever: attempts are counted in files beside the acknowledgements.
"""

import json
import os
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from filelock import FileLock, Timeout

from ville.command_lines import START, typed
from ville.errors import BadArgument, CannotWrite, CorruptFile, SimulationNotFound
from ville.json_types import Json, JsonObject
from ville.storage.files import compact, flush, pretty, read_bytes, read_object_if_whole, write_text, writing
from ville.storage.flaws import translated
from ville.storage.folder.storage import check_name

LARGEST = 1_000_000
"""Most bytes of a request."""
LIFETIME = 3600.0
"""Seconds after which an acknowledgement is removed."""
SENDING = 10.0
"""Seconds to wait while other programs send."""
OUT_OF_SEQUENCE = 10**11
"""From this number on, as another program may give it by mistake, a request is handled like any other, but does not
count for the number of the next one. Otherwise there would be none left.
"""
MOST_ATTEMPTS = 2
"""Times that a request is begun, if the engine ends each time before it is answered."""
FILE = re.compile(r"([0-9]{12})\.json")
DRAFT, LOCK = ".draft", ".lock"
NOT_AN_OBJECT = "The request is not a JSON object."
Ack = dict[str, Json]
"""Fields of an acknowledgement."""


@dataclass(frozen=True)
class Received:
    """A request as its file has it."""

    number: int
    values: JsonObject
    """Empty if the file cannot be read."""
    fault: str = ""
    """Why the file cannot be read; empty if it can."""

    @property
    def id(self) -> str:
        """The id that the sender gave it; empty if there is none."""
        found = self.values.get("id")
        return found if isinstance(found, str) else ""


class Inbox:
    """Both sides of the requests to one simulation, or to the engine itself: other programs send, the engine answers.

    Each side needs an object of its own. Raises BadSimulationName.
    """

    def __init__(self, temp_storage: Path, simulation: str | None, *, fsync: bool = True) -> None:
        """`simulation` is None for requests to the engine itself."""
        self._root = temp_storage
        self._simulation = simulation
        self._fsync = fsync
        if simulation is None:
            self._requests, self._acks = temp_storage / "engine_inbox", temp_storage / "engine_outbox"
        else:
            check_name(simulation)
            self._requests, self._acks = (temp_storage / box / simulation for box in ("inbox", "outbox"))
        self._sent: dict[int, str] = {}
        """Sender: the ids of the numbers that were read so far."""
        self._answers: dict[str, JsonObject] = {}
        """Engine: acknowledgements by id, for as long as their files exist."""
        self._stuck: set[int] = set()
        """Engine: answered requests that cannot be removed, such as folders."""

    # The sender

    def send(self, request: JsonObject) -> int:
        """Send a request and return its number. Its `id` is a text of the sender's own, such as a UUID.

        Sending it again is harmless: it keeps its number until its acknowledgement is removed. Raises BadArgument for a
        request that is too large, SimulationNotFound if no engine has listened for this simulation yet, and
        CannotWrite.
        """
        text = compact(request)
        if len(text) > LARGEST:
            raise BadArgument(f"The request has {len(text):,} bytes; at most {LARGEST:,} are allowed. Split it.")
        with self._sending():
            known = self._number_of(request.get("id"))
            return self._publish(text) if known is None else known

    def acknowledgement(self, number: int) -> Ack | None:
        """Return the answer to a request; None if there is none yet, or no longer. Raises CorruptFile."""
        return read_object_if_whole(self._acks / _file(number), self._root)

    @contextmanager
    def _sending(self) -> Iterator[None]:
        """Let one program send at a time. The lock ends with the program that holds it."""
        if not self._requests.is_dir():
            if self._simulation is None:
                raise SimulationNotFound(f"No engine has listened here yet. Start one: {typed(START)}")
            template = "No engine has listened for '%(name)s' yet. Open the simulation first."
            raise SimulationNotFound(template, name=self._simulation)
        with writing(self._requests):
            try:
                with FileLock(self._requests / LOCK, timeout=SENDING):
                    yield
            except Timeout:
                template = "Another program keeps sending requests to %(folder)s. Try again, or end that program."
                raise CannotWrite(template, folder=self._requests) from None

    def _number_of(self, name: object) -> int | None:
        """Return the number that an id has in one of the boxes; None if it has none.

        Requests are looked at first: one that the engine removes meanwhile has its acknowledgement by then.
        """
        there = {*_numbers(self._requests), *_numbers(self._acks)}
        self._sent = {number: known for number, known in self._sent.items() if number in there}
        for number in there - self._sent.keys():
            values = self._values(self._requests, _file(number)) or self._values(self._acks, _file(number))
            self._sent[number] = Received(number, values).id
        return next((number for number, known in self._sent.items() if known and known == name), None)

    def _publish(self, text: str) -> int:
        """Write a request under the next free number."""
        draft = self._requests / DRAFT
        draft.unlink(missing_ok=True)  # left by a program that was killed; it may share its content with a request
        with draft.open("xb") as file:
            file.write(text.encode())
        flush([draft] if self._fsync else [])
        taken = {*_numbers(self._requests), *_numbers(self._acks)}
        number = _newest(taken) + 1
        while number in taken or not self._name(draft, number):
            number += 1
        draft.unlink(missing_ok=True)
        flush([self._requests] if self._fsync else [])
        return number

    def _name(self, draft: Path, number: int) -> bool:
        """Give the draft a number, unless a program that does not use the lock has taken it."""
        path = self._requests / _file(number)
        try:
            os.link(draft, path)
        except FileExistsError:
            return False
        except OSError:  # a file system without hard links
            if os.path.lexists(path):
                return False
            draft.rename(path)
        return True

    # The engine

    def open(self) -> frozenset[int]:
        """Begin to listen: from now on, requests can be sent. Return the numbers of those sent before.

        Raises CannotWrite.
        """
        before = frozenset(self.numbers())
        for box in (self._requests, self._acks):
            with writing(box):
                box.mkdir(parents=True, exist_ok=True)
        for number in _numbers(self._acks):
            ack = self._values(self._acks, _file(number))
            self._answers[Received(number, ack).id] = ack
        self.forget_old()
        return before

    def numbers(self) -> set[int]:
        """Return the numbers of all requests that are not answered yet."""
        return set(_numbers(self._requests)) - self._stuck

    def read(self, number: int) -> Received | None:
        """Return a request; None if its file is gone."""
        try:
            content = read_bytes(self._requests / _file(number), self._root, most=LARGEST)
            values = json.loads(content.decode("utf-8-sig"), parse_constant=_refuse_constant)
        except FileNotFoundError:
            return None
        except CorruptFile as fault:
            return Received(number, {}, translated(fault, str))
        except OSError as fault:
            return Received(number, {}, f"The request cannot be read ({fault.strerror}).")
        except (ValueError, RecursionError):
            return Received(number, {}, NOT_AN_OBJECT)
        return Received(number, values) if isinstance(values, dict) else Received(number, {}, NOT_AN_OBJECT)

    def answer_to(self, received: Received) -> JsonObject | None:
        """Return the acknowledgement that a request with this id has had before; None if there is none."""
        return self._answers.get(received.id) if received.id else None

    def acknowledge(self, received: Received, ack: JsonObject) -> None:
        """Answer a request, and remove it. Raises CannotWrite; the request is then still pending."""
        if received.id:
            self._answers[received.id] = ack
        write_text(self._acks / _file(received.number), pretty(ack))
        try:
            (self._requests / _file(received.number)).unlink(missing_ok=True)
        except OSError:
            self._stuck.add(received.number)
        self.forget_attempts(received.number)

    def may_attempt(self, number: int) -> bool:
        """Note, on disk, that a request is about to be carried out; False if it was begun too often. Raises
        CannotWrite.
        """
        path = self._acks / _attempts(number)
        noted = self._values(self._acks, path.name).get("begun")
        begun = noted if isinstance(noted, int) else 0
        if begun >= MOST_ATTEMPTS:
            return False
        write_text(path, pretty({"begun": begun + 1}), fsync=self._fsync)
        return True

    def forget_attempts(self, number: int) -> None:
        """Note that a request was answered, or that the engine has put it off without failing."""
        with suppress(OSError):
            (self._acks / _attempts(number)).unlink(missing_ok=True)

    def forget_old(self) -> None:
        """Remove old acknowledgements. The newest stays, so that numbers always rise."""
        there = set(_numbers(self._acks))
        for number in there - {_newest(there)}:
            path = self._acks / _file(number)
            with suppress(OSError):
                if time.time() - path.lstat().st_mtime > LIFETIME:
                    self._answers.pop(Received(number, self._values(self._acks, path.name)).id, None)
                    path.unlink()

    def _values(self, box: Path, name: str) -> dict[str, Json]:
        """Return the content of a file; empty if it is not readable."""
        with suppress(OSError, ValueError, RecursionError, CorruptFile):
            values = json.loads(read_bytes(box / name, self._root, most=LARGEST))
            return values if isinstance(values, dict) else {}
        return {}


def _file(number: int) -> str:
    return f"{number:012}.json"


def _attempts(number: int) -> str:
    return f"{number:012}.attempts"


def _numbers(box: Path) -> Iterator[int]:
    """Yield the numbers in a box, in any order; none if it cannot be read."""
    with suppress(OSError), os.scandir(box) as entries:
        for entry in entries:
            if match := FILE.fullmatch(entry.name):
                yield int(match[1])


def _newest(numbers: Iterable[int]) -> int:
    """Return the highest number that counts for the next one; 0 if there is none."""
    return max((number for number in numbers if number < OUT_OF_SEQUENCE), default=0)


def _refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which are not JSON."""
    raise ValueError(name)
