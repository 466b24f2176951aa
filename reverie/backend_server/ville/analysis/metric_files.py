"""The files of `metrics/` in the shapes of AGA, made from the ledger and the movement files of a run.

Functions are named with dots, `plan.subtasks`. Tokens are those of prompt and answer. Counts are of the whole life of
the simulation, whatever was killed or resumed in between.
"""

import json
from collections import defaultdict
from collections.abc import Container, Sequence
from contextlib import closing
from typing import NamedTuple

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.task_spans import TaskSpan, task_spans
from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.ledger_schema import ANSWERED, OPEN, SHARED
from ville.llm.accounting.summaries import fallbacks
from ville.storage.files import write_text, writing
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.safe_names import safe_name

PLANS = (
    "SELECT persona, step, question, answer FROM calls "
    "WHERE (question LIKE 'plan/%' OR question LIKE 'day/%') AND outcome = ? ORDER BY id"
)
FILLED, AT = "day/fill_the_day", " at "
"""Title of the question whose answer has an activity and its place apart, and what joins the two in a schedule."""
CHAT, REACT = "chat", "react"
"""Tasks of a persona that talks, and of one that waits for another."""
MINUTE = 60
TIME = "%Y-%m-%d %H:%M:%S"


class _Planned(NamedTuple):
    """A plan that a model made."""

    step: int
    question: str
    answer: str

    def has(self, task: str) -> bool:
        """Return whether it has the words of a task."""
        begun = task.rpartition(AT)[0] if self.question == FILLED else ""
        return (begun or task).casefold() in self.answer


def task_records(run: ComparedRun, ledger: Ledger) -> dict[str, list[dict[str, object]]]:
    """Return the records of each persona in order of time. Durations are minutes, as they were shown."""
    planned = defaultdict[str, list[_Planned]](list)
    for persona, step, question, answer in ledger.connection.execute(PLANS, (ANSWERED,)):
        planned[persona].append(_Planned(step, question, answer.casefold()))
    return {name: _records(run, spans, planned[name]) for name, spans in task_spans(run).items()}


def _records(run: ComparedRun, spans: Sequence[TaskSpan], planned: Sequence[_Planned]) -> list[dict[str, object]]:
    shown: dict[str, int] = {}
    records: list[dict[str, object]] = []
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


def _is_new(task: str, planned: Sequence[_Planned], steps: range) -> bool:
    """Return whether a plan from one of these steps, since the task was last begun, has its words."""
    return any(plan.step in steps and plan.has(task) for plan in planned)


FOLDER = "metrics"
CALLS = (
    "SELECT question, model, prompt_tokens + completion_tokens, seconds FROM calls "
    "WHERE outcome NOT IN (?, ?) ORDER BY id"
)
FAULTS = (
    "SELECT question, outcome, fault, repair, messages FROM calls "
    "WHERE outcome NOT IN (?, ?) AND (repair OR outcome <> ?) ORDER BY id"
)
NO_ANSWER = "no usable answer: the fallback was used"


def write_metrics(folder: SimulationFolder) -> int:
    """Write the files of a simulation as it was last saved, and return their number.

    Raises LedgerError if no call was ever recorded, CorruptFile or CannotWrite.
    """
    target = folder.root / FOLDER
    with closing(Ledger.read(folder.side)) as ledger:
        files = metric_files(ComparedRun(SimulationFolder(folder.root)), ledger)
    with writing(target):
        target.mkdir(exist_ok=True)
    for name, text in files.items():
        write_text(target / name, text)
    return len(files)


def metric_files(run: ComparedRun, ledger: Ledger) -> dict[str, str]:
    """Return the text of each file by its name."""
    contents = {**_call_files(ledger), **_fault_files(ledger)}
    records = {person_file(name, contents): value for name, value in task_records(run, ledger).items()}
    return {f"{name}.json": json.dumps(value, indent=4) for name, value in {**contents, **records}.items()}


def person_file(name: str, taken: Container[str]) -> str:
    """Return the file name of a persona without its ending: its full name, as far as that is possible and free."""
    safe = safe_name(name)
    return f"%{ord(safe[0]):02X}{safe[1:]}" if safe.lower() in taken else safe


def _call_files(ledger: Ledger) -> dict[str, object]:
    tokens, seconds = defaultdict[str, list[int]](list), defaultdict[str, list[float]](list)
    by_model = defaultdict[str, list[int]](list)
    details = []
    for question, model, count, duration in ledger.connection.execute(CALLS, (OPEN, SHARED)):
        name = function_name(question)
        tokens[name].append(count)
        seconds[name].append(duration)
        by_model[model].append(count)
        details.append({"function_name": name, "model": model, "token": count, "time": duration})
    return {
        "function_name_count": {name: len(each) for name, each in tokens.items()},
        "function_name_token": tokens,
        "function_name_time": seconds,
        "model_count": {name: len(each) for name, each in by_model.items()},
        "model_token": by_model,
        "detail_info": details,
    }


def function_name(question: str) -> str:
    """Return the name of a question with dots, as the calls of AGA are named."""
    return question.replace("/", ".")


def _fault_files(ledger: Ledger) -> dict[str, object]:
    """Return number and reasons of failures: errors, answers that were sent back, and questions without an answer."""
    reasons = defaultdict[str, list[str]](list)
    for question, outcome, fault, repair, messages in ledger.connection.execute(FAULTS, (OPEN, SHARED, ANSWERED)):
        if repair:
            reasons[function_name(question)].append(json.loads(messages)[-1]["content"])
        if outcome != ANSWERED:
            reasons[function_name(question)].append(f"{outcome}: {fault}")
    for question, times in fallbacks(ledger).items():
        reasons[function_name(question)] += [NO_ANSWER] * times
    return {
        "function_name_fail_count": {name: len(each) for name, each in reasons.items()},
        "function_name_fail_reason": reasons,
    }
