"""The contrast of an audit: two arms of a study, what they differ in, and from which step on."""

from collections.abc import Sequence
from dataclasses import dataclass

from ville.errors import BadArgument
from ville.plain_text import nearest
from ville.storage.records.intervention_log import Row
from ville.studies.assignment import groups_of
from ville.studies.study import Study, StudyArm, StudyBase


@dataclass(frozen=True)
class Contrast:
    """Two arms, of which the second one is minus the first one."""

    base: StudyBase
    control: StudyArm
    treated: StudyArm
    measure: str

    @property
    def common(self) -> tuple[Row, ...]:
        """Interventions of both arms."""
        return tuple(row for row in self.rows(self.treated) if row in self.rows(self.control))

    @property
    def own(self) -> tuple[Row, ...]:
        """Interventions of the second arm alone: what the effect is of."""
        return tuple(row for row in self.rows(self.treated) if row not in self.rows(self.control))

    def rows(self, arm: StudyArm) -> tuple[Row, ...]:
        """Return the interventions of an arm."""
        return tuple(arm.rows[self.base.name])

    @property
    def parts_at(self) -> int:
        """The step before which both arms are the same."""
        if self.control.settings != self.treated.settings or self.control.other_seeds != self.treated.other_seeds:
            return self.base.clock.step
        there = (self.rows(self.control), self.rows(self.treated))
        apart = [row for row in (*there[0], *there[1]) if (row in there[0]) is not (row in there[1])]
        return min((int(row["step"]) for row in apart), default=self.base.clock.step)


def contrast_of(study: Study, *, arm: str = "", against: str = "", measure: str = "") -> Contrast:
    """Return a contrast of a study, by default of its first arm and the other one. Raises BadArgument."""
    if len(study.bases) != 1:
        names = ", ".join(base.name for base in study.bases)
        raise BadArgument(f"An audit needs one base, but {study.file.name} has several: {names}. Keep one of them.")
    if past := [each.name for each in study.arms if each.past]:
        raise BadArgument(f"The arm '{past[0]}' has a past. An audit needs arms without one.")
    if drawn := groups_of(study):
        said = f"{study.file.name} draws groups within a town ({', '.join(drawn)}); an audit compares whole towns"
        raise BadArgument(f"{said}. Leave out `assign`, and name people in the interventions.")
    control = _arm(study.arms, against) if against else study.arms[0]
    others = [each for each in study.arms if each.name != control.name]
    if not others:
        raise BadArgument(f"{study.file.name} has a single arm, so there is no effect to audit. Add another one.")
    if not arm and len(others) > 1:
        names = ", ".join(each.name for each in others)
        raise BadArgument(f"Which arm is compared with '{control.name}'? Choose one with --arm: {names}.")
    known = [each.name for each in study.measures]
    if not known:
        raise BadArgument(f"{study.file.name} has no measure, so there is no effect to audit. Add `measures`.")
    if measure and measure not in known:
        raise BadArgument(f"The study has no measure '{measure}'; {nearest(measure, known)}.")
    return Contrast(study.bases[0], control, _arm(others, arm) if arm else others[0], measure or known[0])


def _arm(arms: Sequence[StudyArm], name: str) -> StudyArm:
    found = next((each for each in arms if each.name == name), None)
    if found is None:
        raise BadArgument(f"There is no arm '{name}' to compare; {nearest(name, [each.name for each in arms])}.")
    return found
