"""Checks that a simulation of a study is as the study has made it: what else is done with it must not be its result."""

from pathlib import Path

from ville.errors import BadArgument
from ville.jobs.run_spec import RunSpec
from ville.storage.folder.branches import read_branch
from ville.storage.records.intervention_log import LOG, read_rows

FIX = "Delete it, and type 'study.py retry' to run it again; for trials of your own, fork it under another name"


def check_untouched(root: Path, step: int, spec: RunSpec) -> None:
    """Raise BadArgument if a simulation was run further than its spec, or if there was another intervention."""
    if step > spec.until_step:
        raise BadArgument(f"{root.name} is at step {step:,}, but its run ends at {spec.until_step:,}. {FIX}.")
    branch, known = read_branch(root), spec.study.known if spec.study else ()
    for row in read_rows(root / "reverie" / LOG)[branch.rows if branch else 0 :]:
        if row["id"] not in known:
            raise BadArgument(
                f"{root.name} has a {row['kind']} at step {row['step']:,} that is not of the study. {FIX}."
            )
