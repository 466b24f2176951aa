"""Runs of some steps within a test, and what their files differ in."""

import json

from simulation_content import content_of

from ville.assembly.forking import Beginning
from ville.assembly.run import open_at
from ville.simulation.running.run_loop import StopRequest, run


async def went(settings, origin, name, steps, *, autosave=0, plan=None):
    """Open a simulation, run it, save it, and return its files."""
    simulation = await open_at(settings, origin, name, beginning=Beginning(interventions=plan))
    await run(simulation, steps, autosave=autosave, watch=lambda _: None, stop=StopRequest())
    simulation.save()
    await simulation.close()
    return timeless(simulation.folder.root)


def timeless(root):
    """Return the files of a simulation without its ledger, and without the times of day of its interventions."""
    files = {name: text for name, text in content_of(root).items() if ".sqlite3" not in name}
    log = files.pop("reverie/interventions.jsonl", b"")
    return files | {"log": [json.loads(row) | {"at": ""} for row in log.splitlines()]}


def different(one, other):
    return sorted(name for name in {*one, *other} if one.get(name) != other.get(name))
