"""What a page has to know to show a simulation: the value that base.html hands to its script as `page`."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from translator.persona_name import PersonaName
from translator.shapes import Flaw
from translator.storage import maps
from translator.storage.saved_simulation import SavedSimulation
from translator.storage.stored_simulation import StoredSimulation

MOST_TOLD = 20

SAMPLE = 100
"""Steps of a recording that are compared with its map, evenly from all."""
FEW = 0.02
"""The share of tiles in walls that says nothing: the map may have been changed a little."""


def page(mode: str, **more: Any) -> dict[str, Any]:
    """The keys every page has, and more."""
    return {"mode": mode, "static": settings.STATIC_URL, **more}


def person(somebody: PersonaName) -> dict[str, str]:
    return {
        "name": somebody.name,
        "underscore": somebody.underscore,
        "initials": somebody.initials,
        "sprite": maps.sprite(somebody),
    }


def cast(names: Sequence[str]) -> list[dict[str, str]]:
    return [person(PersonaName(name)) for name in names]


def town(simulation: StoredSimulation) -> dict[str, Any]:
    """The map and the people of a simulation. Raises NotThere if its map is not among the assets."""
    meta = simulation.meta
    return {
        "sim_code": simulation.code,
        "maze_name": meta.maze_name,
        "map": maps.map_url(meta.maze_name),
        "personas": cast(meta.persona_names),
        "start": meta.start.isoformat(),
        "sec_per_step": meta.sec_per_step,
    }


def map_misfit(simulation: StoredSimulation) -> str:
    """What to say of a recording whose steps lead through walls; empty if they are too few to matter.

    Older engines have another map of the same name.
    """
    steps = range(0, simulation.steps, max(1, simulation.steps // SAMPLE))
    records = (record for step in steps for record in simulation.state(step).values())
    share = maps.share_in_walls(simulation.meta.maze_name, (_tile(record["movement"]) for record in records))
    if share <= FEW:
        return ""
    how = f"python environment/build_town.py adopt {simulation.code} --map {_('FOLDER_OF_THAT_MAP')}"
    text = _(
        "Recorded on another map of the same name: %(share)s of its steps lead through walls here. To fix it: %(how)s"
    )
    return text % {"share": f"{share:.0%}", "how": how}


def _tile(movement: Any) -> maps.Tile:
    """Damaged records are off every map."""
    match movement:
        case [int(x), int(y)]:
            return x, y
    return -1, -1


def now(simulation: SavedSimulation) -> dict[str, Any]:
    """Where a live simulation stands: a page opened at any time goes on from here."""
    step = simulation.steps or simulation.meta.step
    positions = simulation.positions()
    frame = simulation.state(step - 1) if step else {}
    return {
        **town(simulation),
        "step": step,
        "positions": positions,
        "frame": frame,
        "reported": simulation.environment(step) is not None,
        "damage": told(simulation.damage),
    }


def told(damage: Iterable[Flaw]) -> list[str]:
    """What cannot be shown, one line each; of much damage the beginning."""
    return list(dict.fromkeys(map(str, islice(damage, MOST_TOLD))))
