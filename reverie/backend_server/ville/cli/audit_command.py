"""Audit the effect of a study: whether it survives small changes that should not matter (`study.py audit FILE`)."""

import argparse
from pathlib import Path

from ville.cli.number_flags import count_of
from ville.cli.study_run import Flags, may_pay, model_lines, run_shown
from ville.plain_text import printable, quantity
from ville.settings import load_settings
from ville.storage.studies.study_folder import StudyFolder
from ville.studies.audit.audit_plan import AuditPlan, AuditTerms
from ville.studies.audit.auditing import audit_shares, begin_audit, plan_audit, write_results
from ville.studies.audit.perturbation import own_perturbations
from ville.studies.batch import study_estimate
from ville.studies.study_estimate import budget_again


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what an audit can be told."""
    parser.add_argument("file", metavar="FILE", nargs="?", default="", help="a study file")
    parser.add_argument("--name", default="", help="name under which the study was run (default: that of the file)")
    parser.add_argument("--arm", default="", help="the arm whose effect is audited (default: the only other one)")
    parser.add_argument("--against", default="", metavar="ARM", help="compare with this arm (default: the first)")
    parser.add_argument("--measure", default="", help="the measure of the effect (default: the first)")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="only these perturbations")
    parser.add_argument("--without", nargs="+", default=[], metavar="NAME", help="all but these perturbations")
    parser.add_argument(
        "--seeds", type=count_of("seeds"), default=0, help="number of seeds (default: those of the study)"
    )
    parser.add_argument("--model", default="", help="another model, which the perturbation other_model asks")
    parser.add_argument("--from-start", action="store_true", help="perturb from the base on, not where the arms part")
    parser.add_argument("--all", action="store_true", help="also those that ask a model many times as much")
    parser.add_argument("--list", action="store_true", help="list the perturbations")


def audit(choice: argparse.Namespace, flags: Flags) -> int:
    """Carry out an audit. Raises a ReverieError."""
    if choice.list or not choice.file:
        for each in own_perturbations():
            print(f"{each.name:<20} {each.says} ({' and '.join(each.of)})")
        return 0
    terms = AuditTerms(
        arm=choice.arm,
        against=choice.against,
        measure=choice.measure,
        only=choice.only,
        without=choice.without,
        seeds=choice.seeds,
        model=choice.model,
        from_start=choice.from_start,
        all=choice.all,
    )
    plan = plan_audit(
        Path(choice.file), terms, flags, name=choice.name, tell=lambda line: print(printable(line), flush=True)
    )
    print(*model_lines(plan.study, flags), *map(printable, _planned(plan, flags)), sep="\n")
    estimate = study_estimate(plan.study, flags, choice.workers, like=plan.of)
    print(*filter(None, (*estimate.lines(), budget_again(plan.study, "the audit"))), sep="\n")
    if choice.estimate:
        return 0
    if not may_pay(choice, is_free=estimate.is_free):
        return 1
    folder = StudyFolder(load_settings(flags).studies, plan.study.name)
    begin_audit(plan, folder)
    return run_shown(
        choice,
        flags,
        plan.study,
        written=lambda results: [*write_results(plan, folder, flags), f"Written: {results.folder}"],
    )


def _planned(plan: AuditPlan, flags: Flags) -> list[str]:
    """Return what will be run, and what it takes beside all arms from their start."""
    run = [each for each in plan.perturbations if each.arms]
    left = len(plan.perturbations) - len(run)
    done, whole = audit_shares(plan, flags)
    contrast = plan.contrast
    under = f"under {quantity(len(run), 'perturbation', 'perturbations')}; {left} change nothing here."
    return [
        f"{contrast.measure}: {contrast.treated.name} − {contrast.control.name}, {under}",
        f"{done:,} steps, {100 * done / max(1, whole):.0f} % of the {whole:,} of both arms of each from their start.",
    ]
