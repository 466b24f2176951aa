"""Names of keys: each provider has one, and only names that are nearly one get a hint."""

from ville.settings.key_names import key_name, misspelt
from ville.storage.model_variables import KEY_NAMES


def hints(*names):
    """Return the hints for variables of these names that have a value."""
    return misspelt(dict.fromkeys(names, "k"), "here")


def test_each_provider_has_a_name_of_its_key():
    """By which its key is found."""
    assert {KEY_NAMES[key_name(provider).lower()] for provider in KEY_NAMES.values()} == set(KEY_NAMES.values())
    assert all(KEY_NAMES[key_name(provider).lower()] == provider for provider in KEY_NAMES.values())


def test_what_is_nearly_the_name_of_a_key_gets_a_hint():
    """Of the nearest one, with the place."""
    assert hints("OPENAI_KEY", "gemni_api_key") == {
        "OPENAI_KEY in here": "OPENAI_API_KEY", "gemni_api_key in here": "GEMINI_API_KEY",
    }  # fmt: skip


def test_what_is_right_is_no_key_or_has_no_value_gets_none():
    """Right names with and without our prefix; a provider alone is no key."""
    right = [name.upper() for name in KEY_NAMES]
    assert hints(*right, *(f"VILLE_{name}" for name in right)) == {}
    assert hints("OPENAI", "OPENAI_URL", "KEY", "TOKEN") == {}
    assert misspelt({"OPENAI_KEY": ""}, "here") == {}
