"""The step of a moment that is to be marked, in a simulation or recording, also while it runs."""

from pathlib import Path

from ville.errors import BadMoment
from ville.storage.compressed.compression import META_COPY
from ville.storage.past.moments import END, step_at
from ville.storage.records.meta import META, read_meta


def marked_step(root: Path, at: str) -> int:
    """Return the step of a moment: its number, a time, or `end`. Raises BadMoment, and CorruptFile."""
    meta = read_meta(root / META if (root / META).exists() else root / META_COPY)
    step = meta.step if at == END else int(at) if at.isdecimal() and at.isascii() else step_at(root.name, meta, at)
    if step > meta.step:
        template = "%(name)s has been saved at step %(last)s, before step %(step)s. Name an earlier moment, or run it."
        raise BadMoment(template, name=root.name, step=f"{step:,}", last=f"{meta.step:,}")
    return step
