"""Everything that can go wrong in a way somebody can mend. A message is one line: what, where, how to mend it.

ReverieError
├── SetupError                 yours to mend before the run
│   ├── MissingKey
│   ├── BadSetting
│   ├── MissingPackage
│   ├── MapNotFound
│   ├── BadMap
│   ├── BadPrompt
│   └── BadRules
├── CommandError               what was typed; the prompt prints it and goes on
│   ├── UnknownCommand
│   ├── UnknownPersona
│   ├── BadArgument
│   └── TileOffMap
├── StorageError               the archive
│   ├── BadSimulationName
│   ├── SimulationExists
│   ├── SimulationInUse
│   ├── SimulationNotFound
│   ├── CorruptFile
│   │   └── BadEmbedding
│   └── CannotWrite
└── ModelError                 the telephone
    ├── TransientError         retried
    │   ├── Unreachable
    │   ├── RateLimited
    │   ├── TimedOut
    │   └── UnusableVectors
    ├── Refused                stops the run at the step boundary, saved
    ├── BudgetSpent            stops the run at the step boundary, saved
    ├── LedgerError            stops the run at the step boundary, saved
    ├── UnusableModel          stops the run at the step boundary, saved
    ├── TooLong                cut by `ask`, then its fallback
    └── Malformed              corrected by `ask`, then its fallback
"""

from typing import Literal

from ville.plain_text import one_line

RequestFate = Literal["not_sent", "rejected", "unknown"]
"""What became of a request that got no answer: it never left this machine, the provider turned it down, or it was sent
and may have been worked on. Only the last kind may have to be paid for."""


class ReverieError(Exception):
    """Anything a person can mend; whatever is raised below it reads as one line."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(one_line(message).split()))


class SetupError(ReverieError):
    """Something on this machine has to be mended before a run can begin."""


class MissingKey(SetupError):
    """A provider was chosen that needs a key, and there is none."""


class BadSetting(SetupError):
    """A setting has a value that it cannot have."""


class MissingPackage(SetupError):
    """Something was chosen that has to be installed first."""


class MapNotFound(SetupError):
    """There is no map of that name among the assets."""


class BadMap(SetupError):
    """A map is there, but one of its files does not describe a town, or lacks a place somebody needs."""


class BadPrompt(SetupError):
    """A prompt that was edited has a blank that nobody fills."""


class BadRules(SetupError):
    """A data file of the offline rules has a fault."""


class CommandError(ReverieError):
    """What was typed cannot be done; nothing has changed."""


class UnknownCommand(CommandError):
    """No command reads like this."""


class UnknownPersona(CommandError):
    """Nobody in this simulation has that name."""


class BadArgument(CommandError):
    """A command is known, but not what follows it."""


class TileOffMap(CommandError):
    """A tile was named that the map does not have."""


class StorageError(ReverieError):
    """Files cannot be read or written; the message is a template with values, so that pages can translate it."""

    def __init__(self, template: str, /, **values: object) -> None:
        super().__init__(template % values if values else template)
        self.template = template
        self.values = values


class BadSimulationName(StorageError):
    """A simulation cannot be called this, because its name is also a folder and part of a web address."""


class SimulationExists(StorageError):
    """A new simulation was to have the name of an old one."""


class SimulationInUse(StorageError):
    """Another backend has the simulation open."""


class SimulationNotFound(StorageError):
    """There is no simulation of that name."""


class CorruptFile(StorageError):
    """A file is missing, is not JSON, or has an invalid value."""


class BadEmbedding(CorruptFile):
    """A memory has no vector, or one of another length than its neighbours."""


class CannotWrite(StorageError):
    """The disk refused a file: it is full, read-only or gone; what was saved before still stands."""


class ModelError(ReverieError):
    """The telephone: a language model gave no usable answer."""

    def __init__(self, message: str, *, fate: RequestFate = "unknown") -> None:
        super().__init__(message)
        self.fate: RequestFate = fate


class TransientError(ModelError):
    """A fault that may pass by itself."""

    def __init__(self, message: str, retry_after: float | None = None, *, fate: RequestFate = "unknown") -> None:
        super().__init__(message, fate=fate)
        self.retry_after = retry_after
        """Seconds after which the provider says that it is worth trying again."""


class Unreachable(TransientError):
    """Nobody answers at that address."""


class RateLimited(TransientError):
    """The provider asks for fewer calls."""


class TimedOut(TransientError):
    """The answer did not come in time."""


class UnusableVectors(TransientError):
    """Vectors came that cannot be compared with the others: of another size, not finite, or all zero."""


class Refused(ModelError):
    """The provider will not answer, however often it is asked: the key, the account or the request is at fault."""


class BudgetSpent(ModelError):
    """The run has used the calls, tokens or money it was given."""


class LedgerError(ModelError):
    """The ledger cannot be written, or has no answer where nothing but the ledger may answer."""


class UnusableModel(ModelError):
    """A model answers, but hardly ever in the form that is asked for."""


class TooLong(ModelError):
    """The question does not fit into what the model can read at once."""


class Malformed(ModelError):
    """An answer came that is not in the form the question asks for."""
