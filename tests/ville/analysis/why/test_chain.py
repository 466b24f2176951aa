"""Every chain of causes ends where nothing in the run came before: at a perception, a history or an intervention; and
what is named for an act is tested by taking it away.
"""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from chat_server import ChatServer, Reply, completion
from default_answers import answer_to, question_of

from ville.analysis.comparison.compared_run import find_run
from ville.analysis.why.acts import every_act, utterance
from ville.analysis.why.cause import Act, ActCause, Removal
from ville.analysis.why.chain import chain_of
from ville.analysis.why.claims import Claim, claims_of
from ville.analysis.why.likeness import words_of
from ville.analysis.why.verdict import Rate, by_rates
from ville.api.town_session import TownSession
from ville.assembly.asking_why import find_act, trace, usage_of
from ville.assembly.deletion import CauseTester, LivedSpan, OtherRun, became, explained
from ville.assembly.fresh_answers import budget_of_all
from ville.assembly.retraced_steps import RetracedSteps
from ville.cli import why_command
from ville.errors import BadArgument
from ville.storage.compressed.compression import compress

BUNDLED = Path(__file__).resolve().parents[4] / "environment" / "frontend_server" / "compressed_storage"
ADA = "Ada Stone"
WORDS, TOLD_AT, STEPS = "You want to run for mayor in the local election", 600, 860
HISTORY = [[ADA, "You are giving a party at home on February 13th, 2023, from 2pm to 4pm"]]
SEED = 5
"""With which Ada talks with someone after the whisper."""


@pytest.fixture(scope="module")
def town(tmp_path_factory, write_small_town):
    """The small town until the afternoon, by the rules, with a history and a whisper; and a recording of it."""
    town = write_small_town(tmp_path_factory.mktemp("why"))
    with TownSession(replace(town.settings, seed=SEED), "base", "day") as session:
        told = {"step": TOLD_AT, "kind": "whisper", "who": ADA, "words": WORDS}
        session.plan([{"step": 0, "kind": "history", "rows": HISTORY}, told])
        session.run(steps=STEPS)
    compress(town.root / "storage/day", town.root / "compressed_storage/replay")
    return town


@pytest.fixture(scope="module")
def settings(town):
    return replace(town.settings, fs_compressed_storage=town.root / "compressed_storage")


@pytest.fixture(scope="module")
def run(settings):
    return find_run(settings.fs_storage, settings.fs_compressed_storage, "day")


@pytest.fixture(scope="module")
def steps(settings, run):
    return RetracedSteps(settings, run)


@pytest.fixture(scope="module")
def listen(steps):
    return steps.listen


@pytest.fixture(scope="module")
def tester(settings, steps):
    return CauseTester(settings, steps)


@pytest.fixture(scope="module")
def whispered(run):
    """The thought that the whisper became."""
    return next(act for act in every_act(run) if act.kind == "thought" and act.step == TOLD_AT and act.who == ADA)


@pytest.mark.parametrize("name", ["day", "replay", "a_day_of_three"])
def test_every_chain_ends_where_nothing_came_before(settings, name):
    """For every action, utterance and thought, of a saved run and of its recording, and for all that leads to them; and
    for those of a whole day.
    """
    replays = BUNDLED if name == "a_day_of_three" else settings.fs_compressed_storage
    run = find_run(settings.fs_storage, replays, name)
    acts = list(every_act(run))
    assert {act.kind for act in acts} == {"action", "utterance", "thought"}
    for act in acts:
        chain = chain_of(run, act)
        assert chain.ends(), act
        assert all(cause.is_end for cause in chain.ends()), act
        assert all(cause.step <= act.step for cause in chain.causes.values()), act


def test_a_retrieval_is_heard_as_it_was_scored(run, listen):
    """Scores are the weighted sums; what was not taken scores less than what was, beside reserved places."""
    act = next(act for act in every_act(run) if act.kind == "utterance")
    asked = chain_of(run, act, listen=listen).of_act.asked
    assert any(act.words in each.answer for each in asked)
    retrievals = [retrieval for each in asked for retrieval in each.retrievals]
    assert retrievals
    for heard in retrievals:
        assert heard.focus
        for each in (*heard.taken, *heard.runners_up):
            parts = (each.recency, each.relevance, each.importance)
            assert each.score == pytest.approx(sum(w * part for w, part in zip(heard.weights, parts, strict=True)))
        assert not {each.node for each in heard.taken} & {each.node for each in heard.runners_up}
    for each in asked:
        texts = [memory.text for retrieval in each.retrievals for memory in retrieval.taken]
        told = " ".join(text for _, text in each.parts)
        assert not texts or any(text in told for text in texts)


def test_a_chain_leads_from_a_thought_to_its_whisper(run, listen, whispered, tester):
    """The whisper is named first, ends the chain, and is confirmed: without it, the thought does not come."""
    chain = chain_of(run, whispered, listen=listen)
    (claim,) = claims_of(chain)
    assert claim.cause.kind == "intervention"
    assert claim.cause.words.endswith(WORDS)
    verdict = tester.test(chain, claim)
    assert (verdict.decision, verdict.without) == ("confirmed", "vanishes")


def test_the_history_wrote_the_plan_of_the_party(run, listen, tester):
    """Her doings at the party are in her plan, which her history wrote: without either, she does something else."""
    act = next(act for act in every_act(run) if act.who == ADA and act.words.startswith("hosting the party"))
    chain = chain_of(run, act, listen=listen)
    entry, plan = claims_of(chain)[:2]
    assert (entry.cause.kind, plan.cause.kind) == ("entry", "plan")
    assert any("giving a party" in chain.causes[key].words for key in plan.cause.because)
    for claim in (entry, plan):
        assert tester.test(chain, claim, alone=False).decision == "confirmed"


def test_words_are_alike_in_other_forms():
    """Words are the same in all their forms, so that the whisper behind a line is found."""
    assert words_of("I'm running for mayor.") == words_of("run for mayor") == words_of("She runs for mayor")
    assert words_of("They don't stop, they planned it") == words_of("stopped, plans")


def test_a_line_that_still_says_the_words_stays(run):
    """Asked about some words of a line, another line in its place that has them is the same act."""
    said = next(act for act in every_act(run) if act.kind == "utterance" and len(act.words.split()) > 3)
    asked = utterance(run, said.who, " ".join(said.words.split()[:2]), until=said.step)
    part = " ".join(asked.words.split()[:2])
    other = LivedSpan(said=[(asked.step, asked.turn, f"What else can I say: {part}, and so on")])
    assert became(asked, other)[0] == "stays"
    assert became(replace(asked, part=""), other)[0] != "stays"


def test_of_a_line_of_a_model_it_counts_what_its_cause_explains():
    """The party comes again, in other words: of a cause that speaks of it the line has come, of another it has not."""
    act = Act("utterance", ADA, 7, "There will be a party at the cafe on Friday, Ben!", turn=2)
    way = OtherRun()
    way.of[ADA] = LivedSpan(said=[(7, 2, "Do come to my party, it is this Friday")])
    cause = ActCause("c", "memory", ADA, 0, "", f"{ADA} is giving a party on Friday for Ben")
    about = explained(act, cause, [ADA, "Ben Smith"])
    assert way.came(act, about)
    assert not way.came(act, explained(act, replace(cause, words="The cafe is open"), []))
    assert not way.came(act)


def test_what_did_not_cause_an_act_is_not_confirmed(run, listen, tester):
    """Without a memory that no one asked for, the act stays: chance is held still, so that nothing else differs."""
    act = next(act for act in every_act(run) if act.kind == "utterance")
    chain = chain_of(run, act, listen=listen)
    other = next(node for node in run.memories[act.who] if node["type"] == "event" and "idle" in node["description"])
    removal = Removal(act.step, memories=((act.who, f"node_{other['node_count']}"),))
    verdict = tester.test(chain, Claim((ActCause("other", "perception", act.who, 0, "", ""),), removal), alone=False)
    assert (verdict.decision, verdict.without) == ("not confirmed", "stays")


def test_asking_leaves_the_run_as_it_is(town, settings, run, whispered):
    before = town.files("day")
    steps = RetracedSteps(settings, run)
    chain = trace(steps, whispered)
    CauseTester(settings, steps).test(chain, claims_of(chain)[0])
    assert town.files("day") == before
    there = {path.name for path in settings.fs_storage.iterdir() if not path.name.startswith(".")}
    assert there == {"base", "day"}


def test_rules_do_not_answer_for_a_model(settings):
    """A run that was lived with a model is not tested where the settings have none."""
    with pytest.raises(BadArgument, match="Choose one"), budget_of_all(settings):
        pass


def test_what_a_test_would_ask_is_counted_from_the_steps(run, steps):
    """So it is known, too, where the calls of some steps lie in the ledger of an earlier run."""
    said = next(act for act in every_act(run) if act.kind == "utterance")
    (claim, *_) = claims_of(trace(steps, said))
    calls, usage = usage_of(steps, said, [claim], repeats=3)
    assert calls == 2 * 3
    assert usage.prompt_tokens > usage.completion_tokens > 0


def test_a_recording_says_what_is_missing(settings):
    run, act = find_act(settings, "replay@10:00", "Ada")
    chain = trace(RetracedSteps(settings, run), act)
    assert chain.missing
    assert all(cause.is_end for cause in chain.ends())


def test_repeated_runs_decide_only_if_they_are_apart(whispered):
    """The verdict of a model's runs: apart, confirmed; alike, not confirmed; in between, not decidable."""
    cause = ActCause("c", "memory", ADA, 0, "", "")
    decided = [by_rates(whispered, cause, Rate(*one), Rate(*other)).decision for one, other in (
        ((20, 20), (0, 20)), ((10, 20), (10, 20)), ((12, 20), (8, 20)), ((0, 20), (0, 20)),
    )]  # fmt: skip
    assert decided == ["confirmed", "not confirmed", "not decidable", "not decidable"]


def test_the_command_prints_the_chain(settings, run, monkeypatch, capsys, tmp_path):
    """The act, its causes and the scores; as JSON the whole graph; what cannot be found is said in one line."""
    monkeypatch.setenv("VILLE_ASSETS", str(settings.assets))
    places = ("--storage", str(settings.fs_storage), "--compressed", str(settings.fs_compressed_storage))
    said = next(act for act in every_act(run) if act.kind == "utterance")
    file = tmp_path / "why.json"
    assert why_command.main(["day", said.who, "--said", said.words, "--json", str(file), *places]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"{said.who} says: {said.words}\n")
    assert "recency" in printed
    assert json.loads(file.read_text("utf-8"))["act"]["words"] == said.words
    assert utterance(run, said.who, said.words, until=STEPS).step == said.step
    for wrong in (["day", "Nobody"], ["day", ADA, "--said", "what no one says"], ["day", ADA, "--memory", "node_9999"]):
        assert why_command.main([*wrong, *places]) == 1
        fault = capsys.readouterr().err
        assert fault.count("\n") == 1


@pytest.fixture(scope="module")
def lines(run):
    """The utterances of the talk of Cleo and Ben."""
    return sorted((act for act in every_act(run) if act.kind == "utterance"), key=lambda act: act.turn)


@pytest.fixture(scope="module")
def model(settings, lines):
    """Settings with a model that answers a line of the talk as it was answered, and else speaks of the weather."""
    said = [act.words for act in lines]

    def answered(request):
        text = "\n".join(str(message["content"]) for message in request.body["messages"])
        if question_of(request.body) != "converse_next_utterance":
            return Reply(completion(answer_to(request.body), request))
        heard = max((turn for turn, words in enumerate(said) if words in text), default=-1)
        begins = " has just said: " not in text
        words = said[heard + 1] if (begins or heard >= 0) and heard + 1 < len(said) else "What a fine day!"
        return Reply(completion(json.dumps({"utterance": words, "ends": False}), request))

    with ChatServer(answered) as server:
        yield replace(settings, provider="llamacpp", base_url=server.url, fast_model="m", retry_for=0.1), server


@pytest.mark.parametrize("whole", [False, True])
def test_a_model_is_asked_the_deciding_question_again(model, steps, lines, whole):
    """Only that, with other seeds each time, on both sides. What acts through an earlier question is found only where
    everything is asked afresh.
    """
    settings, server = model
    reply, before = lines[3], len(server.chats)
    chain = trace(steps, reply)
    begun, answered = (Removal(reply.step, lines=((act.who, act.words),)) for act in (lines[0], lines[2]))
    with budget_of_all(settings) as budget:
        tester = CauseTester(settings, steps, repeats=4, budget=budget, whole=whole)
        claim = next(each for each in claims_of(chain) if each.removal == answered)
        verdict = tester.test(chain, claim)
        asked = Counter((question_of(each.body), each.body["seed"]) for each in server.chats[before:])
        earlier = tester.test(chain, Claim((ActCause("begun", "utterance", lines[0].who, 0, "", ""),), begun))
    assert (verdict.decision, verdict.rates) == ("confirmed", (Rate(4, 4), Rate(0, 4)))
    assert earlier.decision == ("confirmed" if whole else "not confirmed")
    said = {seed: times for (question, seed), times in asked.items() if question == "converse_next_utterance"}
    assert len(said) == 4
    if not whole:
        assert len(asked) == 4
        assert set(said.values()) == {2}
        assert usage_of(steps, reply, [claim], repeats=4)[0] == asked.total()


def test_nothing_is_asked_where_the_question_does_not_come(model, steps, lines):
    """A talk that does not begin has no line, and a whisper that is not heard no thought."""
    settings, server = model
    before, chain = len(server.chats), trace(steps, lines[3])
    meeting = next(claim for claim in claims_of(chain) if claim.removal and claim.removal.meetings)
    with budget_of_all(settings) as budget:
        verdict = CauseTester(settings, steps, repeats=4, budget=budget).test(chain, meeting)
    assert (verdict.decision, verdict.without, verdict.rates) == ("confirmed", "vanishes", None)
    assert len(server.chats) == before


def test_a_model_that_fails_decides_nothing(model, steps, lines):
    settings, server = model
    chain, chat = trace(steps, lines[3]), server.chat
    server.chat = lambda _: Reply({"error": {"message": "down"}}, status=500)
    with budget_of_all(settings) as budget:
        verdict = CauseTester(settings, steps, repeats=4, budget=budget).test(chain, claims_of(chain)[0])
    server.chat = chat
    assert (verdict.decision, verdict.rates) == ("not decidable", None)


def test_what_came_with_the_act_is_not_taken_away_after_it(steps, lines, tester):
    """A memory of the step of the act itself cannot be kept from it: the verdict says so."""
    late = Removal(lines[0].step + 1, memories=((ADA, "node_1"),))
    verdict = tester.test(trace(steps, lines[0]), Claim((ActCause("late", "memory", ADA, 0, "", ""),), late))
    assert verdict.decision == "not decidable"
