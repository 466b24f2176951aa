"""Activities of each persona as AGA recorded them: tasks, talks and waits, and whether a model planned them."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.task_spans import TaskSpan, task_spans
from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.ledger_schema import ANSWERED

PLANS = "SELECT persona, step, answer FROM calls WHERE question LIKE 'plan/%' AND outcome = ? ORDER BY id"
CHAT, REACT = "chat", "react"
"""Tasks of a persona that talks, and of one that waits for another."""
MINUTE = 60
TIME = "%Y-%m-%d %H:%M:%S"


def task_records(run: ComparedRun, ledger: Ledger) -> dict[str, list[dict[str, Any]]]:
    """Return the records of each persona in order of time. Durations are minutes, as they were shown."""
    planned = defaultdict[str, list[tuple[int, str]]](list)
    for persona, step, answer in ledger.connection.execute(PLANS, (ANSWERED,)):
        planned[persona].append((step, answer.casefold()))
    return {name: _records(run, spans, planned[name]) for name, spans in task_spans(run).items()}


def _records(run: ComparedRun, spans: Sequence[TaskSpan], planned: Sequence[tuple[int, str]]) -> list[dict[str, Any]]:
    """`planned`: steps and answers of the plans that a model made."""
    shown: dict[str, int] = {}
    records = []
    for span in spans:
        task = span.subtask or span.text
        records.append(
            {
                "task": CHAT if span.chat else REACT if span.waits else task,
                "parent": span.activity if span.subtask and not (span.chat or span.waits) else None,
                "is_new": bool(span.chat) or _is_new(task, planned, range(shown.get(task, -1) + 1, span.first + 1)),
                "duration": round(span.steps * run.meta.sec_per_step / MINUTE),
                "time": run.meta.time_of(span.first).strftime(TIME),
                "chat": {"person": span.partner, "message": [list(line) for line in span.chat]} if span.chat else {},
            }
        )
        shown[task] = span.first
    return records


def _is_new(task: str, planned: Sequence[tuple[int, str]], steps: range) -> bool:
    """Return whether a plan from one of these steps, since the task was last begun, has its words."""
    return any(step in steps and task.casefold() in answer for step, answer in planned)
