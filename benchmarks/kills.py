"""Kill every process with SIGKILL at random moments, go on every time, and compare with runs that were not killed.

`python benchmarks/kills.py --kills 200 --seed 1` kills processes that begin a simulation, load its history, start, run,
save, remove checkpoints, fork, branch and compress, with answers and embeddings from a server on this machine; then
`start.py`, its two servers and a branch in the background (`killed_town.py`); then the program of a study and its
workers (`killed_study.py`). What is there goes on by its name alone, without the flags that it was begun with: seed,
history and planned interventions. Afterwards all files must be equal byte for byte, no call may have been paid twice
except those in flight at a kill, and no process, lock or hidden folder may be left. Exit code 1 otherwise. Everything
happens in a temporary folder.

With `--schedule rooms` or `distance`, single programs are killed while people are ahead of others, and compared with
runs in lockstep.
"""

import argparse
import asyncio
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import killed_study
import killed_town
from killed_run import (
    BACKEND,
    BASE,
    EACH,
    FRONTEND,
    KINDS,
    MAX_CONCURRENCY,
    PLACES,
    RAIN,
    SEED,
    Bill,
    ChatServer,
    Experiment,
    KilledRun,
    bill,
    different,
    files,
    left_in,
    results,
    settings_of,
    settle,
    slowly,
    totals,
    undisturbed,
)
from killed_study import KilledStudy
from killed_town import KilledTown, TownPlan

from ville.assembly.forking import Beginning
from ville.assembly.run import open_at
from ville.settings import load_settings
from ville.simulation.clock import Clock
from ville.simulation.interventions.intervention_file import planned_rows
from ville.storage.records.meta import META, read_meta

TOWN_SHARE, STUDY_SHARE = 0.25, 0.1
"""Of all kills."""


@dataclass(frozen=True)
class Outcome:
    """State that killed programs have left."""

    wrong: list[str]
    """Files that are different."""
    needed: Bill
    paid: Bill
    compared: int
    """Number of files."""


def killed_runs(experiment: Experiment, kills: int) -> Outcome:
    """Kill single programs; return what was found."""
    whole = undisturbed(experiment)
    once = bill(iter(experiment.server.requests))
    left, rounds = Counter(KINDS[number % len(KINDS)] for number in range(kills)), 0
    wrong: list[str] = []
    paid: Bill = Counter()
    while left:
        experiment.server.requests.clear()
        kinds = Counter({kind: min(count, EACH) for kind, count in left.items()})
        left -= kinds
        KilledRun(experiment, kinds).live()
        left += kinds  # a run may end before all kills were made
        rounds += 1
        paid += bill(iter(experiment.server.requests))
        wrong += [f"round {rounds}, {name}" for name in different(whole, results(experiment, "parts"))]
        print(*wrong[:10], sep="\n")
        print(f"{experiment.deaths.total():>4} kills, {len(wrong)} files different", flush=True)
    needed = Counter({what: count * rounds for what, count in once.items()})
    return Outcome(wrong, needed, paid, sum(map(len, whole.values())) * rounds)


def killed_towns(experiment: Experiment, kills: int) -> tuple[list[str], int]:
    """Kill the processes of start.py; return the files that are different, and how many were compared."""
    root, steps = experiment.root / "served", 2 * experiment.steps
    settle(root)
    rain = [{"step": steps // 2, "id": "rain", **RAIN}]
    plan = TownPlan(BASE, steps, moment=steps // 3, rows=rain, seed=SEED)
    environment = {**settings_of(root), "VILLE_PROVIDER": "offline", "VILLE_EMBEDDER": "hashing"}
    town, branch = killed_town.TOWN, killed_town.BRANCH

    def run(origin: str, name: str, count: int) -> None:
        command = [sys.executable, str(BACKEND / "reverie_offline.py"), "-o", origin, "-t", name, "-s", str(count)]
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, cwd=BACKEND)

    run(BASE, town, steps)
    asyncio.run(begin_branch(root, plan))
    run(branch, branch, steps - plan.moment)
    whole = taken(root, (town, branch))
    left = Counter(killed_town.VICTIMS[number % len(killed_town.VICTIMS)] for number in range(kills))
    wrong, compared = list[str](), 0
    while left:
        round_of = Counter({victim: min(count, EACH) for victim, count in left.items()})
        left -= round_of
        killed = KilledTown(root, environment, plan, round_of, experiment.chance)
        killed.live()
        left += killed.kills
        experiment.deaths += killed.deaths
        wrong += different(whole, taken(root, (town, branch)))
        print(*wrong[:10], sep="\n")
        compared += sum(map(len, whole.values()))
        experiment.faults += [*killed.faults, *(f"{name} is left" for name in left_in(root))]
        print(f"{experiment.deaths.total():>4} kills, {len(wrong)} files different, with start.py", flush=True)
    return wrong, compared


async def begin_branch(root: Path, plan: TownPlan) -> None:
    """Begin the branch as the request of a page does."""
    folders = {f"fs_{name.lower()}": str(root / place) for name, place in PLACES.items()}
    own = {"assets": str(FRONTEND / "static_dirs" / "assets"), "provider": "offline", "embedder": "hashing"}
    meta = read_meta(root / "storage" / killed_town.TOWN / META)
    clock = Clock(meta.start_date, meta.time_of(plan.moment), plan.moment, meta.sec_per_step)
    added = planned_rows(plan.rows, clock, "the plan", door="page")
    origin = f"{killed_town.TOWN}@{plan.moment}"
    settings = load_settings({**folders, **own, "seed": plan.seed})
    branch = await open_at(settings, origin, killed_town.BRANCH, beginning=Beginning(added=added))
    await branch.close()


def killed_studies(experiment: Experiment, kills: int) -> tuple[list[str], int]:
    """Kill the processes of a study; return the files that are different, and how many were compared."""
    root = experiment.root / "studied"
    settle(root)
    environment = {**settings_of(root), "VILLE_FS_STUDIES": str(root / "studies"), "VILLE_PROVIDER": "offline"}
    file = root / "study.yaml"
    steps = 2 * experiment.steps
    file.write_text(killed_study.STUDY.format(base=BASE, steps=steps, half=steps // 2), "utf-8")
    left, found, wrong = Counter[str](), list[dict[str, dict[str, bytes]]](), list[str]()
    left.update(killed_study.VICTIMS[number % len(killed_study.VICTIMS)] for number in range(kills))
    while left or not found:
        killed = KilledStudy(root, environment, left if found else Counter(), experiment.chance)
        killed.live(file)
        left += Counter()
        experiment.deaths += killed.deaths
        experiment.faults += killed.faults
        found.append(taken(root, [path.name for path in (root / "storage").glob(f"{killed_study.NAME}-*")]))
        tables = root / "studies" / killed_study.NAME
        found[-1]["tables"] = {name: (tables / name).read_bytes() for name in ("runs.csv", "answers.csv")}
        shutil.rmtree(tables)
        wrong += different(found[0], found[-1])
        experiment.faults += [f"{name} is left" for name in left_in(root)]
        print(f"{experiment.deaths.total():>4} kills, {len(wrong)} files different, in studies", flush=True)
    return wrong, sum(map(len, found[0].values())) * (len(found) - 1)


def taken(root: Path, names: Iterable[str]) -> dict[str, dict[str, bytes]]:
    """Return all files of simulations, and delete them."""
    found = {name: files(root / "storage" / name) for name in names}
    for name in found:
        shutil.rmtree(root / "storage" / name)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument(
        "--seed", type=int, default=1, help="random seed of the moments (timing also depends on the machine)"
    )
    parser.add_argument("--steps", type=int, default=360, help="length of the run, in steps of ten seconds")
    parser.add_argument("--alone", action="store_true", help="kill single programs only, not start.py or studies")
    parser.add_argument("--schedule", default="lockstep", choices=("lockstep", "distance", "rooms"))
    choice = parser.parse_args()
    towns, studies = (0 if choice.alone else int(choice.kills * share) for share in (TOWN_SHARE, STUDY_SHARE))
    with tempfile.TemporaryDirectory() as folder, ChatServer() as server:
        chance = random.Random(choice.seed)  # noqa: S311 - any moments will do
        experiment = Experiment(Path(folder), server, chance, choice.steps, choice.schedule)
        settle(experiment.root)
        slowly(experiment)
        outcome = killed_runs(experiment, choice.kills - towns - studies)
        for killed, kills in ((killed_towns, towns), (killed_studies, studies)):
            wrong, compared = killed(experiment, kills) if kills else ([], 0)
            outcome = replace(outcome, wrong=[*outcome.wrong, *wrong], compared=outcome.compared + compared)
    return verdict(experiment, outcome)


def verdict(experiment: Experiment, outcome: Outcome) -> int:
    """Print the results, and return the exit code. Not every call in flight at a kill was paid."""
    print("\nkilled         kills")
    for kind in (*KINDS, *killed_town.VICTIMS, *killed_study.VICTIMS):
        print(f"{kind:<12}{experiment.deaths[kind]:>8}")
    print(f"\nfiles compared {outcome.compared:,}, different {len(outcome.wrong)}")
    print("\n               needed      paid   in flight at kill   paid twice")
    without, bought, lost = totals(outcome.needed), totals(outcome.paid), experiment.open_at_kills
    twice = {what: bought[what] - without[what] - lost[what] for what in ("answers", "vectors")}
    for what, count in twice.items():
        print(f"{what:<10}{without[what]:>11,}{bought[what]:>10,}{lost[what]:>17,}{count:>13,}")
    print(f"At most {experiment.most_open} of {MAX_CONCURRENCY} concurrent calls were in flight at a kill.")
    missing = outcome.needed.keys() - outcome.paid.keys()  # after a kill, fewer may be asked for at the same time twice
    for line in [*outcome.wrong[:10], *experiment.faults[:10]]:
        print(line)
    for what in sorted(missing)[:10]:
        print(f"never requested: {what[:90]}")
    too_many = max(twice.values()) > 0 or experiment.most_open > MAX_CONCURRENCY
    return int(bool(outcome.wrong or experiment.faults or missing or too_many))


if __name__ == "__main__":
    sys.exit(main())
