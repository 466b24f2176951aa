"""Words to a person turned into a statement about it, and the core of a statement: subject, verb and object."""

import re
from unicodedata import category

from ville.offline.grammar import (
    AFTER_VERB,
    FULL_NAME,
    THEY,
    Pronoun,
    base,
    capitalised,
    first_of,
    is_adverb,
    is_base,
    is_modal,
    is_past,
    is_third,
    third,
)
from ville.offline.table import words
from ville.plain_text import shortened

LONGEST = 200
"""Maximum characters of an object."""
AUXILIARY = {"is", "are", "was", "were", "has", "have", "had", "does", "do", "did", "will"}
_FILE = "verbs.yaml"
_CONTRACTIONS = {
    "you're": "you are", "you've": "you have", "you'll": "you will", "you'd": "you would", "don't": "do not",
    "aren't": "are not", "haven't": "have not", "didn't": "did not", "weren't": "were not", "’": "'",
}  # fmt: skip
_THIRD_OF = {"are": "is", "have": "has", "were": "was", "do": "does", "am": "is"}
_SUBJECT, _OBJECT, _OWN, _QUOTED = "\x01", "\x02", "\x03", "\x04"
"""Marks for `you` as subject, `you` as object, `your`, and words in quotation marks."""
QUOTE = re.compile(r"\"[^\"]+\"|“[^”]+”|«[^»]+»")
_TOGETHER = re.compile(r"\byou have been (?=(?:\w+ )?(?:friends|married|neighbours|colleagues|housemates)\b(?! with))")
FIRST_WORDS = re.compile(r"(^|[.!?] +)(please,? )?((?:do not|never|always) )?(\w+)(?=([^.!?]*))", re.IGNORECASE)
"""Of each sentence: what may make it an order, its first word, and what follows."""
CLAUSE = re.compile(r",| (?:that|what|when|who|whom|if|because|and|so|before|after|where|how|why|as|while|until)\b")
_END = re.compile(r"[,;]| -- |(?<=\w\w)[.!?][\"”»]?\s")


def whispered_thought(whisper: str, name: str, pronoun: Pronoun) -> str:
    """Return any whisper as words about a person, as far as grammar goes."""
    return to_third(whisper, name, pronoun) if any(map(_says_something, whisper)) else f"{name} hears nothing"


def _says_something(char: str) -> bool:
    """Return whether a character is more than punctuation: a letter, a digit or an emoji."""
    return char.isalnum() or category(char) == "So"


def is_english(text: str) -> bool:
    """Return whether a text has a word by which English is known: an article, a pronoun, a verb in the third person."""
    own = words(_FILE, "english")
    return any(word in own or is_third(word) for word in re.findall(r"[a-z]+", text.lower()))


def triple(sentence: str, name: str) -> tuple[str, str, str]:
    """Return subject, verb and object of a sentence; the name it begins with is the subject."""
    first = re.match(rf"{re.escape(first_of(name))}(?= [^A-Z])", sentence)
    begins = FULL_NAME.match(sentence)
    if begins and first_of(begins[0]).lower() in words(_FILE, "openings"):
        begins = None
    named, subject = (first[0], name) if first else (begins[0], begins[0]) if begins else (name, name)
    following = sentence.partition(named)[2].split()
    for number, word in enumerate(following):
        verb = word.strip(",.;").lower()
        modal = verb in AUXILIARY or is_modal(verb) or verb.endswith("n't")
        if modal or is_third(verb) or is_past(verb) or is_base(base(verb)) or verb.endswith("ed"):
            rest = _END.split(" ".join(following[number + 1 :]))[0].strip(" .!?")
            return subject, verb, shortened(rest, LONGEST) or "so"
    return subject, "knows", shortened(capitalised(sentence.strip(" .")), LONGEST) or "nothing"


def to_third(text: str, name: str, pronoun: Pronoun) -> str:
    """Turn words to a person into words about it: `You love your cafe` becomes `Ada Stone loves her cafe`.

    An order becomes what the person should do. Words in quotation marks stay as they are.
    """
    quotes = QUOTE.findall(text)
    text = QUOTE.sub(_QUOTED, text.replace(_QUOTED, "")) if quotes else text
    for short, long in _CONTRACTIONS.items():
        text = re.sub(re.escape(short), long, text, flags=re.IGNORECASE)
    text = without_address(text, name)
    text = _TOGETHER.sub("they have been ", text)
    text = re.sub(r"\b[Yy]ou (?:two|both)\b", "the two", text)
    text = re.sub(r"\b(between|(?:two|both|all|some) of) you\b", r"\1 them", text)
    text = re.sub(r"\byourself\b", pronoun.reflexive, text, flags=re.IGNORECASE)
    text = re.sub(r"\byours?\b", _OWN, text, flags=re.IGNORECASE)
    text = re.sub(r"\byou\b", lambda found: _you(text, found), text, flags=re.IGNORECASE)
    text = FIRST_WORDS.sub(_ordered, text)
    text = re.sub(rf"({_SUBJECT}(?!,| and\b))((?: \w+)+)", lambda found: found[1] + _verb_turned(found[2]), text)
    text = re.sub(_second_verbs(), lambda found: _second_verb(text, found), text)
    text = capitalised(_named(text, name, pronoun).strip())
    rest = iter(quotes)
    return re.sub(_QUOTED, lambda _: next(rest, ""), text)


def without_address(text: str, name: str) -> str:
    """Return words without the name at their beginning, where the person is spoken to by it."""
    called = rf"(?:{re.escape(name)}|{re.escape(first_of(name))})[,!:] +(?=(\w+))"
    found = re.match(called, text, re.IGNORECASE)
    addressed = found and (found[1].lower() in {"you", "your", "please", "never"} or is_base(found[1].lower()))
    return text[found.end() :] if found and addressed else text


def _ordered(found: re.Match[str]) -> str:
    """Return the beginning of a sentence; that of an order with the person who should follow it."""
    if not is_order(found):
        return found[0]
    start, _, manner, verb, _ = found.groups(default="")
    return f"{start}{_SUBJECT} should {manner.lower().replace('do not', 'not')}{verb.lower()}"


def is_order(found: re.Match[str]) -> bool:
    """Return whether a sentence, found by its FIRST_WORDS, is for sure an order."""
    _, please, manner, verb, following = found.groups(default="")
    word, after = verb.lower(), re.findall(r"\S+", following)[:1]
    clause = CLAUSE.split(following)[0].lower().split()
    tells = any(is_third(each) or each in AUXILIARY or is_modal(each) for each in clause)
    certain = bool(please) or manner.lower() == "do not " or not is_ambiguous(word) or bool(AFTER_VERB & set(after))
    return is_base(word) and certain and not tells and after != [_SUBJECT]


def is_ambiguous(verb: str) -> bool:
    """Return whether a verb is as often a noun or an adjective."""
    return verb in words(_FILE, "nouns too") or verb in words(_FILE, "adjectives too")


def _you(text: str, found: re.Match[str]) -> str:
    """Mark a `you` as subject or object by the words around it."""
    before, after = text[: found.start()].split(), re.findall(r"\w+", text[found.end() :])
    last = before[-1].lower() if before else ""
    following = next((word.lower() for word in after[:2] if not is_adverb(word)), "")
    acts = following in _THIRD_OF or is_modal(following) or is_base(following)
    leads = not last or last in words(_FILE, "before subject") or not last[-1].isalnum()
    return _SUBJECT if leads or (acts and base(last) not in words(_FILE, "causes")) else _OBJECT


def _verb_turned(text: str) -> str:
    """Turn the first word that is not an adverb into the third person, if it is a verb in the present."""
    parts = text.split(" ")
    at = next((number for number, word in enumerate(parts) if word and not is_adverb(word)), 0)
    parts[at] = _third_or_same(parts[at])
    return " ".join(parts)


def _third_or_same(verb: str) -> str:
    past = is_modal(verb) or is_past(verb) or not is_base(verb)
    return _THIRD_OF.get(verb) or (verb if past else third(verb))


def _second_verbs() -> str:
    """Return the pattern of further verbs of a subject: after `and`, `but` or a comma, and adverbs."""
    adverbs = "|".join(sorted(words(_FILE, "adverbs")))
    return rf"(,? (?:and|but)|,)((?: (?:{adverbs}))*) (?!(?:and|but)\b)(\w+)\b"


def _second_verb(text: str, found: re.Match[str]) -> str:
    """Turn a second verb of the same subject, as in `love hip-hop and make beats`."""
    joint, adverbs, verb = found.groups()
    clause = re.split(r"[.;!]", text[: found.start()])[-1]
    own = re.split(rf"{_SUBJECT}(?!,| and\b)", clause)
    listed = clause.strip().startswith(_SUBJECT) and not is_ambiguous(verb)
    does = next((word for word in own[-1].split() if not is_adverb(word)), "")
    governed = is_modal(does) or "to" in clause.split()[-7:]
    same = len(own) > 1 and (joint != "," or listed) and (verb in _THIRD_OF or not governed)
    return f"{joint}{adverbs} {_third_or_same(verb) if same else verb}"


def _named(text: str, name: str, pronoun: Pronoun) -> str:
    """Put the name for the first mark, and pronouns for the others."""
    forms = {_SUBJECT: pronoun.subject, _OBJECT: pronoun.object, _OWN: pronoun.possessive}
    if pronoun is THEY:
        forms = {_SUBJECT: first_of(name), _OBJECT: first_of(name), _OWN: f"{first_of(name)}'s"}
    first = re.search("[\x01-\x03]", text)
    whole = f"{name}'s" if first and first[0] == _OWN else name
    text = re.sub("[\x01-\x03]", whole.replace("\\", ""), text, count=1)
    return re.sub(r"((?:^|[.!?]\s+)?)([\x01-\x03])", lambda found: _placed(found[1], forms[found[2]]), text)


def _placed(start: str, form: str) -> str:
    return start + (capitalised(form) if start else form)
