"""Townsfolk who talk whenever they may."""

from contextlib import contextmanager

import pytest

from ville.assembly import models
from ville.persona.cognitive_modules import react


@pytest.fixture(scope="session")
def talkative(new_townsfolk):
    """Return a context in which simulations have new townsfolk, and no talk is left to chance."""

    @contextmanager
    def townsfolk():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(models, "offline_chat", lambda *_: new_townsfolk())
            patch.setattr(react, "talks", lambda *_: True)
            yield

    return townsfolk
