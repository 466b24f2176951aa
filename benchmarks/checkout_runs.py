"""Runs the commands of a checkout in a folder, as a user types them."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "servers"))

from chat_server import ChatServer  # noqa: E402 - its folder is added above
from served import Served  # noqa: E402

from ville.storage.exchange.background_files import BackgroundFiles  # noqa: E402
from ville.storage.model_variables import KEY_NAMES  # noqa: E402

THREE, ALL = "base_the_ville_isabella_maria_klaus", "base_the_ville_n25"
PAST = "the_ville/agent_history_init_n{}.csv"
PRINTED = "printed"
"""Folder of what commands print."""
KLAUS, ISABELLA = "Klaus Mueller", "Isabella Rodriguez"
BEGINS = "February 13, 2023, 07:00:00"
"""When three people begin, so that a short run has more than a night; twenty-five sleep until they get up."""
PLAN = """\
- {{step: {step}, kind: object, where: "the Ville:Hobbs Cafe:cafe:cooking area", state: burning}}
- {{step: {step}, kind: whisper, who: Klaus Mueller, words: The cafe is closed today}}
"""
STUDY = """\
base: {base}
steps: {steps}
seeds: 2
history: {past}
settings: {{provider: offline, embedder: hashing}}
arms:
  plain: {{}}
  told: {{interventions: [{{step: {half}, kind: whisper, who: Klaus Mueller, words: The cafe is closed}}]}}
  forgetful: {{ablations: [no_reflection]}}
questions: [{{ask: "What do you plan for today?"}}]
measures: [conversations, know of the party, density at the end]
"""
TYPED = """\
{base}
typed
call -- load history {past}
run {steps}
print current time
print persona schedule Klaus Mueller
print persona associative memory (thought) Isabella Rodriguez
print all persona schedule
call -- whisper Isabella Rodriguez
The cafe has a new oven
run {steps}
save
call -- analysis Klaus Mueller
What are you doing?

fin
"""
"""A session at the prompt."""
PATIENCE = 600.0
"""Seconds for what is to come of a request."""


@dataclass(frozen=True)
class Lengths:
    """How far everything goes, in steps."""

    crowd: int
    """Of the largest run."""
    few: int
    """Of all others."""
    base: str = ALL

    @property
    def past(self) -> str:
        return PAST.format(25 if self.base == ALL else 3)


@dataclass(frozen=True)
class Checkout:
    """A copy of the project, with a folder to work in and a server that answers."""

    code: Path
    root: Path
    server: ChatServer

    @property
    def python(self) -> str:
        """The Python of its own environment, if it has one."""
        own = self.code / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        return str(own) if own.exists() else sys.executable

    @property
    def environment(self) -> dict[str, str]:
        """Settings of a user who has no others."""
        prefixes, keys = ("VILLE_", "DJANGO_", "PYTHON"), {name.upper() for name in KEY_NAMES}
        kept = {name: value for name, value in os.environ.items() if not name.startswith(prefixes) and name not in keys}
        places = {
            "STORAGE": "storage",
            "TEMP_STORAGE": "temp",
            "COMPRESSED_STORAGE": "compressed",
            "STUDIES": "studies",
        }
        return {
            **kept, **{f"VILLE_FS_{name}": str(self.root / place) for name, place in places.items()},
            "VILLE_ASSETS": str(self.code / "environment" / "frontend_server" / "static_dirs" / "assets"),
            "VILLE_PROVIDER": "offline", "VILLE_EMBEDDER": "hashing", "VILLE_AUTOSAVE": "120",
            "VILLE_WALLET_FILE": str(self.root / "wallet.sqlite3"),
            "PYTHONPATH": str(self.code / "reverie" / "backend_server"), "PYTHONUTF8": "1",
        }  # fmt: skip

    def settle(self) -> None:
        """Copy the base simulations; three people begin in the morning."""
        for base in (THREE, ALL):
            shutil.copytree(
                self.code / "environment" / "frontend_server" / "storage" / base, self.root / "storage" / base
            )
        (self.root / PRINTED).mkdir()
        path = self.root / "storage" / THREE / "reverie" / "meta.json"
        path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"curr_time": BEGINS}), "utf-8")

    def start(self, shell: str, *arguments: object, **more: str) -> "subprocess.Popen[str]":
        command = [self.python, str(self.code / "reverie" / "backend_server" / f"{shell}.py"), *map(str, arguments)]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command, cwd=self.root, env=self.environment | more, stdin=pipe, stdout=pipe, stderr=pipe, text=True
        )

    def run(self, shell: str, *arguments: object, typed: str = "", **more: str) -> str:
        """Run a command to its end, and return what it printed."""
        process = self.start(shell, *arguments, **more)
        out, err = process.communicate(typed)
        if process.returncode:
            raise SystemExit(f"{self.code}: {shell} {arguments} ended with {process.returncode}:\n{out}{err}")
        return out

    def keep(self, name: str, text: str) -> None:
        """Keep what a command printed among the files that are compared."""
        (self.root / PRINTED / name).write_text(text, "utf-8")


def crowd(checkout: Checkout, lengths: Lengths) -> None:
    """Run people with a past by rules; branch from the middle, where something happens; compare both."""
    options = ("--seed", 1, "--load-history", lengths.past)
    checkout.run("reverie_offline", "-o", lengths.base, "-t", "crowd", "-s", lengths.crowd, *options)
    moment, rest = lengths.crowd // 2, lengths.crowd - lengths.crowd // 2
    plan = checkout.root / "plan.yaml"
    plan.write_text(PLAN.format(step=moment + rest // 4), "utf-8")
    checkout.run("reverie_offline", "-o", f"crowd@{moment}", "-t", "branch", "-s", rest, "--interventions", plan)
    checkout.run("../compare", "crowd", "branch", "--json", checkout.root / PRINTED / "compared.json")
    checkout.keep("measures", checkout.run("../measure", "crowd", "branch"))


def replay(checkout: Checkout, _: Lengths) -> None:
    """Compress what has run, and begin another future from the compressed replay."""
    checkout.run("../compress_sim_storage", "crowd")
    checkout.run("../compress_sim_storage", "branch", "--out", "told")


def prompt(checkout: Checkout, lengths: Lengths) -> None:
    """Type into the prompt: fork, past, run, look, whisper, save, ask, finish; then resume."""
    typed = TYPED.format(base=THREE, past=PAST.format(3), steps=lengths.few)
    checkout.keep("prompt", checkout.run("reverie", "--seed", 2, typed=typed))
    checkout.run("reverie", typed=f"typed\ntyped\nrun {lengths.few}\nfin\n")


def model(checkout: Checkout, lengths: Lengths) -> None:
    """Let a server answer, run what it answered again from the ledger, and add up what was asked."""
    paid = {"VILLE_PROVIDER": "openai", "VILLE_EMBEDDER": "openai", "VILLE_BASE_URL": checkout.server.url}
    paid |= {"OPENAI_API_KEY": "any", "VILLE_MAX_CONCURRENCY": "1"}
    options = ("--seed", 3, "--load-history", PAST.format(3))
    checkout.run("reverie_offline", "-o", THREE, "-t", "asked", "-s", lengths.few, *options, **paid)
    checkout.run("reverie_offline", "--replay", "asked", "-t", "replayed", "-s", lengths.few, **paid)
    checkout.run("../metrics", "asked", "--write")


def study(checkout: Checkout, lengths: Lengths) -> None:
    """Run a study with a past, three arms and two seeds in two processes."""
    file = checkout.root / "study.yaml"
    steps, past = lengths.few, PAST.format(3)
    file.write_text(STUDY.format(base=THREE, steps=steps, half=steps // 2, past=past), "utf-8")
    checkout.run("../study", "run", file, "--name", "study", "--workers", 2)


def requests(checkout: Checkout, lengths: Lengths) -> None:
    """Send requests to an engine without a prompt: open, run, whisper, ask, copy, branch in the background, close."""
    steps, process = lengths.few, Served(checkout)
    process.ask("open", origin=THREE, name="served", seed=4, title="Served", past=PAST.format(3))
    process.act("served", "run", steps=steps)
    process.runs_to(steps)
    process.act("served", "intervene", kind="whisper", who=KLAUS, words="You want to run for mayor")
    process.act(
        "served", "intervene", kind="visitor_in", name="Ada", look="visitor 3", about="a painter", tile=[72, 22]
    )
    answered = process.act("served", "interview", who=ISABELLA, question="What are you planning?")
    checkout.keep("interview.json", json.dumps(answered, indent=2))
    process.act("served", "run", steps=steps)
    process.runs_to(2 * steps)
    process.act("served", "save_as", name="copied", title="Copied")
    rain = {"kind": "memory_add", "who": KLAUS, "words": "Klaus Mueller saw that it rained", "step": steps + 1}
    process.ask("branch", **{"from": f"served@{steps}"}, name="beside", until=2 * steps, seed=5, interventions=[rain])
    _wait(lambda: _is_over(checkout.root / "temp", "beside"))
    process.ask("close")
    process.process.terminate()
    process.process.communicate()


def _is_over(temp: Path, name: str) -> bool:
    status = BackgroundFiles(temp).read(name)
    if status and status.state == "failed":
        raise SystemExit(f"{name} failed: {status.fault}")
    return status is not None and status.is_over


def _wait(there: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not there():
        if time.monotonic() > end:
            raise SystemExit("What was asked for did not come.")
        time.sleep(0.05)


PARTS: Mapping[str, Callable[[Checkout, Lengths], None]] = {
    "people by rules, a branch, a comparison": crowd,
    "compressed replays": replay,
    "a session at the prompt": prompt,
    "answers of a server, and their replay": model,
    "a study": study,
    "requests to an engine": requests,
}
"""Everything that is run, in this order."""
