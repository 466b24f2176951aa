"""Try a model in a whole town, and as one single resident of it, against the rules (`ville bench --model X`).

What it does is a study: it can be stopped, and the same command goes on. It ends with effects and their intervals, a
bundle that others verify without a call, and a report. docs/bench.md says what is measured, and why.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from ville.assembly.model_choice import provider_name
from ville.cli.number_flags import count_of, positive_number
from ville.cli.study_run import Flags, add_engine_flags, add_paying, may_pay, model_lines, run_shown
from ville.command_lines import typed
from ville.errors import BadArgument, ReverieError
from ville.plain_text import printable
from ville.result_table import TableRow
from ville.settings import add_flags, load_settings
from ville.storage.files import pretty, read_text, write_text, writing
from ville.storage.named_files import check_free, check_place
from ville.storage.studies.study_folder import StudyFolder
from ville.studies.batch import study_estimate
from ville.studies.bundle.bundle_files import NO_LICENSE, write_bundle
from ville.studies.reading.study_file import MOST_SEEDS, StudyReader, study_text
from ville.studies.results import StudyResults
from ville.studies.town_bench.bench_bundles import check_comparable, read_result, side_by_side
from ville.studies.town_bench.bench_hours import bench_basis
from ville.studies.town_bench.bench_results import (
    AnswerQuality,
    answer_quality,
    effect_lines,
    effect_rows,
    failed_runs,
    quality_line,
    quoted_line,
    result_json,
    unmeasured,
)
from ville.studies.town_bench.bench_study import (
    RULES,
    BenchConditions,
    BenchTerms,
    bench_conditions,
    study_content,
    study_name,
)
from ville.studies.town_bench.definition import FILE, BenchArm, read_definition

FLAGS = ("provider", "fs_storage", "fs_studies", "assets")
"""Settings that can be given on the command line."""
LIMITS = {"max_cost": "dollars", "max_calls": "calls", "max_tokens": "tokens"}
"""Flags that limit the whole bench, and the key of a budget that each is."""
ARMS: tuple[BenchArm, ...] = get_args(BenchArm)
HEADING = "# Written by 'ville bench' (docs/bench.md), and written anew by it. A change makes it another study.\n"
RESULT, REPORT = "result.json", "report.html"


def main(arguments: Sequence[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    flags = {name: value for name in FLAGS if (value := getattr(choice, name)) is not None}
    try:
        if choice.compare:
            results = [read_result(path) for path in choice.compare]
            check_comparable(results)
            print(*map(printable, side_by_side(results)), sep="\n")
            return 0
        return Bench(choice, flags).run()
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1


class Bench:
    """One bench: its conditions, and the study that carries it out."""

    def __init__(self, choice: argparse.Namespace, flags: Flags) -> None:
        """Raises a ReverieError."""
        if not choice.model:
            raise BadArgument("Name the model to try with --model, or results to compare with --compare.")
        self._choice, self._flags = choice, flags
        definition = read_definition(choice.definition)
        terms = BenchTerms(
            model=choice.model,
            people=choice.people,
            resident=choice.resident,
            until=choice.until,
            against=choice.against,
            arms=[arm for arm in ARMS if choice.only in {"", arm}],
            budget={key: value for flag, key in LIMITS.items() if (value := getattr(choice, flag)) is not None},
        )
        self.conditions: BenchConditions = bench_conditions(definition, terms, flags)
        self.terms = terms
        self.name = study_name(self.conditions, terms.model)
        self._settings = load_settings(flags)
        self._folder = StudyFolder(self._settings.studies, self.name)
        self._out: Path = choice.out or Path(self.name)
        self._file, self._bundle = (self._out / f"{self.name}.{ending}" for ending in ("yaml", "zip"))
        provider, seeds = provider_name(self._settings), choice.seeds or definition.seeds
        self._text = HEADING + study_text(study_content(self.conditions, terms, provider=provider, seeds=seeds))

    def run(self) -> int:
        """Say what it takes, run what is not done, and write what was found. Raises a ReverieError."""
        study = StudyReader(self._text, self._file, self.name, self._flags).read()
        estimate = study_estimate(study, self._flags, self._choice.workers, by=bench_basis(study.bases[0]))
        tried = replace(study, arms=study.arms[1:])  # the reference needs no server
        print(*model_lines(tried, self._flags), *map(printable, self._plan()), *estimate.lines(), sep="\n")
        if self._choice.estimate:
            return 0
        if not may_pay(self._choice, is_free=estimate.is_free):
            return 1
        self._write_file()
        return run_shown(self._choice, self._flags, study, written=self._written)

    def _write_file(self) -> None:
        """Write the study file. Raises BadArgument if another one is there, and CannotWrite, also if a file of others
        would be replaced in the end.
        """
        if self._file.exists() and not read_text(self._file).startswith(HEADING):
            raise BadArgument(f"{self._file} is not of a bench. Choose another folder with --out.")
        check_place(self._file, replace=True)
        for name in (REPORT, RESULT, self._bundle.name):
            check_free(self._out / name, replace=self._file.exists())
        with writing(self._file):
            self._out.mkdir(parents=True, exist_ok=True)
            write_text(self._file, self._text)

    def _plan(self) -> list[str]:
        """Return what is compared with what."""
        given = self.conditions
        against = "the rules" if given.reference == RULES else given.reference
        what = {
            "town": f"everyone answered by {self.terms.model}",
            "resident": f"{given.resident} alone answered by {self.terms.model} from {given.noon} on",
        }
        return [
            f"Town bench {given.label}: {given.people} people until {given.until}, against {against}:",
            *(f"  {arm}: {what[arm]}" for arm in self.terms.arms),
        ]

    def _written(self, results: StudyResults) -> list[str]:
        """Write report, bundle and result of a bench that has come to its end, and return what is said of it."""
        from ville.sharing.report.study_facts import StudyFacts  # noqa: PLC0415 - takes a second
        from ville.sharing.report.study_report import report_text  # noqa: PLC0415 - as above

        report = report_text(StudyFacts(self._folder, self._settings))
        write_text(results.folder / REPORT, report)
        write_text(self._out / REPORT, report)
        written = write_bundle(self._folder, self._settings, self._bundle, self._choice.license)
        model, arms = self.terms.model, self._found(results)
        found = {**result_json(self.conditions, model, arms), "bundle": self._bundle.name, "sha256": written.digest}
        write_text(self._out / RESULT, pretty(found) + "\n")
        return [
            *(line for arm, (rows, quality) in arms.items() for line in self._said(results, arm, rows, quality)),
            f"Written: {self._out} ({self._bundle.name}, {REPORT}, {RESULT} and the study file)",
            f"SHA-256 of the bundle: {written.digest}",
            f"To check it anywhere, without a call: {typed('study')} verify {self._bundle}",
            *(quoted_line(self.conditions, model, each.served, rows, arm=arm) for arm, (rows, each) in arms.items()),
        ]

    def _found(self, results: StudyResults) -> Mapping[str, tuple[Sequence[TableRow], AnswerQuality]]:
        storage, model = self._settings.fs_storage, self.terms.model
        return {
            arm: (effect_rows(results, arm), answer_quality(results, storage, arm, model)) for arm in self.terms.arms
        }

    def _said(self, results: StudyResults, arm: str, rows: Sequence[TableRow], quality: AnswerQuality) -> list[str]:
        failed = failed_runs(results.jobs, arm)
        missing = unmeasured(results, rows)
        return [
            f"{arm} minus reference, seed by seed, with 95% intervals:",
            *effect_lines(rows),
            *([f"  Not reached by these runs: {', '.join(missing)}."] if missing else []),
            f"  {quality_line(quality)}",
            *(f"  Failed, and not counted: {line}" for line in failed),
        ]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="", help="the model to try")
    parser.add_argument("--people", type=int, default=3, help="people of the town: 3 or 25 (default: 3)")
    parser.add_argument("--seeds", type=count_of("seeds", MOST_SEEDS), default=0, help="number of seeds (default: 5)")
    parser.add_argument("--until", default="", metavar="TIME", help="how far runs go (default: as the definition says)")
    parser.add_argument("--resident", default="", metavar="NAME", help="the single resident (default: Isabella)")
    parser.add_argument(
        "--against", default=RULES, metavar="MODEL", help="compare with this model (default: the rules)"
    )
    parser.add_argument("--only", choices=ARMS, default="", help="try it only in the whole town, or only as a resident")
    add_paying(parser)
    parser.add_argument("--max-cost", type=positive_number, metavar="DOLLARS", help="most dollars of the whole bench")
    parser.add_argument("--max-calls", type=count_of("calls"), metavar="N", help="most calls of the whole bench")
    parser.add_argument("--max-tokens", type=count_of("tokens"), metavar="N", help="most tokens of the whole bench")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where results are written (default: its name)")
    parser.add_argument("--license", default=NO_LICENSE, metavar="TEXT", help="licence of the data in the bundle")
    parser.add_argument("--definition", type=Path, default=FILE, metavar="FILE.yaml", help="a definition of your own")
    parser.add_argument(
        "--compare", type=Path, nargs="+", metavar="BUNDLE", help="set results of several benches side by side"
    )
    add_flags(parser, FLAGS)
    add_engine_flags(parser)
    return parser
