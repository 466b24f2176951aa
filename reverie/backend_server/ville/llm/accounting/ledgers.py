"""Both ledgers of a simulation: calls of its run, and calls of interviews."""

from contextlib import closing
from pathlib import Path

from ville.llm.accounting.ledger import FILE, INTERVIEWS, Ledger, Spend
from ville.llm.accounting.ledger_schema import OF_STUDY


def spend_of_study(folder: Path) -> Spend:
    """Return what a run and the questions of its study used; `folder` is reverie/ of the run. Raises CorruptFile."""
    spend = Spend()
    if (folder / FILE).exists():
        with closing(Ledger.read(folder)) as run:
            spend += run.spend
    if (folder / INTERVIEWS).exists():
        with closing(Ledger.read(folder, INTERVIEWS)) as interviews:
            spend += interviews.spend_for(OF_STUDY)
    return spend


class Ledgers:
    """Both ledgers of one simulation, which share its limits.

    The ledger of interviews is created with the first interview: other simulations have no such file.
    """

    def __init__(self, folder: Path, run: Ledger | None) -> None:
        """`folder` is reverie/ of the simulation; `run` is its ledger, or None if only interviews are held."""
        self._folder = folder
        self.run = run
        self._step = 0
        self._recorded = Ledger.read(folder) if run is None and (folder / FILE).exists() else None
        """Ledger of the run if only interviews are held: the run may go on in another program."""
        self.interviews = Ledger.open(folder, INTERVIEWS) if (folder / INTERVIEWS).exists() else None
        """None if there was no interview yet."""
        self._of_others: Ledger | None = None
        """Ledger of interviews that another program has created since: only read, because calls of it may be open."""

    @property
    def spend(self) -> Spend:
        """Usage of run and interviews over the whole life of the simulation, as far as this program knows it."""
        return sum((ledger.spend for ledger in self._opened()), Spend())

    def up_to_date(self) -> Spend:
        """Return the same, with what other programs have spent until now. Raises CorruptFile."""
        if not (self.interviews or self._of_others) and (self._folder / INTERVIEWS).exists():
            self._of_others = Ledger.read(self._folder, INTERVIEWS)
        return sum((ledger.up_to_date() for ledger in self._opened()), Spend())

    def _opened(self) -> list[Ledger]:
        return [ledger for ledger in (self.run, self._recorded, self.interviews or self._of_others) if ledger]

    def open_interviews(self) -> Ledger:
        """Return the ledger of interviews; create it if need be. Raises CorruptFile."""
        if self.interviews is None:
            if self._of_others:
                self._of_others.close()
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
        for ledger in self._opened():
            ledger.close()
