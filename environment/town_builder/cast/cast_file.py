"""Reading a people file: YAML in, a Cast out, or every fault with its line."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

import yaml

from town_builder.cast.cast import Base, Cast, Person, Places, Secret, Text
from town_builder.cast.knowledge import read_groups, read_known, read_marks, read_places
from town_builder.entries import Entry, read_entry
from town_builder.faults import Fault, TownError
from town_builder.plan.places import read_maze_name, read_name

Read = TypeVar("Read")
Fields = Mapping[str, Entry]

FORMAT = "cast/1"
EVERYBODY = "all"
OLDEST = 120
"""Years; more is a slip of the keyboard."""
TOP = ("format", "world", "maze_name", "size", "start", "secrets", "places", "groups", "bases", "people")
NEEDED = ("age", "living_area", "start", "innate", "learned", "currently", "lifestyle", "knows")
OPTIONAL = ("daily_plan_req", "thoughts", "relations", "recency_decay", "importance_trigger")
IN_BASE = ("people", "history", "everybody", "changes")
RECENCY_DECAY = 0.995
IMPORTANCE_TRIGGER = 250
NAME = re.compile(r"[^\W\d_]+(-[^\W\d_]+)*( [^\W\d_]+(-[^\W\d_]+)*)+")
"""A name becomes a folder, a part of web addresses and, with its blanks turned to `_`, a picture."""
BASE = re.compile(r"base_[a-z0-9_]+")
HISTORY = re.compile(r"[a-z0-9_]+\.csv")


def load_cast(path: Path) -> Cast:
    """The cast that a people file describes. Raises TownError with every fault that reading alone can find."""
    entry = read_entry(path)
    version = entry.need("format")
    if version.text() != FORMAT:
        version.refuse(f"format {version.text()!r} is not known", f"this builder reads `format: {FORMAT}`")
    found = entry.known(*TOP)
    places = read_places(entry.need("places"))
    groups = read_groups(found.get("groups"), places)
    faults: list[Fault] = []
    sections = _some(entry.need("people"), "add somebody")
    person = partial(_person, places=places, groups=groups)
    people = _each(sections, lambda name, section: person(name, section, _fields(section)), faults)
    if faults:
        raise TownError(faults)
    bases = _each(
        _some(entry.need("bases"), "add `base_...: {people: all}`"),
        lambda name, one: _base(name, one, sections, person),
        faults,
    )
    secrets = _each(found["secrets"].fields() if "secrets" in found else {}, _secret, faults)
    if faults:
        raise TownError(faults)
    width, height = entry.need("size").pair("width, height")
    return Cast(
        file=str(path),
        world=read_name(entry.need("world")),
        maze_name=read_maze_name(entry.need("maze_name")),
        width=width,
        height=height,
        start=_day(entry.need("start")),
        people=people,
        places=read_marks(entry.need("places")),
        bases=bases,
        secrets=secrets,
    )


def _each(sections: Fields, read: Callable[[str, Entry], Read], faults: list[Fault]) -> tuple[Read, ...]:
    """Read every section; one that cannot be read leaves its faults behind and the next one is read."""
    found = []
    for name, section in sections.items():
        try:
            found.append(read(name, section))
        except TownError as error:
            faults.extend(error.faults)
    return tuple(found)


def _some(entry: Entry, mend: str) -> Fields:
    """The parts of a mapping that may not be empty."""
    return entry.fields() or entry.refuse(f"{entry.name} has nothing in it", mend)


def _fields(section: Entry) -> Fields:
    return section.known(*NEEDED, *OPTIONAL)


def _person(name: str, section: Entry, fields: Fields, *, places: Places, groups: Mapping[str, Places]) -> Person:
    """A person from the fields of a section, some of which a base may have changed."""
    if not NAME.fullmatch(name):
        section.refuse(f"{name!r} is no name", "write first and last name: letters, hyphens, one blank between words")
    for key in NEEDED:
        if key not in fields:
            section.refuse(f"{name} has no {key!r}", f"add `{key}: ...`")
    return Person(
        name=name,
        where=section.where,
        age=_age(fields["age"]),
        living_area=_text(fields["living_area"]),
        start=fields["start"].pair(),
        innate=_text(fields["innate"]),
        learned=_text(fields["learned"]),
        currently=_text(fields["currently"]),
        lifestyle=_text(fields["lifestyle"]),
        daily_plan_req=_text(fields["daily_plan_req"]) if "daily_plan_req" in fields else None,
        knows=read_known(fields["knows"], places, groups),
        thoughts=_texts(fields["thoughts"]) if "thoughts" in fields else (),
        relations=_relations(fields["relations"]) if "relations" in fields else (),
        recency_decay=fields["recency_decay"].share() if "recency_decay" in fields else RECENCY_DECAY,
        importance_trigger=_positive(fields["importance_trigger"])
        if "importance_trigger" in fields
        else IMPORTANCE_TRIGGER,
    )


def _text(entry: Entry) -> Text:
    words = " ".join(entry.text().split())
    if not words:
        entry.refuse(f"{entry.name} says nothing", "write a sentence or leave it out")
    return Text(words, entry.where)


def _texts(entry: Entry) -> tuple[Text, ...]:
    """One text, or a list of them."""
    if isinstance(entry.node, yaml.SequenceNode):
        return tuple(_text(part) for part in entry.items())
    return (_text(entry),)


def _relations(entry: Entry) -> tuple[tuple[str, Text], ...]:
    return tuple((name, text) for name, part in entry.fields().items() for text in _texts(part))


def _positive(entry: Entry) -> int:
    value = entry.whole()
    if value < 1:
        entry.refuse(f"{entry.name} is {value}", "write a number of 1 or more")
    return value


def _age(entry: Entry) -> int:
    if (age := _positive(entry)) > OLDEST:
        entry.refuse(f"an age of {age} years", f"write a number from 1 to {OLDEST}")
    return age


def _day(entry: Entry) -> date:
    try:
        return datetime.strptime(entry.text(), "%B %d, %Y").replace(tzinfo=UTC).date()
    except ValueError:
        entry.refuse(f"{entry.text()!r} is not a day", "write it like `February 13, 2023`")


def _secret(name: str, section: Entry) -> Secret:
    section.known("holders", "signs")
    signs = section.need("signs").texts()
    parts = tuple(tuple(word.strip().lower() for word in sign.split("+")) for sign in signs)
    if not all(word for sign in parts for word in sign):
        section.refuse(f"a sign of the secret {name!r} has an empty word", "write `one` or `one + other`")
    return Secret(name, section.where, section.need("holders").texts(), parts)


def _base(name: str, section: Entry, sections: Fields, read: Callable[[str, Entry, Fields], Person]) -> Base:
    """A base: whom it contains, and what is different about them there."""
    found = section.known(*IN_BASE)
    if not BASE.fullmatch(name):
        section.refuse(f"{name!r} cannot be a base", "begin with base_ and use small letters, digits and _ only")
    names = _names(section.need("people"), sections)
    everybody = _fields(found["everybody"]) if "everybody" in found else {}
    changes = found["changes"].fields() if "changes" in found else {}
    for stranger in changes.keys() - set(names):
        changes[stranger].refuse(f"{stranger} is changed but not in {name}", "add them to its people")
    people = tuple(
        read(
            one,
            sections[one],
            {**_fields(sections[one]), **everybody, **(_fields(changes[one]) if one in changes else {})},
        )
        for one in names
    )
    history = found.get("history")
    if history and not HISTORY.fullmatch(history.text()):
        history.refuse(f"{history.text()!r} cannot be a history file", "use small letters, digits and _, then .csv")
    return Base(name, section.where, people, history.text() if history else None)


def _names(entry: Entry, sections: Fields) -> tuple[str, ...]:
    """Who is in a base, in the order of turns."""
    if isinstance(entry.node, yaml.ScalarNode) and entry.text() == EVERYBODY:
        return tuple(sections)
    names = entry.texts()
    if not names:
        entry.refuse("a base without people", f"list them, or write `people: {EVERYBODY}`")
    for name, part in zip(names, entry.items(), strict=True):
        if name not in sections:
            part.refuse(f"nobody is called {name!r}", "add them to `people` or correct the name")
        if names.count(name) > 1:
            part.refuse(f"{name} is listed twice", "keep one of the two")
    return names
