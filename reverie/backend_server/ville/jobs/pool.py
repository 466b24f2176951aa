"""Pools that carry out runs elsewhere: processes of this machine, or a cluster.

A pool gets specs and returns reports; both can be written as JSON.
"""

from typing import Protocol

from ville.jobs.job_report import JobReport
from ville.jobs.run_spec import RunSpec


class JobPool(Protocol):
    """Carries out runs at the same time."""

    @property
    def free(self) -> int:
        """How many more runs it can begin now."""
        ...

    def submit(self, spec: RunSpec) -> None:
        """Begin a run."""
        ...

    def reports(self, seconds: float) -> list[JobReport]:
        """Return what has been reported since the last call; wait so long for the first report."""
        ...

    def stop(self) -> None:
        """Ask all runs to save and stop after their current step. Each still sends a final report."""
        ...

    def close(self) -> None:
        """End all workers."""
        ...
