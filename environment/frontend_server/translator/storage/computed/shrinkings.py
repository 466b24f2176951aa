"""Simulations that are made smaller, by a command in a process of its own: a long run takes a minute."""

from translator.forms import SmallerForm
from translator.storage.computed.computations import VILLE, Computation, Computations, folder_flags
from translator.storage.runs.stored_simulation import StoredSimulation

_shrinkings = Computations()


def begun(asked: SmallerForm) -> Computation | None:
    """Return what was begun for a request; None if it has not been."""
    return _shrinkings.known((asked.id,))


def begin(asked: SmallerForm, simulation: StoredSimulation) -> Computation:
    """Begin to make a simulation smaller. Raises Unavailable."""
    form = ["--of-recording"] if asked.form == "compressed" else []
    command = [*VILLE, "simulations", "smaller", asked.name, f"--{asked.way}", *form, *folder_flags()]
    return _shrinkings.begin((asked.id,), command, [simulation], may_act=True)
