"""A measure is one entry of a table: studies know its name, `measure.py` and comparisons show it."""

from changed_copy import ChangedCopy

ENTRY = """MEASURES = (
    Measure("names with an e", lambda run: sum("e" in name for name in run.people), "21"),"""
PROGRAM = """
import json, sys
from pathlib import Path
from ville.analysis.comparison import noise, outcomes
from ville.analysis.measures import SavedRun
from ville.analysis.named_measures import named_measure
from ville.cli import measure_command
from ville.storage.folder.storage import find
run = SavedRun(find(Path(sys.argv[1]), "base"))
(added,) = [each for each in measure_command.MEASURES if each.what == "names with an e"]
print(json.dumps({
    "study": named_measure("names with an e", Path(".")).of(run), "row": measure_command.line(added, [run]),
    "compared": [each.what for each in outcomes.MEASURES], "repeated": [each.what for each in noise.MEASURES],
}))
"""


def test_a_measure_that_is_added_is_known_everywhere(tmp_path, small_town):
    """To study files, the table of `measure.py`, the outcomes of a comparison and the noise of repeated runs."""
    copy = ChangedCopy.of_package(tmp_path / "copy", "analysis/paper_measures.py", "MEASURES = (", ENTRY)
    told = copy.tells(PROGRAM, str(small_town.root / "storage"))
    assert told["study"] == len([name for name in ("Ada Stone", "Ben Reed", "Cleo Adams Moor") if "e" in name])
    assert told["row"].split() == ["names", "with", "an", "e", "3", "21"]
    assert "names with an e" in told["compared"]
    assert "names with an e" in told["repeated"]
