"""The tasks for Inspect AI judge as the benchmarks do: what is right there is right here, and nonsense is not.

Inspect is no part of the project: without it, nothing here is tried, and the summary of the tests says so.
"""

import asyncio
import gc
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

inspect_ai = pytest.importorskip("inspect_ai", reason="NOT TRIED: Inspect AI is missing (pip install inspect-ai)")
FILE = Path(__file__).resolve().parents[2] / "examples" / "inspect_task.py"
LIMIT = 12
pytestmark = pytest.mark.filterwarnings("ignore")
"""Those of Inspect: streams that it leaves open, and functions that its own packages call no longer."""


@pytest.fixture(scope="module")
def tasks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [*sys.path])
        spec = spec_from_file_location("inspect_task", FILE)
        module = module_from_spec(spec)
        patch.setitem(sys.modules, "inspect_task", module)
        spec.loader.exec_module(module)
        yield module


def accuracy(task, answers, tmp_path) -> tuple[float, int]:
    """Return the accuracy of a mock model that gives these answers by prompt, and over how many samples."""
    from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: PLC0415 - it may be missing

    def answer(messages, *_rest):
        output = ModelOutput.from_content("mock", answers(messages[-1].text))
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it fetches a tokenizer
        return output

    model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
    (log,) = inspect_ai.eval(task, model=model, limit=LIMIT, display="none", log_dir=str(tmp_path))
    gc.collect()  # so that streams which it has left open are closed here, and not in another test
    assert log.status == "success", log.error
    (score,) = log.results.scores
    return score.metrics["accuracy"].value, score.scored_samples


def test_answers_are_judged_as_the_benchmark_judges_them(tasks, tmp_path):
    """Those that the rules gave, of which most are right as those of a model, too; and no nonsense is."""
    task = tasks.situations()
    recorded = {sample.input: sample.target for sample in task.dataset}
    situations = [each for each in tasks.read().situations if each.question.title == "talk/interview"]
    ours = [each for each in situations if each.wording == "situated"][:LIMIT]
    rights = [asyncio.run(tasks.is_right(each, each.answer)) for each in ours]
    known = [right for right in rights if right is not None]
    share, scored = accuracy(task, recorded.__getitem__, tmp_path)
    assert (share, scored) == (pytest.approx(sum(known) / len(known)), len(known))
    assert share > 1 / 2
    assert accuracy(tasks.situations(), lambda _: "I am a language model.", tmp_path)[0] == 0.0


def test_an_explanation_is_right_if_its_first_cause_was_confirmed(tasks, tmp_path):
    """Whatever it names after that, and whatever it writes around it."""
    task = tasks.causes()
    first = {sample.input: sample.target[0] for sample in task.dataset}
    assert accuracy(task, lambda asked: f'Because: {{"causes": ["{first[asked]}", "c9"]}}', tmp_path)[0] == 1.0
    assert accuracy(tasks.causes(), lambda asked: f'{{"causes": ["c9", "{first[asked]}"]}}', tmp_path)[0] == 0.0
