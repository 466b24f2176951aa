"""A recording as a file, asked for by a page."""

import pytest

from translator.storage.computed import shared_files

MADE = "import pathlib, sys; pathlib.Path(sys.argv[sys.argv.index('--out') + 1]).write_text('<html>whole</html>')"

WHERE = "import pathlib, sys; at = sys.argv.index('--out'); file = pathlib.Path(sys.argv[at + 1]); "
TELLING = f"{WHERE}file.write_text(' '.join(sys.argv[:at]))"
"""Writes what it was asked for."""


@pytest.fixture
def maker(tmp_path, monkeypatch):
    """A command in the place of the real one; its text can be another."""
    monkeypatch.setattr(shared_files, "VILLE", [str(tmp_path / "maker.py")])
    return tmp_path / "maker.py"


def answered(client, address):
    """The answer once there is one."""
    while (answer := client.get(f"{address}wait=4")).status_code == 202:
        pass
    return answer


def test_a_file_is_made_and_then_sent(client, stage, maker):
    """First its address and size, then the file itself, to be saved under the name of the simulation."""
    maker.write_text(MADE, "utf-8")
    stage.compress("made", stage.walk(3))
    told = answered(client, "/share/made/?store=compressed&").json()
    assert told["bytes"] == len("<html>whole</html>")
    sent = client.get(told["file"])
    assert sent.content == b"<html>whole</html>"
    assert sent["Content-Disposition"] == 'attachment; filename="made.html"'


def test_a_fault_names_no_folder(client, stage, maker, tmp_path):
    """One line, for both addresses."""
    maker.write_text(f"import sys; sys.exit('The map {tmp_path}/map.json cannot be drawn.')", "utf-8")
    stage.save("faulty", stage.walk(3))
    answers = [answered(client, f"/{route}/faulty/?") for route in ("share", "shared_file")]
    for answer in answers:
        assert answer.status_code == 422
        assert "cannot be drawn" in answer.json()["error"]
        assert str(tmp_path) not in answer.json()["error"]


def test_what_has_no_steps_is_not_shared(client, stage):
    """It says so."""
    stage.save("new", {})
    answer = client.get("/share/new/")
    assert answer.status_code == 404


def test_comparisons_and_studies_are_files_too(client, stage, maker):
    """Each with the command of its kind, and by its own name; a study is made again when more of it is done."""
    maker.write_text(TELLING, "utf-8")
    for name in ("one", "two"):
        stage.save(name, stage.walk(3))
    told = answered(client, "/share_comparison/one/two@2/?").json()
    sent = client.get(told["file"])
    assert sent["Content-Disposition"] == 'attachment; filename="one-two.html"'
    assert sent.content.decode().split()[-3:] == ["one", "--against", "two@2"]
    folder = stage.plan_study("party", {"plain": {1: 4.0, 2: None}})
    made = [answered(client, "/share_study/party/?").json()]
    sent = client.get(made[0]["file"])
    assert sent["Content-Disposition"] == 'attachment; filename="party.html"'
    assert sent.content.decode().split()[-2:] == ["party", "--study"]
    maker.write_text(MADE, "utf-8")
    again = answered(client, "/share_study/party/?").json()
    folder.write_job(folder.job("plain-s2").model_copy(update={"state": "done"}))
    newer = answered(client, "/share_study/party/?").json()
    assert (again["bytes"], newer["bytes"]) == (made[0]["bytes"], len("<html>whole</html>"))


def test_the_report_of_a_study_is_a_file_for_those_who_may_act(client, afar, stage, maker):
    """It has answers and costs."""
    maker.write_text(TELLING, "utf-8")
    stage.plan_study("party", {"plain": {1: 4.0}})
    told = answered(client, "/study_report/party/?").json()
    sent = client.get(told["file"])
    assert sent["Content-Disposition"] == 'attachment; filename="party-report.html"'
    assert sent.content.decode().split()[-7:-4] == ["study", "report", "party"]
    for address in ("/study_report/party/", told["file"]):
        assert afar().get(address).status_code == 403
