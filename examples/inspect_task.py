"""Two tasks for Inspect AI (https://inspect.aisi.org.uk) over the code and data of this project.

`pip install inspect-ai` beside the Ville; the project does not need it. Then, in the project folder:

    inspect eval examples/inspect_task.py@situations --model mockllm/model --limit 10
    inspect eval examples/inspect_task.py@causes --model openai/gpt-6-mini

`situations`: recorded questions as personas are asked them, whose right answers are known; `-T title=talk/interview`
chooses the question. An answer is read as the Ville reads it, and judged by benchmarks/truths.py.
`causes`: why did someone do, say or think something? The candidates were tested by taking each away
(docs/causes.md); right is an answer whose first-named cause was confirmed.

For a server on this machine with an OpenAI-compatible address: `--model openai-api/local/NAME`, with LOCAL_BASE_URL and
LOCAL_API_KEY (any text) in the environment.
"""

import json
import sys
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import TaskState, generate

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "reverie" / "backend_server")]

from causes import read as read_acts
from causes import truth_of
from model_bench import ask_all, request_of
from situation_files import Situation, read

from ville.llm.gateway import ChatReply, ChatRequest
from ville.llm.wire.schemas import instruction
from ville.persona.prompt_template.answers.json_values import json_values

ACTS = ROOT / "benchmarks" / "causes" / "two_days_of_25.jsonl"
FORM = (
    'Answer only with one JSON object of this form:\n{"causes": ["<id of the cause, the most important first>", ...]}'
)


class GivenAnswer:
    """Chat that gives one answer, also when it is sent back."""

    def __init__(self, text: str) -> None:
        self._text = text

    async def complete(self, _request: ChatRequest) -> ChatReply:
        return ChatReply(self._text, "inspect")


async def is_right(situation: Situation, text: str) -> bool | None:
    """Return whether an answer to a situation is right, by the judges of benchmarks/truths.py; None if that is not
    known.
    """
    asked = await ask_all([situation], GivenAnswer(text), seed=0, max_concurrency=1)
    return asked.outcomes[0].right


@task
def situations(title: str = "talk/interview", wording: str = "situated") -> Task:
    """Recorded questions with known right answers."""
    recorded = [each for each in read().situations if (each.question.title, each.wording) == (title, wording)]
    if not recorded:
        raise ValueError(f"There are no recorded situations of {title} ({wording}). See benchmarks/situations/.")
    samples = [_asked(number, each) for number, each in enumerate(recorded)]
    return Task(dataset=MemoryDataset(samples), solver=generate(), scorer=known_truth(recorded))


def _asked(number: int, situation: Situation) -> Sample:
    request = request_of(situation)
    words = f"{request.messages[0].content}\n\n{instruction(request.schema)}"
    return Sample(words, target=situation.answer, id=f"{situation.persona} {number}", metadata={"number": number})


@scorer(metrics=[accuracy(), stderr()])
def known_truth(recorded: list[Situation]) -> Scorer:
    """Judge answers as benchmarks/models.py does; those whose truth is not known are left out of the accuracy."""

    async def score(state: TaskState, _target: Target) -> Score:
        right = await is_right(recorded[state.metadata["number"]], state.output.completion)
        if right is None:
            return Score.unscored(explanation="The truth of this question is not known.")
        return Score(value=CORRECT if right else INCORRECT, answer=state.output.completion)

    return score


@task
def causes(file: str = str(ACTS)) -> Task:
    """Why did someone do, say or think something? Causes that were tested by taking them away."""
    acts = [act for act in read_acts(Path(file)) if len(act["causes"]) > 1]
    with_cause = [act for act in acts if "confirmed" in {each["truth"] for each in act["causes"]}]
    return Task(dataset=MemoryDataset(list(map(_why, with_cause))), solver=generate(), scorer=confirmed_cause())


def _why(act: dict[str, Any]) -> Sample:
    truths = {each["id"]: each["truth"] for each in act["causes"]}
    lines = [f"{each['id']}: {each['kind']}: {each['words']}" for each in act["causes"]]
    words = "\n".join([f"{act['question']}?", "", "Candidates:", *lines, "", FORM])
    right = [name for name, truth in truths.items() if truth == "confirmed"]
    return Sample(words, target=right, id=act["id"], metadata={"truths": truths})


@scorer(metrics=[accuracy(), stderr()])
def confirmed_cause() -> Scorer:
    """Right is an answer whose first-named cause was confirmed, as `benchmarks/causes.py --score` counts."""

    async def score(state: TaskState, _target: Target) -> Score:
        named = first_named(state.output.completion)
        truth = truth_of(state.metadata["truths"], named)
        return Score(value=CORRECT if truth == "confirmed" else INCORRECT, answer=named, explanation=truth)

    return score


def first_named(text: str) -> str:
    """Return the cause that an answer names first; empty if it names none."""
    try:
        found = next(iter(json_values(text)), None)
    except (ValueError, json.JSONDecodeError):
        return ""
    named = found.get("causes") if isinstance(found, dict) else None
    return str(named[0]) if isinstance(named, list) and named else ""
