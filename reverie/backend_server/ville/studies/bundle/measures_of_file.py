"""The measures that a copied study file names, where the bases of the study need not be there."""

from collections.abc import Mapping, Sequence

from ville.errors import BadStudy, BadYaml
from ville.studies.reading.assign_reader import ASSIGN
from ville.studies.reading.question_reader import answer_measures, read_questions
from ville.yaml_lines import YamlValue, read_yaml

MOST_VALUES = 100_000


def measure_sources(text: str) -> Sequence[object]:
    """Return the entries below `measures` of a study file, and those of its typed questions. Raises BadStudy."""
    try:
        root = read_yaml(text, "study.yaml", most=MOST_VALUES, name="the study")
    except BadYaml as error:
        raise BadStudy(error.fault) from None
    if root is None or not root.is_mapping:
        return []
    fields = root.fields()
    found = fields["measures"].value if "measures" in fields else None
    questions = read_questions(fields["questions"], ()) if "questions" in fields else ()
    return [*(found if isinstance(found, list) else []), *answer_measures(questions, _groups(fields))]


def _groups(fields: Mapping[str, YamlValue]) -> list[str]:
    """Return the groups that arms draw, as `groups_of` does of a study that was read."""
    arms = list(fields["arms"].fields().values()) if "arms" in fields else []
    own = [arm.fields().get(ASSIGN) if arm.is_mapping else None for arm in arms] or [None]
    drawn = [each or fields.get(ASSIGN) for each in own]
    return list(dict.fromkeys(name for each in drawn if each and each.is_mapping for name in each.fields()))
