"""Measures of groups that were drawn within a town: the mean of a group minus that of the rest."""

from collections.abc import Callable

from ville.analysis.collect_plan import PERSONA, collected_measure
from ville.analysis.collected_run import CollectedRun, RunMoment, RunPart
from ville.analysis.run import REST, Run
from ville.errors import BadArgument
from ville.json_types import JsonObject
from ville.plain_text import nearest

GROUP, OF, NAME = "group", "of", "name"
AT_THE_END = ("memories", "thoughts", "conversations", "people known", "know of the party", "know of the candidacy")
"""Measures of a persona that the memories of a run tell, as `collect` has them."""


INTERFERENCE = (
    "Groups are drawn within a town, and people of one town influence each other: what a group is told reaches the "
    "rest. So their difference is not the effect of being told (SUTVA does not hold). The unit is the town, not the "
    "person: each run gives one value, the mean of the group minus that of the rest. For the effect on a town, compare "
    "arms."
)
"""Said wherever differences of groups are."""


def contrast_name(name: str, group: str) -> str:
    """Return the name of a measure of a group against the rest."""
    return f"{name}: {group} - {REST}"


def group_measure(source: JsonObject) -> tuple[str, Callable[[Run], float | None]]:
    """Return a measure of people at the end of a run: the mean of a group minus that of the rest, after its name.

    `{news: mayor, group: told}` or `{of: conversations, group: told}`. Raises BadArgument.
    """
    group = str(source.get(GROUP) or "").strip()
    if not group:
        raise BadArgument("`group` has no name; write one that `assign` draws")
    rest = {key: value for key, value in source.items() if key != GROUP}
    if "news" in rest:
        measure = collected_measure(PERSONA, rest)
        name = str(source.get(NAME) or contrast_name(measure.name, group))
    else:
        if wrong := [key for key in rest if key not in {OF, NAME}]:
            raise BadArgument(f"'{wrong[0]}' is not known in a measure of a group; write `of` or `news`")
        of = str(rest.get(OF) or "").strip()
        if of not in AT_THE_END:
            raise BadArgument(f"there is no measure '{of}' of people in a group; {nearest(of, AT_THE_END)}")
        measure = collected_measure(PERSONA, of)
        name = str(source.get(NAME) or contrast_name(of, group))

    def contrast(run: Run) -> float | None:
        moment = RunMoment(CollectedRun([RunPart(0, run)]), run.steps, run.ends)
        values = {who: value for (who,), value in measure.of(moment) if isinstance(value, int | float)}
        return run.contrast(values, group) if group in run.groups else None

    return name, contrast
