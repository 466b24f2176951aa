"""The package as others install it: from its wheel, in a folder of its own, without the clone."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
import venv
from pathlib import Path

import pytest
from waiting import until

ROOT = Path(__file__).resolve().parents[2]
VENDOR = "environment/frontend_server/static_dirs/vendor"
MOST_BYTES = 25_000_000
RUN = """
import json, ville
with ville.fork("base_the_ville_isabella_maria_klaus", "mine", seed=1) as town:
    town.run(steps=3)
    reply = town.interview("Klaus Mueller", "What are you working on?").text
print(json.dumps({"simulations": sorted(ville.simulations()), "file": ville.__file__, "reply": reply}))
"""


STUDY = """
title: A sound in the night
base: base_the_ville_isabella
steps: 3
seeds: 2
settings: {provider: offline, embedder: hashing}
arms:
  untouched: {}
  told: {interventions: [{step: 1, kind: whisper, who: Isabella Rodriguez, words: It is raining}]}
measures: [conversations]
"""
NOTEBOOK = """
import nbformat
from nbclient import NotebookClient
NotebookClient(nbformat.read("examples/many_runs.ipynb", 4), resources={"metadata": {"path": "examples"}}).execute()
"""
WHISPER = {"kind": "whisper", "who": "Klaus Mueller", "words": "It is raining"}
BRANCH = {
    "id": "1", "request": "branch", "from": "a_day_of_three@2340", "store": "compressed", "name": "rainy",
    "until": 2343, "interventions": [WHISPER],
}  # fmt: skip


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The file that `pip wheel .` makes of a copy of what git knows."""
    copy, made = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("wheel")
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    for name in subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0"):
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes((ROOT / name).read_bytes())
    if (ROOT / VENDOR).exists():  # what start.py has fetched
        shutil.copytree(ROOT / VENDOR, copy / VENDOR)
    built = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", made, copy],
        check=False,
        capture_output=True,
        text=True,
    )
    if built.returncode and re.search(r"No matching distribution|Could not fetch|npm", built.stderr):
        pytest.skip(f"A wheel cannot be built without the network: {built.stderr[-300:]}")
    assert built.returncode == 0, built.stderr
    (file,) = made.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def ville(wheel, tmp_path_factory):
    """The installed command, in an environment that borrows the packages of this one."""
    place = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(place, with_pip=True, symlinks=os.name != "nt")
    scripts = place / ("Scripts" if os.name == "nt" else "bin")
    install = [scripts / "python", "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel]
    subprocess.run(install, check=True, capture_output=True)
    (packages,) = place.glob("[Ll]ib/**/site-packages")
    lent = [path for path in sys.path if "site-packages" in path]
    (packages / "lent.pth").write_text("".join(f"{path}\n" for path in lent), "utf-8")
    return scripts / "ville"


@pytest.fixture
def variables():
    return {name: text for name, text in os.environ.items() if not re.match(r"VILLE_|PYTHONPATH|DJANGO", name)}


@pytest.fixture
def run(variables, tmp_path):
    """Run a command in a folder of its own; give its exit code and what it said."""

    def run(*command):
        done = subprocess.run(command, cwd=tmp_path, env=variables, check=False, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.mark.slow
def test_a_town_is_made_run_and_asked_without_a_clone(ville, run, tmp_path):
    """In an empty folder, where everything lies that was made; before, one line says what to type."""
    code, _, told = run(ville, "offline", "-o", "base_the_ville_isabella", "-t", "one", "-s", "1")
    assert (code, "ville init" in told) == (1, True)
    assert run(ville, "init")[0] == 0
    code, out, told = run(ville.with_name("python"), "-c", RUN)
    assert code == 0, told
    found = json.loads(out.splitlines()[-1])
    assert "mine" in found["simulations"]
    assert str(ROOT) not in found["file"]
    assert found["reply"]
    assert (tmp_path / "storage" / "mine" / "reverie" / "meta.json").is_file()
    code, out, told = run(ville, "where")
    assert code == 0, told
    assert str(ROOT) not in out
    assert str(tmp_path / "storage") in out


@pytest.mark.slow
def test_a_study_is_run_without_a_clone(ville, run, tmp_path):
    """From a file: a row for each arm and seed."""
    assert run(ville, "init")[0] == 0
    (tmp_path / "rain.yaml").write_text(STUDY, "utf-8")
    code, _, told = run(ville, "study", "run", "rain.yaml", "--workers", "2")
    assert code == 0, told
    with (tmp_path / "studies" / "rain" / "runs.csv").open(encoding="utf-8", newline="") as file:
        rows = [(row["arm"], row["seed"]) for row in csv.DictReader(file)]
    assert sorted(rows) == [("told", "1"), ("told", "2"), ("untouched", "1"), ("untouched", "2")]


@pytest.mark.slow
def test_a_notebook_that_comes_with_the_package_is_executed(ville, run, variables, tmp_path):
    """From its first cell to its last, in the folder into which `ville init` puts it."""
    variables |= {"IPYTHONDIR": str(tmp_path / "ipython")}
    assert run(ville, "init")[0] == 0
    code, _, told = run(ville.with_name("python"), "-c", NOTEBOOK)
    assert code == 0, told
    assert (tmp_path / "storage" / "many_runs_morning").is_dir()


@pytest.mark.slow
def test_an_empty_folder_becomes_a_town_in_a_browser(ville, variables, tmp_path, free_port):
    """`ville` alone: pages with their pictures and scripts, a demo, and an engine that begins a branch of it."""
    port = free_port()
    here = f"http://127.0.0.1:{port}"
    town = subprocess.Popen(
        [ville, "--no-browser", "--port", str(port)],
        cwd=tmp_path,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        said = []
        while not (said and said[-1].startswith("Your town is at")):
            line = town.stdout.readline()
            assert line, "".join(said)
            said.append(line)
        for address in ("/", "/demo/a_day_of_three/2400/3/"):
            page = read(f"{here}{address}").decode()
            assert 'data-start="ville"' in page
            for name in set(re.findall(r'"(/static/[^" ]+\.\w+)"', page)):
                assert read(f"{here}{name}")
        post(here, "/engine/", BRANCH)
        assert until(lambda: [each["state"] for each in data(f"{here}/branches/")["branches"]] == ["done"])
        assert data(f"{here}/frames/rainy/2340/2343/?store=saved")
        assert "rainy" in read(f"{here}/").decode()
    finally:
        town.terminate()
        town.wait()
        town.stdout.close()


def read(address, **sent):
    """Return the answer of the town's server."""
    request = urllib.request.Request(address, **sent)  # noqa: S310 - our own
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        return answer.read()


def post(here, path, body):
    """Send JSON as a page of the server does."""
    read(f"{here}{path}", data=json.dumps(body).encode(), headers={"Content-Type": "application/json", "Origin": here})


def data(address):
    return json.loads(read(address))


@pytest.mark.slow
def test_the_wheel_is_small(wheel):
    assert wheel.stat().st_size < MOST_BYTES
