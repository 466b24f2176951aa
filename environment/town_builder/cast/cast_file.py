"""Read a people file: YAML in, a Cast out, or all problems with their lines."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

import yaml

from town_builder.cast.cast import BaseSimulation, Cast, CastMember, CastSecret, Places, SourceText
from town_builder.cast.knowledge import read_groups, read_known, read_place_lines, read_places
from town_builder.plan.places import read_maze_name, read_name
from town_builder.problems import Problem, TownError
from town_builder.yaml_reader import YamlEntry, read_yaml

Read = TypeVar("Read")
Fields = Mapping[str, YamlEntry]

FORMAT = "cast/1"
EVERYONE = "all"
OLDEST = 120
"""Maximum age in years; higher values are typing errors."""
TOP = ("format", "world", "maze_name", "size", "start", "secrets", "places", "groups", "bases", "people")
NEEDED = ("age", "living_area", "start", "innate", "learned", "currently", "lifestyle", "knows")
OPTIONAL = ("daily_plan_req", "thoughts", "relations", "recency_decay", "importance_trigger")
IN_BASE = ("people", "history", "everybody", "changes")
RECENCY_DECAY = 0.995
IMPORTANCE_TRIGGER = 250
NAME = re.compile(r"[^\W\d_]+(-[^\W\d_]+)*( [^\W\d_]+(-[^\W\d_]+)*)+")
"""A name becomes a folder, a part of URLs and, with `_` for spaces, the file name of a picture."""
BASE = re.compile(r"base_[a-z0-9_]+")
HISTORY = re.compile(r"[a-z0-9_]+\.csv")


def load_cast(path: Path) -> Cast:
    """Return the cast of a people file. Raises TownError with the problems found while reading."""
    entry = read_yaml(path)
    version = entry.require("format")
    if version.text() != FORMAT:
        version.fail(f"format {version.text()!r} is not known", f"this builder reads `format: {FORMAT}`")
    found = entry.checked_fields(*TOP)
    places = read_places(entry.require("places"))
    groups = read_groups(found.get("groups"), places)
    problems: list[Problem] = []
    sections = _some(entry.require("people"), "add a person")
    person = partial(_person, places=places, groups=groups)
    people = _each(sections, lambda name, section: person(name, section, _fields(section)), problems)
    if problems:
        raise TownError(problems)
    bases = _each(
        _some(entry.require("bases"), "add `base_...: {people: all}`"),
        lambda name, one: _base(name, one, sections, person),
        problems,
    )
    secrets = _each(found["secrets"].fields() if "secrets" in found else {}, _secret, problems)
    if problems:
        raise TownError(problems)
    width, height = entry.require("size").pair("width, height")
    return Cast(
        file=str(path),
        world=read_name(entry.require("world")),
        maze_name=read_maze_name(entry.require("maze_name")),
        width=width,
        height=height,
        start=_day(entry.require("start")),
        people=people,
        places=read_place_lines(entry.require("places")),
        bases=bases,
        secrets=secrets,
    )


def _each(sections: Fields, read: Callable[[str, YamlEntry], Read], problems: list[Problem]) -> tuple[Read, ...]:
    """Read every section; collect the problems of sections that cannot be read, and go on."""
    found = []
    for name, section in sections.items():
        try:
            found.append(read(name, section))
        except TownError as error:
            problems.extend(error.problems)
    return tuple(found)


def _some(entry: YamlEntry, fix: str) -> Fields:
    """Return the fields of a mapping that must not be empty."""
    return entry.fields() or entry.fail(f"{entry.name} is empty", fix)


def _fields(section: YamlEntry) -> Fields:
    return section.checked_fields(*NEEDED, *OPTIONAL)


def _person(
    name: str, section: YamlEntry, fields: Fields, *, places: Places, groups: Mapping[str, Places]
) -> CastMember:
    """Return a person from the fields of a section, including changes made by a base."""
    if not NAME.fullmatch(name):
        section.fail(
            f"{name!r} is not a name", "write first and last name: letters, hyphens, single spaces between words"
        )
    for key in NEEDED:
        if key not in fields:
            section.fail(f"{name} has no {key!r}", f"add `{key}: ...`")
    return CastMember(
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
        recency_decay=fields["recency_decay"].fraction() if "recency_decay" in fields else RECENCY_DECAY,
        importance_trigger=_positive(fields["importance_trigger"])
        if "importance_trigger" in fields
        else IMPORTANCE_TRIGGER,
    )


def _text(entry: YamlEntry) -> SourceText:
    words = " ".join(entry.text().split())
    if not words:
        entry.fail(f"{entry.name} is empty", "write a sentence or leave it out")
    return SourceText(words, entry.where)


def _texts(entry: YamlEntry) -> tuple[SourceText, ...]:
    """Return one text or a list of texts."""
    if isinstance(entry.node, yaml.SequenceNode):
        return tuple(_text(part) for part in entry.items())
    return (_text(entry),)


def _relations(entry: YamlEntry) -> tuple[tuple[str, SourceText], ...]:
    return tuple((name, text) for name, part in entry.fields().items() for text in _texts(part))


def _positive(entry: YamlEntry) -> int:
    value = entry.integer()
    if value < 1:
        entry.fail(f"{entry.name} is {value}", "write a number of 1 or more")
    return value


def _age(entry: YamlEntry) -> int:
    if (age := _positive(entry)) > OLDEST:
        entry.fail(f"an age of {age} years is not possible", f"write a number from 1 to {OLDEST}")
    return age


def _day(entry: YamlEntry) -> date:
    try:
        return datetime.strptime(entry.text(), "%B %d, %Y").replace(tzinfo=UTC).date()
    except ValueError:
        entry.fail(f"{entry.text()!r} is not a date", "write it like `February 13, 2023`")


def _secret(name: str, section: YamlEntry) -> CastSecret:
    section.checked_fields("holders", "signs")
    signs = section.require("signs").texts()
    parts = tuple(tuple(word.strip().lower() for word in sign.split("+")) for sign in signs)
    if not all(word for sign in parts for word in sign):
        section.fail(f"a sign of the secret {name!r} has an empty word", "write `one` or `one + other`")
    return CastSecret(name, section.where, section.require("holders").texts(), parts)


def _base(
    name: str, section: YamlEntry, sections: Fields, read: Callable[[str, YamlEntry, Fields], CastMember]
) -> BaseSimulation:
    """Return a base simulation with its people and their changed fields."""
    found = section.checked_fields(*IN_BASE)
    if not BASE.fullmatch(name):
        section.fail(f"{name!r} is not a base name", "start with base_ and use only lower-case letters, digits and _")
    names = _names(section.require("people"), sections)
    everyone = _fields(found["everybody"]) if "everybody" in found else {}
    changes = found["changes"].fields() if "changes" in found else {}
    for stranger in changes.keys() - set(names):
        changes[stranger].fail(f"{stranger} has changes but is not in {name}", "add them to its people")
    people = tuple(
        read(
            one,
            sections[one],
            {**_fields(sections[one]), **everyone, **(_fields(changes[one]) if one in changes else {})},
        )
        for one in names
    )
    history = found.get("history")
    if history and not HISTORY.fullmatch(history.text()):
        history.fail(
            f"{history.text()!r} is not a history file name", "use lower-case letters, digits and _, ending in .csv"
        )
    return BaseSimulation(name, section.where, people, history.text() if history else None)


def _names(entry: YamlEntry, sections: Fields) -> tuple[str, ...]:
    """Return the people of a base, in the order of their turns."""
    if isinstance(entry.node, yaml.ScalarNode) and entry.text() == EVERYONE:
        return tuple(sections)
    names = entry.texts()
    if not names:
        entry.fail("the base has no people", f"list them, or write `people: {EVERYONE}`")
    for name, part in zip(names, entry.items(), strict=True):
        if name not in sections:
            part.fail(f"there is no person {name!r}", "add them to `people` or correct the name")
        if names.count(name) > 1:
            part.fail(f"{name} is listed twice", "keep one of the two")
    return names
