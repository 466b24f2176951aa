"""Results of a bench: effects with their intervals, how good the answers were, and the line that is quoted."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path, PureWindowsPath

from ville.analysis.run_statistics import IntervalEstimate, estimated_mean
from ville.analysis.statistics_table import interval_words
from ville.json_types import JsonObject
from ville.llm.accounting.ledger import FILE, Ledger
from ville.llm.accounting.ledger_schema import ANSWERED, OPEN, SHARED
from ville.plain_text import quantity
from ville.result_table import TableRow
from ville.storage.studies.study_folder import JobManifest
from ville.studies.results import StudyResults
from ville.studies.town_bench.bench_study import RULES, BenchConditions

CALLS = (
    f"SELECT count(*), total(repair > 0), total(outcome <> '{ANSWERED}'), total(prompt_tokens), "  # noqa: S608 - ours
    f"total(completion_tokens), total(cost), total(seconds) FROM calls WHERE outcome NOT IN ('{OPEN}', '{SHARED}')"
)
SERVED = f"SELECT DISTINCT served FROM calls WHERE outcome = '{ANSWERED}' AND model = ? ORDER BY 1"  # noqa: S608 - ours
WIDTH = 42
"""Characters of the name of a measure."""


@dataclass(frozen=True)
class AnswerQuality:
    """How a model answered in the runs of one arm."""

    arm: str
    runs: int
    unasked: int
    """Runs in which nothing was asked, so that they are those of the reference."""
    calls: int
    corrected: IntervalEstimate | None
    """Share of calls that sent a bad answer back, over runs; None without a call."""
    unusable: int
    """Questions that ended without a usable answer, so that a persona went on as it was."""
    failed: int
    """Calls without an answer."""
    tokens_in: int
    tokens_out: int
    cost: float
    """US dollars."""
    seconds: float
    """Of waiting for all answers, one after the other."""
    served: tuple[str, ...]
    """The model, as the provider names it in its answers."""

    def as_json(self) -> JsonObject:
        return {**asdict(self), "served": list(self.served)}


def answer_quality(results: StudyResults, storage: Path, arm: str, model: str) -> AnswerQuality:
    """Return how a model answered in the runs of an arm that are done, by their ledgers. Raises CorruptFile."""
    jobs = [job for job in results.jobs if job.arm == arm and job.state == "done"]
    counts, unusable, served = [], 0, set[str]()
    for folder in (storage / job.simulation / "reverie" for job in jobs):
        if (folder / FILE).exists():
            with closing(Ledger.read(folder)) as ledger:
                counts.append(ledger.connection.execute(CALLS).fetchone())
                served |= {name for (name,) in ledger.connection.execute(SERVED, (model,)) if name}
                unusable += ledger.connection.execute("SELECT count(*) FROM fallbacks").fetchone()[0]
    shares = [corrected / calls for calls, corrected, *_ in counts if calls]
    calls, _, failed, tokens_in, tokens_out, cost, seconds = map(sum, zip(*counts, strict=True)) if counts else (0,) * 7
    return AnswerQuality(
        arm=arm,
        runs=len(jobs),
        unasked=len(jobs) - len(shares),
        calls=int(calls),
        corrected=estimated_mean(shares) if shares else None,
        unusable=unusable,
        failed=int(failed),
        tokens_in=int(tokens_in),
        tokens_out=int(tokens_out),
        cost=cost,
        seconds=seconds,
        served=tuple(sorted(served)),
    )


def quality_line(found: AnswerQuality) -> str:
    """Return the quality of answers as a line."""
    corrected = found.corrected
    share = "" if corrected is None else f", {100 * corrected.mean:.1f} % corrections"
    if corrected and corrected.low is not None and corrected.high is not None:
        share += f" [{100 * max(0.0, corrected.low):.1f}, {100 * corrected.high:.1f}]"
    used = f"{found.tokens_in:,} tokens in, {found.tokens_out:,} out, {found.cost:,.4f} dollars"
    wait = f"{found.seconds / max(1, found.calls):.1f} s a call"
    calls = quantity(found.calls, "call", "calls")
    nothing = (
        f"; nothing was asked in {found.unasked} of {found.runs} runs, which cannot differ" if found.unasked else ""
    )
    return (
        f"{calls}{share}, {found.unusable:,} without a usable answer, {found.failed:,} failed; {used}; {wait}{nothing}"
    )


def effect_rows(results: StudyResults, arm: str) -> list[TableRow]:
    """Return the differences of an arm to the reference, by measure."""
    return [row for row in results.differences() if row["arm"] == arm]


def unmeasured(results: StudyResults, rows: Sequence[TableRow]) -> list[str]:
    """Return the measures that the runs of an arm do not reach."""
    return [name for name in results.measures if name not in {row["measure"] for row in rows}]


def effect_lines(rows: Sequence[TableRow]) -> Iterator[str]:
    """Yield differences with their 95% intervals."""
    for row in rows:
        effect = "" if row["effect"] is None else f", g {row['effect']:+.2f}"
        yield f"  {row['measure']:<{WIDTH}} {row['difference']:+.4g}{interval_words(row)}{effect}: {row['verdict']}"


def quoted_line(
    conditions: BenchConditions, model: str, served: Sequence[str], rows: Sequence[TableRow], *, arm: str
) -> str:
    """Return a result as a line to be quoted: bench, place, model served, number of seeds, effect with its interval."""
    primary = conditions.primary[arm]
    row = next((row for row in rows if row["measure"] == primary), None)
    place = f"{conditions.people} people until {conditions.until}"
    who = "everyone" if arm == "town" else f"{conditions.resident} alone from {conditions.noon}"
    against = "the rules" if conditions.reference == RULES else conditions.reference
    named = f" (served: {', '.join(dict.fromkeys(map(plain_model, served)))})" if served else ""
    found = f"{primary} {row['difference']:+.4g}{interval_words(row)}" if row else f"{primary} was not measured"
    seeds = row["pairs"] if row else 0
    return f"Town bench {conditions.label}, {place}, {who}: {model}{named} against {against}, n = {seeds}: {found}"


def plain_model(name: str) -> str:
    """Return the name of a model without the folders of a file of weights."""
    return PureWindowsPath(name).name if "/" in name and name.endswith(".gguf") else name


def failed_runs(jobs: Sequence[JobManifest], arm: str) -> list[str]:
    """Return the runs of an arm that have failed, with why: a model may be too weak to live the day."""
    return [f"{job.run}: {job.fault}" for job in jobs if job.arm == arm and job.state == "failed"]


def result_json(
    conditions: BenchConditions, model: str, arms: Mapping[str, tuple[Sequence[TableRow], AnswerQuality]]
) -> JsonObject:
    """Return a result for programs."""
    return {
        "bench": conditions.label,
        "digest": conditions.digest,
        "conditions": conditions.as_json(),
        "model": model,
        "arms": {
            arm: {
                "line": quoted_line(conditions, model, quality.served, rows, arm=arm),
                "effects": [dict(row) for row in rows],
                "answers": quality.as_json(),
            }
            for arm, (rows, quality) in arms.items()
        },
    }
