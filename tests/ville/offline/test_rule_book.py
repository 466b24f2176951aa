"""The rule book: one rule for every question, and the same answer to the same request."""

import asyncio
import importlib
import pkgutil
from dataclasses import fields, make_dataclass
from datetime import date, datetime

import pytest

import ville.persona.prompt_template as shelf
from ville import offline
from ville.errors import Malformed
from ville.llm.gateway import ChatMessage, ChatRequest
from ville.offline.rule_book import RULES, RuleBook
from ville.persona.prompt_template.blanks import QuotedMemory
from ville.persona.prompt_template.plan_questions import DayPlan
from ville.persona.prompt_template.question import all_questions

for module in pkgutil.iter_modules(shelf.__path__):
    importlib.import_module(f"{shelf.__name__}.{module.name}")
QUESTIONS = list(all_questions())


def test_every_question_has_a_rule_and_every_rule_a_question():
    """The shelves and the rule book are the same list."""
    assert sorted(RULES) == sorted(question.template.removesuffix(".txt") for question in QUESTIONS)


def test_a_rule_lies_where_its_question_lies():
    """`prompt_template/plan_questions.py` asks, `offline/day/plan_rules.py` answers, or lists the rule that does."""
    modules = {
        found.name.rsplit(".", 1)[1]: found.name for found in pkgutil.walk_packages(offline.__path__, "ville.offline.")
    }
    for title, rule in RULES.items():
        assert importlib.import_module(modules[f"{title.split('/')[0]}_rules"]).RULES[title] is rule


def test_a_question_without_a_rule_says_so():
    """The name of the question and where a rule belongs."""
    request = ChatRequest("plan/dream", {}, (), {}, "Ada Stone", 1)
    with pytest.raises(Malformed, match=r"plan/dream.*ville/offline"):
        asyncio.run(RuleBook().complete(request))


def test_the_same_request_has_the_same_answer(ask, cast):
    """Seed and step decide; another seed gives another day."""
    who = cast["Hailey Johnson"]
    question = DayPlan(who.identity(), who.first, date(2023, 2, 13), 9, ())
    days = [tuple(ask(question, seed=seed, step=step).plans) for seed in (1, 2, 3) for step in (0, 1)]
    assert days == [tuple(ask(question, seed=seed, step=step).plans) for seed in (1, 2, 3) for step in (0, 1)]
    assert len(set(days)) > 3


def test_how_a_prompt_is_worded_changes_no_answer(cast):
    """A template may be edited, and the town lives the same days; what is asked makes the difference, not the words."""
    who = cast["Hailey Johnson"]

    def plans(wording: str, wakes: int) -> str:
        question = DayPlan(who.identity(), who.first, date(2023, 2, 13), wakes, ())
        request = ChatRequest(question.title, question.blanks(), (ChatMessage("user", wording),), {}, who.name, 1)
        return asyncio.run(RuleBook(seed=1).complete(request)).text

    assert plans("What will you do today?", 9) == plans("Make a plan.", 9)
    assert len({plans("", wakes) for wakes in (7, 8, 9)}) == 3


def test_renaming_a_class_changes_no_answer(cast):
    """Only the values in a question count."""
    who = cast["Hailey Johnson"]
    renamed = make_dataclass("Renamed", [field.name for field in fields(QuotedMemory)], frozen=True)

    def plans(kind: type) -> str:
        memories = (kind(datetime(2023, 2, 12), "Hailey Johnson has met Ben Reed", "event", 3, "yesterday", None),)
        question = DayPlan(who.identity(), who.first, date(2023, 2, 13), 9, memories)
        request = ChatRequest(question.title, question.blanks(), (), {}, who.name, 1)
        return asyncio.run(RuleBook(seed=1).complete(request)).text

    assert plans(renamed) == plans(QuotedMemory)
