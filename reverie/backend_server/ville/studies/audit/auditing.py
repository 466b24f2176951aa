"""Plans an audit from a study file, and writes what it has found, as the command line and the Python API do."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from ville.errors import BadArgument, BadStudy, Fault
from ville.settings import load_settings
from ville.storage.files import pretty
from ville.storage.studies.study_folder import StudyFolder
from ville.studies.audit.audit_plan import ENDING, AuditPlan, AuditPlanner, AuditTerms
from ville.studies.audit.audit_report import PLAN, write_audit
from ville.studies.audit.audit_results import audit_results, audit_share
from ville.studies.audit.contrast import contrast_of
from ville.studies.audit.perturbation import AuditChoice, chosen_perturbations
from ville.studies.reading.arm_reader import Tell, ignore_line
from ville.studies.reading.study_file import read_study
from ville.studies.results import StudyResults
from ville.studies.runner import StudyRunner

KEYS = ("arm", "against", "measure", "only", "without", "seeds", "model", "add", "all")
"""Keys of `audit` in a study file."""


def plan_audit(
    file: Path, terms: AuditTerms, given: Mapping[str, object], *, name: str = "", tell: Tell = ignore_line
) -> AuditPlan:
    """Return the plan of an audit of the study that a file has, run under its own name or another `name`. Raises
    BadStudy with all faults, and a ReverieError.
    """
    study = read_study(file, name=name, settings=given, tell=tell)
    own: Mapping[str, Any] = _own(yaml.safe_load(study.text).get("audit"), file.name)
    wanted: dict[str, Any] = {
        key: getattr(terms, key) or own.get(key) or type(getattr(terms, key))()
        for key in ("arm", "against", "measure", "only", "without", "seeds", "model", "all")
    }
    terms = replace(terms, **wanted)
    if terms.seeds < 0:
        raise BadArgument(f"{terms.seeds} is not a number of seeds; give 1 or more.")
    contrast = contrast_of(study, arm=terms.arm, against=terms.against, measure=terms.measure)
    choice = AuditChoice(terms.only, terms.without, own.get("add"))
    planner = AuditPlanner(study, contrast, given, terms)
    return planner.plan(chosen_perturbations(choice, file.name))


def _own(found: object, file: str) -> Mapping[str, object]:
    """Return what a study file says of its audit. Raises BadStudy."""
    if found is None:
        return {}
    if not isinstance(found, Mapping):
        raise BadStudy(Fault("audit is not a mapping", "write one `key: value` line for each part", file))
    kinds = {"only": list, "without": list, "seeds": int, "add": Mapping, "all": bool}
    for key, value in found.items():
        if key not in KEYS:
            raise BadStudy(Fault(f"'{key}' is not known in audit", f"choose from: {', '.join(KEYS)}", file))
        if not isinstance(value, kinds.get(str(key), str)):
            raise BadStudy(Fault(f"audit: {key} cannot be {value!r:.60}", "see docs/studies.md", file))
    return found


def audit_shares(plan: AuditPlan, given: Mapping[str, object]) -> tuple[int, int]:
    """Return how many steps an audit computes, and how many all its arms have from their start."""
    folder = StudyFolder(load_settings(given).studies, plan.study.name)
    jobs = StudyRunner(plan.study, folder, given).jobs
    share = audit_share(plan, jobs, load_settings(given).fs_storage)
    return share.steps, share.all_steps


def begin_audit(plan: AuditPlan, folder: StudyFolder) -> None:
    """Write the plan of an audit, and let its failed runs be run again. Raises BadArgument while it is being run."""
    folder.create()
    with folder.lock():
        folder.write_table(PLAN, pretty(plan.as_json()))
        for job in folder.jobs():
            if job.state == "failed":
                folder.write_job(job.model_copy(update={"state": "waiting", "fault": "", "tries": 0}))


def check_no_audit(folder: StudyFolder, file: str) -> None:
    """Raise BadArgument for the study of an audit, whose runs are not those of the study file."""
    if (folder.root / PLAN).exists():
        name = folder.name.removesuffix(ENDING)
        named = "" if name == Path(file).stem else f" --name {name}"
        again = f"study.py audit {file}{named}"
        raise BadArgument(f"{folder.name} is an audit. To run again what has failed, type '{again}'.")


def write_results(plan: AuditPlan, folder: StudyFolder, given: Mapping[str, object]) -> list[str]:
    """Write what an audit has found into its folder, and return it in words. Raises a ReverieError."""
    jobs = StudyResults(folder).jobs
    return write_audit(folder, plan, audit_results(plan, jobs, load_settings(given).fs_storage))
