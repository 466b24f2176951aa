"""Reads what a study file lays down before it is run: hypotheses, primary measures, when it stops, eligible models."""

from collections.abc import Mapping, Sequence
from typing import get_args

from ville.plain_text import nearest
from ville.storage.studies.registration import Direction, Hypothesis
from ville.studies.study import StudyPlan
from ville.yaml_lines import YamlValue

PLAN_KEYS = ("hypotheses", "primary", "stop", "eligible_models")
HYPOTHESIS_KEYS = ("measure", "arm", "direction")
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
LONGEST_STOP, LONGEST_MODEL = 300, 100


def read_plan(fields: Mapping[str, YamlValue], measures: Sequence[str], arms: Sequence[str]) -> StudyPlan:
    """Return what the keys of a study file lay down. What is wrong is added to its faults."""
    given = fields.get("hypotheses")
    hypotheses: list[Hypothesis] = []
    for each in given.items() if given else ():
        hypothesis = _hypothesis(each, measures, arms)
        if hypothesis and any((hypothesis.measure, hypothesis.arm) == (one.measure, one.arm) for one in hypotheses):
            each.fault(f"'{hypothesis.measure}' of '{hypothesis.arm}' has two hypotheses", "keep one of the two")
        elif hypothesis:
            hypotheses.append(hypothesis)
    return StudyPlan(
        hypotheses=tuple(hypotheses),
        primary=_primary(fields.get("primary"), hypotheses),
        stop=_stop(fields.get("stop")),
        eligible_models=_models(fields.get("eligible_models")),
    )


def _hypothesis(found: YamlValue, measures: Sequence[str], arms: Sequence[str]) -> Hypothesis | None:
    given = found.fields(HYPOTHESIS_KEYS)
    for key in HYPOTHESIS_KEYS:
        if key not in given:
            found.fault(f"a hypothesis has no {key}", "write {measure: ..., arm: ..., direction: more}")
            return None
    measure, arm, direction = ((given[key].text() or "").strip() for key in HYPOTHESIS_KEYS)
    if measure not in measures:
        given["measure"].fault(f"the study has no measure '{measure}'", nearest(measure, measures))
    if arm not in arms[1:]:
        fix = "name the arm that differs" if arm in arms[:1] else nearest(arm, arms[1:])
        said = "is the first one, with which others are compared" if arm in arms[:1] else "is not there"
        given["arm"].fault(f"the arm '{arm}' {said}", fix)
    if direction not in DIRECTIONS:
        given["direction"].fault(
            f"'{direction}' is not a direction", "write more, fewer, or other for a difference either way"
        )
        return None
    return Hypothesis.model_validate({"measure": measure, "arm": arm, "direction": direction})


def _primary(found: YamlValue | None, hypotheses: Sequence[Hypothesis]) -> tuple[str, ...]:
    known = list(dict.fromkeys(each.measure for each in hypotheses))
    names: list[str] = []
    for each in found.one_or_more() if found else ():
        name = (each.text() or "").strip()
        if name not in known:
            each.fault(f"the primary measure '{name}' has no hypothesis", nearest(name, known))
        elif name in names:
            each.fault(f"the primary measure '{name}' is given twice", "keep one of the two")
        else:
            names.append(name)
    return tuple(names)


def _stop(found: YamlValue | None) -> str:
    stop = (found.text() or "").strip() if found else ""
    if found and len(stop) > LONGEST_STOP:
        found.fault(f"`stop` has {len(stop):,} characters", f"write at most {LONGEST_STOP}")
    return stop


def _models(found: YamlValue | None) -> tuple[str, ...]:
    names: list[str] = []
    for each in found.one_or_more() if found else ():
        name = (each.text() or "").strip()
        if not name or len(name) > LONGEST_MODEL:
            each.fault("this is not the name of a model", f"write its name, at most {LONGEST_MODEL} characters")
        elif name in names:
            each.fault(f"the model '{name}' is given twice", "keep one of the two")
        else:
            names.append(name)
    return tuple(names)
