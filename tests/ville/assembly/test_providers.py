"""Who answers, by what is set; and what is said about it."""

import subprocess
import sys

import pytest

from ville.assembly.providers import Endpoint, announcement, chat_config, embedding_config, local_embedder, prices_for
from ville.errors import BadSetting, MissingKey, MissingPackage
from ville.llm.accounting.prices import Price, Prices
from ville.llm.embedders import HashingEmbedder
from ville.llm.gateway import ChatRequest
from ville.llm.wire.providers import PROVIDERS
from ville.settings import Secret, Settings
from ville.settings.key_names import KEY_NAMES

OPENAI = {"openai": Secret("k1")}
BOTH = OPENAI | {"openrouter": Secret("k2")}


def asked(question, tier="fast"):
    return ChatRequest(question, fields={}, messages=(), schema={}, persona="Ada", step=0, tier=tier)


@pytest.mark.parametrize(
    ("settings", "provider"),
    [
        (Settings(), None),
        (Settings(keys=OPENAI), "openai"),
        (Settings(keys=BOTH), "openai"),
        (Settings(keys=BOTH, use_openrouter=True), "openrouter"),
        (Settings(keys=BOTH, provider="openrouter"), "openrouter"),
        (Settings(keys=BOTH, provider="offline"), None),
        (Settings(keys={"gemini": Secret("k3")}), "gemini"),
        (Settings(base_url="http://localhost:1/v1", fast_model="m"), "compatible"),
        (Settings(provider="ollama", fast_model="m"), "ollama"),
    ],
)
def test_a_name_beats_an_address_beats_a_key_and_without_any_the_rules_answer(settings, provider):
    """Nothing set costs nothing."""
    who = chat_config(settings)
    assert (who.endpoint.provider.name if who else None) == provider


def test_each_question_goes_to_its_model():
    """One named for it, one for its kind, else that of its tier."""
    models = chat_config(
        Settings(keys=OPENAI, fast_model="f", advanced_model="a", models={"plan": "p", "plan/day_plan": "advanced"})
    ).models
    asks = [asked("plan/subtasks"), asked("plan/day_plan"), asked("react/how_to_react"), asked("talk/x", "advanced")]
    assert [models(request) for request in asks] == ["p", "a", "f", "a"]
    assert models.names == ["f", "a", "p"]


def test_one_model_serves_both_tiers_where_no_other_is_known():
    """A server at home has one model."""
    models = chat_config(Settings(provider="ollama", advanced_model="m")).models
    assert (models.fast, models.advanced) == ("m", "m")


def test_the_classic_names_choose_models_at_openrouter_only():
    """An old utils.py means what it meant; its OpenRouter models do not go to OpenAI."""
    classic = {"openrouter_chat_model": "c", "openrouter_gpt4_model": "g", "keys": BOTH}
    models = chat_config(Settings(use_openrouter=True, **classic)).models
    assert (models.fast, models.advanced) == ("c", "g")
    assert chat_config(Settings(**classic)).models.fast == PROVIDERS["openai"].fast


@pytest.mark.parametrize(
    ("settings", "kind", "says"),
    [
        (Settings(provider="opneai"), BadSetting, "openai, openrouter, gemini, ollama"),
        (Settings(provider="openai"), MissingKey, "OPENAI_API_KEY"),
        (Settings(use_openrouter=True), MissingKey, "OPENROUTER_API_KEY"),
        (Settings(provider="ollama"), BadSetting, "fast_model"),
        (Settings(provider="compatible", fast_model="m"), BadSetting, "base_url"),
        (Settings(keys=OPENAI, models={"plan/dayplan": "m"}), BadSetting, "MODEL_PLAN_DAYPLAN"),
        (Settings(base_url="localhost:9/v1", fast_model="m"), BadSetting, "has to begin with http://"),
        (Settings(keys={"openai": Secret("ключ")}), BadSetting, "The key for OpenAI"),
    ],
)
def test_what_is_missing_is_one_clear_line(settings, kind, says):
    """What to set, by name."""
    with pytest.raises(kind, match=says):
        chat_config(settings)


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        (Settings(), None),
        (Settings(keys=OPENAI), "openai:text-embedding-3-small"),
        (Settings(keys=OPENAI, embedder="hashing"), None),
        (Settings(keys=BOTH, use_openrouter=True), "openrouter:openai/text-embedding-3-small"),
        (Settings(keys=BOTH, use_openrouter=True, embedder="openai"), "openai:text-embedding-3-small"),
        (Settings(provider="ollama", fast_model="m"), None),
        (Settings(provider="ollama", fast_model="m", embedding_model="nomic"), "ollama:nomic"),
        (Settings(keys=OPENAI, provider="offline"), None),
        (Settings(embedder="ollama", embedding_model="nomic"), "ollama:nomic"),
        (Settings(embedder="local", embedding_model="mini"), None),
    ],
)
def test_vectors_come_from_who_answers_unless_it_has_none_or_another_is_named(settings, name):
    """Where nobody is to be asked, this machine makes them."""
    who = embedding_config(settings)
    assert (who.name if who else None) == name


def test_two_servers_may_share_the_work():
    """One address for answers, another for vectors."""
    settings = Settings(base_url="http://a/v1", fast_model="m", embedding_model="v", embedding_base_url="http://b/v1")
    assert (chat_config(settings).endpoint.base_url, embedding_config(settings).endpoint.base_url) == (
        "http://a/v1",
        "http://b/v1",
    )


def test_a_key_is_sent_only_where_it_belongs():
    """The key of one provider never goes to another, and that for an address of one's own only there."""
    keys = BOTH | {"compatible": Secret("mine")}
    assert chat_config(Settings(keys=keys)).endpoint.key == "k1"
    assert chat_config(Settings(keys=keys, base_url="http://a/v1", fast_model="m")).endpoint.key == "mine"
    assert chat_config(Settings(keys=keys, provider="ollama", fast_model="m")).endpoint.key == ""


def test_parties_do_not_show_their_keys():
    """Nor does anything that holds them."""
    who = chat_config(Settings(keys={"openai": Secret("very secret")}))
    assert "very secret" not in repr(who)


def test_a_local_sentence_model_is_an_extra(monkeypatch):
    """Without its package it is one clear line; with it, its vectors bear its name."""
    settings = Settings(embedder="local", embedding_model="mini")
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingPackage, match="pip install sentence-transformers"):
        local_embedder(settings)
    with pytest.raises(BadSetting, match="embedding_model"):
        local_embedder(Settings(embedder="local"))
    assert isinstance(local_embedder(Settings()), HashingEmbedder)


def test_what_is_asked_is_announced():
    """Whoever starts a run hears who answers, before anything is spent."""
    assert "rules, not a language model" in announcement(Settings(language="ru"))
    said = announcement(Settings(keys=OPENAI, language="ru"))
    for word in ("OpenAI", PROVIDERS["openai"].fast, "text-embedding-3-small", "Russian"):
        assert word in said
    assert "k1" not in said


def test_every_key_opens_a_provider_that_there_is():
    """The names of keys and the table of providers agree, both ways."""
    assert set(KEY_NAMES.values()) == {name for name, each in PROVIDERS.items() if each.needs_key} | {"compatible"}


def test_offline_loads_nothing_of_the_sdk():
    """Without a key a run starts as fast as ever: the SDK alone takes half a second to import."""
    code = "import sys, ville.cli.offline; sys.exit('openai' in sys.modules or 'httpx2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("address", "key", "free"),
    [
        ("http://localhost:8000/v1", "", True),
        ("http://192.168.1.7:8000/v1", "", True),
        ("http://localhost:8000/v1", "k", False),
        ("http://ada:p4ssw0rd@localhost:8000/v1", "", False),
        ("http://localhost:8000/t0ken-in-path/v1", "", False),
        ("https://models.example.org/v1", "", False),
    ],
)
def test_only_a_near_server_that_asks_for_no_key_is_free(address, key, free):
    """A password or a token in the address opens something as a key does; a server elsewhere may cost money."""
    listed = Prices({"m": Price(1.0, 1.0, 1.0)})
    price = prices_for(Endpoint(PROVIDERS["compatible"], address, key), listed).of("m")
    assert (price.input == 0) == free
