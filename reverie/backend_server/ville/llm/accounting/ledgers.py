"""Both ledgers of a simulation: calls of its run, and calls of interviews."""

from contextlib import closing
from pathlib import Path

from ville.llm.accounting.ledger import FILE, INTERVIEWS, Ledger, Spend


class Ledgers:
    """Both ledgers of one simulation, which share its limits.

    The ledger of interviews is created with the first interview: other simulations have no such file.
    """

    def __init__(self, folder: Path, run: Ledger | None) -> None:
        """`folder` is reverie/ of the simulation; `run` is its ledger, or None if only interviews are held."""
        self._folder = folder
        self.run = run
        self._step = 0
        self._earlier = Spend() if run else _recorded(folder)
        """Usage of the run while its ledger is not open."""
        self.interviews = Ledger.open(folder, INTERVIEWS) if (folder / INTERVIEWS).exists() else None
        """None if there was no interview yet."""

    @property
    def spend(self) -> Spend:
        """Usage of run and interviews over the whole life of the simulation."""
        interviews = self.interviews.spend if self.interviews else Spend()
        return (self.run.spend if self.run else self._earlier) + interviews

    def open_interviews(self) -> Ledger:
        """Return the ledger of interviews; create it if need be. Raises CorruptFile."""
        if self.interviews is None:
            self.interviews = Ledger.open(self._folder, INTERVIEWS)
            self.interviews.set_step(self._step)
        return self.interviews

    def set_step(self, step: int) -> None:
        """Assign calls from now on to this step."""
        self._step = step
        for ledger in (self.run, self.interviews):
            if ledger:
                ledger.set_step(step)

    def close(self) -> None:
        for ledger in (self.run, self.interviews):
            if ledger:
                ledger.close()


def _recorded(folder: Path) -> Spend:
    """Return what the ledger of a run has recorded, without keeping it open. Raises CorruptFile."""
    if not (folder / FILE).exists():
        return Spend()
    with closing(Ledger.read(folder)) as ledger:
        return ledger.spend
