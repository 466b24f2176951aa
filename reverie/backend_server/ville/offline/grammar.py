"""English verbs, sentences and pronouns: verb forms, predicates, changes of grammatical person."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from ville.offline.table import words

_FILE = "verbs.yaml"
_IRREGULAR = {"be": "is", "have": "has", "do": "does", "go": "goes"}
_REGULAR = {third: base for base, third in _IRREGULAR.items()} | {"dies": "die", "lies": "lie", "ties": "tie"}
AFTER_VERB = frozenset(
    "a an the my his her their your up down out to in at on for with some about what how".split()  # noqa: SIM905
)


def first_of(text: str) -> str:
    """Return the first word of a name or a phrase."""
    return text.split(" ", maxsplit=1)[0]


def is_base(word: str) -> bool:
    """Return whether a word is a verb in its base form."""
    return word in words(_FILE, "bases")


def is_modal(word: str) -> bool:
    return word in words(_FILE, "modals")


def is_past(word: str) -> bool:
    return word in words(_FILE, "pasts")


def is_adverb(word: str) -> bool:
    return word in words(_FILE, "adverbs")


def third(verb: str) -> str:
    """`study` becomes `studies`."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if re.search(r"(?:s|x|z|ch|sh)$", verb):
        return verb + "es"
    return verb[:-1] + "ies" if re.search(r"[^aeiou]y$", verb) else verb + "s"


def base(verb: str) -> str:
    """`studies` becomes `study`; a word that is not in the third person stays as it is."""
    if verb in _REGULAR:
        return _REGULAR[verb]
    if not verb.endswith("s") or verb.endswith("ss"):
        return verb
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    if verb.endswith("es") and (is_base(verb[:-2]) or re.search(r"(?:x|z|ch|sh|ss)es$", verb)):
        return verb[:-1] if is_base(verb[:-1]) else verb[:-2]
    return verb[:-1]


def is_third(word: str) -> bool:
    """Return whether a word is a verb in the third person."""
    return word in _REGULAR or (word.endswith("s") and not word.endswith("ss") and is_base(base(word)))


def ing(verb: str) -> str:
    """`stop` becomes `stopping`."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb in words(_FILE, "doubled"):
        return verb + verb[-1] + "ing"
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")) and verb != "be":
        return verb[:-1] + "ing"
    return verb + "ing"


def gerund(phrase: str) -> str:
    """`get up and wash` becomes `getting up and washing`; a phrase that begins with no verb stays as it is."""
    parts = phrase.split(" ")
    if not is_base(parts[0]):
        return phrase
    parts[0] = ing(parts[0])
    for number, word in enumerate(parts[:-1], start=1):
        if word in {"and", "or", "then"} and _is_verb_here(parts, number):
            parts[number] = ing(parts[number])
    return " ".join(parts)


def _is_verb_here(parts: list[str], number: int) -> bool:
    word, after = parts[number], parts[number + 1 : number + 2]
    return is_base(word) and (word not in words(_FILE, "nouns too") or bool(AFTER_VERB & set(after)))


def doing(predicate: str) -> str:
    """`is painting a wall` and `paints a wall` both become `painting a wall`."""
    verb, _, rest = predicate.partition(" ")
    if verb in {"is", "are", "was"}:
        return rest if first_of(rest).endswith("ing") else f"being {rest}"
    return gerund(f"{base(verb)} {rest}".strip())


def plain(phrase: str) -> str:
    """`writing and filming a series` becomes `write and film a series`; other phrases stay."""
    parts = phrase.split(" ")
    if parts[0] not in _of_ing():
        return phrase
    for number, word in enumerate(parts):
        if number == 0 or parts[number - 1] in {"and", "or"}:
            parts[number] = _of_ing().get(word, word)
    return " ".join(parts)


@cache
def _of_ing() -> dict[str, str]:
    return {ing(verb): verb for verb in sorted(words(_FILE, "bases"))}


@dataclass(frozen=True)
class Pronoun:
    """Pronouns of a person."""

    subject: str
    object: str
    possessive: str
    reflexive: str


HE = Pronoun("he", "him", "his", "himself")
SHE = Pronoun("she", "her", "her", "herself")
THEY = Pronoun("they", "them", "their", "themselves")

_ABBREVIATION = re.compile(r"(?<=\b[A-Z])\.|(?<=\bMr|\bDr|\bSt)\.|(?<=\bMrs)\.")
_SENTENCE = re.compile(r"(?<=[.!?])[\"'”]?\s+(?=[\"'“]?[A-Z0-9*])|\n+")
_HE_WORDS = re.compile(r"\b(?:he|his|him|himself|husband of|father)\b", re.IGNORECASE)
_SHE_WORDS = re.compile(r"\b(?:she|her|hers|herself|mother)\b", re.IGNORECASE)
NO_NAMES = (
    "For|This|That|The|When|Now|Will|Would|On|At|In|My|Your|Our|Do|Did|Does|If|Are|Is|It|And|But|Oh|Good|Hello|Hi|Ah"
    "|Have|Has"
)
"""Words that begin sentences and are not first names."""
FULL_NAME = re.compile(rf"\b(?!(?:{NO_NAMES})\b)[A-Z][\w’-]+(?: (?:van|von|de|der|di|la))*(?: [A-Z][\w’-]+){{1,3}}")


def sentences(text: str) -> list[str]:
    """Split a text into sentences without final marks."""
    parts = _SENTENCE.split(_ABBREVIATION.sub("\x00", text))
    return [part.replace("\x00", ".").strip(" .\n") for part in parts if part.strip(" .\n")]


def called_alike(one: str, other: str) -> bool:
    """Return whether two names, whole or first only, can mean the same person."""
    return one == other or first_of(one) == other or first_of(other) == one


def pronoun_in(text: str) -> Pronoun:
    """Return the most frequent pronoun of a text."""
    he, she = len(_HE_WORDS.findall(text)), len(_SHE_WORDS.findall(text))
    return THEY if he == she else HE if he > she else SHE


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def lower_first(text: str) -> str:
    """Lower the first letter, unless it belongs to a name or `I`."""
    return text if re.match(r"I\b|[A-Z][\w’']*(?: [A-Z]|'s)", text) else text[:1].lower() + text[1:]


def predicates(sentence: str, name: str, pronoun: Pronoun) -> list[str]:
    """Return the predicates of a sentence, one per verb: `is painting a wall`, `goes to bed early`."""
    found = _subject_of(name, pronoun.subject).match(sentence) if name else None
    return list(_coordinated(" ".join(found[2].split()))) if found else []


def with_opening(sentence: str, name: str, pronoun: Pronoun) -> list[str]:
    """Like `predicates`, with words before the subject, as in `From 8am to 8pm she`, appended to the first piece."""
    found = _subject_of(name, pronoun.subject).match(sentence) if name else None
    if found is None:
        return []
    first, *others = _coordinated(" ".join(found[2].split())) or ("",)
    return [f"{first} {lower_first(found[1].strip(' ,'))}".strip(), *others]


@lru_cache(maxsize=512)
def _subject_of(name: str, pronoun: str) -> re.Pattern[str]:
    """Return a pattern of the words before and after the subject."""
    first, _, rest = name.partition(" ")
    called = rf"{re.escape(name)}(?!['’]s)|{re.escape(first)}(?!['’]s| {re.escape(rest)})" if rest else re.escape(name)
    return re.compile(rf"(|[^.;]{{3,60}}?)\b(?:{called}|(?i:{pronoun}))\b\s+(.*)", re.DOTALL)


@lru_cache(maxsize=2048)
def _coordinated(text: str) -> tuple[str, ...]:
    words = text.split(" ")
    cuts = [0]
    for number in range(1, len(words)):
        before, here = words[number - 1], words[number].strip(",")
        joined = before in {"and", "but", "then"} or before.endswith(",")
        if joined and is_third(here.lower()) and here[:1].islower():
            cuts.append(number)
    ends = [*cuts[1:], len(words)]
    pieces = (_trimmed(" ".join(words[start:end])) for start, end in zip(cuts, ends, strict=True))
    return tuple(piece for piece in pieces if piece)


def _trimmed(piece: str) -> str:
    """Remove the words that lead to the next piece."""
    bare = re.sub(r",? and,[^,]*,?$", "", piece)
    return re.sub(r"[,;]?\s*(?:\band|\bor|\bbut|\bthen|,|;|\s)*$", "", bare).strip(" ,;")


def base_form(predicate: str) -> str:
    """`keeps the cafe open and closes it` becomes `keep the cafe open`: the first verb in its bare form."""
    verb, _, rest = predicate.partition(" ")
    return f"{base(verb.lower())} {rest}".strip()


def to_first(predicate: str, pronoun: Pronoun) -> str:
    """`is finishing his book` becomes `I'm finishing my book`."""
    verb, _, rest = predicate.partition(" ")
    opening = {"is": "I'm", "has": "I have", "does": "I do", "was": "I was"}.get(verb.lower())
    opening = opening or f"I {_first_verb(verb)}"
    shifted = _clauses_shifted(rest, pronoun)
    return f"{opening} {shifted}".strip()


def _clauses_shifted(text: str, pronoun: Pronoun) -> str:
    """Put the pronouns of a predicate into the first person."""
    shifted = re.sub(
        rf"\b{pronoun.subject} (\w+)",
        lambda found: f"I {_first_verb(found[1])}",
        text,
    )
    return _my_own(shifted, pronoun)


def _first_verb(verb: str) -> str:
    """Return the form of a verb that goes with `I`; adverbs stay."""
    if is_adverb(verb) or not re.search(r"[a-rt-z]s$", verb):
        return "am" if verb == "are" else verb
    return {"is": "am", "was": "was"}.get(verb) or base(verb)


def in_first_person(text: str, name: str) -> str:
    """`Ada Stone and Ben Reed are friends, and Ada likes Ben` becomes `Ben Reed and I are friends, and I like Ben`."""
    first, _, rest = name.partition(" ")
    other = re.sub(rf"^{re.escape(name)} and ({FULL_NAME.pattern})", r"\1 and \0", text).replace("\0", "I")
    called = rf"(?:{re.escape(name)}|{re.escape(first)}(?! {re.escape(rest)}))" if rest else re.escape(name)
    other = re.sub(rf"\b{called}['’]s\b", "my", other)
    return capitalised(re.sub(rf"\b{called}(?: (\w+))?", _as_i, other))


def _as_i(found: re.Match[str]) -> str:
    """Return `I` before a verb, `me` elsewhere."""
    following = found[1] or ""
    if (
        is_third(following)
        or is_modal(following)
        or is_past(following)
        or is_adverb(following)
        or re.search(r"[^s]s$|ed$", following)
    ):
        return f"I {_first_verb(following)}"
    return f"me {following}".strip()


def _my_own(text: str, pronoun: Pronoun) -> str:
    """`finishing his book by himself` becomes `finishing my book by myself`, `a friend of his` `a friend of mine`."""
    text = re.sub(rf"\b{pronoun.reflexive}\b", "myself", text)
    text = re.sub(r"\bof (?:his|hers|theirs)(?=\s*(?:$|[.,;:!?]|and\b|or\b|who\b|in\b|at\b|on\b))", "of mine", text)
    if pronoun is HE:
        return re.sub(r"\bhim\b", "me", re.sub(r"\bhis\b", "my", text))
    if pronoun is SHE:
        text = re.sub(r"\bher(?=\s+(?:$|and\b|or\b|to\b|in\b|at\b|on\b|for\b|with\b|when\b|[.,;]))|\bher$", "me", text)
        return re.sub(r"\bher\b", "my", text)
    return re.sub(r"\bthem\b", "me", re.sub(r"\btheir\b", "my", text))
