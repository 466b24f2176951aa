"""Studies as pages list them."""

from translator.storage.studies import FoundStudy
from ville.json_types import JsonObject


def study_entry(study: FoundStudy) -> JsonObject:
    """Return the entry of a study in a list."""
    runs = study.runs
    states = [job.state for job in runs]
    return {
        "name": study.name,
        "title": study.note.title or study.name,
        "state": state_of(study),
        "arms": study.note.arms,
        "seeds": len(study.note.seeds),
        "runs": len(runs),
        "done": states.count("done"),
        "failed": states.count("failed"),
        "steps_done": sum(max(0, job.step - job.first_step) for job in study.jobs),
        "steps": sum(max(0, job.until_step - job.first_step) for job in study.jobs),
    }


def state_of(study: FoundStudy) -> str:
    """Return running, done, failed (some runs have, the others are done) or stopped."""
    states = {job.state for job in study.jobs}
    if study.is_running:
        return "running"
    if states <= {"done"}:
        return "done"
    return "failed" if states <= {"done", "failed"} else "stopped"
