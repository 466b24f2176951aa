"""The kinds of interventions: what is found in the folder `kinds/`, one file each.

They are read when they are first asked for, which imports the engine.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ville.errors import BadIntervention
from ville.plain_text import shortened
from ville.simulation.interventions import kinds as folder
from ville.simulation.interventions.fields import EXCERPT
from ville.simulation.interventions.intervention import Intervention, checked
from ville.simulation.interventions.kind import Kind


@cache
def kinds() -> Mapping[str, Kind[Intervention]]:
    """Return all kinds by their names, in the order of the alphabet."""
    modules = (import_module(f"{folder.__name__}.{each.name}") for each in iter_modules(folder.__path__))
    found: list[Kind[Intervention]] = [module.KIND for module in modules]
    return {kind.name: kind for kind in sorted(found, key=lambda kind: kind.name)}


def kind_of(intervention: Intervention) -> Kind[Intervention]:
    """Return what is said and done about an intervention."""
    return kinds()[intervention.kind]


def parse_intervention(values: Mapping[str, object]) -> Intervention:
    """Return the intervention that a JSON object describes. Raises BadIntervention."""
    name = values.get("kind")
    if not isinstance(name, str) or name not in kinds():
        said = (
            "kind is missing." if name is None else f"'{shortened(str(name), EXCERPT)}' is not a kind of intervention."
        )
        raise BadIntervention(f"{said} Choose one of: {', '.join(kinds())}.")
    fields: type[Intervention] = kinds()[name].fields
    return checked(fields, values, name)
