"""A model file that is served beside the engine is chosen by settings; what does not fit is refused in one line."""

import importlib.util
from dataclasses import replace
from types import SimpleNamespace

import pytest
from gguf_headers import TEMPLATE, write_header

from ville.assembly.model_choice import announcement, chat_config, check_prices, embedder_name, embedding_config
from ville.assembly.models import configured_models
from ville.errors import BadSetting, MissingPackage
from ville.llm.gateway import ChatRequest
from ville.settings import Secret, Settings
from ville.storage.folder.simulation_folder import SimulationFolder


@pytest.fixture
def talker(tmp_path):
    return write_header(tmp_path / "talker.gguf", tiny__embedding_length=64, **TEMPLATE)


@pytest.fixture
def embedder(tmp_path):
    return write_header(tmp_path / "embedder.gguf", tiny__embedding_length=32)


def test_a_file_is_enough(talker):
    """It answers all questions, costs nothing, and needs no server, key or name."""
    settings = Settings(model_file=talker, max_cost=1.0)
    chat = chat_config(settings)
    assert (chat.endpoint.provider.name, chat.endpoint.served.file) == ("gguf", str(talker))
    asked = ChatRequest("plan/day_plan", fields={}, messages=(), schema={}, persona="Ada", step=0, tier="advanced")
    assert chat.models(asked) == "talker"
    assert check_prices(settings) == ""
    assert announcement(settings).startswith("Language model: talker at llama.cpp. Embeddings: ")


def test_a_named_provider_takes_precedence_and_a_file_over_a_key(talker):
    """A file that is not used is not read."""
    keys = {"openai": Secret("k1")}
    assert chat_config(Settings(model_file=talker, keys=keys)).endpoint.provider.name == "gguf"
    missing = talker.with_name("missing.gguf")
    named = chat_config(Settings(model_file=missing, keys=keys, provider="openai"))
    assert named.endpoint.provider.name == "openai"
    assert chat_config(Settings(model_file=missing, provider="offline")) is None


def test_vectors_come_from_a_file_only_if_one_is_named_or_asked_for(talker, embedder):
    """The model that talks makes poor ones."""
    assert embedding_config(Settings(model_file=talker)) is None
    both = Settings(model_file=talker, embedding_file=embedder)
    assert (embedder_name(both), embedding_config(both).size) == ("gguf:embedder", 32)
    assert embedder_name(Settings(model_file=talker, embedder="gguf")) == "gguf:talker"
    assert embedder_name(Settings(provider="offline", embedding_file=embedder)) == "gguf:embedder"
    assert embedding_config(replace(both, embedder="hashing")) is None


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "provider = 'gguf' needs a model file. Set model_file to a file that ends in .gguf."),
        ({"model_file": "missing"}, "cannot be read"),
        ({"model_file": "page"}, "is not a GGUF file"),
        ({"model_file": "embedder"}, "has no chat template"),
        ({"model_file": "talker", "embedding_file": "page"}, "embedding_file: "),
    ],
)
@pytest.mark.usefixtures("talker", "embedder")
def test_a_file_that_does_not_fit_is_refused_in_one_line(tmp_path, settings, said):
    """With the setting, the file, and what to do."""
    (tmp_path / "page.gguf").write_text("<html>")
    files = {name: tmp_path / f"{file}.gguf" for name, file in settings.items()}
    with pytest.raises(BadSetting) as caught:
        announcement(Settings(provider="gguf", **files))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_package_is_named(talker, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingPackage, match=r"xllamacpp. Run pip install the-ville\[gguf\]"):
        chat_config(Settings(model_file=talker))


def test_vectors_of_another_size_are_refused_before_a_run(small_town, embedder, monkeypatch):
    """Another file under the same name would fail at the first memory."""
    settings = replace(small_town.settings, provider="offline", embedding_file=embedder)
    monkeypatch.setattr("ville.assembly.models._vector_size", lambda _: 64)
    with pytest.raises(BadSetting, match="embedder makes vectors of 32 numbers, but those of the memories have 64"):
        configured_models(
            settings, SimulationFolder(settings.fs_storage / "base"), SimpleNamespace(rules=SimpleNamespace(models={}))
        )
