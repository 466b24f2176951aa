"""Cost of each function, counted in other ways: by the server that was asked, and by the summary of the run."""

import json
import re
import sqlite3
from contextlib import closing
from zlib import crc32

import pytest
from chat_server import ChatServer, Reply, completion
from default_answers import answer_to

from ville.analysis.metric_files import person_file
from ville.cli import metrics_command
from ville.cli import offline_command as reverie_offline
from ville.llm.accounting.ledger import FILE, Ledger
from ville.llm.accounting.summaries import fallbacks
from ville.storage.folder.simulation_folder import SimulationFolder

MORNING = 420
UNUSABLE = re.compile(r"([\d,]+) unusable answers?, ([\d,]+) answered by a fallback")


def half_usable(request):
    """Answer two questions of eight unusably: one of them until the client gives up, the other only at first."""
    messages = request.body["messages"]
    lot = crc32(messages[0]["content"].encode()) % 8
    unusable = lot == 0 or (lot == 1 and not messages[1:])
    return Reply(completion("I do not know." if unusable else answer_to(request.body), request))


@pytest.fixture
def small_model():
    """A server whose model often answers what cannot be used."""
    with ChatServer(half_usable) as server:
        yield server


@pytest.fixture
def run(small_town, small_model, monkeypatch, capsys):
    """Run the small town with that model, as reverie_offline.py does; return what was printed."""
    values = {
        "PROVIDER": "compatible", "BASE_URL": small_model.url, "FAST_MODEL": "m", "EMBEDDER": "hashing",
        "FS_STORAGE": small_town.root / "storage", "FS_TEMP_STORAGE": small_town.root / "temp",
        "ASSETS": small_town.root / "assets", "MAX_FALLBACKS": 0,
    }  # fmt: skip
    for name, value in values.items():
        monkeypatch.setenv(f"VILLE_{name}", str(value))

    def start(*arguments):
        assert reverie_offline.main(list(arguments)) == 0
        return capsys.readouterr().out

    return start


def written(small_town, name):
    folder = small_town.root / "storage" / name / "metrics"
    return {path.stem: json.loads(path.read_text("utf-8")) for path in folder.glob("*.json")}


def test_files_count_what_was_asked_over_all_sessions(run, small_town, small_model, capsys):
    """Calls are those that the server got; failures are the answers that the sessions found unusable."""
    printed = run("-o", "base", "-t", "new", "-s", str(MORNING)) + run("-o", "new", "-t", "new", "-s", "60")
    assert metrics_command.main(["new", "--write", "--against", "new", "--causes", "3"]) == 0
    table = capsys.readouterr().out.splitlines()
    files = written(small_town, "new")
    counted = files["function_name_count"]
    assert sum(counted.values()) == len(small_model.chats) == files["model_count"]["m"] == len(files["detail_info"])
    assert {name: len(each) for name, each in files["function_name_time"].items()} == counted
    with closing(Ledger.read(small_town.root / "storage/new/reverie")) as ledger:
        assert sum(map(sum, files["function_name_token"].values())) == ledger.spend.tokens
        unusable = [int(number.replace(",", "")) for found in UNUSABLE.findall(printed) for number in found]
        assert fallbacks(ledger).total() == sum(unusable[1::2]) > 0
    assert sum(files["function_name_fail_count"].values()) == sum(unusable[::2])
    totals = [line.split() for line in table if line.startswith("all ")]
    assert totals[0][1] == totals[1][1] == f"{len(small_model.chats):,}"
    assert totals[0][-2:] == ["100.0", "100.0"]


def test_with_the_defaults_of_aga_each_save_writes_them(run, small_town, small_model, monkeypatch):
    """After a kill the files are those of the last save; in the end, they hold all that the server was asked."""
    counted, save = [], SimulationFolder.save

    def counting(*these, **those):
        counted.append(sum(written(small_town, "new").get("function_name_count", {}).values()))
        save(*these, **those)

    monkeypatch.setattr(SimulationFolder, "save", counting)
    run("-o", "base", "-t", "new", "-s", str(MORNING), "--preset", "aga", "--autosave", "200")
    assert counted == sorted(counted)
    assert len(set(counted)) > 2
    files = written(small_town, "new")
    assert sum(files["function_name_count"].values()) == len(small_model.chats)
    assert {"Ada Stone", "Ben Reed", "Cleo Adams Moor"} <= files.keys()


def test_records_tell_the_day_without_gaps(run, small_town, monkeypatch):
    """Every task begins when the one before ends, talks are those that are remembered, and what a model has answered is
    new when it is first shown: with the questions of the paper, steps of activities.
    """
    monkeypatch.setenv("VILLE_QUESTIONS", "paper")
    run("-o", "base", "-t", "new", "-s", str(MORNING))
    metrics_command.main(["new", "--write"])
    files = written(small_town, "new")
    nodes = small_town.root / "storage/new/personas/Ada Stone/bootstrap_memory/associative_memory/nodes.json"
    remembered = [node["filling"] for node in json.loads(nodes.read_text("utf-8")).values() if node["type"] == "chat"]
    ada = files["Ada Stone"]
    assert sum(record["duration"] for record in ada) == MORNING
    talks = [record["chat"]["message"] for record in ada if record["task"] == "chat"]
    assert all(talk in talks for talk in remembered)
    assert all(record["is_new"] for record in ada if record["task"] == "chat")
    steps = {record["task"]: record["is_new"] for record in reversed(ada) if record["task"].startswith("part ")}
    assert steps
    assert all(steps.values())


def test_a_run_by_the_rules_has_no_ledger_to_count(small_town, capsys):
    """One line says so."""
    assert metrics_command.main(["base", "--storage", str(small_town.root / "storage")]) == 1
    fault = capsys.readouterr().err
    assert (fault.count("\n"), "have a ledger" in fault) == (1, True)


def test_a_ledger_from_before_fallbacks_were_recorded_can_be_read(tmp_path):
    """It has none."""
    Ledger.open(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        connection.execute("DROP TABLE fallbacks")
    with closing(Ledger.read(tmp_path)) as ledger:
        assert not fallbacks(ledger)


def test_a_persona_may_be_called_like_a_file():
    """Its record does not replace that file."""
    assert person_file("Model_Count", ["model_count"]) == "%4Dodel_Count"
    assert person_file("A/B. Smith", ["model_count"]) == "A%2FB. Smith"
