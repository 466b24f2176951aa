"""Keep simulations and recordings in order: list, rename, delete, restore, describe (`python simulations.py list`).

What is deleted lies in a bin for a day.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from ville.assembly.housekeeper import housekeeper
from ville.assembly.undoing import undo
from ville.command_lines import typed
from ville.errors import ReverieError
from ville.plain_text import printable, quantity
from ville.settings import Settings, load_settings
from ville.storage.dates import time_text
from ville.storage.files import write_text
from ville.storage.keeping.description import described
from ville.storage.keeping.listing import KeptSimulation, is_found, kept_simulations, tag_text
from ville.storage.keeping.marking import marked_step
from ville.storage.keeping.shrinking import Shrinking, shrink, ways
from ville.storage.keeping.sizes import size_of, size_text
from ville.storage.records.marks import read_marks, set_mark

FORMS = {"saved": "", "compressed": "recording"}
Lines = Iterator[str]
Act = Callable[[argparse.Namespace, Settings], Lines]


def main(arguments: list[str] | None = None) -> int:
    parser = _parser()
    choice = parser.parse_args(arguments)
    try:
        folders = {"fs_storage": choice.storage, "fs_compressed_storage": choice.compressed}
        for line in choice.act(choice, load_settings(folders)):
            print(printable(line))
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def _list(choice: argparse.Namespace, settings: Settings) -> Lines:
    house = housekeeper(settings)
    if choice.bin:
        house.empty_bins()
        there = house.binned()
        yield from (
            f"{entry.name:<32}  {FORMS[form]:<9}  until {entry.ends.astimezone():%Y-%m-%d %H:%M}"
            for form, entry in there
        )
        yield "The bin is empty." if not there else f"Restore one of them: {typed('simulations', 'restore', 'NAME')}"
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
        yield f"'{name}' is in the bin until {until}. To bring it back: {typed('simulations', 'restore', name)}"


def _restore(choice: argparse.Namespace, settings: Settings) -> Lines:
    housekeeper(settings).restore(choice.name, choice.form, new=choice.new)
    yield f"'{choice.name}' is back{f' as {choice.new}' if choice.new else ''}."


def _describe(choice: argparse.Namespace, settings: Settings) -> Lines:
    root = housekeeper(settings).root_of(choice.name, choice.form)
    said = described(root, title=choice.title, note=choice.note, tags=choice.tags)
    yield f"{choice.name}: {said.title or 'no title'}"
    yield from ([" ".join(map(tag_text, said.tags))] if said.tags else [])
    yield from said.note.splitlines()


def _mark(choice: argparse.Namespace, settings: Settings) -> Lines:
    root = housekeeper(settings).root_of(choice.name, choice.form)
    known = read_marks(root)
    if choice.moment:
        known = set_mark(root, marked_step(root, choice.moment), " ".join(choice.text))
    yield from (f"{mark.step:>9,}  {mark.text}" for mark in known)
    yield from () if known else (f"'{choice.name}' has no marks.",)


def _smaller(choice: argparse.Namespace, settings: Settings) -> Lines:
    house = housekeeper(settings)
    if choice.way:
        shrink(house, choice.name, choice.way, choice.form)
        if choice.json:
            write_text(choice.json, json.dumps({"way": choice.way}))
        yield f"'{choice.name}' is smaller now."
        return
    found = ways(house, choice.name, choice.form)
    for each in found:
        yield f"--{each.way} saves about {size_text(each.saves)}. {_loss(each)}"
    yield "Choose one of these." if found else f"'{choice.name}' cannot be made smaller."


def _loss(shrinking: Shrinking) -> str:
    """Return what is no longer possible afterwards."""
    if shrinking.way == "moments":
        moments = quantity(shrinking.moments, "checkpoint", "checkpoints")
        return f"Lost: branches and interviews at earlier moments ({moments})."
    if shrinking.way == "vectors":
        embedders = ", ".join(shrinking.embedders)
        again = "Whoever opens it with that again has them made again; a paid provider takes money for it."
        return f"Lost: vectors of {embedders}, which it does not use now. {again}"
    shared = f" {', '.join(shrinking.branches)} can no longer be compared with it." if shrinking.branches else ""
    return f"Lost: it can be watched and branched, but not go on; paid answers.{shared} For a day, it is in the bin."


def _undo(choice: argparse.Namespace, settings: Settings) -> Lines:
    undone = asyncio.run(undo(settings, choice.name))
    yield f"Undone: intervention {undone.number} ({undone.kind}). '{choice.name}' is at step {undone.step:,} again."
    again = typed("simulations", "restore", choice.name)
    yield f"What it was is in the bin. To bring it back, rename this one; then: {again}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    form = argparse.ArgumentParser(add_help=False)
    form.add_argument(
        "--of-recording", dest="form", action="store_const", const="compressed", help="the recording of that name"
    )
    folders = argparse.ArgumentParser(add_help=False)
    folders.add_argument("--storage", type=Path, help="folder of the simulations (default: from the settings)")
    folders.add_argument("--compressed", type=Path, help="folder of the recordings (default: from the settings)")
    named = argparse.ArgumentParser(add_help=False)
    named.add_argument("name", metavar="NAME", help="name of a simulation, or else of a recording")

    def command(name: str, act: Act, about: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=about, description=about, parents=[*parents, folders])
        added.set_defaults(act=act)
        return added

    listed = command("list", _list, "list them, the last saved first")
    listed.add_argument("words", nargs="*", metavar="WORD", help="to find in name, title, note, tags or people")
    listed.add_argument("--bin", action="store_true", help="list what was deleted and can be restored")
    renamed = command("rename", _rename, "give one another name; its branches note that", named, form)
    renamed.add_argument("new", metavar="NEW", help="letters, digits, '-' and '_'")
    deleted = command("delete", _delete, "move some into the bin, where they lie for a day", form)
    deleted.add_argument("names", nargs="+", metavar="NAME", help="name of a simulation, or else of a recording")
    back = command("restore", _restore, "bring the last deleted one of a name back", named, form)
    back.add_argument(
        "--as", dest="new", metavar="NEW", default="", help="under another name, if another one has it now"
    )
    about = command("describe", _describe, "show or change title, note and tags", named, form)
    about.add_argument("--title", metavar="TEXT", help="at most 80 characters")
    about.add_argument("--note", metavar="TEXT", help="at most 2,000 characters")
    about.add_argument("--tags", nargs="*", metavar="TAG", help="instead of those that it has")
    marked = command("mark", _mark, "list the marked moments, or mark one", named, form)
    marked.add_argument("moment", nargs="?", metavar="MOMENT", help="a step or a time, such as 18:00")
    marked.add_argument("text", nargs="*", metavar="TEXT", help="without it, the mark there is removed")
    smaller = command("smaller", _smaller, "say how one can be made smaller and what is lost, or do it", named, form)
    for way, help_text in (
        ("moments", "drop the checkpoints of earlier moments"),
        ("vectors", "drop the vectors of embedders that it does not use"),
        ("recording", "keep only a recording"),
    ):
        smaller.add_argument(f"--{way}", dest="way", action="store_const", const=way, help=help_text)
    smaller.add_argument("--json", type=Path, help=argparse.SUPPRESS)
    command("undo", _undo, "go back to the moment before the last intervention", named)
    return parser
