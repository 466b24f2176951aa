"""The choice of a model in .env: read as it was meant, and no key goes to the server of an earlier choice."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from new_home import new_home

from ville import home
from ville.assembly.model_choice import chat_config, provider_name
from ville.llm.wire.providers import OFFLINE, PROVIDERS
from ville.settings import load_settings
from ville.settings.server_urls import origin_of
from ville.storage.model_variables import CHOICES, KEY_NAMES, ChosenModel, keep_choice, remove_key

KEYED = sorted(set(KEY_NAMES.values()))
ADDRESSES = ("https://one.example/v1", "http://127.0.0.1:9/v1")
SERVERS = [name for name in PROVIDERS if name != "gguf"]


@st.composite
def choices(draw):
    """A choice with what it needs, and perhaps a key of its own."""
    provider = draw(st.sampled_from(SERVERS))
    needs = provider in {"azure", "compatible"}
    address = draw(st.sampled_from(ADDRESSES if needs else ("", *ADDRESSES) if provider in LOCAL else ("",)))
    key = f"sk-of-{provider}" if provider in KEYED else ""
    return ChosenModel(provider, base_url=address, fast_model=draw(st.sampled_from(["m", "n"]))), key


def keys_of_providers(chosen):
    return [key for choice, key in chosen if key and choice.provider != BY_ADDRESS]


LOCAL, BY_ADDRESS = ("ollama", "vllm", "llamacpp", "lmstudio"), "compatible"


def test_what_can_be_chosen_is_what_there_is():
    """Both servers know the same providers, and the providers that have keys."""
    assert {*CHOICES} == {OFFLINE, *PROVIDERS}
    assert {*KEYED} <= {*PROVIDERS}


@given(st.lists(choices(), min_size=1, max_size=5))
@example([(ChosenModel("azure", ADDRESSES[0], fast_model="m"), "sk-of-azure"), (ChosenModel("openai"), "sk-of-openai")])
@example([(ChosenModel("ollama", ADDRESSES[1], fast_model="m"), ""), (ChosenModel("openai"), "sk-of-openai")])
def test_after_any_choices_the_last_one_counts_with_its_own_key(tmp_path_factory, chosen):
    """At its address; keys of others stay in the file, and are not sent there. That of a server by address is sent to
    this address alone, and goes with it.
    """
    folder = tmp_path_factory.mktemp("project")
    held = ""
    for choice, key in chosen:
        keep_choice(folder / ".env", choice, key)
        if choice.provider == BY_ADDRESS or choice.base_url != held:
            held = choice.base_url if choice.provider == BY_ADDRESS else ""
    last, own = chosen[-1]
    by_address = f"sk-of-{BY_ADDRESS}" if held else ""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(home, "HOME", new_home(folder))
        settings = load_settings({}, {})
    found = chat_config(settings)
    assert (provider_name(settings), found.models.fast) == (last.provider, last.fast_model or found.models.fast)
    assert origin_of(found.endpoint.base_url) == origin_of(last.base_url or PROVIDERS[last.provider].base_url)
    assert found.endpoint.key == (own or by_address)
    text = (folder / ".env").read_text("utf-8")
    assert {key for _, key in chosen if key and key in text} == {
        *keys_of_providers(chosen),
        *filter(None, [by_address]),
    }


@pytest.mark.parametrize("provider", KEYED)
def test_a_key_is_removed_under_each_of_its_names(tmp_path, provider):
    """Also where one of them is set twice. Those of others stay."""
    file = tmp_path / ".env"
    lines = [f"{prefix}{name.upper()}=sk-of-{owner}" for name, owner in KEY_NAMES.items() for prefix in ("", "VILLE_")]
    file.write_text("\n".join([*lines, *lines]), "utf-8")
    remove_key(file, provider)
    text = file.read_text("utf-8")
    left = {owner for owner in KEYED if f"sk-of-{owner}" in text.replace("\nAPI_KEY=sk-of-compatible", "")}
    assert left == {*KEYED} - {provider}
