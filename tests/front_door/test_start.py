"""`python start.py` as a newcomer meets it: real processes, a real terminal, a real browser."""

import os
import runpy
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest


def free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


@pytest.fixture
def taken():
    """A port that another program has."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_an_old_python_is_refused_in_one_line(clone, monkeypatch):
    """The line has the version and the one that is needed; nothing is installed."""
    monkeypatch.delitem(sys.modules, "ville.console", raising=False)
    monkeypatch.setattr(sys, "version_info", (3, 10, 12))
    monkeypatch.setattr(sys, "argv", ["start.py"])
    monkeypatch.syspath_prepend(clone.root)
    with pytest.raises(SystemExit, match=r"3\.11 or newer; this is Python 3\.10"):
        runpy.run_path(str(clone.root / "start.py"))
    assert not (clone.root / ".venv").exists()


@pytest.mark.slow
def test_without_a_network_it_says_what_is_missing(clone):
    """Pip cannot install anything: one line of ours at the end, and the next start tries again."""
    offline = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_EXTRA_INDEX_URL": "", "PIP_RETRIES": "0"}
    outcome = clone.start(PIP_CONFIG_FILE=os.devnull, **offline)
    assert outcome.code == 1, outcome
    assert "network" in outcome.lines[-1]
    assert not list((clone.root / ".venv").glob("*.sha256"))


@pytest.mark.slow
def test_a_virtual_environment_that_was_left_half_made_is_made_again(clone):
    """Stopped before pip was there: the next start does not fail for want of it."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", clone.root / ".venv"], check=True)
    offline = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_EXTRA_INDEX_URL": "", "PIP_RETRIES": "0"}
    outcome = clone.start(PIP_CONFIG_FILE=os.devnull, **offline)
    assert "No module named pip" not in str(outcome)
    assert list((clone.root / ".venv").rglob("site-packages/pip"))


def test_a_folder_that_cannot_be_written_is_named(clone):
    """A folder of another user: one line with the folder, no traceback. Root is bound by permissions here, too."""
    clone.root.chmod(0o555)
    bound = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"] if os.geteuid() == 0 else []
    done = subprocess.run(
        [*bound, sys.executable, "start.py"],
        cwd=clone.root,
        check=False,
        text=True,
        capture_output=True,
        env={"PATH": os.environ["PATH"]},
    )
    clone.root.chmod(0o755)
    assert done.returncode == 1, done
    assert "permission" in done.stderr.splitlines()[-1].lower()
    assert "Traceback" not in done.stderr


def test_a_port_that_was_asked_for_and_is_taken_is_refused(furnished, taken):
    """One line that names the port; no simulation is begun."""
    outcome = furnished.start("--no-browser", "--port", str(taken))
    assert outcome.code == 1, outcome
    assert str(taken) in outcome.lines[-1]
    assert not list(furnished.storage.glob("*town_*"))


@pytest.mark.parametrize("port", ["0", "99999", "-1", "http"])
def test_a_port_that_cannot_be_is_refused(clone, port):
    """One line that says so, before anything is installed."""
    outcome = clone.start(f"--port={port}")
    assert outcome.code == 2, outcome
    assert "--port" in outcome.lines[-1]
    assert not (clone.root / ".venv").exists()


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("reverie/backend_server/utils.py", "debug = True\nseed = (1,\n"),
        (".env", "VILLE_SEED=three"),
        (".env", "VILLE_AUTOSAVE"),
    ],
)
def test_a_broken_configuration_is_one_line(furnished, place, text):
    """It names the file and how to fix it; nothing is begun."""
    (furnished.root / place).write_text(text, "utf-8")
    outcome = furnished.start("--no-browser")
    assert outcome.code == 1, outcome
    assert Path(place).name in outcome.lines[-1]
    assert "Watch the town" not in str(outcome)
    assert not list(furnished.storage.glob("town_*"))


def test_headless_is_the_prompt_alone(furnished):
    """No server, no page; the end of the input saves and leaves, and the second start resumes."""
    assert furnished.start("--headless", "--name", "mine").code == 0
    assert (furnished.storage / "mine" / "reverie" / "meta.json").exists()
    outcome = furnished.start("--headless", "--name", "mine")
    assert outcome.code == 0, outcome


@pytest.mark.slow
def test_a_storage_folder_elsewhere_is_where_names_are_looked_up(furnished, tmp_path):
    """Every start begins a simulation of its own there, and `--name` resumes one there."""
    elsewhere = tmp_path / "elsewhere"
    base = "base_the_ville_isabella_maria_klaus"
    shutil.copytree(furnished.storage / base, elsewhere / base)
    (furnished.root / ".env").write_text(f"VILLE_FS_STORAGE={elsewhere}\n", "utf-8")
    outcomes = [furnished.start("--headless", *options) for options in ((), (), ("--name", "town_2"))]
    assert [outcome.code for outcome in outcomes] == [0, 0, 0], outcomes
    assert {folder.name for folder in elsewhere.iterdir()} == {base, "town_1", "town_2"}
