"""Choose what is said by the rows of data/talk.yaml."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

from ville.offline.conditions import BLANKS, CONDITIONS
from ville.offline.grammar import called_alike
from ville.offline.table import fault, load, rows
from ville.offline.talks.dialogue import OF_WORK, Dialogue
from ville.offline.talks.news import NO_NEWS, NewsItem
from ville.offline.talks.sayings import exists, filled, keys, subject_of, templates

SOMETIMES = 0.45
"""How often a part of a row with a question mark is said."""
_BLANK = re.compile(r"\{(\w+)\}")
_ANSWERED = re.compile(r"^(?:ask|thank|welcome) ")


@dataclass(frozen=True)
class SpeechRow:
    """A row of talk.yaml."""

    say: tuple[str, ...]
    to: tuple[str, ...] = ()
    when: tuple[str, ...] = ()
    sight: str = ""
    chance: float = 1.0


@cache
def table() -> dict[str, tuple[SpeechRow, ...]]:
    """Return the rows by section. Raises BadRules."""
    found = {section: rows(values, SpeechRow) for section, values in load("talk.yaml").items()}
    for row in (row for section in found.values() for row in section):
        if unknown := [name for name in row.when if name.removeprefix("not ") not in CONDITIONS]:
            raise fault(unknown[:1], f"unknown condition '{unknown[0]}'; known are {', '.join(CONDITIONS)}")
    return found


def respond(talk: Dialogue) -> str:
    """Return what is said to the other's last words; empty if there are none."""
    if not talk.last:
        return ""
    if talk.last_news:
        return " ".join(dict.fromkeys(_response(replace(talk, item=item)) for item in talk.last_news[:2]))
    return _response(replace(talk, item=item_at_hand(talk)))


def _response(talk: Dialogue) -> str:
    heard = _kinds_heard(talk)
    return next((said for row in table()["responses"]
                 if (not row.to or heard & set(row.to)) and (said := spoken(row, talk))), "")  # fmt: skip


def _kinds_heard(talk: Dialogue) -> set[str]:
    """Return what kind of utterance the other's last words are: news, a question, its key, and so on."""
    if talk.last_news:
        return {"news"}
    if talk.question:
        return {"question", talk.question.key}
    found = {line.key for line in talk.last}
    found |= {"work"} if found & set(OF_WORK) else set()
    return found | ({"yes or no"} if found & {"accept", "decline", "decline shift"} and talk.item.kind else set())


def item_at_hand(talk: Dialogue) -> NewsItem:
    """Return the news that an answer or a remark is about."""
    if talk.question and talk.question.key == "ask election":
        candidacies = (item for item in talk.mind.known if item.kind == "candidacy")
        return next((item for item in candidacies if not talk.mentioned(item) and not talk.has_told(item)), NO_NEWS)
    told = [item for items in talk.told_news for item in items if item.is_occasion]
    return next(iter([*told, *talk.mind.recent]), NO_NEWS)


def bring_up(talk: Dialogue) -> str:
    """Return the next thing to bring up: excuses and news first, then whatever suits the company."""
    if urgent := bring_up_news(talk):
        return urgent
    section = "among guests" if talk.party.kind else "at home" if talk.kin else "anywhere"
    choices = [row for row in table()[section] if row.say[0] not in talk.keys and _is_fresh(row.say[0], talk)]
    talk.rng.shuffle(choices)
    return _first_said(choices, talk) or say("small talk", talk)


def _is_fresh(key: str, talk: Dialogue) -> bool:
    """Return whether few talks of late were about what a line is about."""
    about = str(load("gists.yaml")["parts"].get(key, ""))
    return "{" in about.replace("{one}", "") or talk.has_room_for(about.replace("{one}", talk.me.first))


def bring_up_news(talk: Dialogue) -> str:
    """Return what has happened, an excuse, a word about a past occasion, or news that the other may not know."""
    if talk.incident and "tell incident" not in talk.keys:
        return say("tell incident", talk)
    for item in talk.mind.recent:
        looking_back = "ask there" in talk.keys or any(key.startswith("look back") for key in talk.keys)
        if not looking_back and (said := _first_said(table()["before all else"], replace(talk, item=item))):
            return said
    for item in sorted(talk.mind.known, key=lambda item: item.who != talk.me.name):
        if not talk.mentioned(item) and talk.will_tell(item):
            return _first_said(table()["news"], replace(talk, item=item))
    return ""


def _first_said(choices: Iterable[SpeechRow], talk: Dialogue) -> str:
    return next((said for row in choices if (said := spoken(row, talk))), "")


def spoken(row: SpeechRow, talk: Dialogue) -> str:
    """Return the words of a row; empty if it does not hold or its first part cannot be said."""
    holds = all(CONDITIONS[name.removeprefix("not ")](talk) != name.startswith("not ") for name in row.when)
    if not holds or talk.rng.random() >= row.chance:
        return ""
    talk = replace(talk, sight=talk.sighting(row.sight)) if row.sight else talk
    if row.sight and talk.sight is None:
        return ""
    said = ""
    for number, part in enumerate(row.say):
        optional = part.endswith("?") and talk.rng.random() >= SOMETIMES
        words = "" if optional else _one_of(part.removesuffix("?"), talk.after(said) if said else talk)
        if not words and number == 0:
            return ""
        said = f"{said} {words}".strip()
    return said


def _one_of(part: str, talk: Dialogue) -> str:
    """Return a line of `a`, of any of `a | b`, or of the first of `a / b` that can be said."""
    names = part.split(" / ")
    if " | " in part:
        fresh = [name for name in part.split(" | ") if name not in talk.keys | talk.earlier_keys]
        names = talk.rng.sample(fresh, len(fresh))
    return next((said for name in names if (said := say(_key(name, talk), talk))), "")


def _key(name: str, talk: Dialogue) -> str:
    """Return the key that a name stands for at this point of a conversation; most stand for themselves."""
    subject = subject_of(talk.work_told_by(talk.other))
    if name == "answer" and talk.question:
        return f"answer {_ANSWERED.sub('', talk.question.key)}"
    if name == "interest in subject":
        return f"interest {subject}"
    choices = {"ask about": "ask about ", "question on subject": f"ask {subject} "}
    if name in choices:
        said = talk.keys | talk.earlier_keys
        fresh = [key for key in keys(choices[name])
                 if key not in said and talk.has_room_for(key.removeprefix("ask about "))]  # fmt: skip
        return talk.rng.choice(fresh) if fresh and (subject or name == "ask about") else ""
    return name


def say(key: str, talk: Dialogue) -> str:
    """Return a line of a key with its blanks filled; empty if no line can be filled.

    Lines that have been said are avoided, and the other's name in an utterance that has it already. What was asked in
    the last days is not asked again.
    """
    if not exists(key):
        return ""
    filled_in = (text for line in templates(key, talk.manner) if (text := _filled(line, talk)))
    lines = [text for text in filled_in if not talk.has_asked(key, text)]
    fresh = [line for line in lines if _stem(line) not in talk.everything_said]
    called = BLANKS["other"](talk)
    chosen = [line for line in fresh if called not in line] if called in talk.saying else fresh
    return talk.rng.choice(chosen or fresh or lines) if lines else ""


def _filled(line: str, talk: Dialogue) -> str:
    blanks = {name: _told(talk) if name == "told" else BLANKS[name](talk) for name in _BLANK.findall(line)}
    return filled(line, blanks) if all(blanks.values()) else ""


def _told(talk: Dialogue) -> str:
    """Return words that say where the news comes from."""
    teller = BLANKS["teller"](talk)
    firsthand = teller and called_alike(teller, talk.item.who)
    return say("told in person" if firsthand else "told by" if teller else "told", talk)


def _stem(line: str) -> str:
    """Return the beginning of a line up to a name that may differ; all of it if that is a word or two."""
    beginning = re.split(r"[,.!?:]", line)[0]
    return beginning if len(beginning.split()) > 2 else line  # noqa: PLR2004 - a word or two
