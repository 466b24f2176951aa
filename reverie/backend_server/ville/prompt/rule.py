"""Reads a rule of a counterfactual as it is typed: `cut Klaus, Maria`, `silence hobbs cafe off`."""

import re
from collections.abc import Mapping
from typing import Any

from ville.simulation.interventions.catalogue import parse_intervention
from ville.simulation.interventions.intervention import Intervention

OFF = re.compile(r"(?:^|\s+)off$", re.IGNORECASE)
BETWEEN: Mapping[str, str] = {"cut": r"\s*,\s*|\s+and\s+", "swap": r"\s+to\s+", "pin": r"\s+to\s+"}
"""Separators of the two fields of a rule."""
FIELDS: Mapping[str, tuple[str, ...]] = {
    "freeze": ("who",),
    "cut": ("who", "other"),
    "silence": ("where",),
    "swap": ("who", "model"),
    "pin": ("who", "recording"),
}


def read_rule(typed: str) -> Intervention:
    """Return the rule in a text. Raises BadIntervention."""
    rule, _, rest = typed.strip().partition(" ")
    rule, on = rule.lower(), not OFF.search(rest)
    text = OFF.sub("", rest).strip()
    parts = re.split(BETWEEN[rule], text, maxsplit=1) if rule in BETWEEN else [text]
    values: dict[str, Any] = dict(zip(FIELDS.get(rule, ()), filter(None, parts), strict=False))
    return parse_intervention({"kind": "rule", "rule": rule, "on": on, **values})
