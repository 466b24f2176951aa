"""Which simulations this user's engine has made or opened: all others come from elsewhere.

The file is beside the wallet, and has a digest of path and folder for each. A folder that was copied, moved or unpacked
is another one, so nothing that comes with a folder can pretend to be known.
"""

from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

FILE = "simulations.txt"
NEVER_REWRITTEN = "environment/0.json"
"""A file of every simulation that stays as it was made."""


def is_known(file: Path, simulation: Path) -> bool:
    """Return whether the folder of a simulation was noted in a file."""
    return _digest(simulation) in _noted(file)


def note(file: Path, simulation: Path) -> None:
    """Note the folder of a simulation. If that fails, it counts as from elsewhere again, and nothing else happens."""
    digest = _digest(simulation)
    with suppress(OSError):
        if digest not in _noted(file):
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with file.open("a", encoding="ascii") as lines:
                lines.write(f"{digest}\n")


def _noted(file: Path) -> set[str]:
    try:
        return set(file.read_text("ascii").split())
    except (OSError, UnicodeDecodeError):
        return set()


def _digest(simulation: Path) -> str:
    """Return what only this folder has. Its number alone may be given to another once it is deleted; the time at which
    a file was made or copied is the system's own, and does not come with the folder.
    """
    path = simulation.resolve()
    file = path / NEVER_REWRITTEN
    number = path.stat().st_ino if path.exists() else 0
    made = file.stat().st_ctime_ns if file.exists() else 0
    return blake2b(f"{path} {number} {made}".encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
