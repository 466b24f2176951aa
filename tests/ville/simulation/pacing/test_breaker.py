"""A useless model ends a run, at any concurrency, and wherever the run is resumed."""

import json
from fractions import Fraction
from random import Random

import pytest
from edges import edged
from hypothesis import example, given
from hypothesis import strategies as st

from ville.errors import CorruptFile, UnusableModel
from ville.llm.gateway import ChatReply
from ville.persona.prompt_template.ask import ATTEMPTS, AnswerVerdict, Tally
from ville.simulation.pacing.breaker import ASK_ONCE_AFTER, STOP_AFTER, WINDOW, Breaker

LIMIT = 50


class Useless:
    """Chat client that mostly answers in prose."""

    def __init__(self, folk, share):
        self.folk, self.share, self.asked = folk, share, 0

    async def complete(self, request):
        self.asked += 1
        proper = await self.folk.complete(request)
        lot = Random(f"{request.persona} {request.step} {request.question} {len(request.messages)}")  # noqa: S311
        return ChatReply("I would rather not say.", "m") if lot.random() < self.share else ChatReply(proper.text, "m")


@pytest.fixture
def useless(opened, townsfolk):
    """Open a simulation with such a model, which is asked all questions of the paper: often."""

    def open_it(name, origin="base", share=1.0, **settings):
        simulation = opened(name, origin, questions="paper", **settings)
        chat = Useless(townsfolk, share)
        object.__setattr__(simulation.models, "chat", chat)
        return simulation, chat

    return open_it


def step_of(asked, fallbacks, model="m"):
    """Return the tally of one step."""
    wrong = ["It is prose."] * fallbacks + [""] * (asked - fallbacks)
    return [Tally(judged=[AnswerVerdict("plan/x", each, model) for each in wrong])]


async def test_a_run_with_a_useless_model_ends_soon_and_saved(useless, run_for):
    """The message names model, number of questions, an example and the fix; few questions are repeated."""
    simulation, chat = useless("new")
    says = r"^m gave no usable answer to any of its last \d+ questions, for example to \w+/\w+: there is no JSON object"
    with pytest.raises(UnusableModel, match=says):
        await run_for(simulation, 2000)
    assert simulation.folder.meta.step == simulation.clock.step < 2000
    fallbacks = simulation.services.breaker.fallbacks
    assert STOP_AFTER <= fallbacks < WINDOW
    assert chat.asked < ATTEMPTS * fallbacks


async def test_limit_zero_means_no_limit(useless, run_for):
    """With limit 0 the run continues on fallbacks; each question is asked once."""
    simulation, chat = useless("new", max_fallbacks=0)
    await run_for(simulation, 2880)
    fallbacks = simulation.services.breaker.fallbacks
    assert fallbacks > STOP_AFTER
    assert chat.asked < ATTEMPTS * fallbacks


async def test_a_model_that_mostly_answers_goes_on(useless, run_for):
    """Its mistakes are corrected up to three times; the counts survive a save."""
    simulation, _ = useless("new", share=0.5)
    await run_for(simulation, 900)
    assert simulation.services.breaker.unusable > simulation.services.breaker.fallbacks > 0


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.8, 1.0])
async def test_a_resumed_run_continues_the_counts(useless, run_for, small_town, share):
    """Saved and resumed any number of times, it ends at the same step with the same files and message."""
    whole, chat = useless("whole", share=share)
    with pytest.raises(UnusableModel) as ended:
        await run_for(whole, 2000)
    parts, asked, said = "base", 0, ""
    for _ in range(2000 // 130 + 1):
        simulation, part = useless("parts", parts, share=share)
        parts = "parts"
        try:
            await run_for(simulation, 130)
        except UnusableModel as fault:
            said = str(fault)
        simulation.save()
        await simulation.close()
        asked += part.asked
        if said:
            break
    assert (asked, said) == (chat.asked, str(ended.value))
    assert small_town.files("parts") == small_town.files("whole")


@given(st.lists(edged(1, 40).flatmap(lambda asked: st.tuples(st.just(asked), edged(0, asked)))))
@example([(STOP_AFTER - 1, STOP_AFTER - 1), (1, 1)])
@example([(ASK_ONCE_AFTER - 1, ASK_ONCE_AFTER - 1), (1, 1), (1, 0)])
@example([(2, 1)] * WINDOW + [(1, 1)] * 2)
@example([(1, 1), (WINDOW, LIMIT), (1, 0), (WINDOW - 1, LIMIT)])
def test_a_run_ends_above_the_limit_of_fallbacks(steps):
    """Or after twenty in a row. Compared with a plain list of questions; a step partly in the window counts in
    proportion.
    """
    breaker, history = Breaker(LIMIT), []
    for asked, fallbacks in steps:
        history += [Fraction(fallbacks, asked)] * asked
        kept = Breaker(LIMIT, json.loads(json.dumps(breaker.state())))
        verdicts = [each.count(step_of(asked, fallbacks)) for each in (breaker, kept)]
        streak = next((number for number, part in enumerate(reversed(history)) if part < 1), len(history))
        assert [bool(verdict) for verdict in verdicts] == [streak >= STOP_AFTER or sum(history[-WINDOW:]) > LIMIT] * 2
        assert breaker.state() == kept.state()
        if verdicts[0]:
            history.clear()
        else:
            assert breaker.attempts("m") == kept.attempts("m") == (1 if streak >= ASK_ONCE_AFTER else ATTEMPTS)


def test_models_are_judged_separately():
    """A good model does not make up for a useless one."""
    breaker = Breaker(LIMIT)
    verdicts = [breaker.count([*step_of(9, 0, "good"), *step_of(3, 3, "bad")]) for _ in range(7)]
    assert [str(verdict).split()[0] for verdict in verdicts if verdict] == ["bad"]
    assert breaker.attempts("good") == ATTEMPTS


@pytest.mark.parametrize("kept", [7, [1], {"m": 3}, {"m": [[1]]}, {"m": [[1, 2]]}, {"m": [[0, 0]]}, {"m": ["ab"]}])
async def test_malformed_counts_are_a_one_line_error(opened, small_town, kept):
    """The message names the file and the fix."""
    simulation = opened("new")
    simulation.save()
    await simulation.close()
    own = small_town.root / "storage/new/reverie/run.json"
    own.write_text(json.dumps(json.loads(own.read_text("utf-8")) | {"fallbacks": kept}), "utf-8")
    with pytest.raises(CorruptFile, match=r"run.json: 'fallbacks' is invalid .* Delete it"):
        opened("new", "new")
