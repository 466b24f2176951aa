"""Every program of the project starts: --help says what it does, and in its smallest form it comes to its end."""

import os
import sys

import pytest
from repository import ROOT, tracked
from scripts import run_to_end

PATIENCE = 1200
"""Seconds for one program, on a machine that has others to serve."""
START = 'if __name__ == "__main__":'
PROGRAMS = [
    name for name in tracked("*.py")
    if not name.startswith(("tests/", "reverie/backend_server/ville/")) and START in (ROOT / name).read_text("utf-8")
]  # fmt: skip
BENCHMARKS = [name for name in PROGRAMS if name.startswith("benchmarks/")]
THREE, ALL = "base_the_ville_isabella_maria_klaus", "base_the_ville_n25"
BASES = f"{ROOT}/environment/frontend_server/storage"
DAY = ("--out", "day.json", "--tokens", "tokens.json")
FEW = ("--base", THREE, "--history", "the_ville/agent_history_init_n3.csv")
QUICK = {
    "believability": (ALL, "--details"),
    "concurrency": ("--steps", "5", "--seconds", "0.01"),
    "interval_coverage": ("--samples", "20", "--studies", "2", "--runs", "3"),
    "exchange": ("--requests", "2", "--steps", "600"),
    "gateway": ("--open", "4", "--calls", "20"),
    "house": ("--alone", "--lists"),
    "lived_day": (THREE,),
    "models": ("--each", "1"),
    "paraphrases": ("hashing",),
    "personal_questions": ("--days", ALL, ALL, "--people", "1"),
    "said_again": (ALL,),
    "schedule": ("--people", "3", "--hours", "0.1"),
    "situated": (THREE, "--hours", "0"),
    "spoiling": (*FEW, "--steps", "5", "none"),
}
"""Arguments that start each benchmark in its smallest form."""
SLOW = {
    "affordable": ("--bases", THREE, "--arms", "policy", "--seeds", "1", "--processes", "1", "--steps", "30"),
    "causes": ("--steps", "20", "--acts", "1"),
    "branch_kills": ("--kills", "6", "--steps", "240"),
    "engine": ("--base", THREE, "--days", "0"),
    "bench_hours": ("--people", "3", "--seeds", "1", "--until", "00:05", "--out", "hours.json"),
    "growth": ("--base", THREE),
    "hostile_day": ("--smallest",),
    "kills": ("--kills", "1", "--steps", "10"),
    "many_runs": ("--runs", "2", "--steps", "2"),
    "mutations": ("--module", "schedule", "--sample", "1"),
    "moments": ("--base", THREE, "--steps", "20", "--moments", "1"),
    "party_cancelled": ("--seeds", "1", "--steps", "10"),
    "prompts": ("--base", f"{BASES}/{THREE}", *FEW[2:], "--steps", "5"),
    "record_situations": ("--folder", "situations", "--steps", "10"),
    "retrieval": ("--seeds", "1", "--steps", "20", "--embedders", "hashing"),
    "out_of_order": ("--base", THREE, "--steps", "20", "--scale", "0"),
    "run": ("--smallest", "--only", "schedule", "idle", "growth", "gateway", "--out", "results"),
    "same_files": (str(ROOT), "--smallest"),
    "stove": ("--seeds", "1"),
    "studies": ("--seeds", "1", "--steps", "10", "--kills", "1"),
    "typical_day": (f"{BASES}/{THREE}", *DAY),
    "whispered": ("--seeds", "1", "--steps", "10"),
}
ELSEWHERE = {
    "page_answers": "judges times of the processor, which differ from machine to machine: by hand",
    "city_pages": "needs a city that was built, and a browser: by hand",
    "districts": "needs Ray: by hand; what it runs is tested in tests/ville/jobs/ray/test_ray_districts.py",
    "first_picture": "needs a browser: tests/pages/test_benchmarks.py",
    "pages": "needs a browser: tests/pages/test_benchmarks.py",
    "promises": "needs two days that were run: benchmarks/two_days.py --keep",
    "two_days": "has no small form, because it judges two whole days: .ci/run",
}
JUDGES = {"whispered"}
"""Programs whose exit code says that so short a run does not meet their requirements."""

DEVELOPERS = ("hypothesis", "matplotlib", "nbclient", "nbformat", "pandas", "playwright", "pytest")
"""Packages that only developers have."""
ALONE = f"""
import runpy, sys
from pathlib import Path
sys.modules.update(dict.fromkeys({DEVELOPERS}))
del sys.argv[0]
sys.path[0] = str(Path(sys.argv[0]).parent)
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""Runs a program as if these were not installed."""


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A folder of a user without settings and keys, where nothing of the project is."""
    monkeypatch.chdir(tmp_path)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("VILLE_", "DJANGO_"))}
    offline = {"VILLE_PROVIDER": "offline", "VILLE_EMBEDDER": "hashing", "PYTHONUTF8": "1"}
    return tmp_path, {**kept, **offline, "PYTHONPATH": str(ROOT / "reverie" / "backend_server")}


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_says_what_it_does_and_does_nothing_else(program, elsewhere, tmp_path_factory):
    """The first thing that anybody tries. Where only the packages of a run are installed, a benchmark does so, too, or
    says in one line what to install.
    """
    folder, environment = elsewhere
    command = [sys.executable, str(ROOT / program), "--help"]
    if program in BENCHMARKS:
        alone = tmp_path_factory.mktemp("alone") / "alone.py"
        alone.write_text(ALONE, "utf-8")
        ended = run_to_end([sys.executable, str(alone), *command[1:]], folder, environment, seconds=PATIENCE)
        if ended.code:
            assert len(ended.err.splitlines()) == 1, ended
            assert any(name in ended.err for name in DEVELOPERS), ended
            assert ended.err.endswith("type: pip install -r requirements-dev.txt\n")
    if program not in BENCHMARKS or ended.code:
        ended = run_to_end(command, folder, environment, seconds=PATIENCE)
    assert (ended.code, ended.err) == (0, ""), ended
    assert "usage:" in ended.out or "Available subcommands" in ended.out
    assert list(folder.iterdir()) == []


def test_every_benchmark_has_a_smallest_form():
    """Or it is said where it is run."""
    assert sorted(BENCHMARKS) == sorted(f"benchmarks/{name}.py" for name in (*QUICK, *SLOW, *ELSEWHERE))


SMALLEST = [
    *(pytest.param(name, arguments, id=name) for name, arguments in QUICK.items()),
    *(pytest.param(name, arguments, id=name, marks=pytest.mark.slow) for name, arguments in SLOW.items()),
]


@pytest.mark.parametrize(("name", "arguments"), SMALLEST)
def test_a_benchmark_comes_to_its_end(name, arguments, elsewhere):
    """Offline, and without a change of anything in the project."""
    folder, environment = elsewhere
    command = [sys.executable, str(ROOT / "benchmarks" / f"{name}.py"), *arguments]
    ended = run_to_end(command, folder, environment, seconds=PATIENCE)
    assert ended.code in ({0, 1} if name in JUDGES else {0}), ended
    assert "Traceback" not in ended.err, ended
    assert ended.out
