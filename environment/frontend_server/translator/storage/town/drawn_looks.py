"""Looks that users put together: drawn by the town builder, and kept beside the pictures of other people."""

from collections.abc import Mapping
from dataclasses import asdict
from itertools import chain, count
from threading import Lock

import numpy as np
from django.conf import settings

from town_builder.art import canvas
from town_builder.art.people.generated_look import look_for
from town_builder.art.people.look import Look
from town_builder.art.people.looks_file import LooksFileError, read_look
from town_builder.art.people.sheet import card, sheet
from town_builder.cast.characters import file_stem, write_pictures
from translator.errors import BadRequest
from translator.storage.static.static_files import listing
from translator.storage.town import maps
from ville.json_types import JsonObject
from ville.storage import map_files
from ville.storage.files import writing

_one_at_a_time = Lock()


def look_of(entry: Mapping[str, object]) -> Look:
    """Return the look that an entry of a looks file describes. Raises BadRequest."""
    try:
        return read_look("look", entry)
    except LooksFileError as fault:
        raise BadRequest(str(fault)) from None


def generated(words: str) -> JsonObject:
    """Return a look that goes with some words, always the same, as an entry of a looks file."""
    return asdict(look_for(words))


def picture(look: Look) -> bytes:
    """Return a PNG with portrait and figure."""
    return card(look).png


def keep(name: str, look: Look) -> str:
    """Write the pictures of a look, unless they are there already, and return the name of its sprite sheet.

    It is that of the person, with a number if another look has this name. Raises CannotWrite.
    """
    stem = file_stem(name)
    with _one_at_a_time:
        listing(fresh=True)
        found = next(each for each in chain([stem], (f"{stem}-{number}" for number in count(2))) if _fits(each, look))
        if found not in maps.sheets():
            folder = settings.ASSETS / map_files.CHARACTERS
            with writing(folder / f"{found}.png"):
                write_pictures(look, found, folder)
            listing(fresh=True)
    return found


def _fits(stem: str, look: Look) -> bool:
    """Return whether the sprite sheet of this name has this look, or there is none, also in other capitals."""
    there = next((each for each in maps.sheets() if each.casefold() == stem.casefold()), None)
    if there is None:
        return True
    try:
        return there == stem and np.array_equal(canvas.load(maps.sheet_file(stem)).pixels, sheet(look).pixels)
    except OSError:  # a picture that cannot be read
        return False
