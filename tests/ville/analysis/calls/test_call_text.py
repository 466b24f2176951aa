"""The texts of a call: blanks of prompts are marked, and what was found in an answer is shown."""

import json
from contextlib import closing
from datetime import UTC, datetime

import pytest
from repository import ROOT

from ville.analysis.calls.call_text import call_text, marked
from ville.llm.accounting.ledger import CallRecord, CallResult, Ledger
from ville.llm.accounting.rates import MostUsage
from ville.llm.gateway import ChatMessage, ChatRequest, Usage
from ville.persona.prompt_template.question import template_text

PROMPTS = sorted((ROOT / "tests/golden/prompts").rglob("*.txt"))


def test_there_are_prompts():
    assert len(PROMPTS) > 20


@pytest.mark.parametrize("path", PROMPTS, ids=lambda path: path.stem)
def test_a_prompt_is_its_template_with_filled_blanks(path):
    """All of it is in the parts, in order; words that are not marked are words of a template, in order."""
    prompt = path.read_text("utf-8")
    question = path.relative_to(ROOT / "tests/golden/prompts").with_suffix("").as_posix()
    parts = marked(prompt, question, "situated")
    assert "".join(part.words for part in parts) == prompt
    if len(parts) > 1:
        words = "".join(template_text(name).template for name in ("person.txt", f"{question}.txt")).replace("$$", "$")
        assert [part.words for part in parts if not part.blank and part.words.strip() not in words] == []


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ('So: ```json\n{"a": [1, 2]}```', {"a": [1, 2]}),
        ("{'a': None}", {"a": None}),
        ("Never, I am a long sentence.", None),
    ],
)
def test_what_was_found_in_an_answer(tmp_path, answer, found):
    """JSON between prose, and in another notation; nothing if there is none. Messages come back with their roles."""
    messages = (ChatMessage("user", "Why?"), ChatMessage("assistant", "no"), ChatMessage("user", "Again"))
    request = ChatRequest("plan/nothing_like_it", {}, messages, {"type": "object"}, "Ada Stone", 3)
    with closing(Ledger.open(tmp_path)) as ledger:
        call = ledger.begin(CallRecord.of(request), MostUsage("m", Usage()), datetime.now(UTC))
        ledger.finish(call, CallResult(1.0, Usage(prompt_tokens=1), answer=answer, fault="cut off"))
    text = call_text(tmp_path, call, "situated")
    assert [(message.role, message.parts[0].words) for message in text.messages] == [
        (message.role, message.content) for message in messages
    ]
    assert (json.loads(text.found) if text.found else None) == found
    assert (json.loads(text.schema), text.answer, text.fault) == ({"type": "object"}, answer, "cut off")
    assert call_text(tmp_path, call + 1, "situated") is None
