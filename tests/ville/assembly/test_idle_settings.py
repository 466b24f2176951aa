"""Settings that are given where they change nothing: a line says so, and why."""

import pytest
from gguf_headers import TEMPLATE, write_header
from new_home import new_home

from ville import home
from ville.assembly.idle_settings import idle_settings
from ville.settings import FIELDS, load_settings
from ville.settings.effects import effects
from ville.settings.older_names import SWITCHES

FACTS = {"answers", "pays"}


@pytest.fixture(autouse=True)
def project(tmp_path, monkeypatch):
    """A project without .env and utils.py."""
    monkeypatch.setattr(home, "HOME", new_home(tmp_path))
    return tmp_path


def said(flags, **environment):
    return " ".join(idle_settings(load_settings(flags, environment)))


def test_an_ablation_of_what_is_off_is_told():
    """AGA's flag takes policy away; where there is none, the user learns of it, and how to begin."""
    assert said({"disable_policy": True}).startswith("disable_policy changes nothing: ")
    assert "preset aga" in said({"disable_policy": True})
    for there in ({"preset": "aga"}, {"preset": "lean"}, {"policy_store": "simulation"}):
        assert not said({**there, "disable_policy": True, "provider": "offline", "metrics": False})
    assert not said({"disable_relationship": True})
    assert "disable_relationship changes nothing" in said({"disable_relationship": True, "preset": "released"})


def test_what_another_setting_switches_off_is_told_in_one_line():
    assert said({"policy_repeats": 9, "policy_similarity": 0.5}).count("change nothing: policy_store is none") == 1
    assert not said({"policy_repeats": 9, "policy_store": "simulation"})
    assert not said({"policy_repeats": 9, "preset": "lean"})


def test_by_the_rules_what_is_about_models_changes_nothing():
    """With a key it does."""
    given = {"fast_model": "gpt-5.4-nano", "temperature": "0.3", "max_calls": "7", "metrics": "true"}
    assert all(name in said(given) for name in given)
    assert not said(given, OPENAI_API_KEY="sk-1")
    assert not said({"max_calls": "7", "provider": "offline", "embedder": "openai"}, OPENAI_API_KEY="sk-1")


def test_what_names_a_model_of_a_server_changes_nothing_beside_a_model_file(tmp_path):
    """The file answers everything; how it answers can still be set."""
    write_header(tmp_path / "talker.gguf", **TEMPLATE)
    given = {"provider": "gguf", "model_file": tmp_path / "talker.gguf"}
    told = said({**given, "fast_model": "m", "temperature": "0.3"}, MODEL_CONVERSE="big")
    assert "fast_model and MODEL_CONVERSE change nothing" in told
    assert "temperature" not in told
    assert "MODEL_CONVERSE changes nothing" in said({}, MODEL_CONVERSE="big")
    assert not said({}, MODEL_CONVERSE="big", OPENAI_API_KEY="sk-1")


@pytest.mark.parametrize("place", ["flag", "environment", ".env", "utils.py"])
def test_it_is_told_wherever_it_was_set(project, place):
    (project / ".env").write_text("VILLE_POLICY_REPEATS=9\n" * (place == ".env"), "utf-8")
    (project / "utils.py").write_text("policy_repeats = 9\n" * (place == "utils.py"), "utf-8")
    flags = {"policy_repeats": 9} if place == "flag" else {}
    environment = {"VILLE_POLICY_REPEATS": "9"} if place == "environment" else {}
    assert "policy_repeats changes nothing" in said(flags, **environment)


def test_stating_a_default_is_not_told():
    """A user who names the arm of a control gets it."""
    assert not said({"policy_repeats": 3, "policy_store": "none", "max_fallbacks": 50, "disable_policy": False})


def test_what_is_needed_are_settings_or_facts():
    for name, effect in effects().items():
        assert name in FIELDS or name in SWITCHES
        assert effect.needs.keys() <= FIELDS.keys() | FACTS


PROXY = "http://proxy.test/v1"


def test_an_address_that_is_not_read_is_told(project):
    """Who set it believes that nothing goes to OpenAI. Beside its key it is read, and nobody else need know of it."""
    (project / ".env").write_text("OPENAI_API_KEY=sk-1\n", "utf-8")
    line = said({}, OPENAI_BASE_URL=PROXY)
    assert line.startswith("OPENAI_BASE_URL in the environment changes nothing: ")
    assert "OPENAI_API_KEY" in line
    assert "VILLE_BASE_URL" in line
    assert PROXY not in line
    assert said({"provider": "openai"}, OPENAI_API_BASE=PROXY).startswith("OPENAI_API_BASE in the environment")
    assert not said({"fast_model": "m"}, OPENAI_BASE_URL=PROXY, OPENAI_API_KEY="sk-2")
    assert not said({}, OPENAI_BASE_URL="https://api.openai.com/v1")
    assert not said({"provider": "offline"}, OPENAI_BASE_URL=PROXY)
    assert not said({"provider": "gemini"}, OPENAI_BASE_URL=PROXY, GEMINI_API_KEY="k")
    (project / ".env").write_text("", "utf-8")
    assert "OPENAI_BASE_URL" in said({}, OPENAI_BASE_URL=PROXY)
