"""Questions in each hour of the towns of the bench, as benchmarks/bench_hours.py has recorded them by the rules."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ville.llm.accounting.estimate import CostModel, Totals, TypicalHour
from ville.studies.job import StudyJob
from ville.studies.study import StudyBase
from ville.studies.study_estimate import TYPICAL, EstimateBasis, asked_until

HOURS = Path(__file__).with_name("bench_hours.json")
FIELDS_OF_HOUR = ("calls", "fast_prompt", "fast_answer", "advanced_prompt", "advanced_answer")
HOUR, DAY = 3600, 24
BASIS = (
    "what the rules ask in these towns, hour by hour, with a second for each call. "
    "Corrections of bad answers come on top"
)


def bench_basis(base: StudyBase) -> EstimateBasis:
    """Return what the estimate of a bench goes by: what was recorded of its town; a typical day for another one."""
    recorded = _recorded().get(str(len(base.people)))
    if recorded is None or set(recorded["people"]) != set(base.people):
        return TYPICAL

    def of_run(job: StudyJob, base: StudyBase, begun: int, model: CostModel) -> Totals:
        seconds = base.clock.seconds_per_step
        parts = [
            _asked(recorded, name, begun * seconds, step * seconds)
            for name, step in asked_until(job, base.people).items()
        ]
        rounds = max(part["calls"] for part in parts)  # people think at the same time, each one question after another
        sums = {field: sum(part[field] for part in parts) for field in FIELDS_OF_HOUR}
        return model.totals(TypicalHour(**sums, rounds=rounds))

    return EstimateBasis(of_run, BASIS)


@cache
def _recorded() -> Mapping[str, Any]:
    return dict(json.loads(HOURS.read_text("utf-8")))


def _asked(recorded: Mapping[str, Any], name: str, begins: int, ends: int) -> dict[str, float]:
    """Return what a persona is asked between two seconds of the run; an hour that was not recorded is as on the day
    before.
    """
    sums = dict.fromkeys(FIELDS_OF_HOUR, 0.0)
    for hour in range(begins // HOUR, -(-ends // HOUR)):
        share = (min(ends, (hour + 1) * HOUR) - max(begins, hour * HOUR)) / HOUR
        known = hour if hour < recorded["hours"] else hour % DAY
        for field, value in zip(FIELDS_OF_HOUR, recorded["people"][name].get(str(known), ()), strict=False):
            sums[field] += max(0.0, share) * value
    return sums
