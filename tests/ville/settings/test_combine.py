"""Sources of settings together: the stronger one wins, and a key and its address stay together."""

import pytest

from ville.settings import Secret
from ville.settings.combine import OPENAI_SERVER, combined
from ville.settings.server_urls import origin_of

HERE, THERE, VECTORS = "https://here.test/v1", "https://there.test/v1", "https://vectors.test/v1"


def source(*, keys=(), **settings):
    """Return one source, as it is read: keys by provider."""
    return settings | ({"keys": {name: Secret(text) for name, text in dict(keys).items()}} if keys else {})


def keys_of(*layers):
    """Return the keys that count, each with the servers that it may be sent to; none: those of its provider."""
    return {name: (key.reveal(), set(key.servers)) for name, key in combined(layers)["keys"].items()}


def test_every_source_may_name_models():
    """Of two models for the same questions, that of the stronger source counts."""
    found = combined([{"models": {"plan": "a", "talk": "a"}}, {}, {"models": {"talk": "b"}}])
    assert found["models"] == {"plan": "a", "talk": "b"}


@pytest.mark.parametrize(
    ("weak", "strong", "stays"),
    [
        ({"provider": "openai"}, {"seed": 1}, True),
        ({"provider": "openai"}, {"provider": "openai"}, True),
        ({"provider": "openai"}, {"provider": "gemini"}, False),
        ({}, {"provider": "gemini"}, False),
        ({}, {"provider": "compatible"}, True),
        ({}, {"use_openrouter": True}, False),
        ({"use_openrouter": True}, {"provider": "openrouter"}, True),
    ],
)
def test_an_address_counts_until_another_provider_is_chosen(weak, strong, stays):
    """That of embeddings, too: without an embedder they come from the provider."""
    for name in ("base_url", "embedding_base_url"):
        both = {"base_url": HERE, name: HERE}
        assert (name in combined([weak | both, strong])) is stays
        assert combined([weak | both, strong | {name: THERE}])[name] == THERE


@pytest.mark.parametrize(
    ("weak", "strong", "provider"),
    [
        ({"provider": "openai"}, {"model_file": "m.gguf"}, "gguf"),
        ({"use_openrouter": True}, {"model_file": "m.gguf"}, "gguf"),
        ({"model_file": "m.gguf"}, {"provider": "openai"}, "openai"),
        ({"provider": "openai"}, {"provider": "offline", "model_file": "m.gguf"}, "offline"),
        ({"provider": "openai", "model_file": "m.gguf"}, {"seed": 1}, "openai"),
    ],
)
def test_a_model_file_is_a_choice_of_a_provider(weak, strong, provider):
    """In a stronger source than that of another one, whose server gets nothing then."""
    assert combined([weak | {"base_url": HERE, "keys": {}}, strong])["provider"] == provider


def test_the_address_of_embeddings_counts_until_another_embedder_is_chosen():
    """Which provider answers questions does not matter to it then. Without an embedder, a server chooses, too."""
    weak = {"embedder": "openai", "embedding_base_url": VECTORS}
    assert combined([weak, {"provider": "gemini"}])["embedding_base_url"] == VECTORS
    assert "embedding_base_url" not in combined([weak, {"embedder": "gemini"}])
    assert "embedding_base_url" not in combined([{"embedding_base_url": VECTORS}, {"base_url": HERE}])


@pytest.mark.parametrize(
    ("weak", "beside", "owner"),
    [
        ({}, {}, "compatible"),
        ({"provider": "openai"}, {}, "openai"),
        ({}, {"provider": "openai"}, "openai"),
        ({"provider": "gemini"}, {"provider": "compatible"}, "compatible"),
        ({"provider": "gemini"}, {}, ""),
        ({"provider": "openai"}, {"provider": "gemini"}, ""),
        ({}, {"use_openrouter": True}, ""),
    ],
)
def test_the_server_of_openai_base_url_counts_for_openai_or_no_named_provider(weak, beside, owner):
    """With the key beside it, which goes nowhere else. Whether a weaker source or the same one names the provider."""
    server = {OPENAI_SERVER: {THERE: Secret("k")}, "keys": {"gemini": Secret("g")}, "seed": 1}
    found = combined([weak, server | beside])
    keys = {name: (key.reveal(), set(key.servers)) for name, key in found["keys"].items()}
    assert keys == {"gemini": ("g", set())} | ({owner: ("k", {origin_of(THERE)})} if owner else {})
    assert (found.get("base_url"), found["seed"]) == (THERE if owner else None, 1)
    assert OPENAI_SERVER not in found


def test_the_key_of_openai_by_our_own_name_is_stronger_than_the_one_beside_its_address():
    """VILLE_OPENAI_API_KEY is no other program's."""
    server = source(provider="openai", keys={"openai": "ours"}) | {OPENAI_SERVER: {THERE: Secret("k")}}
    assert keys_of(server) == {"openai": ("ours", {origin_of(THERE)})}


NAMED = source(provider="openai", base_url=HERE, keys={"openai": "k1"})
"""A server that answers as OpenAI does, and its key."""


@pytest.mark.parametrize(
    ("weak", "strong", "key", "servers"),
    [
        (NAMED, source(keys={"openai": "k2"}), "k1", {HERE}),
        (NAMED, source(base_url=HERE, provider="openai", keys={"openai": "k2"}), "k2", {HERE}),
        (NAMED, source(base_url=THERE, provider="openai", keys={"openai": "k2"}), "k2", {THERE}),
        (NAMED, source(base_url=THERE), "k1", {HERE}),
        (NAMED, source(provider="gemini", keys={"openai": "k2"}), "k2", set()),
        (source(keys={"openai": "k1"}), source(keys={"openai": "k2"}), "k2", set()),
        (source(base_url=HERE, keys={"openai": "k1"}), source(keys={"openai": "k2"}), "k2", set()),
    ],
)
def test_a_key_that_stands_beside_an_address_counts_as_long_as_that_does(weak, strong, key, servers):
    """And is sent to no other server. A key without an address does not replace it there, and counts elsewhere."""
    assert keys_of(weak, strong)["openai"] == (key, {origin_of(server) for server in servers})


def test_the_key_of_a_server_without_a_name_can_be_replaced():
    """VILLE_API_KEY is no other program's, so the stronger one is meant."""
    weak = source(base_url=HERE, keys={"compatible": "k1"})
    assert keys_of(weak, source(keys={"compatible": "k2"})) == {"compatible": ("k2", set())}


BOTH = {"base_url": HERE, "embedding_base_url": VECTORS}


@pytest.mark.parametrize(
    ("settings", "keys"),
    [
        ({"base_url": HERE}, {"compatible": HERE, "openai": ""}),
        ({"base_url": HERE, "provider": "openai"}, {"openai": HERE, "compatible": HERE, "gemini": ""}),
        ({"base_url": HERE, "provider": "ollama"}, {"compatible": HERE, "openai": ""}),
        ({"base_url": HERE, "use_openrouter": True}, {"openrouter": HERE, "openai": ""}),
        ({"embedding_base_url": VECTORS}, {"compatible": VECTORS, "openai": ""}),
        ({"embedding_base_url": VECTORS, "embedder": "openai"}, {"openai": VECTORS, "gemini": ""}),
        (BOTH, {"compatible": HERE}),
        (BOTH | {"embedder": "openai"}, {"openai": VECTORS, "compatible": HERE}),
        (BOTH | {"embedder": "openai", "provider": "openai"}, {"openai": HERE, "compatible": HERE}),
        (BOTH | {"provider": "openai"}, {"openai": HERE, "compatible": HERE}),
        (BOTH | {"embedder": "compatible", "provider": "openai"}, {"openai": HERE, "compatible": VECTORS}),
    ],
)
def test_a_key_is_for_the_address_of_its_provider_in_the_same_source(settings, keys):
    """Of two addresses, for that of the language model; the others are for the servers of their providers."""
    found = keys_of(source(**settings, keys=dict.fromkeys(keys, "k")))
    assert {name: servers for name, (_, servers) in found.items()} == {
        name: {origin_of(server)} if server else set() for name, server in keys.items()
    }
