"""Computations of commands for pages."""

from waiting import PATIENCE

from translator.storage.computed.computations import Computations
from translator.storage.runs.simulations import find_saved

GOING = "import shutil, sys; shutil.rmtree(sys.argv[1], True); sys.exit('There is no simulation any more.')"


def test_a_simulation_may_go_while_it_is_read(stage, caplog, tmp_path):
    """Its message is shown; nothing fails."""
    stage.save("run", stage.walk(3))
    simulation = find_saved("run")
    computations = Computations()
    (tmp_path / "going.py").write_text(GOING, "utf-8")
    command = [str(tmp_path / "going.py"), str(simulation.root)]
    begun = computations.begin(("gone",), command, [simulation], may_act=True)
    assert begun.done.wait(PATIENCE)
    assert begun.fault == "There is no simulation any more."
    assert computations.finished(("gone",)) == b""
    assert not caplog.records
