"""Ctrl-C in the first moment: whatever is being imported, the program leaves without a word."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from repository import ROOT, tracked

INTERRUPTED = Path(__file__).with_name("interrupted.py")
SCRIPTS = [
    *tracked("reverie/*.py", "start.py", "validate_setup.py"),
    *tracked("environment/*.py", "environment/frontend_server/manage.py", "environment/frontend_server/vendor.py"),
]
COMMANDS = [
    name for name in SCRIPTS
    if not name.startswith(("environment/town_builder/", "reverie/backend_server/ville/"))
    and "__main__" in (ROOT / name).read_text("utf-8")
]  # fmt: skip
MOMENTS = (1, 5, 40, 400)
"""Imports at which it is pressed. A program with fewer of them ends as usual."""


@pytest.mark.parametrize("command", COMMANDS)
def test_ctrl_c_in_the_first_moment_ends_a_command_without_a_word(command, tmp_path):
    """With the exit code that shells expect; the first imports are those of the script itself."""

    def interrupted(moment):
        words = [sys.executable, str(INTERRUPTED), str(moment), str(ROOT / command), *BEGIN.get(command, ("--help",))]
        done = subprocess.run(words, cwd=tmp_path, input="", capture_output=True, text=True, check=False)
        return moment, done.returncode, done.stderr

    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(interrupted, MOMENTS))
    assert [(moment, code, err) for moment, code, err in found if code not in {0, 130} or err] == []
    assert found[0][1] == 130


BEGIN = {
    "reverie/backend_server/reverie_offline.py": ("-o", "nothing_like_this", "-t", "new", "-s", "1"),
    "reverie/backend_server/reverie.py": ("--origin", "nothing_like_this", "--name", "new"),
}
"""Arguments with which a command loads all that it needs, and then finds nothing to do."""
