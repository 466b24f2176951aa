"""Findings that take a model: asked through the gateway, only if that is agreed, and told with its cost before."""

import json
from dataclasses import replace

import pytest
from chat_server import Reply, completion
from recorded_calls import record_calls
from remembered import ADA, BEN, CLEO

from ville.api.town_session import TownSession
from ville.api.validity_functions import validity

PEOPLE = (ADA, BEN, CLEO)


@pytest.fixture
def asked(small_town, server):
    """A run of a model, and a model that sees its prompts, guesses, and judges itself."""

    def answer(request):
        text = request.body["messages"][-1]["content"]
        if "one after the other" in text:
            return Reply(completion(json.dumps({"guesses": ["Whether people hear of a fair"]}), request))
        if "did not know it guessed" in text:
            return Reply(completion('{"verdict": "yes"}' if "fair" in text else '{"verdict": "no"}', request))
        return Reply(completion('{"answer": "I am 30, and yes, I live with Ben."}', request))

    server.chat = answer
    run = small_town.root / "storage/new"
    with TownSession(replace(small_town.settings, seed=1), "base", "new") as town:
        town.run(steps=20)
    record_calls(run / "reverie", PEOPLE, 9)
    root = small_town.root
    folders = {"fs_storage": run.parent, "fs_temp_storage": root / "temp", "assets": root / "assets"}
    of_model = {"provider": "llamacpp", "base_url": server.url, "fast_model": "m", "embedder": "hashing"}
    told: list[str] = []

    def report(**more):
        return validity("new", say=told.append, **folders, **of_model, **more), told

    return report


def found(report, key):
    (finding,) = (each for each in report.findings if each.key == key)
    return finding


def test_a_model_is_asked_only_if_that_is_agreed(asked, server):
    """Otherwise the report says what it would take."""
    report, _ = asked()
    for key in ("awareness", "persona kept"):
        assert found(report, key).colour == "unknown"
        assert "--yes" in found(report, key).says
    assert "10 questions" in found(report, "awareness").says
    assert not server.chats


def test_a_model_that_guesses_the_purpose_makes_the_report_red(asked, server):
    """It is asked five times, although a short run has the same prompts each time; recorded calls are not repeated."""
    report, told = asked(model=True, purpose="Do people hear of the fair?")
    aware = found(report, "awareness")
    assert (aware.colour, aware.figure, aware.over) == ("red", 1, "5 questions")
    assert "5 right, 0 partly, 0 not" in aware.details[0]
    assert any("10 questions" in line for line in told)
    seen = [each.body["messages"][-1]["content"] for each in server.chats]
    assert sum("Who are you" in text for text in seen) == 5
    before = len(server.chats)
    again, _ = asked(model=True, purpose="Do people hear of the fair?")
    assert found(again, "awareness") == aware
    assert len(server.chats) == before
