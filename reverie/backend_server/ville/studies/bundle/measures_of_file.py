"""The measures that a copied study file names, where the bases of the study need not be there."""

from collections.abc import Sequence

from ville.errors import BadStudy, BadYaml
from ville.yaml_lines import read_yaml

MOST_VALUES = 100_000


def measure_sources(text: str) -> Sequence[object]:
    """Return the entries below `measures` of a study file. Raises BadStudy."""
    try:
        root = read_yaml(text, "study.yaml", most=MOST_VALUES, name="the study")
    except BadYaml as error:
        raise BadStudy(error.fault) from None
    if root is None or not root.is_mapping:
        return []
    values = root.value
    found = values.get("measures") if isinstance(values, dict) else None
    return found if isinstance(found, list) else []
