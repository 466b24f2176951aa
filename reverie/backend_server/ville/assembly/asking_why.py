"""Asks why: finds an act of a run, and traces it with all that can be computed again."""

from collections import Counter
from collections.abc import Sequence

from ville.analysis.comparison.compared_run import ComparedRun, find_run
from ville.analysis.why import acts
from ville.analysis.why.cause import Act, Chain
from ville.analysis.why.chain import chain_of
from ville.analysis.why.claims import Claim
from ville.analysis.why.heard import HeardStep
from ville.assembly.held_answers import QuestionKey, deciding_question
from ville.assembly.retraced_steps import RetracedSteps
from ville.errors import BadArgument
from ville.llm.gateway import Usage
from ville.settings import Settings
from ville.storage.compressed.compressed_folder import find_compressed
from ville.storage.past.moments import split_moment

MISSING = "Its questions, the scores of memories and the entries of plans: {why}"


def find_act(
    settings: Settings, text: str, who: str, *, said: str = "", memory: str = "", compressed: bool = False
) -> tuple[ComparedRun, Act]:
    """Return an act of a run, saved or compressed: what a persona does at a moment (`day@17:10`), what it last said
    before it in some words, or one of its memories (`node_12`). Of two runs of a name, the saved one is meant unless
    `compressed`. Raises a ReverieError.
    """
    if said and memory:
        raise BadArgument("Ask for words that were said or for a memory, not for both.")
    named = split_moment(text)
    if compressed:
        run = ComparedRun(find_compressed(settings.replays, named.name))
    else:
        run = find_run(settings.fs_storage, settings.replays, named.name)
    step, person = acts.step_of_moment(run, named.at), acts.person_in(run, who)
    if said:
        return run, acts.utterance(run, person, said, until=step)
    if memory:
        return run, acts.thought(run, person, memory)
    is_gone = named.at is None and person not in run.frame(step)
    return run, acts.action_at(run, person, acts.last_step(run, person) if is_gone else step)


def trace(steps: RetracedSteps, act: Act) -> Chain:
    """Return the chain of an act of a run, whose steps are listened to. Raises a ReverieError."""
    unheard: list[int] = []

    def listen(step: int) -> HeardStep | None:
        heard = steps.listen(step)
        if heard is None:
            unheard.append(step)
        return heard

    chain = chain_of(steps.run, act, listen=listen)
    return chain_of(steps.run, act, missing=MISSING.format(why=steps.fault(unheard[0]))) if unheard else chain


def usage_of(
    steps: RetracedSteps, act: Act, claims: Sequence[Claim], *, repeats: int, whole: bool = False
) -> tuple[int, Usage]:
    """Return how many questions a test by a model asks, and their tokens, by what was asked in the run: four characters
    count as one. Of each side, that is the deciding question, or all since the cause was taken away (`whole`). Raises
    BadMoment.
    """
    prompts, answers, calls, with_it = 0, 0, 0, set[QuestionKey | int | None]()
    for since, claimed in Counter(claim.removal.step for claim in claims if claim.removal).items():
        asked = list(steps.asked(range(since, act.step + 1)).values())
        deciding = deciding_question(asked, act)
        side = since if whole else deciding
        runs = (claimed + (side not in with_it)) * repeats
        with_it.add(side)
        for request, reply in asked:
            if whole or QuestionKey.of(request) == deciding:
                calls += runs
                prompts += runs * sum(len(message.content) for message in request.messages)
                answers += runs * len(reply.text)
    return calls, Usage(prompt_tokens=prompts // 4, completion_tokens=answers // 4)
