"""The package as others install it: from its wheel, in a folder of its own, without the clone."""

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


@pytest.mark.slow
def test_a_town_is_made_run_and_asked_without_a_clone(ville, variables, tmp_path):
    """In an empty folder, where everything lies that was made; before, one line says what to type."""

    def run(*command):
        done = subprocess.run(command, cwd=tmp_path, env=variables, check=False, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

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
def test_an_empty_folder_becomes_a_town_in_a_browser(ville, variables, tmp_path, free_port):
    """`ville` alone: pages with their pictures and scripts, a demo, and an engine that takes requests."""
    port = free_port()
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
            page = read(f"http://127.0.0.1:{port}{address}").decode()
            assert 'data-start="ville"' in page
            for name in set(re.findall(r'"(/static/[^" ]+\.\w+)"', page)):
                assert read(f"http://127.0.0.1:{port}{name}")
        status = json.loads((tmp_path / ".ville" / "temp_storage" / "engine_status.json").read_text("utf-8"))
        assert status
    finally:
        town.terminate()
        town.wait()
        town.stdout.close()


def read(address):
    with urllib.request.urlopen(address) as answer:  # noqa: S310 - our own
        return answer.read()


@pytest.mark.slow
def test_the_wheel_is_small(wheel):
    assert wheel.stat().st_size < MOST_BYTES
