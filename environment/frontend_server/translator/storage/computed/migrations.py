"""Migrations of older projects, planned and carried out by `ville migrate` in a process of its own."""

from translator.forms import OldProjectForm
from translator.storage.computed.computations import VILLE, Computation, Computations, folder_flags

LONGEST = 6 * 3600.0
"""Seconds. What was cut off goes on where it was when it is begun again."""
_migrations = Computations(timeout=LONGEST)


def migration(asked: OldProjectForm) -> Computation:
    """Return the plan of a migration, or the migration itself; begin it unless that was done for this request before.

    Raises Unavailable.
    """
    settings = ["--settings"] if asked.settings else []
    how = ["--yes", *settings] if asked.bring else ["--dry-run"]
    command = [*VILLE, "migrate", str(asked.folder()), *how, *folder_flags()]
    return _migrations.begin((asked.id,), command, [], may_act=True)
