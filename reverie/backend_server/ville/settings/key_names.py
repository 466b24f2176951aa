"""What keys are called, and which names somebody may have taken for one of these."""

import re
from collections.abc import Mapping
from difflib import get_close_matches

KEY_NAMES = {
    "openai_api_key": "openai",
    "openrouter_api_key": "openrouter",
    "gemini_api_key": "gemini",
    "google_api_key": "gemini",
    "azure_openai_api_key": "azure",
    "api_key": "compatible",
}
"""Name of a key, in capitals where the environment has it, and the provider it opens."""
WORDS = re.compile(r"api|keys?|token|secret|[^a-z]")
"""What names of keys are made of, beside the provider."""
BY_PROVIDER = {WORDS.sub("", name): name for name in reversed(KEY_NAMES) if WORDS.sub("", name)}


def key_name(provider: str) -> str:
    """What the key of a provider is called in the environment."""
    return next(name for name, opened in KEY_NAMES.items() if opened == provider).upper()


def misspelt(values: Mapping[str, object], place: str) -> dict[str, str]:
    """Names in a place that are nearly those of keys, and the right ones. They may be another program's."""
    near = {name: _nearest(name.lower()) for name, value in values.items() if value}
    return {f"{name} in {place}": right.upper() for name, right in near.items() if right}


def _nearest(name: str) -> str:
    """`openai_api_key` for `openai_key`; empty for what is no key, or is called rightly."""
    rest = WORDS.sub("", name)
    if name.removeprefix("ville_") in KEY_NAMES or not rest or not re.search("key|token", name):
        return ""
    return next((BY_PROVIDER[found] for found in get_close_matches(rest, BY_PROVIDER, n=1, cutoff=0.8)), "")
