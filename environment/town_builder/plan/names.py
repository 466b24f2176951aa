"""Rules for the names of towns and places."""

import re

SEPARATORS = ":,|<>"
"""Characters that separate names in addresses and in lists of addresses."""


def name_error(name: str) -> tuple[str, str] | None:
    """Return what is wrong with a part of an address and how to fix it, or None for a valid name."""
    if separators := sorted(set(name) & set(SEPARATORS)):
        return f"the name {name!r} contains {separators[0]!r}", f"do not use {' '.join(SEPARATORS)}"
    if not name or name != name.strip():
        return f"the name {name!r} is empty, or starts or ends with a space", "write it without spaces around it"
    if not name.isprintable():
        return f"the name {name!r} contains a line break or another invisible character", "remove it"
    return None


def maze_name_error(name: str) -> tuple[str, str] | None:
    """Return what is wrong with a maze name and how to fix it, or None. Mazes become folders and URL parts."""
    if re.fullmatch(r"[a-z0-9_]+", name):
        return None
    return f"{name!r} is not a maze name", "use only lower-case letters, digits and _"
