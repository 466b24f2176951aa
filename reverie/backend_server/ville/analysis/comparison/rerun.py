"""How a run is cited and computed again."""

from os.path import relpath

from ville.analysis.comparison.compared_run import RUN_KEYS, ComparedRun
from ville.command_lines import typed
from ville.home import HOME
from ville.storage.folder.branches import read_branch
from ville.storage.past.moments import NamedMoment
from ville.storage.records.intervention_log import LOG
from ville.storage.records.meta import META, read_meta


def citation(run: ComparedRun) -> str:
    """Return what identifies a run, in one line."""
    seed = run.run_file.get("seed")
    parts = [
        f"from {run.meta.fork_sim_code}",
        f"seed {seed}" if seed is not None else "",
        f"{run.steps:,} steps until {run.time(run.steps)}",
        f"{len(run.rows)} intervention{'s' * (len(run.rows) > 1)}" if run.rows else "",
        f"digest of all memories {run.digest}",
    ]
    return f"{run.name}: {', '.join(filter(None, parts))}"


def rerun_command(run: ComparedRun) -> str:
    """Return the command that computes a run again, typed in the home.

    Empty for a compressed run, and for one of which nothing was computed since its fork.
    """
    if run.compressed or not (steps := _steps(run)):
        return ""
    again = f"{run.folder.name}_again"
    if run.ledger:
        return typed("offline", "-t", again, "--replay", run.folder.name, "-s", str(steps))
    log = ["--interventions", relpath(run.folder.side / LOG, HOME.root)] if run.rows else []
    seed = ["--seed", str(run.run_file.get("seed", 0))]
    rules = [part for key in ("questions", "thinking") for part in (f"--{key}", run.run_file.get(key, RUN_KEYS[key]))]
    return typed("offline", "-o", _origin(run), "-t", again, "-s", str(steps), *seed, *rules, *log)


def _origin(run: ComparedRun) -> str:
    """Return what a run was forked from, with the moment if it is known."""
    branch = read_branch(run.folder.root)
    return str(NamedMoment(branch.origin, str(branch.moment))) if branch else run.meta.fork_sim_code


def _steps(run: ComparedRun) -> int:
    """Return how many steps were computed since the fork, as far as that is known."""
    branch = read_branch(run.folder.root)
    origin = run.folder.root.parent / run.meta.fork_sim_code / META
    first = branch.step if branch else read_meta(origin).step if origin.exists() else 0
    return max(0, run.steps - first)
