"""Measure how a study grows with its runs: memory of the program that runs it, files, disk, and seconds for each run.

`python benchmarks/many_runs.py --runs 100 1000` makes studies of so many runs of three people and a few steps, by the
rules, each in a temporary folder, and prints a line for each. `--keep tables` is what a study of ten thousand runs
says; `--ray-nodes` runs them on two Ray nodes of this machine instead of in two processes. Exit code 1 if a run is not
done, or if a study that keeps only tables leaves more than a hundred files or takes a gigabyte of memory.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "reverie" / "backend_server"))

from ray_nodes import RayNodes, new_token  # noqa: E402 - its folder is added above
from studies import BASE, FRONTEND, Desk, free_port  # noqa: E402 - as above

from ville.storage.studies.study_folder import StudyFolder  # noqa: E402 - as above
from ville.studies.batch import run_study  # noqa: E402 - as above
from ville.studies.reading.study_file import read_study  # noqa: E402 - as above

STUDY = """\
base: {base}
steps: {steps}
seeds: {seeds}
keep: {keep}
settings: {{provider: offline, embedder: hashing}}
arms:
  plain: {{}}
  told: {{interventions: [{{step: 1, kind: whisper, who: Klaus Mueller, words: The cafe is closed}}]}}
questions: [{{ask: "Who are you?"}}]
measures: [conversations, pairs who talked]
"""
MOST_FILES, MOST_MEGABYTES = 100, 1000
"""Of a study that keeps only tables, whatever the number of its runs."""
MEGABYTE = 2**20
NAME = "many"
PLACES = ("storage", "studies", "compressed_storage")


def run_here(root: Path, workers: int, address: str) -> int:
    """Run the study in this process, and print the seconds that took and the most memory that it had, in megabytes."""
    import resource  # noqa: PLC0415 - Windows has none

    desk = Desk(root, "ray" if address else "local")
    given = {name.removeprefix("VILLE_").lower(): value for name, value in desk.environment.items()}
    began = time.perf_counter()
    study = read_study(root / f"{NAME}.yaml", settings=given)
    run_study(study, given, engine=desk.engine, workers=workers, address=address)
    seconds = time.perf_counter() - began
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return 0


def measured(root: Path, runs: int, *, steps: int, keep: str, workers: int, address: str) -> list[str]:
    """Run a study in a process of its own; print how large it was, and return what is wrong."""
    for base in (FRONTEND / "storage").glob(BASE):
        shutil.copytree(base, root / "storage" / base.name)
    (root / f"{NAME}.yaml").write_text(STUDY.format(base=BASE, steps=steps, seeds=runs // 2, keep=keep), "utf-8")
    command = [sys.executable, __file__, "--here", str(root), "--workers", str(workers), "--address", address]
    environment = {**os.environ, "VILLE_WALLET_FILE": str(root / "wallet.sqlite3")}
    told = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    seconds, megabytes = map(float, told.split()[-2:])
    files = [path for place in PLACES for path in (root / place).rglob("*") if path.is_file()]
    own = [path for path in files if BASE not in path.parts]
    size = sum(path.stat().st_size for path in own) / MEGABYTE
    print(
        f"{runs:,} runs of {steps} steps, keep: {keep}: {seconds:,.0f} s ({seconds / runs:.2f} s a run), driver "
        f"{megabytes:,.0f} MB, {len(own):,} files, {size:,.1f} MB on disk",
        flush=True,
    )
    states = {job.state for job in StudyFolder(root / "studies", NAME).each_job()}
    faults = [f"some runs are {', '.join(sorted(states))}"] if states != {"done"} else []
    if keep == "tables" and len(own) > MOST_FILES:
        faults.append(f"{len(own):,} files were left")
    if megabytes > MOST_MEGABYTES:
        faults.append(f"the program took {megabytes:,.0f} MB")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, nargs="+", default=[100], help="of each study, an even number")
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--keep", default="tables", choices=("all", "compressed", "memories", "tables"))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--ray-nodes", action="store_true", help="on two Ray nodes of this machine")
    parser.add_argument("--here", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--address", default="", help=argparse.SUPPRESS)
    choice = parser.parse_args()
    if choice.here:
        return run_here(choice.here, choice.workers, choice.address)
    return compared(choice)


def compared(choice: argparse.Namespace) -> int:
    """Run studies of all sizes; return the exit code."""
    faults: list[str] = []
    with ExitStack() as stack:
        address = ""
        if choice.ray_nodes:
            os.environ.update(new_token())
            nodes = stack.enter_context(RayNodes(free_port()))
            nodes.start()
            nodes.start()
            address = nodes.address
        for runs in choice.runs:
            with tempfile.TemporaryDirectory() as folder:
                sizes = {"steps": choice.steps, "keep": choice.keep, "workers": choice.workers}
                faults += measured(Path(folder), runs, **sizes, address=address)
    for fault in faults:
        print(fault)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
