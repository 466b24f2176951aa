"""The table of trades: what people of a calling do when they work, and where they like to do it."""

import re
from dataclasses import dataclass
from functools import lru_cache

from ville.llm.offline.english.grammar import Pronoun, base_form, predicates, sentences
from ville.llm.offline.english.hours import DATE
from ville.llm.offline.english.verbs import doing, is_third
from ville.llm.offline.english.wordlist import first_of
from ville.llm.offline.people.person import Person


@dataclass(frozen=True)
class Trade:
    words: str
    """Pattern of the texts that mean it; the first row that is found in an identity counts."""
    work: str
    """Phrases for a stretch of work, with bars between them."""
    hours: tuple[int, int] = (3, 3)
    """How long the mornings' and the afternoons' stretches are, for those who keep no fixed hours."""

    @property
    def phrases(self) -> tuple[str, ...]:
        return tuple(phrase.strip() for phrase in self.work.split("|"))


TRADES = (
    Trade("retired|pensioner", "read a thick book | write letters | go for a walk in the park | sort out old papers",
          (1, 1)),
    Trade("professor|teacher|lecturer|teaches",
          "work on the paper | prepare the next lecture | correct essays at the desk"),
    Trade(r"studies (?:\w+ )?sociology|student.{0,60}sociology",
          "work on the paper in the library | study in the library"),
    Trade(r"studies (?:\w+ )?physics|student.{0,60}physics",
          "solve physics problem sheets | study for the physics exam"),
    Trade(r"studies (?:\w+ )?chemistry|student.{0,60}chemistry",
          "study chemistry in the library | learn for the chemistry exam"),
    Trade(r"studies (?:\w+ )?literature|student.{0,60}literature",
          "work on the thesis in the library | study in the library"),
    Trade(r"studies (?:\w+ )?music|student.{0,60}music|composer",
          "compose a piece for class | study music theory in the library"),
    Trade(r"\bstudent\b|\bstudies \w+ at",
          "study in the library | write an essay in the library | attend a lecture at the college"),
    Trade("photograph", "sort and edit photographs | choose photographs for the series | label photographs"),
    Trade("animat|digital art|illustrat",
          "animate a scene | work on the animation at the desk | try out new tools for digital art"),
    Trade("watercolou?r", "paint in watercolour | choose pictures for the exhibition | finish a watercolour"),
    Trade(r"painter|paints|sculptor|\bartist\b(?!s)",
          "paint at the easel | sketch the next painting | prepare canvases and paint"),
    Trade("actor|actress|comedian|film", "write a script | rehearse a scene | work on the web series"),
    Trade("books for children|children's (?:book|author)",
          "write the children's story | draw the hero of the children's story | draw a comic"),
    Trade(r"\bpoet\b|poems|poetry", "write a poem | put the book of poems in order | rewrite old poems"),
    Trade(r"novelist|\bnovel\b|\bwriter\b|\bauthor\b",
          "write the novel | rewrite a chapter of the novel | read for the novel | draw up plans for a podcast"),
    Trade(r"software|programmer|developer|engineer|\bapp\b",
          "build the next part of the app | test the new screens of the app | draw new screens for the app"),
    Trade("mathematic",
          "work on a proof | look for the formula behind a pattern | fill the blackboard with equations"),
    Trade("philosoph",
          "write the book on philosophy | think about creativity and write | read philosophy at the desk"),
    Trade("lawyer|attorney|accountant|tax",
          "go through the books of a firm | read tax law | write a legal letter at the desk"),
    Trade(r"\bdoctor\b|\bnurse|physician|dentist|\bvet\b", "see patients | write notes about the patients"),
    Trade("journalist|reporter", "write an article | work on an article at the desk | make notes for an article"),
    Trade("musician|singer|pianist|guitarist|violin", "practise the piano | compose a song | practise the guitar"),
    Trade("carpent|mechanic|plumb|electrician|handyman", "repair a broken thing | work at the workshop bench"),
    Trade("farmer|gardener|florist", "work in the garden | do the weeding in the garden"),
    Trade(r"chef|cook\b|baker", "cook something new | bake bread"),
    Trade("pharmacist|pharmacy", "learn for the pharmacy course | work through the pharmacy course at the desk"),
    Trade(r"\bpub\b|\bbar\b|bartend|rose and crown",
          "study the art of mixing drinks | go over the accounts of the pub", (2, 1)),
    Trade("cafe|restaurant|bakery", "write the menu at the desk | go over the accounts of the cafe", (1, 1)),
    Trade("store|shop|market|grocer|merchant", "go over the accounts at the desk | write the orders at the desk",
          (1, 1)),
    Trade("keeps the house|homemaker|housewife|household|stay-at-home",
          "tidy and clean the house | bake something for a neighbour | do the laundry | put the pantry in order",
          (3, 2)),
    Trade("scientist|research|scholar", "work on the paper | read research papers at the desk"),
    Trade("athlete|trainer|coach", "go for a training run in the park | lift weights", (2, 1)),
)  # fmt: skip
ANYBODY = Trade("", "work at the desk | take care of some business at the desk | tidy up at home", (2, 2))
_ROWS = tuple((re.compile(rf"\b(?:{trade.words})", re.IGNORECASE), trade) for trade in TRADES)

_ABSORBED = re.compile(
    r"^(?:is|has been) (?:in the middle of|deep in|halfway through|busy with|absorbed in|at work on) (.+)"
)
_BEGUN = re.compile(r"^has (?:begun|started|taken up) (?:to )?(.+)")
_CUT = re.compile(
    r"[,:;(]|\b(?:in which|about which|who|and what|so that|because|when|while|to see that|to make|between)\b"
)
_NO_PROJECT = re.compile(
    r"^is (?:a|an|the|well|content|curious|excited|single|new|going to|telling|very|thinking|hoping|wondering|dreaming"
    r"|looking forward)\b|\b(?:secret(?:ly)?|lives|shares|has a|wants|means|asks|wonders|likes|loves|follows|knows"
    r"|tries|would|party|invit\w*|mayor)\b"
)
_STATE = re.compile(
    r"(?:is|has|does|knows|likes|loves|lives|wants|feels|thinks|means|needs|owns|finds|remembers|forgets|looks|comes|goes"
    r"|hopes|wishes|believes)\b"
)
"""Verbs that are no work."""
LONGEST = 64
"""Characters of a project's name in a plan."""


@lru_cache(maxsize=1024)
def trade_of(person: Person) -> Trade:
    """The calling that an identity shows: what was learned counts before what goes on just now."""
    for text in (person.learned, person.currently, person.requirement):
        for pattern, trade in _ROWS:
            if text and pattern.search(text):
                return trade
    own = tuple(base_form(piece) for piece in _deeds(person.learned, person))
    return Trade("", " | ".join(own)) if own else ANYBODY


def _deeds(text: str, person: Person) -> list[str]:
    """What a text says that the person does, in a few words each: `is a diver who counts fish` is `counts fish`."""
    pieces = [piece for sentence in sentences(text) for piece in predicates(sentence, person.name, person.pronoun)]
    told = [re.sub(r"^is an? [^,.]*? who ", "", piece) for piece in pieces]
    return [_short(piece) for piece in told if is_third(first_of(piece)) and not _STATE.match(piece)]


@lru_cache(maxsize=1024)
def projects_of(person: Person) -> tuple[str, ...]:
    """What the person is at, in its own words, as in `writing a book about creativity`."""
    found = (project(piece, person.pronoun) for piece in person.busy_with)
    return tuple(words for words in found if words)


def project(predicate: str, pronoun: Pronoun) -> str:
    """The work in a predicate, or nothing. `is deep in her thesis` becomes `working on her thesis`."""
    if absorbed := _ABSORBED.match(predicate):
        return _short(f"working on {absorbed[1]}")
    if begun := _BEGUN.match(predicate):
        thing = begun[1]
        starts_with_verb = not re.match(rf"(?:a|an|the|{pronoun.possessive})\b", thing)
        return _short(doing(f"is {thing}") if first_of(thing).endswith("ing") else
                      doing(thing) if starts_with_verb else f"working on {thing}")  # fmt: skip
    if predicate.startswith("is ") and predicate.split()[1].endswith("ing") and not _NO_PROJECT.search(predicate):
        return _short(predicate.removeprefix("is "))
    return ""


def _short(words: str) -> str:
    dated = DATE.search(words)
    cut = _CUT.split(words[: dated.start()] if dated else words)[0].strip()
    while len(cut) > LONGEST and " " in cut:
        cut = re.sub(r"\s+(?:(?:of|for|about|with|behind|out of|from|in|on|to)\s)?\S*$", "", cut)
    return re.sub(r"\s+(?:and|or|of|for|about|with|the|a|on|in|to|from|his|her|their)$", "", cut)
