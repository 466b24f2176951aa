"""Words by which texts about the same fact are recognized, however they are put."""

import re
from functools import lru_cache

LETTERS = 5
"""By which words are compared, so that endings do not count."""
SHORTEST = 4
"""Letters; shorter words mean little."""
SHARE = 0.6
"""Part of the words of the shorter text that the other has, if both are about the same fact."""
LEAST = 2
"""Words that both have."""
_WORD = re.compile(r"[^\W\d_]+")
_COMMON_WORDS = """
about after again also been before being could doing each from going have having heard into just know known more much
planning really remember said should some talk talked talking tell that their them then there these they thing things
this told very wants want were what when where which will with would your yours today tomorrow yesterday morning
afternoon evening matters great deal invited invite give gives giving host hosts hosting attend attending goes
также будет быть если завтра когда который меня может очень после потом сегодня сказал сказала тебя только чтобы этого
"""
_COMMON = frozenset(word[:LETTERS] for word in _COMMON_WORDS.split())


@lru_cache(maxsize=65536)
def fact_words(text: str) -> frozenset[str]:
    """Return the beginnings of the words of a text that say what it is about."""
    words = (word[:LETTERS] for word in _WORD.findall(text.lower()) if len(word) >= SHORTEST)
    return frozenset(word for word in words if word not in _COMMON)


def are_alike(one: str, other: str) -> bool:
    """Return whether two texts are about the same."""
    words, others = fact_words(one), fact_words(other)
    common, least = len(words & others), min(len(words), len(others))
    return bool(least) and common >= min(LEAST, least) and common >= SHARE * least


def are_same_event(one: str, other: str) -> bool:
    """Return whether two texts are about the same event, whoever takes part in it: names do not count."""
    words, others = _event_words(one), _event_words(other)
    return bool(words & others) and len(words & others) >= SHARE * min(len(words), len(others))


def _event_words(text: str) -> frozenset[str]:
    named = fact_words(" ".join(word for word in _WORD.findall(text) if word[0].isupper()))
    return fact_words(text) - named


def is_said_in(fact: str, words: str) -> bool:
    """Return whether certain words tell a fact."""
    wanted, said = fact_words(fact), fact_words(words)
    common = len(wanted & said)
    return common > LEAST and common >= SHARE * min(len(wanted), len(said))
