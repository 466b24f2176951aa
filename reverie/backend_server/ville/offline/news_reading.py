"""Extract news from free English (histories, whispers, identities) and from the rules' own sentences."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache

from ville.offline.day.hours import DATE, Span, day_in, span_in
from ville.offline.grammar import FULL_NAME, first_of, sentences
from ville.offline.table import load, pattern, shape, words
from ville.offline.talks.news import (
    CANCELLATION,
    FILE,
    Announcement,
    NewsItem,
    announcements,
    merged,
    occasions,
    private,
    record_of,
    told,
)
from ville.offline.talks.ties import OVERHEARD

HEARSAY = re.compile(rf"(?:heard|learned|learnt|knows|know)(?: it)? from ({FULL_NAME.pattern})|"
                     rf"(?:told|invited) by ({FULL_NAME.pattern})")  # fmt: skip
_NO_NEWS = re.compile(rf"{OVERHEARD}|^This is .{{1,40}} plan for ")
"""Overheard talk and plans are not news."""
_HOST = re.compile(rf"{FULL_NAME.pattern}|\bI\b|\b[Ww]e\b|\b[Ss]?[Hh]e\b|\b[Tt]hey\b|\b[A-Z][a-z]+\b")
_INVITED_BY = re.compile(rf"invited by ({FULL_NAME.pattern})")
_POSSESSIVE = re.compile(rf"({FULL_NAME.pattern})['’]s?\s+(?:[\w'’-]+\s+){{0,3}}$")
_OWN = re.compile(r"\b(?:my|our)\b[^.;]{0,40}$", re.IGNORECASE)
_PROPER = r"(?:The |the )?[A-Z][\w'’&-]*(?:(?: (?:and|of|for|the|&))? [A-Z][\w'’&-]*)*"
_QUESTION = re.compile(r"\b(?:who|whether|if anybody|anyone who)\b[^,;.?!]{0,40}$", re.IGNORECASE)
_SUBJECT = re.compile(
    rf"(?:(?<!in )(?<!at )(?<!of ){FULL_NAME.pattern}|\bI\b|\byou\b|\b[Ss]he\b|\b[Hh]e\b)(?!['’]s \w+ (?:is|has))"
)
_ARTICLES = {"a", "an", "the", "her", "his", "their", "my", "our", "your", "next"}
_GOES_ON = re.compile(r"(?:It|This|That|The (?:party|event)|She|He|They|Everybody|Everyone|On|From|At)\b")
_CLAUSE_START = re.compile(r"\bthat\b|[;:]|\bbecause\b")


@cache
def _noun() -> re.Pattern[str]:
    return re.compile(rf"\b((?:[\w'’-]+\s+){{0,4}}?)({'|'.join(occasions())})\b(?!-)", re.IGNORECASE)


@cache
def _place_in() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of a place with its preposition, and of the words that end its name."""
    names = load(FILE)["places"]
    shape = rf"{_PROPER}(?: (?:{names}))?|(?:the|my|her|his|their|our|a) (?:\w+ )?(?:{names})"
    return re.compile(rf"\b(at|in|to)\s+((?!I\b)(?:{shape}))\b"), re.compile(rf"\b(?:{names})$")


@cache
def _worth_reading() -> re.Pattern[str]:
    """Return a pattern of words without which a text holds no news."""
    kinds = "|".join(rf"(?:{row.means.pattern})" for row in announcements())
    return pattern("|".join(occasions()) + "|" + re.sub(r"\?P<\w+>", "?:", kinds))


@lru_cache(maxsize=65536)
def news_in(text: str, today: date, teller: str = "", listener: str = "") -> tuple[NewsItem, ...]:
    """Return the news in a text of `today`, in which `teller` is `I` and `listener` is `you`."""
    if not _worth_reading().search(text) or _NO_NEWS.search(text):
        return ()
    record = record_of(text, today)
    exact = record.news if record else told(text, today, teller)
    return (exact,) if exact else _read(text, today, teller, listener)


def _read(text: str, today: date, teller: str, listener: str) -> tuple[NewsItem, ...]:
    parts = sentences(text.replace("*", ""))
    found: list[NewsItem] = []
    for number, part in enumerate(parts):
        if _worth_reading().search(part):
            around = _Around(". ".join(parts[:number]), part, tuple(parts[number + 1 : number + 3]), teller, listener)
            found += [*_announced_in(around, today), *_occasions_in(around, today)]
    return tuple(merged(found))


def news_known(dated: Iterable[tuple[str, date]], teller: str = "") -> list[NewsItem]:
    """Return the news in dated texts that can be told."""
    found = merged(item for text, day in dated for item in news_in(text, day, teller))
    return [item for item in found if item.can_be_told]


@dataclass(frozen=True)
class _Around:
    """A sentence with its context."""

    before: str
    sentence: str
    after: tuple[str, ...]
    teller: str
    listener: str

    def person(self, said: str, at: int) -> str:
        """Return the full name behind a name or pronoun at a position of the sentence."""
        if said in {"I", "We", "we", "you"}:
            return self.listener if said == "you" else self.teller
        ahead = f"{self.before}. {self.sentence[:at]}"
        names = FULL_NAME.findall(ahead)
        if said.lower() in {"she", "he", "they"}:
            source = HEARSAY.search(ahead)
            return (source[1] or source[2]) if source else names[0] if names else ""
        return said if " " in said else next((name for name in names if name.startswith(f"{said} ")), "")

    @property
    def window(self) -> str:
        """The sentence with those that continue it."""
        window = self.sentence
        for following in self.after:
            if not _GOES_ON.match(following):
                break
            window += f". {following}"
        return window


def _occasions_in(around: _Around, today: date) -> list[NewsItem]:
    """Return the occasions in the sentence that have a date."""
    nouns = [noun for noun in _noun().finditer(around.sentence) if _is_occasion(noun)]
    window = around.window
    dated = DATE.search(window)
    day = day_in(dated[0] if dated else window, today) if nouns else None
    if day is None:
        return []
    span, place = span_in(DATE.sub(" ", window)), _place(window)
    found = [
        NewsItem(
            noun[2].lower(), _host(around, noun.start(2)), _named(noun[1], noun[2], around.sentence), day, span, place
        )
        for noun in nouns
    ]
    vague = not dated and span.start is None and not place
    return [] if vague else [item for item in found if dated or item.can_be_told]


def _is_occasion(noun: re.Match[str]) -> bool:
    before = {word.lower() for word in noun[1].split()[-3:]}
    return noun[2].lower() not in load(FILE)["ambiguous"] or bool(_ARTICLES & before)


def _place(window: str) -> str:
    """Return the first place that is not a feast, a month or a person."""
    shape, ending = _place_in()
    for found in shape.finditer(window):
        name = found[2].removesuffix("'s")
        feast = any(sign in name.lower() for sign in load(FILE)["feasts"]) or DATE.match(f"{name} 1")
        if not feast and (ending.search(name.lower()) or (found[1] != "to" and not found[2].endswith("'s"))):
            return name
    return ""


def _named(modifiers: str, noun: str, sentence: str) -> str:
    """Return the full name of an occasion: `Valentine's Day party`, also for `a party for Valentine's Day`."""
    low = sentence.lower()
    if feast := next((name for sign, name in load(FILE)["feasts"].items() if sign in low), ""):
        return f"{feast} {noun.lower()}"
    kept = modifiers.split()
    while kept and any(
        word.lower() in words(FILE, "not in a name") or re.search(r"['’]s?$|[a-z]ed$|[A-Z]", word) for word in kept
    ):
        kept.pop(0)
    return " ".join([*kept, noun.lower()])


def _host(around: _Around, at: int) -> str:
    ahead = around.sentence[:at]
    if named := _INVITED_BY.search(around.sentence) or _POSSESSIVE.search(ahead):
        return named[1]
    if around.teller and _OWN.search(ahead):
        return around.teller
    clause = _CLAUSE_START.split(ahead)[-1]
    for part in (clause, ahead):
        verbs = list(shape("hosting").finditer(part))
        hosts = _HOST.findall(part[: verbs[-1].start()]) if verbs else []
        if hosts:
            return around.person(hosts[-1], len(ahead) - len(clause))
    return ""


def _announced_in(around: _Around, today: date) -> list[NewsItem]:
    found = []
    for row in announcements():
        said = row.means.search(around.sentence)
        if said is None or private().search(around.sentence):
            continue
        ahead = around.sentence[: said.start()]
        subjects = _SUBJECT.findall(_CLAUSE_START.split(ahead)[-1])
        who = around.person(subjects[-1], len(ahead)) if subjects and not _QUESTION.search(ahead) else ""
        if row.kind == CANCELLATION and not subjects:
            who = around.teller  # `The party is cancelled` is said by its host
        if who:
            told = (
                row.told.replace("{what}", _named("", said["what"], around.sentence)) if "{" in row.told else row.told
            )
            what = told or _predicate(row.kind, said)
            found.append(NewsItem(row.kind, who, what, span=_new_hours(said, today), place=_off(row, around)))
    return found


def _new_hours(said: re.Match[str], today: date) -> Span:
    """Return the hours to which something has been moved today, if they are said."""
    when = said.groupdict().get("when") or ""
    return span_in(when) if day_in(when, today) in {None, today} else Span()


def _off(row: Announcement, around: _Around) -> str:
    """Return where something was going to take place that does not, if it is said."""
    return _place(around.sentence) if row.kind == CANCELLATION else ""


def _told(row: Announcement, said: re.Match[str], sentence: str) -> str:
    """Return how it is passed on; what does not take place is called by its full name."""
    if "{what}" in row.told:
        return row.told.replace("{what}", _named("", said["what"], sentence))
    return row.told or _predicate(row.kind, said)


def _predicate(kind: str, said: re.Match[str]) -> str:
    """Return an announcement in the third person."""
    if kind == "candidacy":
        office = f" for {said['what'] or said['what2']}{said['tail'] or said['tail2'] or ''}"
        return f"is running{said['against'] or ''}{said['race'] or office}"
    words = re.sub(r"\b(?:my|his|her)\b", "their", said[0]).strip()
    return f"is {words}" if first_of(words).endswith("ing") else f"has {words}"
