"""The folder by which engines of this user find the server of a model file: who serves, who uses it, and free slots.

Everything is said by locks, which the system releases when a process ends, however it ends.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout
from platformdirs import user_state_path

from ville.llm.local.server_plan import ServerPlan


class ServerAddress(NamedTuple):
    """Where a server answers, and the key that it wants."""

    url: str
    key: str


class ServerFolder:
    """Folder of all servers of one plan; there is at most one at a time."""

    def __init__(self, plan: ServerPlan) -> None:
        """Raises OSError."""
        self.root = user_state_path("ville", appauthor=False) / "servers" / plan.digest
        self._plan = plan
        for folder in (self.root, self._users, self._slots):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    @property
    def log(self) -> Path:
        """File with what the server says."""
        return self.root / "log.txt"

    @property
    def serving(self) -> FileLock:
        """The lock that a server holds while it lives."""
        return FileLock(self.root / "serving.lock", timeout=0, thread_local=False)

    @property
    def is_served(self) -> bool:
        """Whether there is a server, which may still be loading the model."""
        return _is_held(self.serving)

    @property
    def is_used(self) -> bool:
        """Whether an engine uses the server. Forgets those that have ended."""
        return any(not _forgotten(file) for file in self._users.glob("*.lock"))

    def address(self) -> ServerAddress | None:
        """Return the address of the server; None if it is not ready."""
        try:
            return ServerAddress(**json.loads(self._note.read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def announce(self, address: ServerAddress) -> None:
        """Let engines know the address. Other users of this machine cannot read it."""
        new = self._note.with_suffix(f".{os.getpid()}")
        new.touch(0o600)
        new.write_text(json.dumps(address._asdict()), "utf-8")
        new.replace(self._note)

    def withdraw(self) -> None:
        with suppress(OSError):
            self._note.unlink()

    def use(self) -> FileLock:
        """Return a lock that an engine holds as long as it uses the server."""
        lock = FileLock(self._users / f"{os.getpid()}-{os.urandom(4).hex()}.lock", thread_local=False)
        lock.acquire()
        return lock

    @staticmethod
    def leave(lock: FileLock) -> None:
        lock.release()
        with suppress(OSError):
            Path(lock.lock_file).unlink()

    def free_slot(self) -> FileLock | None:
        """Return a slot of the server, taken for one call; None if all are taken."""
        for number in range(self._plan.slots):
            slot = FileLock(self._slots / f"{number}.lock", timeout=0, thread_local=False)
            with suppress(Timeout):
                slot.acquire()
                return slot
        return None

    @property
    def _note(self) -> Path:
        return self.root / "address.json"

    @property
    def _users(self) -> Path:
        return self.root / "users"

    @property
    def _slots(self) -> Path:
        return self.root / "slots"


@contextmanager
def holding(lock: FileLock) -> Iterator[bool]:
    """Hold a lock inside this context, unless another process does. Yields whether it is held."""
    try:
        lock.acquire(timeout=0)
    except Timeout:
        yield False
        return
    try:
        yield True
    finally:
        lock.release()


def _is_held(lock: FileLock) -> bool:
    with holding(lock) as free:
        return not free


def _forgotten(file: Path) -> bool:
    """Remove the lock of an engine that has ended; return whether it has."""
    with holding(FileLock(file, thread_local=False)) as ended:
        if ended:
            with suppress(OSError):
                file.unlink()
        return ended
