"""Structured news and memory records: how they are written as sentences, and parsed from these sentences."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cache, lru_cache

from ville.offline.day.hours import DATE, DAY, HOUR, Span, day_in, span_in, spoken_day, spoken_span
from ville.offline.grammar import called_alike, first_of
from ville.offline.rule_types import Answer
from ville.offline.table import Value, load, pattern

FILE = "news.yaml"
CANCELLATION = "cancellation"
"""Kind of an announcement: what its subject was going to give does not take place."""


@cache
def occasions() -> tuple[str, ...]:
    return tuple(load(FILE)["occasions"])


@dataclass(frozen=True)
class Announcement:
    """A row of announcements in news.yaml."""

    kind: str
    means: re.Pattern[str]
    told: str = ""


@cache
def announcements() -> tuple[Announcement, ...]:
    named = "|".join(occasions())
    return tuple(
        Announcement(row["kind"], re.compile(row["means"].replace("{occasion}", named)), row.get("told", ""))
        for row in load(FILE)["announcements"]
    )


@cache
def _announced() -> frozenset[str]:
    return frozenset(row.kind for row in announcements())


@cache
def private() -> re.Pattern[str]:
    """Return the pattern of secrets."""
    return pattern(rf"(?:{load(FILE)['private']})\b")


@dataclass(frozen=True)
class NewsItem:
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
        return bool(self.kind) and self.kind not in _announced()

    @property
    def detail(self) -> int:
        """Number of known parts."""
        return sum((bool(self.who), bool(self.place), self.day is not None, self.span.start is not None,
                    self.span.end is not None, " " in self.what))  # fmt: skip

    @property
    def can_be_told(self) -> bool:
        """Whether host, or at least time and place, are known."""
        return bool(self.who or (self.place and self.span.start is not None))

    @property
    def noun(self) -> str:
        """`Isabella Rodriguez's Valentine's Day party`, `the rooftop concert`, `Sam Moore's candidacy`."""
        what = self.what if self.is_occasion else self.kind
        return f"{self.who}'s {what}" if self.who else f"the {what}"

    @property
    def theme(self) -> str:
        """Subject of a conversation about it."""
        if self.is_occasion:
            return self.noun + (f" at {self.place}" if self.place else "")
        if self.kind != "candidacy":
            return f"the news that {self.who} {self.what}"
        return f"{self.who} {self.brief if ' for ' in self.brief else self.what.removeprefix('is ')}"

    @property
    def brief(self) -> str:
        """Return the news in few words: `running for mayor`."""
        return self.what.removeprefix("is ").partition(" in ")[0]

    def is_over(self, now: datetime) -> bool:
        if self.day is None or self.day != now.date():
            return self.day is not None and self.day < now.date()
        end = self.span.end if self.span.end is not None else (self.span.start or DAY - 2 * HOUR) + 2 * HOUR
        return now.hour * HOUR + now.minute >= end

    def has_begun(self, now: datetime) -> bool:
        begins = self.span.start if self.span.start is not None else DAY
        return self.is_over(now) or (self.day == now.date() and now.hour * HOUR + now.minute >= begins)

    def is_same(self, other: "NewsItem") -> bool:
        """Return whether both are about the same thing."""
        return (
            self.kind == other.kind
            and (not self.who or not other.who or called_alike(self.who, other.who))
            and (self.day is None or other.day is None or self.day == other.day)
        )

    def is_of(self, name: str) -> bool:
        """Return whether it is about this persona."""
        return bool(self.who) and called_alike(self.who, name)

    def when_and_where(self, *, year: bool = False) -> str:
        """`at Hobbs Cafe on February 14th, from 5pm to 7pm`."""
        parts = [f"at {self.place}"] if self.place else []
        if self.day is not None:
            parts.append(f"on {spoken_day(self.day)}" + (f", {self.day.year}" if year else ""))
        told = spoken_span(self.span)
        return " ".join(parts) + (f", {told}" if told and parts else told)

    def as_noun(self, *, year: bool = False) -> str:
        """`Isabella Rodriguez's Valentine's Day party at Hobbs Cafe on February 14th, from 5pm to 7pm`."""
        return f"{self.noun} {self.when_and_where(year=year)}".strip()

    def as_sentence(self, *, year: bool = False) -> str:
        """`Isabella Rodriguez is giving a Valentine's Day party at ...`."""
        if not self.is_occasion:
            return f"{self.who} {self.what}"
        opening = f"{self.who} is giving" if self.who else "there will be"
        return f"{opening} {with_article(self.what)} {self.when_and_where(year=year)}".strip()


NO_NEWS = NewsItem("", "", "")


def with_article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def merged(found: Iterable[NewsItem]) -> list[NewsItem]:
    """Merge items about the same thing, in order of first mention."""
    kept: list[NewsItem] = []
    for item in found:
        same = next((number for number, other in enumerate(kept) if other.is_same(item)), None)
        if same is None:
            kept.append(item)
        elif kept[same] != item:
            kept[same] = _joined(kept[same], item)
    return kept


def _joined(one: NewsItem, other: NewsItem) -> NewsItem:
    best, rest = (one, other) if one.detail >= other.detail else (other, one)
    span = best.span if best.span.start is not None else rest.span
    if span.end is None and rest.span.start in {None, span.start}:
        span = replace(span, end=rest.span.end)
    what = max((best.what, rest.what), key=lambda words: len(words.split()))
    who = max(best.who, rest.who, key=len)
    return replace(best, who=who, what=what, day=best.day or rest.day, span=span, place=best.place or rest.place)


_WHEN_AND_WHERE = (
    rf"(?: at (?P<place>[^,.;]+?))?(?:,? (?:today, |tomorrow, )?on (?:\w+day, )?(?P<day>{DATE.pattern}))?"
    r"(?:,? (?P<hours>from \S+ to \S+|at \d\S*|until \S+))?"
)
_GIVING = re.compile(
    r"(?:(?P<me>I'm)|(?:my [a-z]+ )?(?P<who>[^,.;:]+?) is) giving an? (?P<what>[^,.;]+?)" + _WHEN_AND_WHERE
    + r"|there will be an? (?P<thing>[^,.;]+?)" + _WHEN_AND_WHERE.replace("?P<", "?P<its_"),
    re.IGNORECASE,
)  # fmt: skip
_NOUN = re.compile(r"(?:the|(?P<who>(?!the )[^,.;:]+?)'s) (?P<what>[^,.;]+?)" + _WHEN_AND_WHERE, re.IGNORECASE)


@lru_cache(maxsize=8192)
def told(sentence: str, today: date, teller: str = "") -> NewsItem | None:
    """Return the occasion that a sentence of `as_sentence` or `as_noun` tells; None for any other sentence."""
    bare = sentence.strip().rstrip(".")
    found = _GIVING.fullmatch(bare) or _NOUN.fullmatch(bare)
    if found is None:
        return None
    parts = {name.removeprefix("its_"): text for name, text in found.groupdict().items() if text}
    what = parts.get("what") or parts.get("thing") or ""
    kind = next((name for name in occasions() if what.lower().endswith(name)), "")
    day = day_in(parts["day"], today) if "day" in parts else None
    if not kind or day is None:
        return None
    who = teller if "me" in parts else parts.get("who", "")
    return NewsItem(kind, who, what, day, span_in(parts.get("hours", "")), parts.get("place", ""))


_HOST_OF = {"has invited": "me", "was invited": "other"}
"""Role of the host in a record."""
PLANNING = re.compile(r"^For .{1,60}'s planning: ")


@dataclass(frozen=True)
class MemoryRecord:
    """A parsed sentence of memories.yaml."""

    kind: str
    me: str
    other: str = ""
    topic: str = ""
    what: str = ""
    news: NewsItem | None = None
    answer: str = ""
    """Whether the guest comes: `yes`, `no` or empty."""
    guest: str = ""
    """First name of the guest who answered."""


@cache
def _memories() -> Value:
    return load("memories.yaml")


def written(kind: str, **blanks: str) -> str:
    """Return the sentence of a record."""
    return str(_memories()["records"][kind]["says"]).format_map({"answer": "", "mood": ""} | blanks)


def memory(kind: str, **blanks: str) -> Answer:
    """Return a record as an answer of `after_conversation`: sentence, predicate, object and weight."""
    row, text = _memories()["records"][kind], written(kind, **blanks)
    return {
        "text": text,
        "predicate": row["verb"],
        "object": row["thing"].format_map(blanks),
        "poignancy": row["weight"],
    }


def answer_text(answer: str, guest: str) -> str:
    """Return `, and Klaus wants to go`, or an empty string."""
    return str(_memories()["answers"][answer]).format(first=first_of(guest)) if answer else ""


def opinion_text(key: str, listener: str) -> str:
    """Return `, and Klaus supports it`."""
    return str(_memories()["opinions"][key]).format(first=first_of(listener))


def opinions() -> tuple[str, ...]:
    return tuple(_memories()["opinions"])


def moods(*, goes: bool) -> list[str]:
    return list(_memories()["moods"]["goes" if goes else "stays"])


def talked() -> list[str]:
    return list(_memories()["talked"])


_BLANKS = {
    "me": r"(?P<me>[^,;:]+?)", "other": r"(?P<other>[^,;:]+?)", "topic": r"(?P<topic>.+)", "what": r"(?P<what>.+)",
    "news": r"(?P<news>.+?)", "noun": r"(?P<noun>.+?)", "mood": r"(?:,.*)?",
}  # fmt: skip


@cache
def _shapes() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Return kind, longest literal part and pattern of each record."""
    endings = {**_memories()["answers"], **{f"={key}": line for key, line in _memories()["opinions"].items()}}
    ends = "|".join(re.escape(line).replace(r"\{first\}", r"\S+") for line in endings.values())
    blanks = _BLANKS | {"answer": rf"(?P<answer>(?:{ends})?)"}
    found = []
    for kind, row in _memories()["records"].items():
        parts = re.split(r"\{(\w+)\}", row["says"])
        shape = "".join(blanks[part] if number % 2 else re.escape(part) for number, part in enumerate(parts))
        found.append((kind, max(parts[::2], key=len), re.compile(shape)))
    return tuple(found)


@lru_cache(maxsize=65536)
def record_of(text: str, day: date) -> MemoryRecord | None:
    """Return the record in a memory; None for other sentences."""
    for kind, sign, shape in _shapes():
        if sign in text and (found := shape.fullmatch(PLANNING.sub("", text).rstrip("."))):
            parts = {name: value or "" for name, value in found.groupdict().items()}
            news = told(parts.get("news") or parts.get("noun") or "", day)
            host = parts.get(_HOST_OF.get(kind, ""), "")
            news = replace(news, who=host) if news and host else news
            answer, guest = _answered(parts.get("answer", ""))
            rest = {name: parts.get(name, "") for name in ("me", "other", "topic", "what")}
            return MemoryRecord(kind, **rest, news=news, answer=answer, guest=guest)
    return None


def _answered(text: str) -> tuple[str, str]:
    words = text.split(" ")
    guest = words[2] if len(words) > 2 else ""  # noqa: PLR2004 - `, and Klaus ...`
    for answer in _memories()["answers"]:
        if guest and text == answer_text(answer, guest):
            return answer, guest
    return "", guest
