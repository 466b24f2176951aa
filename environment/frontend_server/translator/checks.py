"""System checks of `runserver`: what is missing, and how to fix it, in one line each."""

import os
from collections.abc import Iterable

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.checks import CheckMessage, Error, Warning, register  # noqa: A004 - Django's name

from translator.errors import NotFound
from translator.storage.runs import simulations
from translator.storage.town import maps
from ville.command_lines import typed


@register
def storage_is_writable(**_: object) -> Iterable[CheckMessage]:
    """Check that both folders that the server writes to are writable."""
    for folder in (settings.STORAGE, settings.TEMP_STORAGE):
        there = next(place for place in (folder, *folder.parents) if place.exists())
        if not (there.is_dir() and os.access(there, os.W_OK)):
            yield Error(f"{folder} is not writable.", hint="Correct its permissions.", id="translator.E001")


@register
def simulations_are_there(**_: object) -> Iterable[CheckMessage]:
    """Check that there is a simulation to show."""
    if not any(settings.STORAGE.glob("*/reverie/meta.json")):
        hint = "Copy a base simulation into it, or set VILLE_FS_STORAGE."
        yield Warning(f"{settings.STORAGE} contains no simulation.", hint=hint, id="translator.W001")


@register
def maps_are_there(**_: object) -> Iterable[CheckMessage]:
    """Check that the map of every simulation is among the assets."""
    for maze_name in sorted({entry.meta.maze_name for entry in simulations.listing().entries}):
        try:
            maps.map_url(maze_name)
        except NotFound as fault:
            hint = f"Build the Ville with {typed('town', 'build')}, or copy the map."
            yield Warning(str(fault), hint=hint, id="translator.W002")


@register
def phaser_is_there(**_: object) -> Iterable[CheckMessage]:
    """Check that the library that draws the town is installed."""
    if finders.find("vendor/phaser/phaser.min.js") is None:
        hint = "Fetch it: python environment/frontend_server/vendor.py."
        yield Warning("Phaser, which draws the town, is missing.", hint=hint, id="translator.W003")
