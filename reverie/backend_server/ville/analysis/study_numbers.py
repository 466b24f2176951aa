"""The numbers of a measure of a study, as tables of pages and of shared files show them."""

from dataclasses import asdict

from ville.analysis.study_statistics import BaseValues, MeasureByArm
from ville.json_types import JsonObject


def measure_numbers(measure: MeasureByArm) -> JsonObject:
    """Return mean and interval of each arm, by base, and its difference to the first arm."""
    bases: list[JsonObject] = [{"base": each.base, "arms": _arm_numbers(each)} for each in measure.bases]
    return {"measure": measure.measure, "digits": measure.digits, "bases": bases}


def _arm_numbers(values: BaseValues) -> list[JsonObject]:
    differences = {each.arm: each.found.as_json() for each in values.differences}
    return [
        {
            "arm": each.arm,
            "estimate": asdict(each.estimate) if each.estimate else None,
            "difference": differences.get(each.arm),
        }
        for each in values.arms
    ]
