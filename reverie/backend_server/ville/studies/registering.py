"""Registers what a study lays down before it is run, and finds what was changed since."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from hashlib import sha256
from pathlib import Path

from ville.analysis.answer_measures import ANSWERS
from ville.analysis.named_measures import NamedMeasure, is_code
from ville.errors import BadArgument, Fault
from ville.json_types import Json
from ville.plain_text import quantity, shortened
from ville.settings import load_settings
from ville.storage.studies.registration import (
    CONFIRMATION,
    Registration,
    plan_digest,
    read_registration,
    registration_beside,
    registration_of,
    write_registration,
)
from ville.storage.studies.study_folder import StudyFolder
from ville.studies.study import Study, StudyArm

LONGEST = 100
"""Characters of a value in a message."""
MOST_CHANGES = 12
OTHER_NAME = "undo the change, or give the study a file of another name, which can be registered anew"


def plan_of(study: Study) -> dict[str, Json]:
    """Return what is laid down by a study: what it compares, how often, what it expects, and on which models."""
    plan = study.plan
    named = {each.measure for each in plan.hypotheses} | {*plan.primary}
    found = {
        "hypotheses": [each.as_json() for each in plan.hypotheses],
        "primary": list(plan.primary),
        "stop": plan.stop,
        "eligible_models": list(plan.eligible_models),
        "measures": {each.name: _definition(each, study) for each in study.measures if each.name in named},
        "bases": {
            base.name: {"begins": base.clock.step, "ends": base.until_step, "digest": base.digest}
            for base in study.bases
        },
        "seeds": list(study.seeds),
        "arms": {
            arm.name: {
                "settings": dict(arm.settings),
                **_unusual(arm),
                "interventions": {
                    base: [{key: value for key, value in row.items() if key != "id"} for row in rows]
                    for base, rows in arm.rows.items()
                },
            }
            for arm in study.arms
        },
    }
    plain: dict[str, Json] = json.loads(json.dumps(found, default=str))
    return plain


def _unusual(arm: StudyArm) -> dict[str, object]:
    """Return what few arms have, as far as this one has it."""
    past = {"arm": arm.past.arm, "at": arm.past.at} if arm.past else None
    parts = {"assign": dict(arm.assign), "past": past, "other_seeds": arm.other_seeds, "answers": arm.answers}
    return {name: value for name, value in parts.items() if value}


def _definition(measure: NamedMeasure, study: Study) -> Json:
    """Return how a measure is computed: of a function beside the study file with a digest of its module, of answers
    with what is asked.
    """
    source, file = measure.source, study.file
    if isinstance(source, Mapping) and ANSWERS in source:
        asked = (each for each in study.questions if each.name == source[ANSWERS])
        told = [{"ask": each.ask, "of": each.of, "when": each.when, "role": each.role, "answer": each.form.as_json()}
                for each in asked]  # fmt: skip
        return {**source, "questions": told}
    if not is_code(source):
        return source
    module = str(source).partition(":")[0].replace(".", "/")
    path = file.parent / f"{module}.py"
    code = sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    return {"function": source, "code": code}


def register(study: Study, given: Mapping[str, object], today: date) -> tuple[Path, Registration]:
    """Write the registration of a study beside its file; return both. `today` is by the user's clock.

    Raises BadArgument if something is not laid down, or the study is registered or run already.
    """
    path, plan = registration_beside(study.file), plan_of(study)
    if missing := [key for key in ("hypotheses", "primary", "stop") if not plan[key]]:
        line = f"{study.file.name} has no `{missing[0]}`: lay it down before you register (docs/studies.md)."
        raise BadArgument(line)
    if earlier := read_registration(path):
        same = "as it is" if earlier.digest == plan_digest(plan) else f"otherwise; {OTHER_NAME}"
        raise BadArgument(f"{study.file.name} was registered on {earlier.registered} {same}.")
    if begun := _begun(StudyFolder(load_settings(given).studies, study.name)):
        line = f"{quantity(begun, 'run', 'runs')} of {study.name} have begun: what is known cannot be registered."
        raise BadArgument(f"{line} Give the file of the study that you register another name.")
    registration = Registration(digest=plan_digest(plan), registered=today.isoformat(), plan={**plan})
    write_registration(path, registration)
    return path, registration


def _begun(folder: StudyFolder) -> int:
    """Return how many runs have been begun."""
    return sum(job.state != "waiting" or job.step > job.first_step for job in folder.jobs()) if folder.is_there else 0


def note_deleted(folder: StudyFolder, today: date) -> None:
    """Note beside the file of a registered study that its runs are deleted now, so that no try is passed over in
    silence. Confirmations have a list of their own. Raises CannotWrite and CorruptFile.
    """
    own = registration_of(folder)
    if own is None or (folder.root / CONFIRMATION).exists() or not _begun(folder):
        return
    path = registration_beside(Path(folder.note().file))
    beside = read_registration(path)
    if beside is None or beside.digest != own.digest:
        return
    jobs = [job for job in folder.jobs() if job.arm]
    models = ", ".join(sorted({str(job.provenance.get("models", "")) for job in jobs}))
    done = sum(job.state == "done" for job in jobs)
    line = f"{done} of {quantity(len(jobs), 'run', 'runs')} with {models}, deleted on {today.isoformat()}"
    write_registration(path, beside.model_copy(update={"deleted": [*beside.deleted, line]}))


def registration_for(study: Study, folder: StudyFolder) -> Registration | None:
    """Return what was registered of a study: in its folder, or else beside its file; None of an audit, which is none of
    it. Raises CorruptFile.
    """
    return None if study.is_audit else registration_of(folder) or read_registration(registration_beside(study.file))


def registration_faults(study: Study, folder: StudyFolder) -> Iterator[Fault]:
    """Yield why a registered study cannot be run: what was changed since, old and new. Raises CorruptFile."""
    if study.is_audit:
        return
    file, kept = study.file.name, registration_of(folder)
    beside = read_registration(registration_beside(study.file))
    if kept is None and beside and (begun := _begun(folder)):
        said = f"{quantity(begun, 'run', 'runs')} of {study.name} have begun before it was registered"
        yield Fault(said, "give the study another name: --name NAME", file)
        return
    if kept and beside and kept.digest != beside.digest:
        yield Fault(f"{study.name} was run with another registration than that beside its file", OTHER_NAME, file)
        return
    registered = kept or beside
    if registered is None:
        return
    changes = list(changed_parts(registered.plan, plan_of(study)))
    for path, old, new in changes[:MOST_CHANGES]:
        between = f"then: {_shown(old)}; now: {_shown(new)}"
        yield Fault(f"{place_words(path)}: changed since the study was registered ({between})", OTHER_NAME, file)


MISSING = object()
PlanPath = tuple[str | int, ...]
"""Keys that lead to a part of a plan, and numbers from 1 in lists."""
ORDER = "the order"


def changed_parts(old: object, new: object, path: PlanPath = ()) -> Iterator[tuple[PlanPath, object, object]]:
    """Yield where two plans differ: the path of keys, and both values; MISSING for one that is not there."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*old, *new]):
            yield from changed_parts(old.get(key, MISSING), new.get(key, MISSING), (*path, key))
        if path == ("arms",) and [*old] != [*new] and {*old} == {*new}:
            yield (*path, ORDER), [*old], [*new]
    elif _are_objects(old) and _are_objects(new) and len(old) == len(new):  # type: ignore[arg-type]
        for number, (one, other) in enumerate(zip(old, new, strict=True), 1):  # type: ignore[call-overload]
            yield from changed_parts(one, other, (*path, number))
    elif old != new:
        yield path, old, new


def _are_objects(value: object) -> bool:
    return isinstance(value, Sequence) and bool(value) and all(isinstance(each, Mapping) for each in value)


KINDS = {
    "arms": "the arm {}", "measures": "the measure {}", "bases": "the base {}", "hypotheses": "hypothesis {}",
    "settings": "the setting {}", "questions": "question {}", "assign": "the number of people drawn for {}",
}  # fmt: skip
"""Words for a key together with the next one, which names one of several."""
WORDS = {
    "primary": "the primary measure", "stop": "the rule for stopping", "eligible_models": "the list of eligible models",
    "seeds": "the list of seeds", "hypotheses": "the list of hypotheses", "begins": "the first step",
    "ends": "the last step", "digest": "the town", "ask": "the wording", "other_seeds": "the shift of seeds",
    "answers": "the arm whose answers are taken", "when": "the moment", "of": "the people asked", "who": "the person",
}  # fmt: skip
"""Words for keys that do not say it themselves."""


def place_words(path: PlanPath) -> str:
    """Return where in a plan something is, in words: "the words of intervention 1 (base) of the arm told"."""
    parts, keys = list[str](), list(path)
    while keys:
        key = str(keys.pop(0))
        if key == "interventions" and keys:
            base = keys.pop(0)
            parts.append(f"intervention {keys.pop(0)} ({base})" if keys else f"the list of interventions ({base})")
        elif key in KINDS and keys and keys[0] != ORDER:
            parts.append(KINDS[key].format(keys.pop(0)))
        elif key == ORDER:
            parts[-1:] = [f"{ORDER} of the {parts[-1].removeprefix('the ')}"]
        else:
            parts.append(WORDS.get(key, f"the {key}"))
    return " of ".join(reversed(parts))


def _shown(value: object) -> str:
    """Return a value of a plan in words."""
    return "nothing" if value is MISSING else shortened(_words(value), LONGEST) or "nothing"


def _words(value: object) -> str:
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_words(each)}" for key, each in value.items() if each not in ({}, [], ""))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_words, value))
    return str(value)
