"""The steps of a simulation as tests read them: the same, packed or not."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from ville.storage.steps.step_store import StepStore


def step_texts(folder: Path) -> dict[str, bytes]:
    """Return all movement and environment files by name, packed ones as they were."""
    store = StepStore(folder)
    texts = {f"movement/{step}.json": store.movement_bytes(step) for step in sorted(store.shown())}
    return texts | {f"environment/{step}.json": store.environment_bytes(step) for step in sorted(store.placed())}


def shown_in(folder: Path, step: int) -> dict[str, Any]:
    """Return the records of everyone in a step, by name."""
    persona: dict[str, Any] = json.loads(StepStore(folder).movement_bytes(step))["persona"]
    return persona


def has_step(folder: Path, step: int) -> Callable[[], bool]:
    """Return what tells whether a step has been computed."""
    return partial(StepStore(folder).shows, step)
