"""Keep simulations and recordings in order: list, rename, delete, restore, describe (`python simulations.py list`).

What is deleted lies in a bin for a day.
"""

import argparse
import asyncio
import sys
from collections.abc import Callable, Iterator

from ville.assembly.housekeeper import housekeeper
from ville.assembly.undoing import undo
from ville.errors import ReverieError
from ville.plain_text import printable, quantity
from ville.settings import Settings, load_settings
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
            f"{entry.name:<32}  {FORMS[form]:<9}  until {entry.ends.astimezone():%Y-%m-%d %H:%M}"
            for form, entry in there
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


def _undo(choice: argparse.Namespace, settings: Settings) -> Lines:
    undone = asyncio.run(undo(settings, choice.name))
    yield f"Undone: intervention {undone.number} ({undone.kind}). '{choice.name}' is at step {undone.step:,} again."
    yield f"What it was is in the bin. To bring it back, rename this one; then: simulations.py restore {choice.name}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    form = argparse.ArgumentParser(add_help=False)
    form.add_argument(
        "--recording", dest="form", action="store_const", const="compressed", help="the recording of that name"
    )
    named = argparse.ArgumentParser(add_help=False)
    named.add_argument("name", metavar="NAME", help="name of a simulation, or else of a recording")

    def command(name: str, act: Act, about: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=about, description=about, parents=parents)
        added.set_defaults(act=act)
        return added

    listed = command("list", _list, "list them, the last saved first")
    listed.add_argument("words", nargs="*", metavar="WORD", help="to find in name, title, note, tags or people")
    listed.add_argument("--bin", action="store_true", help="list what was deleted and can be restored")
    renamed = command("rename", _rename, "give one another name; its branches note that", named, form)
    renamed.add_argument("new", metavar="NEW", help="letters, digits, '-' and '_'")
    deleted = command("delete", _delete, "move some into the bin, where they lie for a day", form)
    deleted.add_argument("names", nargs="+", metavar="NAME", help="name of a simulation, or else of a recording")
    command("restore", _restore, "bring the last deleted one of a name back", named, form)
    about = command("describe", _describe, "show or change title, note and tags", named, form)
    about.add_argument("--title", metavar="TEXT", help="at most 80 characters")
    about.add_argument("--note", metavar="TEXT", help="at most 2,000 characters")
    about.add_argument("--tags", nargs="*", metavar="TAG", help="instead of those that it has")
    command("undo", _undo, "go back to the moment before the last intervention", named)
    return parser
