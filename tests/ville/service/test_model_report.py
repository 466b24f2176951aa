"""Pages are told of models: what counts and why, what a day costs, what a test question brings; never a key."""

import io
import json

import pytest
from chat_server import ChatServer
from new_home import new_home

from ville import home
from ville.assembly.cost_model import cost_model
from ville.errors import BadSetting
from ville.llm.accounting.estimate import PlannedRun, estimate
from ville.llm.wire import found_servers as searching
from ville.service.model_report import DAY, STEPS, answer_about_models
from ville.service.served_engine import ServedEngine
from ville.settings import load_settings
from ville.simulation.requests.engine_requests import parse_engine_request
from ville.terminal.terminal import Terminal

KEY, WRONG = "sk-right-0123456789abcdef", "sk-wrong-0123456789abcdef"
MODELS = {"id": "1", "request": "models", "people": [3, 25]}
TEST = {"id": "2", "request": "test_models"}


@pytest.fixture
def project(tmp_path, monkeypatch, free_port):
    """A project without settings, on a machine on which no server of models runs."""
    monkeypatch.setattr(home, "HOME", new_home(tmp_path))
    monkeypatch.setattr(searching, "usual_ports", lambda: {"ollama": free_port()})
    for name in ("VILLE_PROVIDER", "VILLE_EMBEDDER"):
        monkeypatch.delenv(name)
    return tmp_path


@pytest.fixture
def server():
    with ChatServer(key=KEY, models=("small", "big")) as server:
        yield server


def settle(project, server, key=KEY, **more):
    values = {"VILLE_PROVIDER": "compatible", "VILLE_BASE_URL": server.url, "VILLE_API_KEY": key, **more}
    values = {"VILLE_FAST_MODEL": "small", "VILLE_ADVANCED_MODEL": "big", "VILLE_EMBEDDER": "hashing", **values}
    (project / ".env").write_text("\n".join(f"{name}={value}" for name, value in values.items()), "utf-8")


async def told(request, **flags):
    answer = await answer_about_models(parse_engine_request(request), flags)
    assert answer.pop("id") == request["id"]
    assert KEY not in json.dumps(answer)
    assert WRONG not in json.dumps(answer)
    return answer


@pytest.mark.usefixtures("project")
async def test_without_a_choice_rules_answer_for_nothing():
    answer = await told(MODELS)
    assert answer["chosen"]["provider"] == "offline"
    assert (answer["keys"], answer["places"], answer["servers"]) == ({}, {}, [])
    assert [(cost["people"], cost["dollars"]) for cost in answer["costs"]] == [(3, 0.0), (25, 0.0)]
    assert [finding["verdict"] for finding in (await told(TEST))["findings"]] == ["ok"] * 3


async def test_the_status_names_what_would_answer_now(project, server):
    """Without a question: whoever starts a town by the line on the front page knows whether it is paid."""
    engine = ServedEngine({}, load_settings(), Terminal(io.StringIO()))
    assert "small" not in engine.status()["models"]
    settle(project, server)
    assert "small" in engine.status()["models"]
    (project / ".env").unlink()
    assert "small" not in engine.status()["models"]


async def test_a_choice_is_told_with_its_place_and_its_price(project, server):
    """A day costs what `estimate` says; no model is called for that."""
    prices = project / "prices.toml"
    prices.write_text('"small" = { input = 1, output = 2 }\n"big" = { input = 3, output = 4 }\n', "utf-8")
    settle(project, server, VILLE_PRICES=prices)
    answer = await told(MODELS)
    assert answer["chosen"]["models"] == ["small", "big"]
    assert answer["chosen"]["address"] == answer["form"]["base_url"] == server.url
    assert answer["keys"] == {"compatible": ".env"}
    assert {*answer["places"].values()} == {".env"}
    for cost in answer["costs"]:
        day = estimate(PlannedRun(cost["people"], 0, STEPS, DAY), cost_model(load_settings()), None)
        assert (cost["dollars"], cost["tokens"]) == (day.totals.cost, round(day.totals.tokens))
    assert not server.requests


async def test_what_counts_more_than_the_choice_is_named(project, server, monkeypatch):
    """The strongest place of each setting and key."""
    settle(project, server)
    (project / "utils.py").write_text("fast_model = 'weak'\nprovider = 'gemini'\nreasoning_effort = 'low'\n", "utf-8")
    monkeypatch.setenv("VILLE_FAST_MODEL", "big")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    answer = await told(MODELS, provider="offline")
    assert answer["chosen"]["provider"] == "offline"
    places = answer["places"]
    assert (places["provider"], places["fast_model"], places["advanced_model"]) == ("flags", "environment", ".env")
    assert answer["keys"] == {"compatible": ".env", "openai": "environment"}


@pytest.mark.parametrize(
    "values", [{"VILLE_PROVIDER": "openai"}, {"VILLE_PROVIDER": "nobody"}, {"VILLE_BASE_URL": "x"}]
)
async def test_what_is_missing_is_said_and_not_asked(project, server, values):
    settle(project, server, **{"VILLE_API_KEY": "", **values})
    answer = await told(MODELS)
    assert (bool(answer["chosen"]["fault"]), answer["costs"]) == (True, [])
    (only,) = (await told(TEST))["findings"]
    assert (only["verdict"], only["says"]) == ("FAIL", answer["chosen"]["fault"])
    assert not server.requests


async def test_settings_that_cannot_be_read_are_refused(project):
    (project / ".env").write_text("VILLE_PROVIDR=openai\n", "utf-8")
    with pytest.raises(BadSetting, match="VILLE_PROVIDER"):
        await told(MODELS)


async def test_the_test_question_is_all_that_is_sent(project, server, small_town):
    """To each model; what comes back is its answer with tokens and seconds. Nobody of a town is in it."""
    settle(project, server, VILLE_FS_STORAGE=small_town.root / "storage")
    answers = [finding for finding in (await told(TEST))["findings"] if "model" in finding]
    assert [(each["model"], each["hour"]) for each in answers] == [("small", 6), ("big", 6)]
    assert all(each["tokens"] > 0 and each["seconds"] > 0 for each in answers)
    assert [request.body["model"] for request in server.requests] == ["small", "big"]
    sent = json.dumps([request.body for request in server.requests])
    assert "Ada goes to bed around 22:00" in sent
    assert "Ben" not in sent


async def test_a_wrong_key_is_one_clear_line(project, server):
    settle(project, server, key=WRONG)
    faults = [finding for finding in (await told(TEST))["findings"] if finding["verdict"] == "FAIL"]
    assert "does not accept the API key" in faults[0]["says"]
    assert "\n" not in faults[0]["says"]
    assert [each["says"] for each in faults[1:]] == ["for the same reason"]


async def test_an_address_with_a_secret_is_not_shown(project, server):
    """Neither where it counts, nor in the form."""
    settle(project, server, VILLE_BASE_URL=server.url.replace("//", "//someone:hush@"))
    answer = await told(MODELS)
    assert "hush" not in json.dumps(answer)
    assert answer["form"]["base_url"] == ""
