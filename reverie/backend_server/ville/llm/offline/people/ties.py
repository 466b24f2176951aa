"""What two people are to each other: the table of ties, and the sentence that says it."""

import re
from collections.abc import Iterable
from functools import lru_cache
from random import Random

from ville.llm.offline.english.wordlist import first_of
from ville.llm.offline.people.opinions import feeling

TIES = (
    (r"\bin love with|crush on", "{name} is secretly in love with {other}"),
    (r"\b(?:wife|husband|married|marriage)\b", "{name} and {other} are married"),
    (r"is {first_other}'s son|\bis (?:\w+ )?(?:his|her|their) (?:mother|father)|'s (?:mother|father)\b",
     "{other} and {name} are parent and child"),
    (r"'s (?:son|daughter)\b|\bis (?:his|her|their) (?:son|daughter)", "{name} and {other} are parent and child"),
    (r"\bmentor\b", "{other} is something like a mentor to {name}"),
    (r"\bprofessor\b|\bstudent of\b", "{name} and {other} know each other as student and professor"),
    (r"\b(?:close|best|good) friends?\b|\bclose to\b|\bare close\b", "{name} and {other} are close friends"),
    (r"\bfriends?\b", "{name} and {other} are friends"),
    (r"\bhousemates?\b|shared? (?:a|the|the same) house|same house|lived across the hall", ("{name} and {other} share"
                                                                                           " a house")),
    (r"\bclassmates?\b|\bdorm(?:mates?)?\b|from class|classes together|goes to school", ("{name} and {other} study"
                                                                                        " together")),
    (r"\bcolleagues?\b|works? with|same shop", "{name} and {other} are colleagues"),
    (r"\bneighbours?\b|\bneighbors?\b|next door|doors from", "{name} and {other} are neighbours"),
    (r"\b(?:regular|guest|customer)\b|at (?:his|her|the) (?:cafe|bar|pub)|'s (?:cafe|bar|pub)",
     "{name} and {other} know each other from the counter, as host and guest"),
    (r"\bhas (?:known|heard of)\b|\b(?:knows|met|finds|likes|dislikes|thinks|enjoys)\b",
     "{name} knows {other} from around town"),
    (r"{first_name}(?: \w+)?['’]s \w+", "{name} knows {other} from around town"),
    (r"talk(?:ed|ing)|conversing|told|invited|heard from|found out", "{name} and {other} have talked now and then"),
)  # fmt: skip
"""What memories say → what the two are; the first that is found counts."""
FEELINGS = {
    2: ("and {name} cares deeply about {first_other}", "and there are few people whom {name} would rather see",
        "and {name} is happy whenever {first_other} is near"),
    1: ("and {name} likes {first_other}", "and {name} enjoys {first_other}'s company", ("and {name} thinks well of"
                                                                                       " {first_other}"),
        "and {name} is glad of it"),
    0: ("and {name} has made up no mind about {first_other} yet", "and it is a peaceful acquaintance",
        "and {name} has nothing against {first_other}"),
    -1: ("but {name} keeps a certain distance", "but {name} does not quite trust {first_other}", ("but it is not an"
                                                                                                 " easy tie")),
    -2: ("but {name} dislikes {first_other}", "but {name} would rather have {first_other} out of sight",
         "but {name} cannot stand {first_other}"),
}  # fmt: skip
DISTANT, ACQUAINTED = 0.25, 0.6
_CLOSE = re.compile(r"\b(?:in love|married|parent|mentor|friends|share a house)\b")
_KIN = "wife|husband|spouse|partner|son|daughter|mother|father|brother|sister"
_LOVE = re.compile(r"\b(?:in love|married|parent)\b")
_FAMILY = re.compile(r"\bare (?:married|parent)")
_MARRIED = re.compile(r"\bare married")
PARENTS = {"mother": "Mum", "father": "Dad"}
"""What they are → what their children call them."""
STRANGERS = "{name} and {other} hardly know each other"


def tie(name: str, other: str, texts: Iterable[str]) -> str:
    """The first row that memories about the other show, filled in; nothing for strangers."""
    return _tie_in(name, other, tuple(text for text in texts if mentions(text, other)))


@lru_cache(maxsize=8192)
def _tie_in(name: str, other: str, about: tuple[str, ...]) -> str:
    names = {"name": name, "other": other, "first_other": first_of(other)}
    kin = [text for text in about if _is_kin(text, name, other)]
    for pattern, said in TIES:
        fitting = kin if _FAMILY.search(said) else about
        shape = pattern.replace("{first_other}", re.escape(names["first_other"]))
        shape = shape.replace("{first_name}", re.escape(first_of(name)))
        if any(re.search(shape, text) for text in fitting):
            return said.format_map(names)
    return ""


def _is_kin(text: str, name: str, other: str) -> bool:
    """Whether a text says that the two are family, and not that one of them and somebody else are."""
    whose = rf"(?:his|her|their|{re.escape(name)}'s|{re.escape(first_of(name))}'s)"
    if re.search(rf"{re.escape(other)}(?: is|,) {whose} (?:\w+ )?(?:{_KIN})\b", text):
        return True
    if re.search(rf"{whose} marriage with {re.escape(other)}\b", text):
        return True
    return f"{name} and {other} are" in text or f"{other} and {name} are" in text


def closeness(name: str, other: str, texts: Iterable[str]) -> float:
    """From DISTANT, for strangers, to 1, for friends and family."""
    told = tie(name, other, texts)
    return 1.0 if _CLOSE.search(told) else ACQUAINTED if told else DISTANT


def is_love(name: str, other: str, texts: Iterable[str]) -> bool:
    """Whether it is more than friendship."""
    return bool(_LOVE.search(tie(name, other, texts)))


def is_family(name: str, other: str, texts: Iterable[str]) -> bool:
    return bool(_FAMILY.search(tie(name, other, texts)))


def is_married(name: str, other: str, texts: Iterable[str]) -> bool:
    return bool(_MARRIED.search(tie(name, other, texts)))


def parent_name(name: str, other: str, texts: Iterable[str]) -> str:
    """What somebody calls the other who is a parent; nothing, if that is not so."""
    whose = rf"(?:his|her|their|{re.escape(name)}'s|{re.escape(first_of(name))}'s)"
    said = re.compile(rf"{re.escape(other)}(?: is|,) {whose} (mother|father)\b")
    return next((PARENTS[found[1]] for text in texts if (found := said.search(text))), "")


def impression(name: str, other: str, texts: tuple[str, ...], rng: Random) -> str:
    """One sentence: what the other is, and what is felt about it."""
    names = {
        "name": first_of(name),
        "first_other": first_of(other),
    }
    told = tie(name, other, texts)
    if not told:
        return f"{STRANGERS.format(name=name, other=other)}."
    felt = feeling([text for text in texts if mentions(text, other)], other)
    return f"{told}, {rng.choice(FEELINGS[felt]).format_map(names)}."


def mentions(text: str, name: str) -> bool:
    return bool(name) and name in text
