"""Brings answers to one style, by rules: judges prefer length, markdown and flourish, whatever is said."""

import re

from ville.persona.prompt_template.answers.answer import cut_at_sentence
from ville.plain_text import one_line

LONGEST = 400
"""Characters of an answer that is ranked, at most."""
SILENCE = "(no answer)"
MARKUP: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"```\w*"), " "),
    (re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"(?m)^\s{0,3}(?:#{1,6}|>|[-*+•]|\d{1,2}[.)])\s+"), ""),
    (re.compile(r"(?m)^\s*(?:[-*_]\s*){3,}$"), " "),
    (re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|~~|`+)(?=\S)(.+?)(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"(?<!\w)\*+|\*+(?!\w)"), ""),
)
"""Marks of markdown, and what remains of each."""
LINE_END = re.compile(r"(?<=[\w)\"'])[^\S\n]*\n\s*(?=\S)")
"""Matches the end of a line, such as that of a list, that ends no sentence."""
SIGNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile("[\u201c\u201d\u201e\u00ab\u00bb]"), '"'),
    (re.compile("[\u2018\u2019\u201a]"), "'"),
    (re.compile(r"\s*(?:[\u2013\u2014]|--+)\s*"), ", "),
    (re.compile("\u2026|\\.{2,}"), "."),
    (re.compile(r"[!?]*![!?]*"), "."),
    (re.compile(r"\?{2,}"), "?"),
    (re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d]"), ""),
    (re.compile(r"\s+([.,;:?])"), r"\1"),
    (re.compile(r"([.,;:])(?:\s*[.,;:])+"), r"\1"),
    (re.compile(r"\s+"), " "),
)
"""Signs that are written in one way: quotes, dashes, ends of sentences."""
BE = {"is": "am", "was": "was", "has": "have", "does": "do", "isn't": "am not", "hasn't": "haven't", "doesn't": "don't"}
"""Verbs whose first person is not the third without its ending."""
SAME = {"will", "would", "can", "could", "should", "must", "may", "might", "had", "did", "won't", "wouldn't", "can't"}
SUBJECT = r"(?P<before>^|[.?;,:]\s+|\b(?:and|but|because|that|then|so|when|if|while)\s+)"
ENDINGS: tuple[tuple[str, str], ...] = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"),
    ("zes", "z"), ("oes", "o"), ("s", ""))  # fmt: skip


def plain_answer(text: str, name: str) -> str:
    """Return an answer in the common style: one line in the first person without markdown, of the same punctuation,
    at most LONGEST characters, cut at the end of a sentence. `name` is who answers.
    """
    for pattern, instead in MARKUP:
        text = pattern.sub(instead, text)
    text = _first_person(one_line(LINE_END.sub(". ", text)).strip().strip('"').strip(), name)
    for pattern, instead in SIGNS:
        text = pattern.sub(instead, text)
    text = cut_at_sentence(text, LONGEST) if len(text) > LONGEST else text
    text = text.strip(" ,;:-\u2026").rstrip('"').strip()
    if not text:
        return SILENCE
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".?" else f"{text}."


def _first_person(text: str, name: str) -> str:
    """Return a text about its speaker by name as one in the first person, where a verb follows the name."""
    first = name.split(maxsplit=1)[0]
    called = rf"(?:{re.escape(name)}|{re.escape(first)})"
    text = re.sub(rf"^{called}(?: (?:says|answers|replies))?\s*:\s*", "", text)
    spoken = re.sub(rf"{SUBJECT}{called} (?P<verb>[a-z]+(?:n't)?)\b", _spoken, text)
    return spoken if spoken == text else _own_words(spoken, called)


def _spoken(found: re.Match[str]) -> str:
    verb = _first_person_verb(found["verb"])
    return found[0] if verb is None else f"{found['before']}I {verb}"


def _first_person_verb(verb: str) -> str | None:
    """Return a verb after "I"; None if it is not a verb in the third person."""
    if verb in BE or verb in SAME:
        return BE.get(verb, verb)
    if verb.endswith("ed"):
        return verb
    return next((verb.removesuffix(old) + new for old, new in ENDINGS if verb.endswith(old)), None)


def _own_words(text: str, called: str) -> str:
    """Return a text with what belongs to the speaker in the first person."""
    return re.sub(rf"{called}'s\b", lambda found: "my" if found.start() else "My", text)


def words_in(text: str) -> int:
    """Return the number of words."""
    return len(text.split())


def flourished(text: str) -> str:
    """Return the same answer in a style that judges are known to prefer: marked up, longer, and nothing new in it."""
    sentences = [part for part in re.split(r"(?<=[.?]) ", text) if part]
    points = "\n".join(f"- **{part}**" for part in sentences)
    return f"Thank you, that is a really good question. To put it in a nutshell:\n\n{points}\n\nI hope that this helps!"
