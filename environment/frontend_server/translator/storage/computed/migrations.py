"""Migrations of older projects, planned and carried out by `ville migrate` in a process of its own."""

from contextlib import suppress
from pathlib import Path

from django.utils.translation import gettext

from translator.errors import BadRequest
from translator.forms import OldProjectForm
from translator.storage.computed.computations import VILLE, Computation, Computations, folder_flags

LONGEST = 6 * 3600.0
"""Seconds. What was cut off goes on where it was when it is begun again."""
_migrations = Computations(timeout=LONGEST)


def migration(asked: OldProjectForm) -> Computation:
    """Return the plan of a migration, or the migration itself; begin it unless that was done for this request before.

    Raises BadRequest and Unavailable.
    """
    settings = ["--settings"] if asked.settings else []
    how = ["--yes", *settings] if asked.bring else ["--dry-run"]
    command = [*VILLE, "migrate", str(_folder(asked.path)), *how, *folder_flags()]
    return _migrations.begin((asked.id,), command, [], may_act=True)


def stop_migration(asked_id: str) -> None:
    """End what was begun for a request."""
    _migrations.stop((asked_id,))


def _folder(typed: str) -> Path:
    """Return the folder that was typed. Raises BadRequest unless it is a whole path."""
    text = typed.strip().strip("\"'")
    with suppress(RuntimeError):  # a home of nobody
        folder = Path(text).expanduser()
        if text.isprintable() and folder.is_absolute():
            return folder
    raise BadRequest(gettext("Type the whole path of the folder, from the root of the disk or from ~ on."))
