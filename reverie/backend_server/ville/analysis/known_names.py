"""Names of people in texts, found in one pass over a text, however many people there are."""

import re
from collections import defaultdict
from collections.abc import Iterable

LATIN = "[^\\W\\d_\u0400-\u04ff]"
"""A letter that is not Cyrillic."""
_END = re.compile(rf"(?!-?{LATIN})")
"""End of a name: no Latin letter follows, with which it would be another word. A Russian ending may."""
_WORD = re.compile(r"(?<![\w-])\w+")


def is_named(name: str, text: str) -> bool:
    """Return whether a text has a name as whole words; a Russian ending may follow. No name is in every text."""
    return name in text and (not name or bool(re.search(rf"(?<![\w-]){re.escape(name)}{_END.pattern}", text)))


class KnownNames:
    """Finds which of many names a text has, as `is_named` does for one."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_word: dict[str, list[str]] = defaultdict(list)
        """Names of several words by the first of them, which stands in the text as it is."""
        self._single: set[str] = set()
        """Names of one word, to which the text may add an ending."""
        self._others: list[str] = []
        """Names that do not begin with a word."""
        for name in dict.fromkeys(names):
            word = _WORD.match(name)
            if word is None:
                self._others.append(name)
            elif word[0] == name:
                self._single.add(name)
            else:
                self._by_word[word[0]].append(name)
        self._lengths = sorted({len(name) for name in self._single})

    def within(self, text: str) -> set[str]:
        """Return the names that a text has."""
        found = {name for name in self._others if is_named(name, text)}
        for word in _WORD.finditer(text):
            told, start = word[0], word.start()
            beginnings = [told[:length] for length in self._lengths if length <= len(told)]
            possible = [*self._by_word.get(told, ()), *(each for each in beginnings if each in self._single)]
            found.update(
                name for name in possible if text.startswith(name, start) and _END.match(text, start + len(name))
            )
        return found
