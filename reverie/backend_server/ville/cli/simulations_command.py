"""Keep simulations and recordings in order: list, rename, delete, restore, describe (`python simulations.py list`).

What is deleted lies in a bin for a day.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from ville.assembly.housekeeper import housekeeper
from ville.errors import ReverieError
from ville.plain_text import printable, quantity
from ville.settings import Settings, add_flags, load_settings
from ville.storage.dates import time_text
from ville.storage.keeping.description import described
from ville.storage.keeping.listing import KeptSimulation, is_found, kept_simulations, tag_text
from ville.storage.keeping.sizes import size_of, size_text

FORMS = {"saved": "", "compressed": "recording"}
Lines = Iterator[str]
Act = Callable[[argparse.Namespace, Settings], Lines]


def main(arguments: list[str] | None = None) -> int:
    parser = _parser()
    choice = parser.parse_args(arguments)
    try:
        for line in choice.act(choice, load_settings({})):
            print(printable(line))
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def _list(choice: argparse.Namespace, settings: Settings) -> Lines:
    house = housekeeper(settings)
    if choice.bin:
        there = house.binned()
        yield from (
            f"{entry.name:<32}  {FORMS[form]:<9}  until {entry.ends.astimezone():%Y-%m-%d %H:%M}" for form, entry in there
        )
        yield "The bin is empty." if not there else "Restore one of them: simulations.py restore NAME"
        return
    words = " ".join(choice.words)
    found = [each for each in kept_simulations(house) if is_found(words, each.texts)]
    for each in found:
        yield _line(each)
    yield quantity(len(found), "simulation", "simulations") if found else "None is found."


def _line(kept: KeptSimulation) -> str:
    """Return a simulation as a line: name, time, size, title and tags."""
    said, size = kept.said, size_text(size_of(kept.root))
    more = "  ".join(filter(None, [FORMS[kept.form], said.title, " ".join(map(tag_text, said.tags))]))
    return f"{kept.name:<32}  {time_text(kept.meta.curr_time):<28}  {size:>8}  {more}".rstrip()


def _rename(choice: argparse.Namespace, settings: Settings) -> Lines:
    housekeeper(settings).rename(choice.name, choice.new, choice.form)
    yield f"'{choice.name}' is '{choice.new}' now."


def _delete(choice: argparse.Namespace, settings: Settings) -> Lines:
    for name in choice.names:
        entry = housekeeper(settings).delete(name, choice.form)
        until = f"{entry.ends.astimezone():%Y-%m-%d %H:%M}"
        yield f"'{name}' is in the bin until {until}. To bring it back: simulations.py restore {name}"


def _restore(choice: argparse.Namespace, settings: Settings) -> Lines:
    housekeeper(settings).restore(choice.name, choice.form)
    yield f"'{choice.name}' is back."


def _describe(choice: argparse.Namespace, settings: Settings) -> Lines:
    root = housekeeper(settings).root_of(choice.name, choice.form)
    said = described(root, title=choice.title, note=choice.note, tags=choice.tags)
    yield f"{choice.name}: {said.title or 'no title'}"
    yield from ([" ".join(map(tag_text, said.tags))] if said.tags else [])
    yield from said.note.splitlines()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    acts = parser.add_subparsers(required=True, metavar="COMMAND")
    act = _add(acts, "list", _list, "list them, the last saved first")
    act.add_argument("words", nargs="*", metavar="WORD", help="only those with these words in name, title, note, tags or people")
    act.add_argument("--bin", action="store_true", help="list what was deleted and can be restored")
    act = _add_named(acts, "rename", _rename, "give one another name; its branches note that")
    act.add_argument("new", metavar="NEW", help="letters, digits, '-' and '_'")
    act = _add(acts, "delete", _delete, "move some into the bin, where they lie for a day")
    act.add_argument("names", nargs="+", metavar="NAME", help="name of a simulation or recording")
    _add_form(act)
    _add_named(acts, "restore", _restore, "bring the last deleted one of a name back")
    act = _add_named(acts, "describe", _describe, "show or change title, note and tags")
    act.add_argument("--title", metavar="TEXT")
    act.add_argument("--note", metavar="TEXT")
    act.add_argument("--tags", nargs="*", metavar="TAG", help="instead of those that it has")
    return parser
