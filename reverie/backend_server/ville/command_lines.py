"""Table of the command lines, and how each is typed."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from ville.home import IN_CLONE

START = "start"
"""The command that `ville` is without a name."""


@dataclass(frozen=True)
class ShellCommand:
    """A command line. Documents list it in this order."""

    script: str
    """In the project folder."""
    does: str
    """In a few words, for the documents."""


COMMANDS: Mapping[str, ShellCommand] = {
    START: ShellCommand("start.py", "open the town in a browser, or watch recorded days"),
    "prompt": ShellCommand(
        "reverie/backend_server/reverie.py", "the prompt: fork or resume a simulation, run it, inspect it"
    ),
    "offline": ShellCommand(
        "reverie/backend_server/reverie_offline.py", "run without a browser, or ask everyone a question"
    ),
    "study": ShellCommand("reverie/study.py", "run a town many times, by seeds and arms"),
    "bench": ShellCommand("", "try a model in a town, and as one resident of it, against the rules"),
    "measure": ShellCommand("reverie/measure.py", "how news spread, who knows whom, who came"),
    "believability": ShellCommand(
        "reverie/believability.py", "interviews under ablations, ranked by people or a model, as in the paper"
    ),
    "export": ShellCommand("reverie/export.py", "what a run was as tables for other programs"),
    "compare": ShellCommand("reverie/compare.py", "what differs between two runs, since when and why"),
    "ties": ShellCommand("", "who knows, has talked with and likes whom, at any moment of a run"),
    "story": ShellCommand("", "what weighed most on each day of a run, in chapters"),
    "why": ShellCommand("reverie/why.py", "why someone did, said or thought something, and whether that is really why"),
    "metrics": ShellCommand("reverie/metrics.py", "what a run cost, and what for"),
    "ledger": ShellCommand("reverie/ledger.py", "the recorded model calls of a simulation"),
    "wallet": ShellCommand("reverie/wallet.py", "what is left of the budget of all simulations"),
    "compress": ShellCommand("reverie/compress_sim_storage.py", "make a compressed recording"),
    "simulations": ShellCommand(
        "reverie/simulations.py", "list, find, rename, delete, restore and describe simulations; undo"
    ),
    "steps": ShellCommand("", "pack the files of steps and people, or write them one by one again"),
    "share": ShellCommand("reverie/share.py", "a recording, comparison or study as one file, for others"),
    "migrate": ShellCommand("reverie/migrate.py", "bring over an older project, and prove that it works"),
    "town": ShellCommand("environment/build_town.py", "build a map, check it, give it to a simulation"),
    "init": ShellCommand("", "make the present folder a home: with people, maps and a recorded day"),
    "where": ShellCommand("", "the folders in use, and what lies in them"),
    "validate": ShellCommand("validate_setup.py", "check the whole setup"),
}


def typed(name: str, *arguments: str, in_clone: bool = IN_CLONE) -> str:
    """Return a command line as the user types it: a script in the folder of a clone, or an installed command."""
    script = COMMANDS[name].script
    words = ("python", script) if in_clone and script else ("ville",) if name == START else ("ville", name)
    return shlex.join([*words, *arguments])
