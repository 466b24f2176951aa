"""Imports at the right time: starting is quick, and large packages are loaded where they are used."""

import os
import subprocess
import sys

import pytest

from ville.home import SOURCES

LARGE = ("numpy", "httpx2", "pandas", "scipy", "sklearn")
HELP = "import sys; sys.argv.append('--help'); from ville.cli import {0}_command; {0}_command.main()"
OPEN = "import sys; from ville.prompt import {0}_session"


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import ville", (*LARGE, "pydantic")),
        (HELP.format("prompt"), LARGE),
        (HELP.format("offline"), LARGE),
        (OPEN.format("prompt"), LARGE[1:]),
        (OPEN.format("offline"), LARGE[1:]),
    ],
)
def test_large_packages_are_imported_only_where_they_are_used(code, absent):
    """`import ville` and `--help` load none; a session without a model needs no HTTP client, and no scikit-learn."""
    check = f"import atexit, sys; atexit.register(lambda: print('loaded:', *sys.modules)); {code}"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    loaded = done.stdout.rpartition("loaded:")[2].split()
    assert "sys" in loaded
    assert not set(absent) & set(loaded)


@pytest.mark.parametrize("package", ["pydantic", "filelock"])
@pytest.mark.parametrize("command", [["reverie.py"], ["reverie_offline.py", "-t", "new"]])
def test_a_missing_package_is_one_line_with_what_to_type(command, package, tmp_path):
    """Wherever the package is first needed, the script names it and the command that installs it."""
    (tmp_path / f"{package}.py").write_text(f"raise ModuleNotFoundError(\"No module named '{package}'\")")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    script = [sys.executable, *command]
    done = subprocess.run(script, cwd=SOURCES, env=environment, capture_output=True, text=True, input="", check=False)
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1), done
    assert package in done.stderr
    assert "pip install" in done.stderr
