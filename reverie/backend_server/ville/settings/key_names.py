"""Names of API keys, and hints for names that look like misspelt ones."""

import re
from collections.abc import Mapping
from difflib import get_close_matches

from ville.storage.model_variables import KEY_NAMES

KEY_WORDS = re.compile(r"api|keys?|token|secret|[^a-z]")
"""Parts of the name of a key, other than the provider."""
BY_PROVIDER = {KEY_WORDS.sub("", name): name for name in KEY_NAMES if KEY_WORDS.sub("", name)}


def key_name(provider: str) -> str:
    """Return the name of a provider's key in the environment."""
    return next(name for name, owner in KEY_NAMES.items() if owner == provider).upper()


def misspelt(values: Mapping[str, object], place: str) -> dict[str, str]:
    """Return the names in a source that resemble names of keys, with their place, and the right names.

    They are not errors, because they may belong to another program.
    """
    near = {name: _nearest(name.lower()) for name, value in values.items() if value}
    return {f"{name} in {place}": right.upper() for name, right in near.items() if right}


def _nearest(name: str) -> str:
    """Return `openai_api_key` for `openai_key`, and nothing for a name that is right or is not a key."""
    provider = KEY_WORDS.sub("", name)
    if name.removeprefix("ville_") in KEY_NAMES or not provider or not re.search("key|token", name):
        return ""
    return next((BY_PROVIDER[found] for found in get_close_matches(provider, BY_PROVIDER, n=1, cutoff=0.8)), "")
