"""Scripts in which languages are written, and words that every sentence of some has: whether a text can be one of a
town.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import yaml

RANGES = {
    "Latin": r"A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff", "Cyrillic": r"\u0400-\u052f",
    "Greek": r"\u0370-\u03ff\u1f00-\u1fff", "Armenian": r"\u0530-\u058f", "Hebrew": r"\u0590-\u05ff",
    "Arabic": r"\u0600-\u06ff\u0750-\u077f", "Devanagari": r"\u0900-\u097f", "Bengali": r"\u0980-\u09ff",
    "Thai": r"\u0e00-\u0e7f", "Georgian": r"\u10a0-\u10ff", "Korean": r"\u1100-\u11ff\uac00-\ud7ff",
    "Japanese": r"\u3040-\u30ff", "Chinese": r"\u4e00-\u9fff\u3400-\u4dbf",
}  # fmt: skip
RUNS = {script: re.compile(f"[{letters}]+") for script, letters in RANGES.items()}
WITHOUT_SPACES = {"Thai", "Japanese", "Chinese"}
SLIPS = (*sorted(WITHOUT_SPACES), "Korean")
FEW = 4
"""Letters of foreign words that any text may have."""
SURE = 3
"""Words of a language from which on a text is of it."""
FUNCTION_WORDS: Mapping[str, frozenset[str]] = {
    language: frozenset(words)
    for language, words in yaml.safe_load(Path(__file__).with_name("function_words.yaml").read_text("utf-8")).items()
}


def scripts_of(texts: Iterable[str], least: int = FEW) -> set[str]:
    """Return the scripts in which texts of more than so many letters are written: of each the most frequent one."""
    counts = (_letters(text) for text in texts)
    return {count.most_common(1)[0][0] for count in counts if count.total() > least}


def is_foreign(text: str, scripts: Collection[str], names: Collection[str]) -> bool:
    """Return whether at least two words, and most letters, of a text are of other scripts. Names do not count."""
    own = foreign = words = 0
    for script, pattern in RUNS.items():
        for word in pattern.findall(text):
            if word in names:
                continue
            if script in scripts:
                own += len(word)
            else:
                foreign += len(word)
                words += max(1, len(word) // 2 if script in WITHOUT_SPACES else 1)
    return words > 1 and foreign > max(own, FEW)


def slips_in(text: str) -> set[str]:
    """Return the scripts of a text into which some models slip within a word."""
    return {script for script in SLIPS if RUNS[script].search(text)}


def latin_language(text: str) -> str:
    """Return the language of which a text has most words that every sentence has; empty if that is not sure."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    counts = Counter({language: sum(word in own for word in words) for language, own in FUNCTION_WORDS.items()})
    (first, most), (_, second) = counts.most_common(2)
    return first if most >= SURE and most > second else ""


def _letters(text: str) -> Counter[str]:
    found = ((script, sum(map(len, pattern.findall(text)))) for script, pattern in RUNS.items())
    return Counter({script: letters for script, letters in found if letters})
