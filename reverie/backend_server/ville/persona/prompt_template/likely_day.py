"""The plan of a day if no model makes one: what has to happen every day, at its time, else a quiet day at home."""

from datetime import time

from ville.persona.prompt_template.answers.clock_times import first_time

LAST_HOUR = 23


def likely_day(wake_up_hour: int, daily_requirement: str) -> list[str]:
    """Return the lines of a day plan. A requirement without a time begins an hour after getting up."""
    ready, free = f"wake up and get ready at {wake_up_hour}:00", time(min(wake_up_hour + 1, LAST_HOUR))
    requirement = " ".join(daily_requirement.split())
    if not requirement:
        return [ready, "spend a quiet day at home"]
    start = max(first_time(requirement) or free, free)
    until = [f"spend time at home from {free:%H:%M} to {start:%H:%M}"] if start > free else []
    return [ready, *until, f"from {start:%H:%M} on: {requirement}"]
