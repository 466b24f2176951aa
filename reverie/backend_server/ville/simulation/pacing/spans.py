"""Lengths and speeds of runs, as users type them."""

import re
from contextlib import suppress
from datetime import time, timedelta

from ville.errors import BadArgument, CorruptFile
from ville.simulation.clock import Clock, Duration, Span, Steps, UntilMoment, UntilStep, UntilTime
from ville.simulation.pacing.run_control import FASTEST, SLOWEST, Speed
from ville.storage.dates import parse_time, time_text

MORNING = UntilTime(time(6))
_UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}


def read_span(text: str) -> Span:
    """Return the length of a run: `100`, `100 steps`, `steps 100`, `2 hours`, `until 08:00`, `until morning`,
    `until step 2500`, `until February 14, 2023, 18:00:00`.

    Raises BadArgument.
    """
    first, _, rest = text.partition(" ")
    if first.lower() == "until" and rest.strip():
        return _until(rest.strip())
    match = re.fullmatch(r"(?:steps?\s+(?=\d+$))?(\d{1,9})(?:\s*([a-z]+?)s?)?", text.lower())
    if match and match[2] in {None, "step"}:
        return Steps(int(match[1]))
    if match and match[2] in _UNITS:
        return Duration(timedelta(seconds=int(match[1]) * _UNITS[match[2]]))
    raise BadArgument(f"'{text}' is not a length of time. Examples: 100 (steps), 2 hours, until 08:00")


def steps_ahead(clock: Clock, span: Span) -> int:
    """Return the number of steps of a run. Raises BadArgument if its end is in the past."""
    match span:
        case UntilMoment(moment) if moment <= clock.now:
            raise BadArgument(f"{time_text(moment)} is in the past: game time is {time_text(clock.now)}.")
        case UntilStep(step) if step <= clock.step:
            raise BadArgument(f"Step {step:,} is in the past: the next step is {clock.step:,}.")
    return clock.steps_in(span)


def read_speed(text: str) -> Speed:
    """Return a speed: `60` (game seconds per second), or `max`. Raises BadArgument."""
    if text.lower() == "max":
        return Speed()
    with suppress(ValueError):
        if SLOWEST <= (factor := float(text)) <= FASTEST:
            return Speed(factor)
    raise BadArgument(
        f"'{text}' is not a speed. Give game seconds per second, from {SLOWEST:g} to {FASTEST:,.0f}, such as 60; or max"
    )


def _until(text: str) -> Span:
    if step := re.fullmatch(r"step\s+(\d{1,9})", text.lower()):
        return UntilStep(int(step[1]))
    if text.lower() == "morning":
        return MORNING
    match = re.fullmatch(r"(\d\d?):(\d\d)(?::(\d\d))?", text)
    try:
        if match:
            hour, minute, second = map(int, match.groups("0"))
            return UntilTime(time(hour, minute, second))
        return UntilMoment(parse_time(text))
    except (ValueError, CorruptFile):
        raise BadArgument(f"'{text}' is not a time. Examples: 08:00, or February 14, 2023, 18:00:00") from None
