"""Lists, sums and the curve of calls, as their page shows them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy

from translator.forms import CallQuery
from translator.persona_name import PersonaName
from translator.shown.run_pages import watch_address
from translator.storage.runs.stored_simulation import StoredSimulation
from ville.analysis.calls.call_index import PAGE, CallFilter, CallIndex, CallPulse, CallSums, ListedCall

HOUR = 3600
SPANS = (60, 300, 600, 1800, 3600, 2 * 3600, 6 * 3600, 24 * 3600)
"""Game seconds of a bar."""
MOST_BARS = 110
WIDTH, HEIGHT = 720, 130
ORDERS = {
    "latest": gettext_lazy("the latest"),
    "slowest": gettext_lazy("the slowest"),
    "dearest": gettext_lazy("the dearest"),
    "corrected": gettext_lazy("the most corrected"),
}
GROUPS = {
    "question": gettext_lazy("by question"),
    "persona": gettext_lazy("by person"),
    "model": gettext_lazy("by model"),
}
OUTCOMES = {
    "answered": "",
    "open": gettext_lazy("waits for an answer"),
    "cancelled": gettext_lazy("cancelled"),
    "killed": gettext_lazy("cut off when the run ended"),
    "shared": gettext_lazy("taken from another run"),
}
"""Ends of calls in the ledger, in words; others are names of errors."""


@dataclass(frozen=True)
class CallBar:
    """A bar of the curve."""

    x: float
    y: float
    width: float
    height: float
    words: str


class CallsShown:
    """The calls of a simulation as their page shows them."""

    def __init__(self, simulation: StoredSimulation, index: CallIndex, query: CallQuery) -> None:
        self._simulation, self._index, self._query = simulation, index, query
        self._meta = simulation.meta
        self._sums = cache(lambda by: index.sums(by, self._chosen))
        self._chosen = CallFilter(
            query.person, query.question, query.model, self._steps_of(query.hour), query.carried_on
        )

    def _steps_of(self, hour: str) -> tuple[int, int] | None:
        """Return the steps of an hour of game time; None for all."""
        if not hour:
            return None
        begins = datetime.fromisoformat(hour)
        edges = (begins - self._meta.start, begins + timedelta(hours=1) - self._meta.start)
        first, end = (-(-int(edge.total_seconds()) // self._meta.sec_per_step) for edge in edges)
        return first, end

    def context(self) -> dict[str, object]:
        """Return what the parts of the page that change are made of."""
        return {"now": self._now(), "list": self._list(), "groups": self._groups(), "choices": self._choices()}

    def _now(self) -> dict[str, object]:
        sums = self._sums("question")
        return {
            "calls": sum(each.calls for each in sums),
            "tokens": sum(each.tokens for each in sums),
            "cost": sum(each.cost for each in sums),
            "corrected": sum(each.corrected for each in sums),
            "failed": sum(each.failed for each in sums),
            "carried_on": sum(each.carried_on for each in sums),
            "rate": self._index.rate(),
            "curve": self._curve(),
            "read": self._index.read,
            "known": self._index.known,
        }

    def _curve(self) -> dict[str, object] | None:
        """Return calls by time as bars, and what was spent until then as a line; None without calls."""
        first, last = self._ends()
        span = self._span(last - first)
        pulses = self._index.pulse(self._chosen, span)
        if not pulses:
            return None
        begins, bars = first // span * span, (last - first // span * span) // span + 1
        highest, width = max(each.calls for each in pulses), WIDTH / bars
        money = any(each.cost for each in pulses)
        total = sum(each.cost if money else each.tokens for each in pulses)
        found: list[CallBar] = []
        line, spent, before = [f"0,{HEIGHT}"], 0.0, float(HEIGHT)
        for each in pulses:
            x, height = (each.step - begins) / span * width, each.calls / highest * HEIGHT
            spent += each.cost if money else each.tokens
            y = HEIGHT - spent / total * HEIGHT if total else HEIGHT
            line.append(f"{x + width / 2:.1f},{before:.1f} {x + width / 2:.1f},{y:.1f}")
            before = y
            found.append(
                CallBar(
                    round(x, 1),
                    round(HEIGHT - height, 1),
                    round(max(width - 1, 1), 1),
                    round(height, 1),
                    self._words(each),
                )
            )
        line.append(f"{WIDTH},{before:.1f}")
        return {
            "bars": found, "line": " ".join(line), "money": money, "total": total, "highest": highest,
            "minutes": span * self._meta.sec_per_step // 60, "width": WIDTH, "height": HEIGHT,
            "begins": self._meta.time_of(max(0, begins)), "ends": self._meta.time_of(max(0, last)),
        }  # fmt: skip

    def _words(self, pulse: CallPulse) -> str:
        return f"{self._meta.time_of(max(0, pulse.step)):%H:%M}: {pulse.calls:,}"

    def _ends(self) -> tuple[int, int]:
        """Return the first and the last step of the curve."""
        if self._chosen.steps:
            first, end = self._chosen.steps
            return first, end - 1
        return self._index.ends(self._chosen)

    def _span(self, steps: int) -> int:
        """Return the steps of a bar, so that there are not too many bars."""
        seconds = steps * self._meta.sec_per_step
        fitting = next((span for span in SPANS if seconds / span <= MOST_BARS), SPANS[-1])
        return max(1, fitting // self._meta.sec_per_step)

    def _list(self) -> dict[str, object]:
        count, page = self._index.count(self._chosen), self._query.page
        rows = self._index.listed(self._chosen, self._query.order, page)
        return {
            "rows": [self._row(each) for each in rows],
            "count": count,
            "first": page * PAGE + 1,
            "last": page * PAGE + len(rows),
            "before": self.address(page=page - 1) if page else "",
            "after": self.address(page=page + 1) if (page + 1) * PAGE < count else "",
        }

    def _row(self, call: ListedCall) -> dict[str, object]:
        step = max(0, call.step)
        return {
            "call": call,
            "address": reverse("call", args=[self._simulation.code, call.number]),
            "time": self._meta.time_of(step),
            "watch": watch_address(self._simulation, step) if self._simulation.has(step) else "",
            "outcome": OUTCOMES.get(call.outcome, call.outcome),
        }

    def _groups(self) -> dict[str, object]:
        by = self._query.by
        found = self._sums(by)
        keys = {
            "latest": lambda each: -each.calls,
            "slowest": lambda each: -each.seconds,
            "dearest": lambda each: (-each.cost, -each.tokens),
            "corrected": lambda each: (-each.carried_on, -each.corrected),
        }
        rows = sorted(found, key=keys[self._query.order])[:PAGE]
        ways = [(name == by, words, self.address(by=name, page=0)) for name, words in GROUPS.items()]
        return {"by": by, "ways": ways, "rows": [{"sums": each, "address": self._of_group(each)} for each in rows]}

    def _of_group(self, sums: CallSums) -> str:
        """Return the address of the calls of a group; empty for those that serve all."""
        name = {"persona": "person"}.get(self._query.by, self._query.by)
        return self.address(**{name: sums.name}, page=0) if sums.name else ""

    def _choices(self) -> dict[str, object]:
        """Return what can be chosen: everyone, every question, model and hour that has calls."""
        every = CallFilter()
        names = {by: self._index.names(by) for by in ("persona", "question", "model")}
        begins = self._meta.start.replace(minute=0, second=0)
        span = max(1, HOUR // self._meta.sec_per_step)
        hours = dict.fromkeys(
            self._meta.time_of(max(0, each.step)).replace(minute=0, second=0) for each in self._index.pulse(every, span)
        )
        return {**names, "hours": [(f"{hour:%Y-%m-%dT%H:%M}", hour) for hour in hours if hour >= begins]}

    def address(self, **other: object) -> str:
        """Return the address of this page with other values of its query."""
        values = {**self._query.as_words(), **other}
        given = {name: value for name, value in values.items() if value}
        return f"{reverse('calls', args=[self._simulation.code])}?{urlencode(given)}"


def persona_link(simulation: StoredSimulation, name: str, step: int) -> str:
    """Return the address of the page of a persona at a step."""
    return reverse("replay_persona_state", args=[simulation.code, step, PersonaName(name).underscore])
