"""Habits of small models: each changes a right answer into one that such a model would give.

Habits of content change the answer in place, if it has what they need; habits of form change its text.
"""

import json
import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

JsonObject = dict[str, Any]
PLACES = ("sector", "arena", "game_object")
HOURS = re.compile(r"hour|^from$|^to$|^start$|^end$")
"""Keys of hours of the day."""
SENTENCE = 3
"""Words from which a text is more than a name or a keyword."""
WORLD = "the Ville"
LONG = 1200
"""Characters of a text that is too long for any blank but an interview."""


class HabitContext(NamedTuple):
    """Request and random generator that a habit works on."""

    name: str
    """Name of the persona."""
    words: Mapping[str, Any]
    """The words of `spoiling.yaml`."""
    lot: Random


class Text(NamedTuple):
    """The text of an answer, and why it ends, as a provider reports it."""

    text: str
    finish: str = "stop"


def spots(value: Any, fits: Callable[[Any], bool]) -> list[tuple[Any, Any]]:
    """Return container and key of each value within an answer that fits."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [spot for key, each in items for spot in ([(value, key)] if fits(each) else spots(each, fits))]


def _sentences(answer: JsonObject) -> list[tuple[Any, Any]]:
    found = spots(answer, lambda each: isinstance(each, str) and len(each.split()) >= SENTENCE)
    return [(holder, key) for holder, key in found if key not in PLACES]


def _one(found: list[tuple[Any, Any]], lot: Random, change: Callable[[Any], Any]) -> None:
    """Change one of the values that were found."""
    if found:
        holder, key = lot.choice(found)
        holder[key] = change(holder[key])


def speaker(answer: JsonObject, prompt: HabitContext) -> None:
    """The name of the speaker before what is said."""
    if answer.get("utterance"):
        name = prompt.lot.choice([prompt.name, prompt.name.split()[0], f"**{prompt.name}**"])
        answer["utterance"] = f"{name}: {answer['utterance']}"


def quoted(answer: JsonObject, prompt: HabitContext) -> None:
    """Quotation marks around a text."""
    left, right = prompt.lot.choice(['""', "“”", "''"])
    _one(_sentences(answer), prompt.lot, lambda text: f"{left}{text}{right}")


def markdown(answer: JsonObject, prompt: HabitContext) -> None:
    """Emphasis, or the bullet of a list."""
    form = prompt.lot.choice(["**{}**", "*{}*", "- {}", "_{}_"])
    _one(_sentences(answer), prompt.lot, form.format)


def none_words(answer: JsonObject, prompt: HabitContext) -> None:
    """A word for nothing where a text should be empty."""
    word = prompt.lot.choice(prompt.words["none_words"])
    for holder, key in spots(answer, lambda each: each == ""):
        holder[key] = word


def numbers_as_text(answer: JsonObject, prompt: HabitContext) -> None:
    """Numbers and truth values as words, times or texts."""
    way = prompt.lot.choice(["digits", "words", "units"])
    for holder, key in spots(answer, lambda each: isinstance(each, int)):
        holder[key] = _as_text(holder[key], str(key), way, prompt.words["numbers"])


def _as_text(number: int, key: str, way: str, words: list[str]) -> str:
    if isinstance(number, bool):
        return {"digits": str(number), "words": "yes" if number else "no", "units": str(number).lower()}[way]
    if way == "words" and number < len(words):
        return words[number]
    if way == "units" and HOURS.search(key):
        return f"{number % 12 or 12}:00 {'AM' if number < 12 else 'PM'}"
    return f"{number} minutes" if way == "units" and key == "minutes" else str(number)


def reworded_choice(answer: JsonObject, prompt: HabitContext) -> None:
    """One of the choices in other case, as a sentence, or with more words."""
    if "choice" in answer:
        form = prompt.lot.choice(["{0}.", "{1}", "{0} with them", "{2} wants to {0}", '"{0}"'])
        answer["choice"] = form.format(answer["choice"], answer["choice"].capitalize(), prompt.name)


def wrong_sum(answer: JsonObject, prompt: HabitContext) -> None:
    """Minutes that do not add up: all alike, rounded up, or the last part left out."""
    for holder, key in spots(answer, lambda each: isinstance(each, list)):
        rows = [row for row in holder[key] if isinstance(row, dict) and "minutes" in row]
        way = prompt.lot.choice(["alike", "rounded", "short"])
        if way == "short" and len(rows) > 1:
            holder[key] = rows[:-1]
            continue
        for row in rows:
            row["minutes"] = 15 if way == "alike" else (row["minutes"] // 10 + 1) * 10


def wrong_count(answer: JsonObject, prompt: HabitContext) -> None:
    """One item too many or too few, in a list of several."""
    for holder, key in spots(answer, lambda each: isinstance(each, list) and len(each) > 1):
        items = holder[key]
        holder[key] = [*items, deepcopy(items[-1])] if prompt.lot.random() < 0.5 else items[:-1]


def rewritten_place(answer: JsonObject, prompt: HabitContext) -> None:
    """All places in another form: with their sector, the world, an article, in other case, or the object for it."""
    for placed in _placed(answer):
        if all(placed.get(part) for part in PLACES[:2]):
            placed.update(_rewritten(placed, prompt))


def _placed(answer: JsonObject) -> list[JsonObject]:
    """Return the objects that name a place."""
    inner = [holder[key] for holder, key in spots(answer, lambda each: isinstance(each, dict))]
    return [each for each in (answer, *inner) if "arena" in each]


def _rewritten(placed: JsonObject, prompt: HabitContext) -> JsonObject:
    sector, arena, thing = (placed.get(part) or "" for part in PLACES)
    forms = [
        {"arena": f"{sector} > {arena}"},
        {"sector": f"{sector} > {arena}"},
        {"sector": f"{WORLD}:{sector}", "arena": f"{WORLD}:{sector}:{arena}"},
        {"arena": f"{sector}:{arena}"},
        {"sector": sector.upper(), "arena": arena.title()},
        {"sector": sector.lower(), "arena": arena.lower(), "game_object": thing.title()},
        {"arena": f"the {arena}", "sector": f"{sector}."},
        {"sector": arena},
        *([{"arena": thing}, {"game_object": f"the {thing}"}, {"game_object": f"{arena} > {thing}"}] if thing else []),
    ]
    return dict(prompt.lot.choice(forms))


def misspelt_place(answer: JsonObject, prompt: HabitContext) -> None:
    """A letter left out or doubled in the name of a place."""
    long = [(each, part) for each in _placed(answer) for part in PLACES if len(each.get(part) or "") > SENTENCE]
    if long:
        placed, part = prompt.lot.choice(long)
        name = placed[part]
        at = prompt.lot.randrange(1, len(name) - 1)
        placed[part] = name[:at] + prompt.lot.choice(["", name[at] * 2]) + name[at + 1 :]


def invented_place(answer: JsonObject, prompt: HabitContext) -> None:
    """A place that was not among the options."""
    if placed := _placed(answer):
        prompt.lot.choice(placed)[prompt.lot.choice(PLACES)] = prompt.lot.choice(prompt.words["invented_places"])


def too_long(answer: JsonObject, prompt: HabitContext) -> None:
    """A text that goes on and on."""
    _one(_sentences(answer), prompt.lot, lambda text: f"{text} " * (LONG // len(text) + 1))


def other_language(answer: JsonObject, prompt: HabitContext) -> None:
    """All texts in a language that was not asked for."""
    abroad = prompt.lot.choice(prompt.words["sentences_abroad"])
    for holder, key in spots(answer, lambda each: isinstance(each, str) and each != ""):
        holder[key] = abroad


def extra_keys(answer: JsonObject, prompt: HabitContext) -> None:
    """A key that was not asked for."""
    key = prompt.lot.choice(sorted(prompt.words["extras"]))
    answer.setdefault(key, prompt.words["extras"][key])


def missing_keys(answer: JsonObject, prompt: HabitContext) -> None:
    """One of several keys left out, also of an object in a list."""
    inner = [holder[key] for holder, key in spots(answer, lambda each: isinstance(each, dict))]
    if holders := [each for each in (answer, *inner) if len(each) > 1]:
        holder = prompt.lot.choice(holders)
        del holder[prompt.lot.choice(sorted(holder))]


def renamed_keys(answer: JsonObject, prompt: HabitContext) -> None:
    """Keys in capitals, with blanks, or in camel case."""
    way = prompt.lot.choice([str.upper, lambda key: key.replace("_", " ").title(), _camel])
    renamed = {way(key): value for key, value in answer.items()}
    answer.clear()
    answer.update(renamed)


def _camel(key: str) -> str:
    first, *others = key.split("_")
    return first + "".join(map(str.title, others)) if others else key.title()


def wrapped(answer: JsonObject, prompt: HabitContext) -> None:
    """The answer within another object, or among the properties of a schema."""
    inner = dict(answer)
    answer.clear()
    key = prompt.lot.choice([*prompt.words["wrappers"], "properties"])
    answer.update({"type": "object"} if key == "properties" else {}, **{key: inner})


CONTENT: dict[str, Callable[[JsonObject, HabitContext], None]] = {
    habit.__name__: habit
    for habit in (
        speaker, quoted, markdown, none_words, wrong_sum, wrong_count, numbers_as_text, reworded_choice,
        rewritten_place, misspelt_place, invented_place, too_long, other_language, extra_keys, missing_keys,
        renamed_keys, wrapped,
    )
}  # fmt: skip
"""In the order in which they are applied."""


def single_quotes(text: str, _prompt: HabitContext) -> Text:
    """The literal of a Python dictionary."""
    return Text(repr(json.loads(text)))


def comments(text: str, prompt: HabitContext) -> Text:
    """A remark behind a line of JSON."""
    lines = json.dumps(json.loads(text), ensure_ascii=False, indent=2).splitlines()
    lines[prompt.lot.randrange(len(lines))] += "  // as asked"
    return Text("\n".join(lines))


def trailing_comma(text: str, _prompt: HabitContext) -> Text:
    return Text(f"{text[:-1]},\n}}")


def repeated_keys(text: str, _prompt: HabitContext) -> Text:
    """The first key once more."""
    key, value = next(iter(json.loads(text).items()))
    return Text(f"{text[:-1]}, {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}}}")


def unclosed(text: str, _prompt: HabitContext) -> Text:
    """The last brace left out."""
    return Text(text.rstrip().removesuffix("}"))


def truncated(text: str, prompt: HabitContext) -> Text:
    """An answer that breaks off, said by the server or not."""
    end = prompt.lot.randrange(len(text) // 2, max(len(text) - 1, len(text) // 2 + 1))
    return Text(text[:end], prompt.lot.choice(["stop", "length"]))


def fences(text: str, prompt: HabitContext) -> Text:
    return Text(f"```{prompt.lot.choice(['json', 'JSON', ''])}\n{text}\n```")


def preface(text: str, prompt: HabitContext) -> Text:
    return Text(f"{_worded(prompt, 'prefaces')}\n\n{text}")


def closing(text: str, prompt: HabitContext) -> Text:
    return Text(f"{text}\n\n{_worded(prompt, 'closings')}")


def thinking(text: str, prompt: HabitContext) -> Text:
    return Text(prompt.lot.choice(prompt.words["thoughts"]) + text)


def refused(_text: str, prompt: HabitContext) -> Text:
    return Text(_worded(prompt, "refusals"))


def empty(_text: str, _prompt: HabitContext) -> Text:
    return Text("")


def _worded(prompt: HabitContext, kind: str) -> str:
    return str(prompt.lot.choice(prompt.words[kind])).replace("{name}", prompt.name)


FORM: dict[str, Callable[[str, HabitContext], Text]] = {
    habit.__name__: habit
    for habit in (single_quotes, comments, trailing_comma, repeated_keys, unclosed)
}  # fmt: skip
"""At most one of these is applied: each needs valid JSON."""
AROUND: dict[str, Callable[[str, HabitContext], Text]] = {
    habit.__name__: habit for habit in (fences, preface, closing, thinking, truncated, refused, empty)
}
"""In the order in which they are applied."""
