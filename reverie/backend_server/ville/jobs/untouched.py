"""Checks that a simulation of a study is as the study has made it: what else is done with it must not be its result."""

from pathlib import Path

from ville.errors import BadArgument
from ville.jobs.pool import JobTask
from ville.storage.folder.branches import read_branch
from ville.storage.records.intervention_log import LOG, read_rows

FIX = "Delete it, and type 'study.py retry' to run it again; for trials of your own, fork it under another name"


def check_untouched(root: Path, step: int, task: JobTask) -> None:
    """Raise BadArgument if a simulation was run further than its task, or if there was another intervention."""
    if step > task.until_step:
        raise BadArgument(f"{root.name} is at step {step:,}, but its run ends at {task.until_step:,}. {FIX}.")
    branch = read_branch(root)
    for row in read_rows(root / "reverie" / LOG)[branch.rows if branch else 0 :]:
        if row["id"] not in task.known:
            raise BadArgument(
                f"{root.name} has a {row['kind']} at step {row['step']:,} that is not of the study. {FIX}."
            )


def is_made_for(root: Path, request: str) -> bool:
    """Return whether a simulation was made by the job of this id. Raises CorruptFile."""
    branch = read_branch(root)
    return branch is not None and branch.request == request
