"""How far a study has come, for its page: a hundred runs at a time, by seeds, and why runs have failed."""

from collections.abc import Sequence
from dataclasses import asdict
from math import ceil
from zlib import crc32

from django.urls import reverse
from django.utils.translation import ngettext

from translator.shown.studies_listed import study_entry
from translator.storage.studies import FoundStudy
from ville.json_types import JsonObject
from ville.storage.files import compact
from ville.storage.studies.study_folder import JobManifest

MOST_RUNS, FEW_SEEDS = 100, 5
"""Runs that are sent at once, about; but always those of so many seeds."""
MOST_TOLD, MOST_NAMED, MOST_REASONS = 2, 4, 20
"""Running jobs that are told beside the others; runs that a reason names; reasons, and lines of damage."""
NAME = "…"
"""Stands in a reason for the name of the run, so that it is the same for all."""


def study_progress(found: FoundStudy, known: set[str], *, page: int, may_act: bool) -> JsonObject:
    """Return the runs of the seeds of a page, counted from 0, and what is told of all; without cost and faults for
    those who may only watch. `known` are the simulations that are there.
    """
    entry, seeds = study_entry(found), found.note.seeds
    arms = max(1, len(found.note.arms) * len(found.note.bases))
    count = max(FEW_SEEDS, MOST_RUNS // arms)
    pages = max(1, ceil(len(seeds) / count))
    page = min(page, pages - 1)
    chosen = seeds[page * count : (page + 1) * count]
    running = [job for job in found.jobs if job.state == "running"]
    return {
        **{key: entry[key] for key in ("state", "done", "runs", "steps_done", "steps")},
        "page": page,
        "pages": pages,
        "seeds": [*chosen],
        "jobs": [_job(job, known, may_act=may_act) for job in found.jobs if job.seed in set(chosen)],
        "now": [_job(job, known, may_act=False) for job in running[:MOST_TOLD]],
        "has_failed": any(job.state == "failed" for job in found.jobs),
        "failures": _failures(found.jobs) if may_act else [],
        "version": crc32(compact([[job.run, job.state] for job in found.jobs]).encode()),
        "spent": _spent(found) if may_act else None,
        "budget": {**found.note.budget} if may_act else {},
        "damage": _damage(found.damage),
    }


def run_link(job: JobManifest, known: set[str]) -> str:
    """Return where a run can be watched; empty if its simulation is not there."""
    seen = job.simulation in known and job.step > job.first_step and job.kept == "all"
    return reverse("replay", args=[job.simulation, job.first_step]) if seen else ""


def _job(job: JobManifest, known: set[str], *, may_act: bool) -> JsonObject:
    keys = ("run", "base", "arm", "seed", "state", "step", "first_step", "until_step")
    shown = {key: getattr(job, key) for key in keys}
    cost = {"cost": job.result.cost if job.result else None} if may_act else {}
    return {**shown, **cost, "link": run_link(job, known)}


def _failures(jobs: Sequence[JobManifest]) -> list[JsonObject]:
    """Return why runs have failed or stopped: each reason once, with how many runs have it, and the first of them."""
    runs: dict[str, list[JobManifest]] = {}
    for job in jobs:
        if job.fault:
            runs.setdefault(job.fault.replace(job.simulation, NAME).replace(job.run, NAME), []).append(job)
    shown = sorted(runs.items(), key=lambda each: -len(each[1]))[:MOST_REASONS]
    return [
        {
            "fault": fault if len(several) > 1 else several[0].fault,
            "runs": [job.run for job in several[:MOST_NAMED]],
            "count": len(several),
        }
        for fault, several in shown
    ]


def _damage(lines: Sequence[str]) -> list[str]:
    """Return the first lines of damage, and how many more there are."""
    more = len(lines) - MOST_REASONS
    if more <= 0:
        return [*lines]
    rest = ngettext("… and %(count)s more line", "… and %(count)s more lines", more) % {"count": more}
    return [*lines[:MOST_REASONS], rest]


def _spent(found: FoundStudy) -> JsonObject | None:
    """Return what all runs have used, and how many calls are open; None without calls."""
    calls = found.calls
    return asdict(calls) if calls else None
