"""Providers, models and embedders chosen by settings, and how they are announced."""

import subprocess
import sys

import pytest

from ville.assembly.model_choice import announcement, chat_config, embedding_config, local_embedder, prices_for
from ville.errors import BadSetting, MissingKey, MissingPackage
from ville.llm.accounting.prices import Price, Prices
from ville.llm.embedders import HashingEmbedder
from ville.llm.gateway import ChatRequest
from ville.llm.wire.endpoint import Endpoint
from ville.llm.wire.providers import PROVIDERS
from ville.settings import Secret, Settings
from ville.storage.model_variables import KEY_NAMES

OPENAI = {"openai": Secret("k1")}
HERE = "http://127.0.0.1:9/v1"
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
def test_a_provider_is_chosen_by_name_then_address_then_key(settings, provider):
    """Without any of them, the offline rules answer."""
    who = chat_config(settings)
    assert (who.endpoint.provider.name if who else None) == provider


def test_each_question_goes_to_its_model():
    """The one set for it, else for its kind, else for its tier."""
    models = chat_config(
        Settings(keys=OPENAI, fast_model="f", advanced_model="a", models={"plan": "p", "plan/day_plan": "advanced"})
    ).models
    asks = [asked("plan/subtasks"), asked("plan/day_plan"), asked("react/how_to_react"), asked("talk/x", "advanced")]
    assert [models(request) for request in asks] == ["p", "a", "f", "a"]
    assert models.names == ["f", "a", "p"]


def test_one_model_serves_both_tiers_if_no_other_is_set():
    models = chat_config(Settings(provider="ollama", advanced_model="m")).models
    assert (models.fast, models.advanced) == ("m", "m")


def test_classic_model_settings_apply_to_openrouter_only():
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
        (Settings(models={"plan/dayplan": "m"}), BadSetting, "MODEL_PLAN_DAYPLAN"),
        (Settings(base_url="localhost:9/v1", fast_model="m"), BadSetting, "must start with http://"),
        (Settings(keys={"openai": Secret("ключ")}), BadSetting, "The key for OpenAI"),
    ],
)
def test_a_missing_setting_is_named(settings, kind, says):
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
        (Settings(provider="vllm", fast_model="m", embedding_base_url=HERE, embedding_model="v"), "vllm:v"),
        (Settings(keys=OPENAI, embedding_base_url=HERE, embedding_model="v"), "compatible:v"),
    ],
)
def test_embeddings_come_from_the_chat_provider_by_default(settings, name):
    """Unless it has none or another is set; else they are made on this machine."""
    who = embedding_config(settings)
    assert (who.name if who else None) == name


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (Settings(embedder="nope"), "embedder = 'nope' is unknown. Choose one of hashing, meaning, local, openai"),
        (Settings(provider="vllm", fast_model="m", embedding_base_url=HERE), "Set embedding_model"),
    ],
)
def test_an_embedder_that_cannot_be_is_one_line(settings, says):
    """It names the setting that the user has to change; an address without a model is not passed over."""
    with pytest.raises(BadSetting, match=says):
        embedding_config(settings)


def test_chat_and_embeddings_can_have_different_addresses():
    settings = Settings(base_url="http://a/v1", fast_model="m", embedding_model="v", embedding_base_url="http://b/v1")
    assert (chat_config(settings).endpoint.base_url, embedding_config(settings).endpoint.base_url) == (
        "http://a/v1",
        "http://b/v1",
    )


def test_a_key_is_sent_only_where_it_belongs():
    """The key of a provider never goes to another; the key for a custom address only there."""
    keys = BOTH | {"compatible": Secret("mine")}
    assert chat_config(Settings(keys=keys)).endpoint.key == "k1"
    assert chat_config(Settings(keys=keys, base_url="http://a/v1", fast_model="m")).endpoint.key == "mine"
    assert chat_config(Settings(keys=keys, provider="ollama", fast_model="m")).endpoint.key == ""


def test_configs_do_not_show_their_keys():
    who = chat_config(Settings(keys={"openai": Secret("very secret")}))
    assert "very secret" not in repr(who)


def test_a_local_sentence_model_needs_a_package(monkeypatch):
    """Its vectors have its name."""
    settings = Settings(embedder="local", embedding_model="mini")
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingPackage, match="pip install sentence-transformers"):
        local_embedder(settings)
    with pytest.raises(BadSetting, match="embedding_model"):
        local_embedder(Settings(embedder="local"))
    assert isinstance(local_embedder(Settings()), HashingEmbedder)


def test_models_are_announced():
    assert "follow offline rules" in announcement(Settings(language="ru"))
    said = announcement(Settings(keys=OPENAI, language="ru"))
    for word in ("OpenAI", PROVIDERS["openai"].fast, "text-embedding-3-small", "Russian"):
        assert word in said
    assert "k1" not in said


def test_every_key_belongs_to_a_provider():
    """And every provider with a key has a name for it."""
    assert set(KEY_NAMES.values()) == {name for name, each in PROVIDERS.items() if each.needs_key} | {"compatible"}


def test_offline_loads_nothing_of_the_sdk():
    """The SDK takes half a second to import."""
    code = "import sys, ville.prompt.offline_session; sys.exit('openai' in sys.modules or 'httpx2' in sys.modules)"
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
def test_only_a_near_server_without_a_key_is_free(address, key, free):
    """A password in the address counts as a key."""
    listed = Prices({"m": Price(1.0, 1.0, 1.0)})
    price = prices_for(Endpoint(PROVIDERS["compatible"], address, key), listed).of("m")
    assert (price.input == 0) == free
