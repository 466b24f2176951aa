"""Saying the same of another person: `you` becomes a name, a name becomes `I`, `his paper` becomes `your paper`."""

import re
from dataclasses import dataclass
from functools import lru_cache

from ville.llm.offline.table import words
from ville.llm.offline.verbs import base, first_of, is_adverb, is_base, is_modal, is_past, is_third, third


@dataclass(frozen=True)
class Pronoun:
    """How a person is spoken of."""

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
"""Words that begin sentences and are nobody's first name."""
FULL_NAME = re.compile(rf"\b(?!(?:{NO_NAMES})\b)[A-Z][\w’-]+(?: (?:van|von|de|der|di|la))*(?: [A-Z][\w’-]+){{1,3}}")


def sentences(text: str) -> list[str]:
    """A text cut into its sentences, without the marks at their ends."""
    parts = _SENTENCE.split(_ABBREVIATION.sub("\x00", text))
    return [part.replace("\x00", ".").strip(" .\n") for part in parts if part.strip(" .\n")]


def called_alike(one: str, other: str) -> bool:
    """Return whether two names, whole or first only, can mean the same person."""
    return one == other or first_of(one) == other or first_of(other) == one


def pronoun_in(text: str) -> Pronoun:
    """The pronoun that a text uses most."""
    he, she = len(_HE_WORDS.findall(text)), len(_SHE_WORDS.findall(text))
    return THEY if he == she else HE if he > she else SHE


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def lower_first(text: str) -> str:
    """For the middle of a sentence; names and `I` keep their capital."""
    return text if re.match(r"I\b|[A-Z][\w’']*(?: [A-Z]|'s)", text) else text[:1].lower() + text[1:]


def predicates(sentence: str, name: str, pronoun: Pronoun) -> list[str]:
    """What a sentence says of its subject, one piece a verb: `is painting a wall`, `goes to bed early`."""
    found = _subject_of(name, pronoun.subject).match(sentence) if name else None
    return list(_coordinated(" ".join(found[2].split()))) if found else []


def with_opening(sentence: str, name: str, pronoun: Pronoun) -> list[str]:
    """Like `predicates`; what stood before the subject, as in `From 8am to 8pm she`, goes behind the first piece."""
    found = _subject_of(name, pronoun.subject).match(sentence) if name else None
    if found is None:
        return []
    first, *others = _coordinated(" ".join(found[2].split())) or ("",)
    return [f"{first} {lower_first(found[1].strip(' ,'))}".strip(), *others]


@lru_cache(maxsize=512)
def _subject_of(name: str, pronoun: str) -> re.Pattern[str]:
    """What may stand before the subject, and what follows it."""
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
    """Without the words that led on to the next piece."""
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
    """The rest of a predicate with its own pronouns in the first person."""
    shifted = re.sub(
        rf"\b{pronoun.subject} (\w+)",
        lambda found: f"I {_first_verb(found[1])}",
        text,
    )
    return _my_own(shifted, pronoun)


def _first_verb(verb: str) -> str:
    """The verb of `he ...` as it goes with `I`; adverbs stay."""
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
    """`I` before a verb, `me` elsewhere."""
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
    """`finishing his book by himself` becomes `finishing my book by myself`."""
    text = re.sub(rf"\b{pronoun.reflexive}\b", "myself", text)
    if pronoun is HE:
        return re.sub(r"\bhim\b", "me", re.sub(r"\bhis\b", "my", text))
    if pronoun is SHE:
        text = re.sub(r"\bher(?=\s+(?:$|and\b|or\b|to\b|in\b|at\b|on\b|for\b|with\b|when\b|[.,;]))|\bher$", "me", text)
        return re.sub(r"\bher\b", "my", text)
    return re.sub(r"\bthem\b", "me", re.sub(r"\btheir\b", "my", text))


_CONTRACTIONS = {
    "you're": "you are", "you've": "you have", "you'll": "you will", "you'd": "you would", "don't": "do not",
    "aren't": "are not", "haven't": "have not", "didn't": "did not", "weren't": "were not", "’": "'",
}  # fmt: skip
_THIRD_OF = {"are": "is", "have": "has", "were": "was", "do": "does", "am": "is"}
_TOKEN = re.compile(r"[\w'-]+|[^\w\s]+|\s+")


def to_third(text: str, name: str, pronoun: Pronoun) -> str:
    """What is said to a person, said about it: `You love your cafe` becomes `Ada Stone loves her cafe`."""
    for short, long in _CONTRACTIONS.items():
        text = re.sub(re.escape(short), long, text, flags=re.IGNORECASE) if short in text.lower() else text
    text = re.sub(r"\byou have been (?=(?:\w+ )?(?:friends|married|neighbours|colleagues|housemates)\b(?! with))",
                  "they have been ", text)  # fmt: skip
    text = re.sub(r"\b[Yy]ou two\b|\b[Yy]ou both\b", "the two", text)
    text = re.sub(r"\b(between|(?:two|both|all|some) of) you\b", r"\1 them", text)
    return _Teller(name, pronoun).told(_TOKEN.findall(text))


class _Teller:
    """Goes through the words of a whisper once and remembers whether its person has been named and is the subject."""

    def __init__(self, name: str, pronoun: Pronoun) -> None:
        self.name = name
        self.pronoun = pronoun
        self.named = False
        self.expects_verb = False
        self.subject = False

    def told(self, tokens: list[str]) -> str:
        out: list[str] = []
        for number, token in enumerate(tokens):
            out.append(self._word(token, [other for other in tokens[:number] if other.strip()], tokens[number + 1 :]))
        return capitalised("".join(out).strip())

    def _word(self, token: str, before: list[str], after: list[str]) -> str:
        low = token.lower()
        if low in {"your", "yours", "yourself"}:
            return self._own(low)
        if low == "you":
            return self._you(before, [word.lower() for word in after if word.strip()])
        if low.isalpha() and self.expects_verb:
            return self._verb(token)
        if low.isalpha() and self.subject and self._continues(low, before):
            return _THIRD_OF.get(low) or third(low)
        if token in {".", ";"}:
            self.subject = False
        return token

    def _own(self, word: str) -> str:
        if word == "yourself":
            return self.pronoun.reflexive
        if self.named and self.pronoun is not THEY:
            return self.pronoun.possessive
        spoken = first_of(self.name) if self.named else self.name
        self.named = True
        return f"{spoken}'s"

    def _you(self, before: list[str], after: list[str]) -> str:
        following = after[0] if after else ""
        last = before[-1].lower() if before else ""
        is_subject = _is_subject(last, after)
        joins_people = following in {"and", ","} or (last == "and" and _plural(before))
        self.expects_verb = is_subject and not joins_people
        self.subject = self.subject or self.expects_verb
        if not self.named:
            self.named = True
            return self.name
        if self.pronoun is THEY:
            return first_of(self.name)
        return self.pronoun.subject if is_subject else self.pronoun.object

    def _verb(self, token: str) -> str:
        low = token.lower()
        if is_adverb(low):
            return token
        self.expects_verb = False
        if low in _THIRD_OF:
            return _THIRD_OF[low]
        if is_modal(low) or is_past(low) or low.endswith("ed") or not is_base(low):
            return token
        return third(low)

    def _continues(self, low: str, before: list[str]) -> bool:
        """Whether this is a second verb of the same subject, as in `love hip-hop and make beats`."""
        if not (is_base(low) or low in _THIRD_OF) or not before or before[-1].lower() not in {"and", "but"}:
            return False
        return low in _THIRD_OF or "to" not in [word.lower() for word in before[-8:]]


def _is_subject(last: str, after: list[str]) -> bool:
    """Whether a `you` between these words does something, rather than having it done to it."""
    if not last or last in words("verbs.yaml", "before subject") or not last[-1].isalnum():
        return True
    following = [word for word in after[:2] if not is_adverb(word)]
    verb = following[0] if following else ""
    return verb in _THIRD_OF or is_modal(verb) or (is_base(verb) and base(last) not in words("verbs.yaml", "causes"))


def _plural(before: list[str]) -> bool:
    """Whether `and` joins two people rather than two verbs."""
    return len(before) > 1 and before[-2][:1].isupper()
