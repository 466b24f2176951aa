"""Where a model runs and its provider has no embeddings, memories are compared by meaning, if the package for that is
installed. Rules hash words, and a simulation keeps what it was begun with.
"""

from dataclasses import replace

import pytest
from chat_server import ChatServer
from gguf_headers import TEMPLATE, write_header

from ville.assembly import model_choice
from ville.assembly.model_choice import announcement, embedder_name, embedding_config, local_embedder
from ville.assembly.run import open_at
from ville.errors import MissingPackage
from ville.llm import meaning_embedder
from ville.llm.meaning_embedder import PACKAGE, MeaningEmbedder
from ville.settings import Secret, Settings

HASHED, MEANING = "hashing-512", MeaningEmbedder.name
LOCAL_MODEL = {"provider": "ollama", "fast_model": "m"}


@pytest.fixture
def installed(monkeypatch):
    """Say whether the package is installed: `installed("no")`."""

    def say(answer):
        for module in (model_choice, meaning_embedder):
            monkeypatch.setattr(module, "is_installed", lambda: answer == "yes")

    say("yes")
    return say


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        (Settings(), HASHED),
        (Settings(provider="offline", keys={"openai": Secret("k1")}), HASHED),
        (Settings(**LOCAL_MODEL), MEANING),
        (Settings(base_url="http://localhost:1/v1", fast_model="m"), MEANING),
        (Settings(**LOCAL_MODEL, embedder="hashing"), HASHED),
        (Settings(**LOCAL_MODEL, embedding_model="nomic"), "ollama:nomic"),
        (Settings(**LOCAL_MODEL, embedder="local", embedding_model="mini"), "local:mini"),
        (Settings(keys={"openai": Secret("k1")}), "openai:text-embedding-3-small"),
        (Settings(keys={"openai": Secret("k1")}, embedder="meaning"), MEANING),
        (Settings(embedder="meaning"), MEANING),
    ],
)
@pytest.mark.usefixtures("installed")
def test_meaning_is_the_default_only_for_a_model_without_embeddings(settings, name):
    assert embedder_name(settings) == name
    assert (embedding_config(settings) is None) == (":" not in name or name in {MEANING, "local:mini"})


def test_a_model_file_has_it_too(installed, tmp_path):
    """Unless a file for embeddings is named."""
    talker = write_header(tmp_path / "talker.gguf", tiny__embedding_length=64, **TEMPLATE)
    assert announcement(Settings(model_file=talker)) == f"Language model: talker at llama.cpp. Embeddings: {MEANING}."
    assert embedder_name(Settings(model_file=talker, embedding_file=talker)) == "gguf:talker"
    installed("no")
    assert embedder_name(Settings(model_file=talker)) == HASHED


def test_without_the_package_words_are_hashed_and_one_line_says_so(installed):
    """Not where hashing was chosen; and what was chosen is refused, not replaced."""
    installed("no")
    assert local_embedder(Settings(**LOCAL_MODEL)).name == HASHED
    said = announcement(Settings(**LOCAL_MODEL))
    assert "pip install the-ville[meaning]" in said
    assert "\n" not in said
    assert "pip" not in announcement(Settings(**LOCAL_MODEL, embedder="hashing"))
    with pytest.raises(MissingPackage, match="pip install"):
        local_embedder(Settings(**LOCAL_MODEL, embedder="meaning"))


@pytest.fixture
def asked(small_town, server: ChatServer):
    """Settings with a model that has no embeddings."""
    return replace(small_town.settings, base_url=server.url, fast_model="m")


async def opened_and_closed(settings, origin, name):
    """Return the embedder of a simulation that is opened, and what is said of it."""
    simulation = await open_at(settings, origin, name)
    if origin != name:
        simulation.save()
    await simulation.close()
    return simulation.models.embedder.name, " ".join(simulation.notes)


async def test_a_simulation_keeps_the_embedder_it_was_begun_with(installed, asked):
    """Resumed or forked, and a line says so; `re_embed` gives it that of new ones."""
    pytest.importorskip(PACKAGE)
    installed("no")
    await opened_and_closed(asked, "base", "old")
    installed("yes")
    for name in ("old", "fork"):
        kept, said = await opened_and_closed(asked, "old", name)
        assert (kept, f"{name} keeps the vectors of {HASHED}" in said) == (HASHED, True)
    assert await opened_and_closed(asked, "base", "new") == (MEANING, "")
    kept, said = await opened_and_closed(replace(asked, provider="offline"), "new", "new")
    assert (kept, f"keeps the vectors of {MEANING}" in said) == (MEANING, True)
    assert (await opened_and_closed(replace(asked, re_embed=True), "old", "anew"))[0] == MEANING
