"""Simulations of the small town with random answers, opened as the command lines open them."""

from dataclasses import replace

import numpy as np
import pytest

from ville.assembly import models, providers
from ville.assembly import run as assembly
from ville.simulation.run import StopRequest, run


class Letters:
    """Embedder that counts letters."""

    name = "letters-26"

    async def embed(self, texts):
        letters = [[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]
        return np.array(letters, dtype=np.float32)


@pytest.fixture
def opened(small_town, townsfolk, monkeypatch):
    """Open a simulation: `opened("new")`, `opened("new", "old", autosave=10)`."""
    monkeypatch.setattr(providers, "local_embedder", lambda _settings: Letters())
    monkeypatch.setattr(providers, "embedder_name", lambda _settings: Letters.name)
    monkeypatch.setattr(models, "offline_chat", lambda *_: townsfolk)

    def open_it(name, origin="base", notice=None, interventions=None, **settings):
        chosen = replace(small_town.settings, **settings)
        simulation = assembly.open_simulation(chosen, origin, name, notice, interventions=interventions)
        simulation.announce()
        return simulation

    return open_it


@pytest.fixture
def run_for():
    """Run a number of steps and return the reports."""

    async def run_it(simulation, steps, autosave=0, stop=None):
        reports = []
        await run(simulation, steps, autosave=autosave, watch=reports.append, stop=stop or StopRequest())
        return reports

    return run_it
