"""How a model file is served on this machine: as many slots as are of use and fit, and one core left free."""

import json
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Self

from ville.llm.local.model_file import ModelFile
from ville.machine import memory, processors

CONTEXT = 8192
"""Tokens of a question and its answer together that a slot has room for."""
MOST_SLOTS = 8
BYTES_PER_NUMBER = 34 / 32
"""Of what is kept of each token: 8-bit numbers in blocks of 32, each with a scale of two bytes (Q8_0)."""
FOR_SLOTS, FOR_PROMPTS = 1 / 4, 1 / 8
"""Shares of the memory for slots, and for prompts that may begin like the next ones."""
LONGEST_TEXT = 2048
"""Tokens of a text to embed."""


@dataclass(frozen=True)
class ServerPlan:
    """Arguments of the server program."""

    file: str
    embeds: bool
    """Whether it makes vectors of texts, and does not answer."""
    pools: bool
    slots: int
    """Questions that it answers at the same time."""
    context: int
    """Tokens of each slot."""
    threads: int
    cache: int
    """MiB for prompts."""

    @classmethod
    def of(cls, model: ModelFile, *, embeds: bool) -> Self:
        """Return the plan for a model file on this machine.

        Threads that wait for a core that is taken slow all others down, so one is left free. More slots than threads
        answer no more questions in the same time.
        """
        room, threads = memory(), max(1, processors() - 1)
        context = min(LONGEST_TEXT if embeds else CONTEXT, model.context or CONTEXT)
        fitting = int(room * FOR_SLOTS / max(1.0, context * model.attention * BYTES_PER_NUMBER))
        return cls(
            file=str(model.path),
            embeds=embeds,
            pools=model.pools,
            slots=1 if embeds else max(1, min(threads, fitting, MOST_SLOTS)),
            context=context,
            threads=threads,
            cache=int(room * FOR_PROMPTS) >> 20,
        )

    @classmethod
    def read(cls, text: str) -> Self:
        return cls(**json.loads(text))

    @property
    def name(self) -> str:
        """Name of the file."""
        return Path(self.file).name

    @property
    def text(self) -> str:
        """The plan as the argument of a command."""
        return json.dumps(asdict(self))

    @property
    def digest(self) -> str:
        """Name of the folder in which servers of the same plan are found."""
        return blake2b(self.text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
