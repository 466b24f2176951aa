"""Check a cast: people live somewhere they know, relations are mutual names, and secrets are kept."""

import re
from collections.abc import Iterator
from difflib import get_close_matches

from town_builder.cast.cast import BaseSimulation, Cast, CastMember, CastSecret, SourceText
from town_builder.problems import Problem

SPLIT = ";"
"""Separates the statements of a history file."""
OWNED = ("'s house", "'s room")
"""Sectors and arenas with one of these in their name are offered only to people whose last name it contains."""
HOUR = r"\b[^.,;]*?\b(1[0-2]|[1-9])(:[0-5]\d)?(am|pm)\b"
HOURS = {"goes to bed": r"\bto bed", "wakes up": r"\bwakes up", "eats dinner": r"\bdinner"}
"""Habits that a lifestyle must state → words before the time. The offline mind reads the day from them."""
SECOND_PERSON = re.compile(r"\b(you|your|yours)\b", re.IGNORECASE)


def cast_problems(cast: Cast) -> tuple[Problem, ...]:
    """Return all problems of a cast, in the order of the checks, without duplicates."""
    everyone = [*cast.people, *(person for base in cast.bases for person in base.people)]
    names = {person.name for person in cast.people}
    found = [
        problem
        for person in everyone
        for problem in (
            *_home_problems(person, cast),
            *_hour_problems(person),
            *_statement_problems(person),
            *_relation_problems(person, names),
        )
    ]
    for base in cast.bases:
        found.extend(_bed_problems(base))
    for secret in cast.secrets:
        found.extend(_secret_problems(secret, everyone, names))
    return tuple(dict.fromkeys(found))


def _home_problems(person: CastMember, cast: Cast) -> Iterator[Problem]:
    """Yield problems if a person does not start on the map, or does not know their home, or may not enter it."""
    x, y = person.start
    if not (0 <= x < cast.width and 0 <= y < cast.height):
        message = f"{person.name} starts at {x},{y}, outside the map of {cast.width} by {cast.height} tiles"
        yield Problem(person.where, message, "start on a tile of the living area")
    home = person.living_area
    sector, _, arena = home.words.partition(":")
    if arena not in person.knows.get(sector, {}):
        message = f"{person.name} lives in {home.words!r} but does not know it"
        yield Problem(home.where, message, "write it as `sector:arena` and add the place to `knows`")
    last = person.name.split()[-1]
    for name in (sector, arena):
        if any(mark in name for mark in OWNED) and last not in name:
            message = f"{person.name} may not enter {name!r}, which is reserved for people whose last name it contains"
            yield Problem(home.where, message, "choose another living area or rename the place")


def _bed_problems(base: BaseSimulation) -> Iterator[Problem]:
    """Yield a problem for every start tile of a base that is used twice."""
    first: dict[tuple[int, int], str] = {}
    for person in base.people:
        if (other := first.setdefault(person.start, person.name)) != person.name:
            message = f"{person.name} and {other} both start at {person.start[0]},{person.start[1]}"
            yield Problem(person.where, message, "give each their own tile; a double bed has two")


def _hour_problems(person: CastMember) -> Iterator[Problem]:
    for what, words in HOURS.items():
        if not re.search(words + HOUR, person.lifestyle.words):
            message = f"the lifestyle of {person.name} does not say when {person.name.split()[0]} {what}"
            yield Problem(person.lifestyle.where, message, f"write, for example, `{what} around 11pm`")


def _statement_problems(person: CastMember) -> Iterator[Problem]:
    """Yield statements that contain the separator of history files or are not in the second person."""
    for statement in person.statements:
        if SPLIT in statement.words:
            message = f"a statement of {person.name} contains {SPLIT!r}, which separates statements"
            yield Problem(statement.where, message, "split it into two statements, or use a comma")
        if not SECOND_PERSON.search(statement.words):
            message = f"a statement of {person.name} is not in the second person"
            yield Problem(statement.where, message, "use `you` or `your`")


def _relation_problems(person: CastMember, names: set[str]) -> Iterator[Problem]:
    for name, statement in person.relations:
        if name not in names:
            near = get_close_matches(name, sorted(names), 1)
            fix = f"did you mean {near[0]!r}?" if near else "add them to `people` or remove the relation"
            yield Problem(statement.where, f"{person.name} knows {name!r}, who is not in the cast", fix)
        elif name == person.name:
            yield Problem(statement.where, f"{name} has a relation to themselves", "move it to `thoughts`")
        elif name not in statement.words:
            message = f"the statement of {person.name} about {name} does not contain this name"
            yield Problem(statement.where, message, "use the full name: memories are found by it")


def _secret_problems(secret: CastSecret, everyone: list[CastMember], names: set[str]) -> Iterator[Problem]:
    """Yield texts that reveal the secret to others, and holders whose own texts never mention it."""
    for holder in secret.holders:
        if holder not in names:
            message = f"the secret {secret.name!r} is held by {holder!r}, who is not in the cast"
            yield Problem(secret.where, message, "correct the name")
        elif not any(
            _tells(person, text, secret) for person in everyone if person.name == holder for text in person.texts
        ):
            message = f"no text of {holder} contains a sign of the secret {secret.name!r}"
            yield Problem(secret.where, message, "add words of such a text to `signs`, or mention the secret in a text")
    for person in everyone:
        if person.name not in secret.holders:
            for text in person.texts:
                if sign := _tells(person, text, secret):
                    message = f"{person.name} knows the secret {secret.name!r} too early ({' + '.join(sign)})"
                    yield Problem(text.where, message, f"remove these words; {_only(secret.holders)} may know")


def _tells(person: CastMember, text: SourceText, secret: CastSecret) -> tuple[str, ...] | None:
    """Return the sign by which a text reveals the secret, if any. `You` is read as the person's name."""
    words = f"{person.name}: {text.words}".lower()
    signs = (sign for sign in secret.signs if all(re.search(rf"\b{re.escape(word)}", words) for word in sign))
    return next(signs, None)


def _only(names: tuple[str, ...]) -> str:
    return f"only {' and '.join(names)}" if names else "no one"
