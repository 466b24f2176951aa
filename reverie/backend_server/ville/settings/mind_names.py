"""The setting `minds`: which parts of a mind are replaced by classes of one's own, and by which."""

import re
from collections.abc import Iterator, Mapping

from ville.plain_text import nearest

KINDS = ("perceive", "retrieve", "plan", "react", "converse", "reflect", "persona")
"""Parts of a mind that can be replaced; `persona` replaces all of them but retrieving and conversing."""
DEFAULT = "default"
"""All parts are those of the Ville, whatever a simulation was run with before."""
CLASS = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")
EXAMPLE = "retrieve=my_module:MyMemory"


def minds_text(value: object) -> str:
    """Return the parts in a fixed order, as in `plan=my_module:MyPlans retrieve=my_module:MyMemory`.

    `value` is such a text, or a mapping of parts to classes or their names. Raises ValueError.
    """
    pairs = list(_pairs(value))
    if pairs == [(DEFAULT, "")]:
        return DEFAULT
    for kind, name in pairs:
        if kind not in KINDS:
            raise ValueError(f"{EXAMPLE} ('{kind}' is no part of a mind: {nearest(kind, KINDS)})")
        if not CLASS.fullmatch(name):
            raise ValueError(f"{EXAMPLE} ('{name}' is not module:Class)")
        if [each for each, _ in pairs].count(kind) > 1:
            raise ValueError(f"{EXAMPLE} ({kind} is given twice)")
    return " ".join(f"{kind}={name}" for kind, name in sorted(pairs))


def named_minds(text: str) -> dict[str, str]:
    """Return the classes by part that a text of `minds_text` names."""
    return {kind: name for kind, _, name in (pair.partition("=") for pair in text.split()) if name}


def _pairs(value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        yield from ((str(kind), _class_name(named)) for kind, named in value.items() if named is not None)
        return
    for pair in str(value or "").replace(",", " ").split():
        kind, _, name = pair.partition("=")
        yield kind, name


def _class_name(named: object) -> str:
    """Return the name of a class. One that only a notebook or script has could not be found again by another program,
    and is none.
    """
    if not isinstance(named, type):
        return str(named).strip()
    if named.__module__ == "__main__" or "." in named.__qualname__:
        raise ValueError(f"a class at the top of a module that can be imported ({named.__qualname__} is not)")
    return f"{named.__module__}:{named.__qualname__}"
