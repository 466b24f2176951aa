"""Scripts of a clone run the package of this clone, whichever `ville` is installed beside it."""

import shutil
import subprocess
import sys

from repository import ROOT, tracked

SCRIPTS = [name for name in tracked("reverie/*.py") if name.count("/") <= 2 and "/ville/" not in name]
OWN = "import os\ndef __getattr__(name): return lambda *_: print('own')\ndef compress(*_): print('own')\n"


def test_scripts_run_the_package_beside_them(tmp_path):
    """In a copy whose package says so; the interpreter has another one installed."""
    for folder in ("cli", ""):
        package = tmp_path / "reverie/backend_server/ville" / folder
        package.mkdir(parents=True, exist_ok=True)
        (package / "__init__.py").touch()
    (package / "cli/entry_points.py").write_text(OWN, "utf-8")
    (package / "cli/compress_command.py").write_text(OWN, "utf-8")
    assert len(SCRIPTS) > 10
    for script in SCRIPTS:
        shutil.copy(ROOT / script, tmp_path / script)
        done = subprocess.run(
            [sys.executable, str(tmp_path / script)], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.stdout == "own\n", (script, done.stderr)
