"""Errors that a user can fix. A message is one line: what is wrong, where, and what to do.

ReverieError
├── SetupError                 to fix before the run
│   ├── MissingKey
│   ├── BadSetting
│   ├── MissingPackage
│   ├── MapNotFound
│   ├── BadMap
│   ├── BadPrompt
│   ├── BadRules
│   ├── BadMind
│   ├── BadStudy
│   └── BadBundle
├── CommandError               a typed command; the prompt prints it and continues
│   ├── UnknownCommand
│   ├── UnknownPersona
│   ├── BadArgument
│   │   └── BadIntervention
│   ├── SessionClosed
│   ├── SessionBusy
│   └── TileOffMap
├── NodeLost                   a machine has ended on which minds lived; what was saved stands
├── GivenUp                    a run that was stopped while it waited; what was saved stands
├── StorageError               files on disk
│   ├── BadSimulationName
│   ├── SimulationExists
│   ├── SimulationInUse
│   ├── SimulationNotFound
│   ├── SimulationNeeded
│   ├── BadNote
│   ├── BadMoment
│   ├── BadYaml
│   ├── CorruptFile
│   │   └── BadEmbedding
│   └── CannotWrite
│       └── SavedMeanwhile
└── ModelError                 calls to a language model
    ├── TransientError         the call is repeated
    │   ├── Unreachable
    │   ├── RateLimited
    │   ├── TimedOut
    │   └── UnusableVectors
    ├── OtherForm              the request is sent again in a form that the provider accepts
    ├── Refused                stops the run at the step boundary, saved
    ├── BudgetSpent            stops the run at the step boundary, saved
    ├── LedgerError            stops the run at the step boundary, saved
    ├── UnusableModel          stops the run at the step boundary, saved
    ├── TooLong                `ask` shortens the question, then uses its fallback
    └── Malformed              `ask` requests a correction, then uses its fallback
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ville.plain_text import one_line

RequestFate = Literal["not_sent", "rejected", "unknown"]
"""Fate of a request without an answer: it was never sent, the provider rejected it, or it was sent and may have been
processed. Only the last kind may have to be paid for.
"""


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong in a file: what, how to correct it, and where."""

    message: str
    fix: str = ""
    """Empty if the message says it."""
    file: str = ""
    line: int = 0
    """From 1; 0 for a fault of the whole."""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        said = f"{self.message.rstrip('.')}; {self.fix.rstrip('.')}" if self.fix else self.message
        return where + " ".join(one_line(said).split())


class ReverieError(Exception):
    """Base of all errors that a user can fix. The message is one line: what is wrong, where, and what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(one_line(message).split()))

    def _render_traceback_(self) -> list[str]:
        """Return what notebooks show instead of a traceback: the lines of ours in it say nothing to a user."""
        return [f"{type(self).__name__}: {self}"]


class SetupError(ReverieError):
    """Something on this machine must be fixed before a run can start."""


class MissingKey(SetupError):
    """The chosen provider needs a key, and none is set."""


class BadSetting(SetupError):
    """A setting has an invalid value or an unknown name."""


class MissingPackage(SetupError):
    """A chosen feature needs a package that is not installed."""


class MapNotFound(SetupError):
    """The assets contain no map of that name."""


class BadMap(SetupError):
    """A file of a map is malformed, or the map lacks a place that a persona needs."""


class BadPrompt(SetupError):
    """An edited prompt template contains an unknown placeholder."""


class BadRules(SetupError):
    """A data file of the offline rules is malformed."""


class BadMind(SetupError):
    """A part of a mind that a user has replaced cannot be imported, does not fit, or fails."""


class BadStudy(SetupError):
    """A study file has `faults`; the message has a line for each."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults

    def __str__(self) -> str:
        return "\n".join(map(str, self.faults))


class BadBundle(SetupError):
    """A bundle of a study is refused: it is damaged, foreign or hostile."""


class CommandError(ReverieError):
    """A typed command cannot be carried out; nothing has changed."""


class UnknownCommand(CommandError):
    """There is no such command."""


class UnknownPersona(CommandError):
    """No persona of the simulation has that name."""


class BadArgument(CommandError):
    """The argument of a command is missing or malformed."""


class BadIntervention(BadArgument):
    """An intervention is malformed, or does not apply to the town as it is."""


class SessionClosed(CommandError):
    """The simulation was closed, and has to be opened again."""


class SessionBusy(CommandError):
    """The simulation is running; a second run would interleave with the first."""


class TileOffMap(CommandError):
    """The map has no such tile."""


class NodeLost(ReverieError): ...


class GivenUp(ReverieError):
    """A step was given up while it waited for a model. The simulation has to be opened again, from its last save."""


class StorageError(ReverieError):
    """Files cannot be read or written; the message is a template with values, so that pages can translate it."""

    def __init__(self, template: str, /, **values: object) -> None:
        super().__init__(template % values if values else template)
        self.template = template
        self.values = values


class BadSimulationName(StorageError):
    """The name cannot be used for a simulation: it is also a folder name and part of a URL."""


class SimulationExists(StorageError):
    """The name of the new simulation is already taken."""


class SimulationInUse(StorageError):
    """Another process has the simulation open."""


class SimulationNotFound(StorageError):
    """There is no simulation of that name."""


class SimulationNeeded(StorageError):
    """A study, a rule or a branch needs a simulation as it is, under its name."""


class BadNote(StorageError):
    """A title, note, tag or mark of a simulation is too long, or there are too many."""


class BadMoment(StorageError):
    """A moment of a simulation, such as `two_days@18:00`, does not exist, is ambiguous, or cannot be reached."""


class BadYaml(StorageError):
    """A file is not YAML, or stands for more values than anybody can have meant."""

    def __init__(self, fault: Fault) -> None:
        super().__init__("%(fault)s", fault=fault)
        self.fault = fault


class CorruptFile(StorageError):
    """A file is missing, is not JSON, or has an invalid value."""


class BadEmbedding(CorruptFile):
    """A memory has no embedding vector, or one of the wrong length."""


class CannotWrite(StorageError):
    """A file cannot be written: the disk is full, read-only or gone. The previous save is unchanged."""


class SavedMeanwhile(CannotWrite):
    """A simulation cannot be read now, because another program saves it. Try again."""


class ModelError(ReverieError):
    """A language model gave no usable answer."""

    def __init__(self, message: str, *, fate: RequestFate = "unknown") -> None:
        super().__init__(message)
        self.fate: RequestFate = fate


class TransientError(ModelError):
    """An error that may go away by itself."""

    def __init__(self, message: str, retry_after: float | None = None, *, fate: RequestFate = "unknown") -> None:
        super().__init__(message, fate=fate)
        self.retry_after = retry_after
        """Seconds after which the provider asks to be called again."""


class OtherForm(ModelError):
    """The provider rejected the form of a request, not the question: sent again, it will have another form."""


class Unreachable(TransientError):
    """No server answers at that address."""


class RateLimited(TransientError):
    """The provider asks for fewer calls."""


class TimedOut(TransientError):
    """The answer did not arrive in time."""


class UnusableVectors(TransientError):
    """The vectors cannot be compared with the stored ones: wrong length, not finite, or all zero."""


class Refused(ModelError):
    """The provider rejects the request and would do so again: wrong key, account or request."""


class BudgetSpent(ModelError):
    """The run has used its limit of calls, tokens or money."""


class LedgerError(ModelError):
    """The ledger cannot be written, or has no answer in a replay."""


class UnusableModel(ModelError):
    """Too few answers of a model are in the requested form."""


class TooLong(ModelError):
    """The question exceeds the context window of the model."""


class Malformed(ModelError):
    """An answer is not in the form the question asks for."""


def put_right(fault: ReverieError, names: Mapping[str, str]) -> None:
    """Replace names in a message, because a user knows what they stand for by others."""
    for name, known in names.items():
        fault.args = tuple(str(part).replace(name, known) for part in fault.args)
        if isinstance(fault, StorageError):
            fault.values = {key: str(value).replace(name, known) for key, value in fault.values.items()}
