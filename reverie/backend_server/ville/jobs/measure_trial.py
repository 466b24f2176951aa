"""Tries measures of one's own on a town that is there, before a study is run, in a process of its own: code of the user
may end it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ville.analysis.named_measures import named_measure
from ville.analysis.run import Run
from ville.errors import ReverieError
from ville.home import SOURCES
from ville.json_types import Json
from ville.storage.folder.storage import find
from ville.storage.past.moments import split_moment

LONGEST_FAULT = 300


@dataclass(frozen=True)
class MeasureTrial:
    """Measures, and the town on which they are tried."""

    storage: str
    """Folder of simulations."""
    town: str
    """A simulation, or a moment of it."""
    name: str
    """Of the run that is to be measured, which a measure may read."""
    folder: str
    """In which functions are found."""
    measures: Sequence[Json]
    """As in a study file."""
    groups: Mapping[str, Sequence[str]]

    def fault(self) -> str:
        """Return why a measure fails, in one line; empty if none does."""
        path = os.pathsep.join(filter(None, [str(SOURCES), os.environ.get("PYTHONPATH", "")]))
        ended = subprocess.run(
            [sys.executable, "-P", "-m", "ville.jobs.measure_trial"],
            input=json.dumps(asdict(self), default=str),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"},
            check=False,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            start_new_session=os.name != "nt",  # Ctrl-C reaches only the program that has started it
        )
        _said, separator, fault = ended.stderr.rpartition(FAULT)
        if separator:
            return fault
        said = [line.strip() for line in ended.stderr.splitlines() if line.strip()]
        why = (said or [f"exit code {ended.returncode}"])[-1][:LONGEST_FAULT]
        return f"a measure has ended its process: {why}"

    def try_all(self) -> str:
        """Measure in this process; return the first fault, or nothing."""
        named = split_moment(self.town)
        try:
            run = Run(find(Path(self.storage), named.name), named, groups=self.groups, name=self.name)
            for source in self.measures:
                named_measure(source, Path(self.folder)).of(run)
        except ReverieError as fault:
            return str(fault)
        return ""


FAULT = "\0fault: "
"""Begins what this process says at its end: why a measure has failed, or nothing."""


def main() -> None:
    """Try what the input describes; say on the error output what fails."""
    out = os.fdopen(os.dup(sys.stderr.fileno()), "w", encoding="utf-8")
    fault = MeasureTrial(**json.loads(sys.stdin.read())).try_all()
    out.write(f"{FAULT}{fault}")
    out.close()


if __name__ == "__main__":
    main()
