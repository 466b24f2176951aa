"""Function of the public API for the second evaluation of the paper: `ville.paper_evaluation`."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from ville.analysis.asked_facts import questions_for
from ville.analysis.comparison.compared_run import find_run
from ville.analysis.run_statistics import RunDifference
from ville.analysis.second_evaluation import (
    WHY,
    EvaluatedRun,
    EvaluationRow,
    arm_differences,
    cheap_values,
    evaluation_rows,
    no_shows,
    stated_reason,
)
from ville.api.asking import answers_of, asking_cost, everyone_asked
from ville.api.studied_runs import StudiedRun, find_studied_runs
from ville.errors import BadMoment
from ville.json_types import JsonObject
from ville.llm.wire.providers import OFFLINE
from ville.settings import Settings, load_settings

Say = Callable[[str], object]


@dataclass(frozen=True)
class PaperEvaluation:
    """The second evaluation of the paper over the runs of a study, or over simulations."""

    of: str
    runs: tuple[EvaluatedRun, ...]
    """With all answers."""

    @property
    def rows(self) -> list[EvaluationRow]:
        """Numbers by arm, with intervals over runs and the figures of the paper."""
        return evaluation_rows(self.runs)

    @property
    def differences(self) -> list[tuple[str, str, RunDifference]]:
        """Differences to the first arm at the end, each with what was counted and its arm."""
        return arm_differences(self.runs)

    def as_json(self) -> JsonObject:
        return {
            "v": 1,
            "of": self.of,
            "rows": [row.as_json() for row in self.rows],
            "differences": [{"what": what, "arm": arm, **found.as_json()} for what, arm, found in self.differences],
            "runs": [run.as_json() for run in self.runs],
        }


def paper_evaluation(*names: str, say: Say | None = None, model: bool = False, **settings: object) -> PaperEvaluation:
    """Ask everyone of runs what the paper asked, at their start and at their end, and count. Nothing changes.

    Args:
        names: a study, whose runs that are done are taken, or saved simulations.
        say: is told what is asked and what it may cost, and how far it has come.
        model: let the configured model answer, which may cost money; otherwise the rules do, also for a run of a model.
        **settings: as for `fork`.

    Raises:
        ReverieError: there is no such study or simulation, a file is damaged, or the model cannot be reached.
    """
    chosen = load_settings(settings)
    named = find_studied_runs(chosen, names)
    if not model:
        chosen = replace(chosen, provider=OFFLINE)
    tell = say or str
    count = sum(2 * len(questions_for(each.run.meta.persona_names)) + len(each.run.people) for each in named.runs)
    tell(f"At most {asking_cost(chosen, count)}")
    found: list[EvaluatedRun] = []
    for number, each in enumerate(named.runs, 1):
        tell(f"Asking {each.run.name} ({number} of {len(named.runs)})")
        found.append(_evaluated(chosen, each, tell))
    return PaperEvaluation(named.of, tuple(found))


def _evaluated(settings: Settings, each: StudiedRun, tell: Say) -> EvaluatedRun:
    try:
        start, before = (
            everyone_asked(settings, each.start),
            find_run(settings.fs_storage, settings.replays, each.start),
        )
    except BadMoment as fault:
        start, before = None, None
        tell(f"{each.start} was not asked: {fault}")
    run, party = each.run, no_shows(each.run)
    answers = answers_of(settings, run, run.name, [(who, WHY) for who in party[0]]) if party and party[0] else []
    return EvaluatedRun(
        run=run.name,
        arm=each.arm,
        seed=each.seed,
        people=len(run.meta.persona_names),
        start=start,
        end=everyone_asked(settings, run.name),
        invited=party[1] if party else None,
        came=party[2] if party else None,
        reasons=tuple(
            stated_reason(who, answer) for who, answer in zip(party[0] if party else (), answers, strict=True)
        ),
        cheap=cheap_values(run, before),
    )
