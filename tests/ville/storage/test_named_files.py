"""Files that users name for results appear as a whole, replace nothing unasked, and leave nothing beside them."""

import os
import signal
import subprocess
import sys

from ville.storage.named_files import placed

HELD = """
import pathlib, sys, time
from ville.storage.named_files import placed
with placed(pathlib.Path(sys.argv[1])) as partial:
    partial.mkdir()
    (partial / "half").write_text("half")
    print("written", flush=True)
    time.sleep(600)
"""


def test_what_a_killed_program_left_goes_away_with_the_next_one(tmp_path):
    """The file stays as it was; what another program is just writing stays, too."""
    path = tmp_path / "out"
    path.write_text("mine", "utf-8")
    begun = [subprocess.Popen([sys.executable, "-c", HELD, path], stdout=subprocess.PIPE) for _ in range(2)]
    for each in begun:
        assert each.stdout.readline().strip() == b"written"
    begun[0].send_signal(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)
    begun[0].communicate()
    assert path.read_text("utf-8") == "mine"
    assert len(list(tmp_path.rglob("half"))) == 2
    with placed(path) as partial:
        partial.write_text("new", "utf-8")
    assert path.read_text("utf-8") == "new"
    assert len(list(tmp_path.rglob("half"))) == 1
    begun[1].kill()
    begun[1].communicate()
    with placed(path) as partial:
        partial.write_text("newer", "utf-8")
    assert list(tmp_path.iterdir()) == [path]
