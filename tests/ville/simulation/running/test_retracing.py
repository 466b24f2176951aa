"""Steps that are computed again are compared with what was recorded, whatever that is by now."""

from datetime import datetime

import pytest

from ville.errors import BadMoment
from ville.simulation.running.retracing import RecordedStage
from ville.storage.folder.simulation_folder import SimulationFolder


@pytest.mark.parametrize("content", ["", "null", "[" * 100_000, "7" * 5000, '{"persona": {}'])
def test_a_recorded_step_that_is_no_longer_json_differs(small_town, content):
    """Torn, nested too deeply, or a number too long to read: the moment is refused, and names the step."""
    folder = SimulationFolder(small_town.root / "storage" / "base")
    (folder.root / "movement").mkdir(exist_ok=True)
    (folder.root / "movement" / "0.json").write_text(content, "utf-8")
    with pytest.raises(BadMoment, match="Step 0 is now computed otherwise"):
        RecordedStage(folder).show(0, {}, datetime(2023, 2, 13))  # noqa: DTZ001 - game time has no zone
