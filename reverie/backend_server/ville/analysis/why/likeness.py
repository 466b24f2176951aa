"""How far one text says what another says: shared words, rare ones counting for more."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
ENDINGS = ("ings", "ing", "ed", "es", "s", "e")
LEAST = 3
"""Letters that are left of a word without its ending."""
EMPTY = frozenset(
    WORD.findall(
        "the and for with that this from have has had was were are is be been being not but you your yours she her "
        "hers he him his they them their its it who what when where how why will would can could should there here "
        "then than very some any about into out over down off too also just one two get got going go does did doing "
        "do make made let may might must shall our ours mine myself today tomorrow morning evening afternoon night "
        "good well much many more most like thing things something anything say said says tell told know knew yes "
        "right planning remember"
    )
)
"""Words that say nothing of what a text is about."""


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text that say something, without their endings: of "I'm running", "run"."""
    found = (word.removesuffix("n't").partition("'")[0] for word in WORD.findall(text.lower().replace("’", "'")))
    return frozenset(_stem(word) for word in found if word not in EMPTY and (len(word) >= LEAST or word.isdecimal()))


def _stem(word: str) -> str:
    """Return a word without its ending, and without a doubled last letter: running, run."""
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= LEAST:
            word = word[: -len(ending)]
            break
    is_doubled = len(word) > LEAST and word[-1] == word[-2]
    return word[:-1] if is_doubled else word


class WordLikeness:
    """Compares texts by their words, which weigh more the fewer of a collection of texts have them."""

    def __init__(self, texts: Iterable[str]) -> None:
        sets = [words_of(text) for text in texts]
        self._count = len(sets)
        self._having = Counter(word for words in sets for word in words)

    def weight(self, words: Collection[str]) -> float:
        """Return the weight of some words: the sum of their inverse frequencies."""
        return sum(math.log((1 + self._count) / (1 + self._having[word])) + 0.1 for word in words)

    def covered(self, text: Collection[str], by: str) -> float:
        """Return from 0 to 1 how much of the words of a text another text has."""
        whole = self.weight(text)
        return self.weight(words_of(by) & set(text)) / whole if whole else 0.0

    def ranked(self, text: Collection[str], others: Mapping[str, str]) -> list[tuple[str, float]]:
        """Return the keys of texts that have words of a text, with how much of it, the most first."""
        found = ((key, self.covered(text, other)) for key, other in others.items())
        return sorted(((key, share) for key, share in found if share > 0), key=lambda pair: -pair[1])
