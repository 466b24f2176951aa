"""The paper's second evaluation and the report of validity of a study: what they count is in their answers."""

import json

import pytest
from simulation_content import content_of

from ville.api.paper_functions import paper_evaluation
from ville.api.validity_functions import validity
from ville.cli import measure_command, study_command
from ville.cli.paper_command import evaluation_lines
from ville.errors import BadArgument

STUDY = """\
title: Do people hear that the zebra is closed?
base: base
steps: 60
seeds: 3
arms:
  plain: {}
  told:
    interventions:
      - {step: 30, kind: whisper, who: Ada Stone, words: The zebra is closed}
measures: [{news: zebra, name: know}]
"""


@pytest.fixture
def ran(desk):
    desk.run(STUDY)
    return desk


def test_a_study_is_evaluated_and_reported_without_being_changed(ran, capsys, monkeypatch):
    """Everyone is asked at both ends of each run; each number has its runs, and each run its answers. The report is of
    an arm, and kept beside the study; a file that is there already is not replaced unasked.
    """
    before = content_of(ran.root / "storage")
    found = paper_evaluation("study", **ran.given)
    assert [(run.arm, run.seed) for run in found.runs] == [
        (arm, seed) for arm in ("plain", "told") for seed in (1, 2, 3)
    ]
    for run in found.runs:
        assert len(run.start.answers) == len(run.end.answers) == 3 * 2 + 3 * 2
        assert (run.invited, run.reasons) == (None, ())
    rows = {(row.arm, row.key): row for row in found.rows}
    density = rows["plain", "density"]
    assert density.end.mean == pytest.approx(sum(run.end.density for run in found.runs[:3]) / 3)
    assert (density.paper_start, density.paper_end, density.over) == ("0.167", "0.74", "3 runs")
    assert {arm for _, arm, _ in found.differences} == {"told"}
    assert any(line.startswith("study, told") for line in evaluation_lines(found))
    json.dumps(found.as_json())

    report = validity("study", **ran.given)
    assert (report.of, len(report.runs), report.outcomes) == ("study, plain", 3, ("know",))
    keys = [each.key for each in report.findings]
    assert len(keys) == len(set(keys))
    assert {each.key: each.colour for each in report.findings}["awareness"] == "unknown"
    assert len(report.answers) == 3 * 3 * 8
    with pytest.raises(BadArgument, match="plain, told"):
        validity("study", arm="other", **ran.given)

    folders = ["--fs-storage", ran.given["fs_storage"], "--assets", ran.given["assets"]]
    assert ran.folder().read_validity() is None
    assert study_command.main(["validity", "study", "--arm", "told", *folders]) == 0
    assert ran.folder().read_validity()["of"] == "study, told"
    there = ran.root / "there.json"
    there.write_text("mine", "utf-8")
    for command in ("paper", "validity"):
        assert study_command.main([command, "study", "--json", str(there), *folders]) == 1
        assert "--replace" in capsys.readouterr().err
    assert there.read_text("utf-8") == "mine"
    one = [
        "study-plain-s1",
        "--validity",
        "--json",
        str(ran.root / "report.json"),
        "--storage",
        ran.given["fs_storage"],
    ]
    monkeypatch.setenv("VILLE_ASSETS", ran.given["assets"])
    assert measure_command.main(one) == 0
    assert "Validity of study-plain-s1" in capsys.readouterr().out
    assert json.loads((ran.root / "report.json").read_text("utf-8"))["runs"] == ["study-plain-s1"]
    assert content_of(ran.root / "storage") == before
