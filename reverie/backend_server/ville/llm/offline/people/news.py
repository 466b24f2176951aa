"""News: who does what, where and when, read out of any text that says so, and put into words again unharmed."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import lru_cache

from ville.llm.offline.english.grammar import FULL_NAME, sentences
from ville.llm.offline.english.hours import DATE, DAY, Span, day_in, span_in, spoken_day, spoken_span
from ville.llm.offline.english.wordlist import first_of, words

OCCASIONS = (
    "dinner party", "party", "celebration", "get-together", "gathering", "concert", "exhibition", "vernissage",
    "wedding", "picnic", "barbecue", "potluck", "festival", "fair", "game night", "movie night", "quiz night", "quiz",
    "open mic", "poetry reading", "reading", "workshop", "debate", "rally", "tournament", "performance", "screening",
    "premiere", "auction", "ceremony", "funeral", "meeting", "show", "dance", "ball",
)  # fmt: skip
"""What people can be invited to; the longer name first."""
FEAST_NAMES = {
    "valentine": "Valentine's Day", "birthday": "birthday", "christmas": "Christmas", "new year": "New Year's",
    "halloween": "Halloween", "easter": "Easter", "farewell": "farewell", "housewarming": "housewarming",
    "engagement": "engagement", "anniversary": "anniversary", "graduation": "graduation",
}  # fmt: skip
ANNOUNCEMENTS = {
    "candidacy": r"(?:run(?:ning|s)?|stand(?:ing|s)?)(?: as a candidate)? for (?:the )?(?P<what>mayor|president|council"
    r"|governor|chair|office)(?P<tail>(?: in (?:the |next |this )[^,.;?!]*?elections?)?)|candidate for (?:the )?"
    r"(?P<what2>mayor|president|council)(?P<tail2>(?: in (?:the |next |this )[^,.;?!]*?elections?)?)",
    "engagement": r"(?:got |is |are |am |'m )engaged(?: to [A-Z]\w+(?: [A-Z]\w+)?)?",
    "baby": r"(?:expecting a (?:baby|child)|pregnant|having a baby)",
    "break-up": r"(?:broke|broken|split) up(?: with [A-Z]\w+(?: [A-Z]\w+)?)?|getting divorced",
    "work": r"(?:got|found|started|lost|quit) (?:a|an|his|her|my|their|the) (?:\w+ )?job[^,.;?!]*",
    "move": r"moving (?:away|out|to another)[^,.;?!]*",
    "prize": r"won (?:a|the|first) [^,.;?!]*?(?:prize|award|competition|contest|scholarship|tournament|election)",
    "illness": r"(?:fallen|fell|very|seriously|is|been) (?:ill|sick)\b|in hospital",
    "closing": r"(?:closing down|selling) (?:the|his|her|my|their) (?:shop|store|cafe|pub|business|house)",
    "success": r"(?:published|sold) (?:a|his|her|my|the first|their) [^,.;?!]*?(?:book|novel|painting|album|story|app)",
}  # fmt: skip
"""Kind → what it sounds like; the words that match are kept, in the third person."""
TOLD_AS = {
    "engagement": "is engaged", "baby": "is expecting a baby", "move": "is moving away", "illness": "is ill",
    "break-up": "has been through a break-up",
}  # fmt: skip
PRIVATE = re.compile(
    r"\b(?:secret(?:ly)?|crush|in love|never told|told nobody|nobody knows|told no one|guards? it|attracted to)\b",
    re.IGNORECASE,
)
"""What people keep to themselves."""
HEARSAY = re.compile(rf"(?:heard|learned|learnt|knows|know)(?: it)? from ({FULL_NAME.pattern})|"
                     rf"(?:told|invited) by ({FULL_NAME.pattern})")  # fmt: skip
OVERHEARD = "conversing about"
NO_NEWS = re.compile(rf"{OVERHEARD}|^This is .{{1,40}} plan for ")
"""What others talk about is not for one's ears, and a plan is no news."""

_NOUN = re.compile(rf"\b((?:[\w'’-]+\s+){{0,4}}?)({'|'.join(OCCASIONS)})\b(?!-)", re.IGNORECASE)
_HOST_VERB = re.compile(
    r"\b(?:giv(?:e|es|ing)|gave|plan(?:s|ning(?!:))?|host(?:s|ing)?|throw(?:s|ing)?|hold(?:s|ing)?|organi[sz](?:e|es|ing)|having"
    r"|preparing|arranging|set \w+ mind|invit(?:e|es|ed|ing)|celebrat(?:es|ing))\b"
)
_HOST = re.compile(rf"{FULL_NAME.pattern}|\bI\b|\b[Ww]e\b|\b[Ss]?[Hh]e\b|\b[Tt]hey\b|\b[A-Z][a-z]+\b")
_INVITED_BY = re.compile(rf"invited by ({FULL_NAME.pattern})")
_POSSESSIVE = re.compile(rf"({FULL_NAME.pattern})['’]s?\s+(?:[\w'’-]+\s+){{0,3}}$")
_STOPS = words("""
    a an the her his their my your our this that to at of for on in and with about from attend join host having giving
    throwing planning is as into decorate decorating another next some
    """)
_AMBIGUOUS = words("show ball dance reading quiz fair gathering meeting screening")
"""These are occasions only with an article before them: people also show, dance and gather."""
_PLACE_WORDS = (
    "cafe|coffee house|pub|bar|restaurant|park|library|college|school|market|store|shop|house|home|garden|hall|square"
    "|beach|church|classroom|dorm|apartment|flat|room|theatre|gallery|museum|office|hospital"
)
_PROPER = r"(?:The |the )?[A-Z][\w'’&-]*(?:(?: (?:and|of|for|the|&))? [A-Z][\w'’&-]*)*"
_PLACE = re.compile(
    rf"\b(at|in|to)\s+((?!I\b)(?:{_PROPER}(?: (?:{_PLACE_WORDS}))?|(?:the|my|her|his|their|our|a) (?:\w+"
    rf" )?(?:{_PLACE_WORDS})))\b"
)
_QUESTION = re.compile(r"\b(?:who|whether|if anybody|anyone who)\b[^,;.?!]{0,40}$", re.IGNORECASE)
_SUBJECT = re.compile(
    rf"(?:(?<!in )(?<!at )(?<!of ){FULL_NAME.pattern}|\bI\b|\byou\b|\b[Ss]he\b|\b[Hh]e\b)(?!['’]s \w+ (?:is|has))"
)
_ARTICLES = words("a an the his her their my our your next")
_GOES_ON = re.compile(r"(?:It|This|That|The (?:party|event)|She|He|They|Everybody|Everyone|On|From|At)\b")
_ANNOUNCED = {kind: re.compile(pattern) for kind, pattern in ANNOUNCEMENTS.items()}
_CLAUSE_START = re.compile(r"\bthat\b|[;:]|\bbecause\b")


@dataclass(frozen=True)
class News:
    """An occasion (with a day) or an announcement (without). Unknown parts are empty."""

    kind: str
    who: str
    what: str
    """`Valentine's Day party`, or `is running for mayor in next month's local election`."""
    day: date | None = None
    span: Span = field(default_factory=Span)
    place: str = ""

    @property
    def is_occasion(self) -> bool:
        return self.kind not in ANNOUNCEMENTS

    @property
    def detail(self) -> int:
        """How much of it is known."""
        return sum((bool(self.who), bool(self.place), self.day is not None, self.span.start is not None,
                    self.span.end is not None, " " in self.what))  # fmt: skip

    @property
    def can_be_told(self) -> bool:
        """Whether it is known whose it is, or at least when and where."""
        return bool(self.who or (self.place and self.span.start is not None))

    @property
    def noun(self) -> str:
        """`Isabella Rodriguez's Valentine's Day party`, `the rooftop concert`."""
        return f"{self.who}'s {self.what}" if self.who else f"the {self.what}"

    def is_over(self, now: datetime) -> bool:
        if self.day is None or self.day != now.date():
            return self.day is not None and self.day < now.date()
        end = self.span.end if self.span.end is not None else (self.span.start or DAY - 120) + 120
        return now.hour * 60 + now.minute >= end

    def has_begun(self, now: datetime) -> bool:
        begins = self.span.start if self.span.start is not None else DAY
        return self.is_over(now) or (self.day == now.date() and now.hour * 60 + now.minute >= begins)

    def is_same(self, other: "News") -> bool:
        """Whether both tell of one thing, however much each of them knows."""
        return (
            self.kind == other.kind
            and (not self.who or not other.who or called_alike(self.who, other.who))
            and (self.day is None or other.day is None or self.day == other.day)
        )

    def when_and_where(self, *, year: bool = False) -> str:
        """`at Hobbs Cafe on February 14th, from 5pm to 7pm`."""
        parts = [f"at {self.place}"] if self.place else []
        if self.day is not None:
            parts.append(f"on {spoken_day(self.day)}" + (f", {self.day.year}" if year else ""))
        told = spoken_span(self.span)
        return " ".join(parts) + (f", {told}" if told and parts else told)

    def as_noun(self, *, year: bool = False) -> str:
        """`Isabella Rodriguez's Valentine's Day party at Hobbs Cafe on February 14th, from 5pm to 7pm`."""
        if not self.is_occasion:
            return f"the news that {self.who} {self.what}"
        return f"{self.noun} {self.when_and_where(year=year)}".strip()

    def as_sentence(self, *, year: bool = False) -> str:
        """`Isabella Rodriguez is giving a Valentine's Day party at …`."""
        if not self.is_occasion:
            return f"{self.who} {self.what}"
        opening = f"{self.who} is giving" if self.who else "there will be"
        return f"{opening} {with_article(self.what)} {self.when_and_where(year=year)}".strip()


def called_alike(one: str, other: str) -> bool:
    """Whether two names, whole or first only, can mean the same person."""
    return one == other or first_of(one) == other or first_of(other) == one


def with_article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


@lru_cache(maxsize=8192)
def news_in(text: str, today: date, teller: str = "", listener: str = "") -> tuple[News, ...]:
    """Everything new that a text tells, seen from `today`. `teller` is who says `I` in it, `listener` who is `you`."""
    if NO_NEWS.search(text):
        return ()
    parts = sentences(text.replace("*", ""))
    found: list[News] = []
    for number in range(len(parts)):
        around = _Around(". ".join(parts[:number]), parts[number], parts[number + 1 : number + 3], teller, listener)
        found += _announcements(around)
        found += _occasions(around, today)
    return tuple(merged(found))


@dataclass(frozen=True)
class _Around:
    """A sentence in its surroundings."""

    before: str
    sentence: str
    after: list[str]
    teller: str
    listener: str

    def person(self, said: str, at: int) -> str:
        """The full name behind a name or a pronoun at some place of the sentence."""
        if said in {"I", "We", "we"}:
            return self.teller
        if said == "you":
            return self.listener
        ahead = f"{self.before}. {self.sentence[:at]}"
        names = FULL_NAME.findall(ahead)
        if said.lower() in {"she", "he", "they"}:
            told = HEARSAY.search(ahead)
            return (told[1] or told[2]) if told else names[0] if names else ""
        return said if " " in said else next((name for name in names if name.startswith(f"{said} ")), "")

    @property
    def window(self) -> str:
        """The sentence with those that go on about it."""
        window = self.sentence
        for following in self.after:
            if not _GOES_ON.match(following):
                break
            window += f". {following}"
        return window


def merged(found: Iterable[News]) -> list[News]:
    """One item a thing, each with all that is known of it, in order of first mention."""
    kept: list[News] = []
    for item in found:
        same = next((number for number, other in enumerate(kept) if other.is_same(item)), None)
        if same is None:
            kept.append(item)
        else:
            kept[same] = _joined(kept[same], item)
    return kept


def news_known(dated: Iterable[tuple[str, date]], teller: str = "") -> list[News]:
    """What may be told of all that texts tell, each seen from its own day: yesterday's `tonight` is not today's."""
    found = merged(item for text, day in dated for item in news_in(text, day, teller))
    return [item for item in found if item.can_be_told]


def _joined(one: News, other: News) -> News:
    best, rest = (one, other) if one.detail >= other.detail else (other, one)
    who = max(best.who, rest.who, key=len)
    span = best.span if best.span.start is not None else rest.span
    if span.end is None and rest.span.start in {None, span.start}:
        span = replace(span, end=rest.span.end)
    what = max((best.what, rest.what), key=lambda words: len(words.split()))
    return replace(best, who=who, what=what, day=best.day or rest.day, span=span, place=best.place or rest.place)


def _occasions(around: _Around, today: date) -> list[News]:
    """Occasions that the sentence names and that have a day."""
    nouns = [noun for noun in _NOUN.finditer(around.sentence) if _is_occasion(noun)]
    if not nouns:
        return []
    window = around.window
    dated = DATE.search(window)
    day = day_in(dated[0] if dated else window, today)
    if day is None:
        return []
    span, place = span_in(DATE.sub(" ", window)), _place(window)
    found = [
        News(noun[2].lower(), _host(around, noun.start(2)), _named(noun[1], noun[2], around.sentence), day, span, place)
        for noun in nouns
    ]
    vague = not dated and span.start is None and not place
    return [] if vague else [item for item in found if dated or item.can_be_told]


def _is_occasion(noun: re.Match[str]) -> bool:
    before = noun[1].split()
    return noun[2].lower() not in _AMBIGUOUS or bool(_ARTICLES & {word.lower() for word in before[-3:]})


def _place(window: str) -> str:
    """The first place that is no feast, no month and nobody's name."""
    for found in _PLACE.finditer(window):
        words = found[2].removesuffix("'s")
        known = re.search(rf"\b(?:{_PLACE_WORDS})$", words.lower())
        feast = any(sign in words.lower() for sign in FEAST_NAMES) or DATE.match(f"{words} 1")
        if not feast and (known or (found[1] != "to" and not found[2].endswith("'s"))):
            return words
    return ""


def _named(modifiers: str, noun: str, sentence: str) -> str:
    """`Valentine's Day party` from `a party for Valentine's Day` as from `her Valentine's Day party`."""
    low = sentence.lower()
    if feast := next((name for sign, name in FEAST_NAMES.items() if sign in low), ""):
        return f"{feast} {noun.lower()}"
    words = modifiers.split()
    while words and any(word.lower() in _STOPS or re.search(r"['’]s?$|[a-z]ed$|[A-Z]", word) for word in words):
        words.pop(0)
    return " ".join([*words, noun.lower()])


def _host(around: _Around, at: int) -> str:
    ahead = around.sentence[:at]
    if named := _INVITED_BY.search(around.sentence):
        return named[1]
    if owner := _POSSESSIVE.search(ahead):
        return owner[1]
    if around.teller and re.search(r"\b(?:my|our)\b[^.;]{0,40}$", ahead, re.IGNORECASE):
        return around.teller
    clause = _CLAUSE_START.split(ahead)[-1]
    for part in (clause, ahead):
        verbs = list(_HOST_VERB.finditer(part))
        hosts = _HOST.findall(part[: verbs[-1].start()]) if verbs else []
        if hosts:
            return around.person(hosts[-1], len(ahead) - len(clause))
    return ""


def _announcements(around: _Around) -> list[News]:
    found = []
    for kind, pattern in _ANNOUNCED.items():
        said = pattern.search(around.sentence)
        if said is None or PRIVATE.search(around.sentence):
            continue
        ahead = around.sentence[: said.start()]
        who = "" if _QUESTION.search(ahead) else _announcer(ahead, around)
        if who:
            found.append(News(kind=kind, who=who, what=_announced(kind, said)))
    return found


def _announcer(ahead: str, around: _Around) -> str:
    """The nearest subject before an announcement, within its clause."""
    clause = _CLAUSE_START.split(ahead)[-1]
    subjects = _SUBJECT.findall(clause)
    return around.person(subjects[-1], len(ahead)) if subjects else ""


def _announced(kind: str, said: re.Match[str]) -> str:
    """The predicate in the third person."""
    if kind == "candidacy":
        return f"is running for {said['what'] or said['what2']}{said['tail'] or said['tail2'] or ''}"
    if kind in TOLD_AS:
        return TOLD_AS[kind]
    words = re.sub(r"\b(?:my|his|her)\b", "their", said[0]).strip()
    return f"is {words}" if first_of(words).endswith("ing") else f"has {words}"


def source_of(texts: Iterable[str], item: News, today: date) -> str:
    """Who told it, as far as the texts say so."""
    for text in texts:
        told = HEARSAY.search(text)
        if told and any(item.is_same(other) for other in news_in(text, today)):
            return told[1] or told[2]
    return ""
