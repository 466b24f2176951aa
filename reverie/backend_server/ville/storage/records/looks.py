"""Ready looks: the sprite sheets in `assets/characters/`, by name."""

import re
from difflib import get_close_matches
from pathlib import Path

from ville.errors import BadIntervention
from ville.home import OUR_ASSETS

SPRITE = re.compile(r"[\w-]{1,100}")
MOST_NEAR = 8
"""Looks that a message names if the name is nearly theirs."""
MOST_NAMED = 60
"""Looks that a message lists."""


def ready_looks(assets: Path) -> tuple[str, ...]:
    """Return the names of all sprite sheets, those of the project and those in the folder of the user."""
    folders = {assets / "characters", OUR_ASSETS / "characters"}
    return tuple(sorted({path.stem for folder in folders for path in folder.glob("*.png") if _fits(path)}))


def find_look(look: str, ready: tuple[str, ...]) -> str:
    """Return the sprite sheet of a look, which may be a person's name. Raises BadIntervention with the ready ones."""
    wanted = look.replace(" ", "_")
    if wanted not in ready:
        near = get_close_matches(wanted, ready, MOST_NEAR)
        named = ", ".join(near or ready[:MOST_NAMED]) or "none"
        hint = f"Did you mean: {named}?" if near else f"Choose one of: {named}."
        raise BadIntervention(f"There is no look '{look}'. {hint}")
    return wanted


def _fits(path: Path) -> bool:
    return SPRITE.fullmatch(path.stem) is not None
