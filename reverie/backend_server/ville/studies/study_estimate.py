"""Estimates what the rest of a study will take: calls, tokens, money, hours and disk."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

from ville.assembly.cost_model import cost_model
from ville.assembly.model_choice import chat_config
from ville.jobs.run_spec import AskedOfRun
from ville.llm.accounting.estimate import CostModel, PlannedRun, Totals, TypicalHour, corrected, estimate
from ville.llm.accounting.summaries import Calendar
from ville.llm.wire.providers import OFFLINE
from ville.plain_text import quantity
from ville.settings import Settings, load_settings
from ville.storage.studies.study_folder import JobManifest, Keep
from ville.studies.job import StudyJob
from ville.studies.study import Study, StudyBase
from ville.studies.used_by_runs import UsedByRun, mean_answer, mean_use, summed, times

SECONDS_PER_STEP = 0.0003
"""Of computing, for each person."""
BYTES_PER_STEP = 35
"""On disk, for each person, nearly all of it memories: steps are packed."""
BLOCK = 4096
"""Bytes in which disks keep files."""
FILES_OF_STEP = (290, 80)
"""Bytes for each person of the files of a step, its movements and positions, where steps are not packed."""
SHARE_KEPT: Mapping[Keep, float] = {"all": 1.0, "compressed": 1.7, "memories": 1.0, "tables": 0.0}
"""The share of a packed run that stays. Of tables nearly nothing stays: only what is there at the same time counts."""
QUESTION = TypicalHour(calls=1, advanced_prompt=1450, advanced_answer=60, rounds=1, batches=1, batch_tokens=20)
"""An interview with one question: as a 1.5B model was asked in twelve, of a day."""
WHISPERED = TypicalHour(calls=1, fast_prompt=400, fast_answer=40, rounds=0.2)
"""How important a whisper is, and what follows from it."""
BY_TYPICAL_DAY = "a typical day with the offline rules, and the tokens of a real model"
TYPICAL_RANGE = (0.5, 4.0)
"""Factors of a typical day between which real models were seen: they talk longer, and correct themselves."""
RANGE_OF_RUNS = (1 / 1.5, 1.5)
"""The same, of what runs like these have taken."""
FEW_CALLS = 5
"""Below so many, expected calls say nothing of how wrong a typical day is."""
MINUTE, HOUR = 60, 3600
MEGABYTE, GIGABYTE = 1e6, 1e9


@dataclass(frozen=True)
class StudyEstimate:
    """Calls, tokens, money, hours and disk for all that is not done yet."""

    runs: int
    beginnings: int
    asks_model: bool
    is_free: bool
    """Whether nothing is paid for it: the rules answer, or models that cost nothing."""
    calls: float
    tokens: float
    cost: float | None
    """Dollars; None if a price is unknown."""
    seconds: float
    bytes: float
    basis: str = BY_TYPICAL_DAY
    range: tuple[float, float] = TYPICAL_RANGE
    """Between these factors of it is what is likely."""

    def lines(self) -> Iterator[str]:
        """Yield the estimate as text."""
        shared = (
            f", and {quantity(self.beginnings, 'shared beginning', 'shared beginnings')}" if self.beginnings else ""
        )
        yield f"{quantity(self.runs, 'run', 'runs')} to do{shared}."
        if self.asks_model:
            cost = "unknown cost (add prices to prices.toml)" if self.cost is None else f"{self.cost:,.2f} dollars"
            yield f"About {self.calls:,.0f} calls, {self.tokens:,.0f} tokens, {cost}; {self._likely}."
        else:
            yield "The offline rules answer: no calls, no cost."
        yield f"About {_time_text(self.seconds)}, and {_size_text(self.bytes)} on disk."
        yield f"Based on {self.basis}."

    @property
    def _likely(self) -> str:
        least, most = self.range
        if self.cost is None:
            return f"likely between {self.tokens * least:,.0f} and {self.tokens * most:,.0f} tokens"
        return f"likely between {self.cost * least:,.2f} and {self.cost * most:,.2f} dollars"


@dataclass(frozen=True)
class EstimateBasis:
    """Way of estimating what a run takes."""

    of_run: Callable[[StudyJob, StudyBase, int, CostModel], Totals]
    """Returns what a run takes from a step on."""
    basis: str = BY_TYPICAL_DAY
    """Where that is from, in words."""
    range: tuple[float, float] = TYPICAL_RANGE
    of_answer: Callable[[CostModel], Totals] = lambda model: model.totals(QUESTION)
    """Returns what an answer to a question of the study takes."""


def by_done_runs(
    runs: Sequence[UsedByRun], jobs: Mapping[str, StudyJob], otherwise: EstimateBasis
) -> EstimateBasis:  # fmt: skip
    """Return the basis that runs which are done are for others like them; `jobs` are those to estimate, by run."""
    if not runs:
        return otherwise

    def of_run(job: StudyJob, base: StudyBase, begun: int, model: CostModel) -> Totals:
        shares = bool(job.answers_of)
        pools = filter(None, _like(job, runs, jobs))
        found = [mean_use(pool, begun, job.until_step, model, sharing=shares) for pool in pools]
        expected = otherwise.of_run(job, base, begun, model)
        if not found:
            return expected
        used, gaps = min(found, key=lambda each: sum(until - first for first, until in each[1]))
        if not gaps:
            return used
        rest = summed(otherwise.of_run(replace(job, until_step=until), base, first, model) for first, until in gaps)
        known = summed([expected, times(rest, -1.0)])
        return summed([used, corrected(rest, used, known) if known.calls >= FEW_CALLS else rest])

    def of_answer(model: CostModel) -> Totals:
        return mean_answer(runs, model) or otherwise.of_answer(model)

    others = {job.base for job in jobs.values()} - {each.job.base for each in runs}
    told = f"what {quantity(len(runs), 'run', 'runs')} like these {'has' if len(runs) == 1 else 'have'} used"
    told += f"; for other bases, {otherwise.basis}" if others else ""
    return EstimateBasis(of_run, told, RANGE_OF_RUNS, of_answer)


def _like(job: StudyJob, runs: Sequence[UsedByRun], jobs: Mapping[str, StudyJob]) -> Iterator[list[UsedByRun]]:
    """Yield runs that a job may be like, the likest first: of its arm; of arms that take answers of others if it does;
    of any arm. Runs of which the model answers only some people are like those of their arm alone.
    """
    same = [each for each in runs if each.job.base == job.base]
    yield [each for each in same if each.job.arm == job.arm]
    if _is_swapped(job):
        return
    whole = [each for each in same if not ((known := jobs.get(each.job.run)) and _is_swapped(known))]
    sharing = {run for run, each in jobs.items() if each.answers_of}
    yield [each for each in whole if (each.job.run in sharing) is bool(job.answers_of)]
    yield whole


def _is_swapped(job: StudyJob) -> bool:
    return any(row.get("rule") == "swap" for row in job.rows)


def budget_again(study: Study, what: str) -> str:
    """Return a line on the budget of an audit or a confirmation: that of its study once more; empty without one."""
    budget = study.budget
    limits = [f"{budget.cost:,.2f} dollars"] if budget.cost is not None else []
    limits += [quantity(budget.calls, "call", "calls")] if budget.calls is not None else []
    limits += [quantity(budget.tokens, "token", "tokens")] if budget.tokens is not None else []
    told = f"It has the whole budget again: {', '.join(limits)} for {what}, beside what the study may use."
    return told if limits else ""


def _time_text(seconds: float) -> str:
    if seconds < HOUR:
        return quantity(ceil(seconds / MINUTE), "minute", "minutes")
    return f"{seconds / HOUR:,.1f} hours"


def _size_text(size: float) -> str:
    return f"{ceil(size / MEGABYTE):,} MB" if size < GIGABYTE else f"{size / GIGABYTE:,.1f} GB"


def estimate_study(
    study: Study,
    jobs: Mapping[str, StudyJob],
    manifests: Mapping[str, JobManifest],
    workers: int,
    *,
    by: EstimateBasis,
    unanswered: Callable[[StudyJob], Sequence[AskedOfRun]] = lambda job: job.questions,
) -> StudyEstimate:
    """Estimate what is not done yet, with so many runs at the same time.
    `unanswered` returns the questions of a job that have no answers yet. Raises SetupError.
    """
    bases = {base.name: base for base in study.bases}
    left = [job for run, job in jobs.items() if manifests[run].state != "done"]
    totals, priced, asks, free, computing, size = Totals(), True, False, True, 0.0, 0.0
    known: dict[str, Settings] = {}
    for job in left:
        base, begun = bases[job.base], max(job.first_step, manifests[job.run].step)
        people = len(base.people)
        computing += people * (job.until_step - begun) * SECONDS_PER_STEP
        shared = job.arm or job.run  # the settings of an arm differ by their seed alone
        if shared not in known:
            known[shared] = load_settings(job.settings)
        settings = known[shared]
        packed = settings.pack_steps or study.keep in {"compressed", "memories"}
        size += (job.until_step - base.clock.step) * _bytes_of_step(people, packed=packed)
        if chat_config(settings):
            model = cost_model(settings)
            asks, priced, free = True, priced and model.priced, free and model.is_free
            totals = summed([totals, by.of_run(job, base, begun, model)])
            totals = summed([totals, _of_questions(unanswered(job), base, by.of_answer(model))])
    most = max(1, min(workers, len(left)))
    waiting = max(totals.seconds / most, totals.calls / study.concurrency)
    return StudyEstimate(
        runs=sum(bool(job.arm) for job in left),
        beginnings=sum(not job.arm for job in left),
        asks_model=asks,
        is_free=free,
        calls=totals.calls,
        tokens=totals.tokens,
        cost=totals.cost if priced else None,
        seconds=waiting + computing / most,
        bytes=size * (SHARE_KEPT[study.keep] or most / max(1, len(left))),
        basis=by.basis,
        range=by.range,
    )


def _bytes_of_step(people: int, *, packed: bool) -> int:
    """Return what a step takes on disk; its files, if they are not packed, take whole blocks."""
    files = () if packed else (ceil(people * each / BLOCK) * BLOCK for each in FILES_OF_STEP)
    return people * BYTES_PER_STEP + sum(files)


def asked_until(job: StudyJob, people: Sequence[str]) -> dict[str, int]:
    """Return up to which step the model answers each persona: to the end, unless a rule gives it to the rules."""
    swapped = {
        row["who"]: int(row["step"])
        for row in job.rows
        if (row.get("rule"), row.get("model"), row.get("on", True)) == ("swap", OFFLINE, True)
    }
    return {name: min(swapped.get(name, job.until_step), job.until_step) for name in people}


def typical_of_run(job: StudyJob, base: StudyBase, begun: int, model: CostModel) -> Totals:
    """Return what the rest of a run takes by a typical day, for the share of its people whom the model answers, and
    what is whispered to them.
    """
    clock, people, steps = base.clock, len(base.people), job.until_step - begun
    calendar = Calendar.at(clock.now, clock.step, clock.seconds_per_step)
    whole = estimate(PlannedRun(people, begun, steps, calendar), model, None).totals
    asked = sum(max(0, step - begun) for step in asked_until(job, base.people).values())
    lived = times(whole, asked / max(1, people * steps))
    return summed([lived, times(model.totals(WHISPERED), _whispers(job, begun))])


def _whispers(job: StudyJob, begun: int) -> int:
    """Return how much is whispered to people from a step on, histories included."""
    due = [row for row in job.rows if begun <= int(row["step"]) < job.until_step]
    return sum(len(row["rows"]) if row.get("kind") == "history" else row.get("kind") == "whisper" for row in due)


TYPICAL = EstimateBasis(typical_of_run)
"""Basis of runs of which nothing is known."""


def _of_questions(questions: Sequence[AskedOfRun], base: StudyBase, answer: Totals) -> Totals:
    asked = sum(len(each.of) or len(base.people) for each in questions)
    return replace(times(answer, asked), seconds=answer.seconds * len(questions))
