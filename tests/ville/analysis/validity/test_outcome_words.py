"""Prompts that name what is measured are found, and told from memories that do."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from ville.analysis.validity.outcome_words import outcome_words, outcomes_of, prompts_of
from ville.errors import BadArgument
from ville.llm.accounting.ledger import CallRecord, CallResult, Ledger
from ville.llm.accounting.rates import MostUsage
from ville.llm.gateway import ChatMessage, ChatRequest, Usage
from ville.persona.cognitive_modules.conversing.converse import NEWS
from ville.persona.prompt_template.question import template_text

TEMPLATE = "perceive/how_important"
BEGAN = datetime(2026, 2, 3, tzinfo=UTC)


def prompt(**blanks: str) -> str:
    """The prompt of a question about a memory, as a run asks it."""
    parts = (template_text(name) for name in ("person.txt", f"{TEMPLATE}.txt"))
    return "\n\n".join(part.safe_substitute({"identity": "Name: Ada Stone"} | blanks) for part in parts)


@pytest.fixture
def asked(tmp_path):
    def run(*calls: tuple[str, str]) -> SimpleNamespace:
        ledger = Ledger.open(tmp_path)
        for step, (question, text) in enumerate(calls):
            request = ChatRequest(question, {}, (ChatMessage("user", text),), {}, "Ada Stone", step)
            number = ledger.begin(CallRecord.of(request), MostUsage("m", Usage()), BEGAN)
            ledger.finish(number, CallResult(0.0, Usage(), answer="{}"))
        ledger.close()
        return SimpleNamespace(name="a", ledger=tmp_path, steps=99, run_file={"questions": "situated"})

    return run


def test_memories_that_name_the_party_are_no_instructions(asked):
    """But the share of prompts that name it there is told."""
    found = outcome_words([asked((TEMPLATE, prompt(happenings="0. Ada is at a party")))], outcomes_of([]))
    assert (found.colour, found.figure) == ("green", 0)
    assert "memories and the rest 100.0%" in found.details[0]


def test_an_instruction_to_pass_on_news_is_found_with_its_question(asked):
    """`pass_on_news` puts its sentence into a blank of its own, `cue`, which counts as an instruction."""
    words = template_text("converse/next_utterance.txt").safe_substitute(transcript="- Ben: A party!", cue=NEWS)
    said = ("converse/next_utterance", words)
    found = outcome_words([asked(said, (TEMPLATE, prompt()))], outcomes_of([]))
    assert (found.colour, found.figure) == ("red", 0.5)
    assert any(NEWS.strip()[:30] in each and "converse/next_utterance" in each for each in found.details)


def test_what_was_said_before_is_no_instruction(asked):
    """Though it stands right before the blank of that sentence."""
    words = template_text("converse/next_utterance.txt").safe_substitute(transcript="- Ben: A party!", cue="")
    assert outcome_words([asked(("converse/next_utterance", words))], outcomes_of([])).figure == 0


def test_interviews_are_no_prompts_of_the_run(asked):
    assert [question for question, _ in prompts_of(asked(("talk/interview", "A party?"), (TEMPLATE, "x")))] == [
        TEMPLATE
    ]


def test_outcomes_are_those_of_the_measures():
    by_name = {each.name: each for each in outcomes_of(["know of the party", {"news": "zebra", "name": "z"}, "steps"])}
    assert [by_name["z"].is_in(words) for words in ("A Zebra!", "a horse")] == [True, False]
    assert by_name["know of the party"].is_in("Pass on what you hear.")
    assert not by_name["steps"].is_in("a party")
    with pytest.raises(BadArgument):
        outcomes_of([{"news": "("}])
