"""What a town and its places may be called."""

import re

SEPARATORS = ":,|<>"
"""They hold addresses and lists of them together, so that no name may contain one."""


def name_error(name: str) -> tuple[str, str] | None:
    """What is wrong with a part of an address, and how to mend it; None for a good one."""
    if separators := sorted(set(name) & set(SEPARATORS)):
        return f"the name {name!r} contains {separators[0]!r}", f"leave out {' '.join(SEPARATORS)}"
    if not name or name != name.strip():
        return f"the name {name!r} is empty or begins or ends with a blank", "write the bare name"
    if not name.isprintable():
        return f"the name {name!r} has a line end or another sign that cannot be seen", "keep it on one line"
    return None


def maze_name_error(name: str) -> tuple[str, str] | None:
    """What keeps a name from being that of a maze, which is a folder and a part of web addresses."""
    if re.fullmatch(r"[a-z0-9_]+", name):
        return None
    return f"{name!r} cannot name a folder", "use small letters, digits and _ only"
