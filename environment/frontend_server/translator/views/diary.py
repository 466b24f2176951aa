"""The days of a persona, from the recording of a run."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any

from translator.feed.day import DoneStretch, beside_plan, chapters, stretches
from translator.feed.doings import Doing, doings
from translator.storage.runs.stored_simulation import StoredSimulation
from ville.errors import CorruptFile
from ville.storage.dates import parse_time

MINUTE = 60
"""Seconds."""


class Diary:
    """Tells what a persona did until a step."""

    def __init__(self, simulation: StoredSimulation, name: str, step: int) -> None:
        self._simulation = simulation
        self._name = name
        self._step = step
        self._meta = simulation.meta
        self._moment = self._meta.time_of(step)

    def chapters(self) -> list[Mapping[str, object]]:
        """Return the chapters of all days, in their order."""
        first = self._meta.start.date()
        days = [first + timedelta(days=number) for number in range((self._moment.date() - first).days + 1)]
        return [
            {"date": day.isoformat(), **asdict(chapter)}
            for day in days
            for chapter in chapters(self._stretches(day), self._minutes_until(day))
        ]

    def plan(self, scratch: Mapping[str, Any]) -> Mapping[str, object] | None:
        """Return the saved plan as it was made in the morning, beside what was done that day; None without a plan."""
        rows = scratch.get("f_daily_schedule_hourly_org") or scratch.get("f_daily_schedule")
        day = _day_of(scratch)
        if not rows or day is None:
            return None
        done, now = self._stretches(day), self._minutes_until(day)
        before = [stretch for stretch in done if stretch.start < now]
        return {
            "date": day.isoformat(),
            "tasks": [asdict(task) for task in beside_plan(rows, before, now)],
            "done": [asdict(stretch) for stretch in before],
        }

    @cached_property
    def _doings(self) -> list[Doing]:
        simulation = self._simulation
        end = min(self._step, simulation.steps)
        if end <= simulation.first:
            return []
        return doings(
            self._name,
            simulation.feed(),
            simulation.conversations(),
            span=(simulation.first, end),
            shown=lambda step: simulation.state(step).get(self._name),
        )

    def _stretches(self, day: date) -> list[DoneStretch]:
        midnight = (datetime.combine(day, time.min) - self._meta.start) // timedelta(seconds=self._meta.sec_per_step)
        return stretches(self._doings, midnight, MINUTE / self._meta.sec_per_step)

    def _minutes_until(self, day: date) -> float:
        return (self._moment - datetime.combine(day, time.min)) / timedelta(minutes=1)


def _day_of(scratch: Mapping[str, Any]) -> date | None:
    try:
        return parse_time(scratch.get("curr_time") or "").date()
    except CorruptFile:
        return None
