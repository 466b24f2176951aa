"""Data of a page: the value that base.html hands to its script as `page`."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NotRequired, TypedDict

from django.templatetags.static import static
from django.utils.translation import gettext as _

from translator.damage import damage_lines
from translator.persona_name import PersonaName, unique_initials
from translator.storage.runs.saved_simulation import SavedSimulation
from translator.storage.runs.spoken import language_code
from translator.storage.runs.stored_simulation import StoredSimulation
from translator.storage.runs.titles import title_of
from translator.storage.town import maps
from ville.command_lines import typed
from ville.storage.compressed.cast import Cast, CastEntry
from ville.storage.steps.frames import Frame, tile_of
from ville.storage.steps.step_files import Position

SAMPLE, LEAST_STEPS = 2500, 4
"""Positions in a recording that are compared with its map, and least number of steps, evenly spaced, that have them."""
TOLERATED = 0.02
"""Share of positions in walls that is not reported: the map may have been changed a little."""


class ShownPersona(TypedDict):
    """How a page names and draws a persona or visitor."""

    name: str
    underscore: str
    initials: str
    sprite: str
    visitor: NotRequired[bool]
    about: NotRequired[str]


class ShownTown(TypedDict):
    """Map and personas of a simulation."""

    sim_code: str
    title: str
    maze_name: str
    map: str
    large: dict[str, int] | None
    picture: dict[str, str] | None
    language: str
    personas: list[ShownPersona]
    start: str
    sec_per_step: int


class TownNow(ShownTown):
    """A live simulation as it stands."""

    step: int
    positions: Mapping[str, Position]
    frame: Frame
    reported: bool
    damage: list[str]


def page(mode: str, **more: object) -> Mapping[str, object]:
    """Return the keys of every page, and more."""
    return {"mode": mode, "static": static(""), **more}


def persona(name: PersonaName, cast: Cast, initials: str = "") -> ShownPersona:
    """Return how a page names and draws a persona or visitor; by its own initials, if no others are given."""
    entry = cast.get(name.name, CastEntry())
    shown: ShownPersona = {
        "name": name.name,
        "underscore": name.underscore,
        "initials": initials or name.initials,
        "sprite": maps.sprite(name, entry.look),
    }
    return {**shown, "visitor": True, "about": entry.about} if entry.visitor else shown


def personas(names: Iterable[str], cast: Cast) -> list[ShownPersona]:
    called = [PersonaName(name) for name in names]
    initials = unique_initials(called)
    return [persona(name, cast, initials[name.name]) for name in called]


def everyone(simulation: StoredSimulation) -> list[ShownPersona]:
    """Return all who appear in a simulation: its residents, then those who left or visited."""
    return personas(dict.fromkeys([*simulation.meta.persona_names, *simulation.cast]), simulation.cast)


def town(simulation: StoredSimulation) -> ShownTown:
    """Return map and personas of a simulation. Raises NotFound if its map is not among the assets."""
    meta = simulation.meta
    return {
        "sim_code": simulation.code,
        "title": title_of(simulation.root),
        "maze_name": meta.maze_name,
        "map": maps.map_url(meta.maze_name),
        "large": maps.large_map(meta.maze_name),
        "picture": maps.small_picture(meta.maze_name),
        "language": language_code(simulation),
        "personas": everyone(simulation),
        "start": meta.start.isoformat(),
        "sec_per_step": meta.sec_per_step,
    }


def map_mismatch(simulation: StoredSimulation) -> str:
    """Return a warning if a recording leads through walls; else an empty text.

    It may have been recorded by an older engine, on another map of the same name.
    """
    share = maps.share_in_walls(simulation.meta.maze_name, simulation.glimpsed_tiles() or _sampled_tiles(simulation))
    if share <= TOLERATED:
        return ""
    how = typed("town", "adopt", simulation.code, "--map", _("FOLDER_OF_THAT_MAP"))
    text = _(
        "Recorded on another map of the same name: %(share)s of its steps lead through walls here. To fix it: %(how)s"
    )
    return text % {"share": f"{share:.0%}", "how": how}


def _sampled_tiles(simulation: StoredSimulation) -> Iterator[Position]:
    wanted = max(LEAST_STEPS, SAMPLE // max(1, len(simulation.meta.persona_names)))
    steps = range(0, simulation.steps, max(1, simulation.steps // wanted))
    return (tile_of(record) for step in steps for record in simulation.state(step).values())


def now(simulation: SavedSimulation) -> TownNow:
    """Return where a live simulation stands, for a page that is opened at any time."""
    step = simulation.steps or simulation.meta.step
    positions = simulation.positions()
    frame = simulation.state(step - 1) if step else {}
    return {
        **town(simulation),
        "step": step,
        "positions": positions,
        "frame": frame,
        "reported": simulation.environment(step) is not None,
        "damage": damage_lines(simulation.flaws),
    }
