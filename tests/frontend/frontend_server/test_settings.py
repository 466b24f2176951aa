"""Settings of a server."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PAGES = Path(__file__).resolve().parents[3] / "environment" / "frontend_server"
ASK = "import json; from frontend_server import settings as s; print(json.dumps({names}, default=str))"


def told(*names, **variables):
    """Settings of a server that starts with these variables."""
    shown = "{" + ", ".join(f"'{name}': s.{name}" for name in names) + "}"
    given = {f"VILLE_{name}": value for name, value in {"SECRET_KEY": "for a test", **variables}.items()}
    mute = {name: value for name, value in os.environ.items() if not name.startswith("VILLE_")}
    command = [sys.executable, "-c", ASK.replace("{names}", shown)]
    return json.loads(subprocess.check_output(command, cwd=PAGES, env={**mute, **given}))


def test_a_server_is_careful_unless_told_otherwise():
    """Only this machine may ask, faults show no code, and bodies have an end."""
    found = told("DEBUG", "ALLOWED_HOSTS", "BIND", "DATA_UPLOAD_MAX_MEMORY_SIZE")
    assert found == {
        "DEBUG": False,
        "ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]"],
        "BIND": "127.0.0.1:8000",
        "DATA_UPLOAD_MAX_MEMORY_SIZE": 1_000_000,
    }


def test_a_server_can_be_opened_to_others():
    """For another machine, or in a container."""
    found = told("ALLOWED_HOSTS", "BIND", HOSTS="ville.example, 10.0.0.7", BIND="0.0.0.0:8000")
    assert found == {"ALLOWED_HOSTS": ["ville.example", "10.0.0.7"], "BIND": "0.0.0.0:8000"}


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, PAGES / "compressed_storage"),
        ({"FS_STORAGE": "/elsewhere/storage"}, Path("/elsewhere/compressed_storage")),
        ({"FS_STORAGE": "/elsewhere/storage", "FS_COMPRESSED_STORAGE": "/runs"}, Path("/runs")),
    ],
)
def test_compressed_runs_lie_beside_the_simulations(variables, expected):
    """Where the engine's shell puts them, unless another place is named."""
    assert told("COMPRESSED_STORAGE", **variables)["COMPRESSED_STORAGE"] == str(expected)


def test_a_users_assets_are_found_before_ours(tmp_path):
    """A foreign map, a sheet for a newcomer."""
    found = told("STATICFILES_DIRS", ASSETS=str(tmp_path))["STATICFILES_DIRS"]
    assert found == [["assets", str(tmp_path)], str(PAGES / "static_dirs")]


def test_an_env_file_that_is_no_text_is_one_line(tmp_path):
    """UTF-16, as some editors and shells write it: which file, and how to save it; no traceback."""
    (tmp_path / ".env").write_text("VILLE_PAGES_DEBUG=1", "utf-16")
    done = subprocess.run(
        [sys.executable, "-c", "import frontend_server.settings"],
        cwd=PAGES, env={**os.environ, "PYTHONPATH": "", "VILLE_HOME": str(tmp_path)},
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert ".env" in line
    assert "UTF-8" in line
