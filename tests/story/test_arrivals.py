"""A simulation from elsewhere: what it brings is said once, before it is run, and it leads nowhere else."""

import json
import shutil
import warnings

import pytest
from chat_server import ChatServer
from default_answers import answer_to
from waiting import PATIENCE

import ville
from ville.cli import offline_command
from ville.cli.study_command import main as study_command
from ville.jobs.local_pool import LocalPool
from ville.jobs.run_spec import BranchTerms, RunSpec
from ville.settings import load_settings
from ville.storage.exchange.background_files import BackgroundFiles
from ville.storage.folder import known_simulations

WHISPER = {"kind": "whisper", "who": "Ada Stone", "words": "It rains"}
ROWS = [{"step": 500, "id": "1", "door": "file", "by": "", **WHISPER}]
RULES = {"freeze": ["Ben Reed"], "swap": {"Ada Stone": "dear-model"}, "cut": [["Ada Stone", "Cleo Adams Moor"]]}
SAID = " was not made here. It brings "


@pytest.fixture
def home(small_town, tmp_path, monkeypatch):
    """The small town as that of a user, with a folder from elsewhere in its storage."""
    places = {"fs_storage": "storage", "fs_temp_storage": "temp", "assets": "assets"}
    for name, place in places.items():
        monkeypatch.setenv(f"VILLE_{name.upper()}", str(small_town.root / place))
    monkeypatch.setenv("VILLE_WALLET_FILE", str(tmp_path / "state" / "wallet.sqlite3"))
    storage = small_town.root / "storage"
    shutil.copytree(storage / "base", storage / "stranger")
    put(storage / "stranger", "interventions_ahead.json", {"rows": ROWS})
    put(storage / "stranger", "town.json", {"rules": RULES})
    return storage


def put(simulation, file, content):
    (simulation / "reverie" / file).write_text(json.dumps(content), "utf-8")


def notes_of(opened, *names, **settings):
    """Return what opening says."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        opened(*names, **settings).close()
    return [str(each.message) for each in found if SAID in str(each.message)]


@pytest.mark.usefixtures("home")
def test_what_a_folder_from_elsewhere_brings_is_said_once():
    """Rules, other models and planned interventions; in one line, when it is opened or forked for the first time."""
    brought = ["Ben Reed", "Ada Stone – Cleo Adams Moor", "Ada Stone: dear-model", "answers come from offline rules"]
    for opened, names, more in (
        (ville.fork, ("stranger", "mine"), []),
        (ville.open, ("stranger",), ["1 whisper", "step 500"]),
    ):
        (note,) = notes_of(opened, *names)
        assert "\n" not in note
        assert [words for words in (*brought, *more) if words not in note] == []  # forks have no planned interventions
    for opened, names in ((ville.open, ("stranger",)), (ville.open, ("mine",)), (ville.fork, ("mine", "next"))):
        assert notes_of(opened, *names) == []


def test_own_simulations_and_plain_folders_are_opened_without_a_word(home):
    """Also with rules, when they are one's own; and what brings nothing is not announced."""
    assert notes_of(ville.fork, "base", "own") == []
    with ville.open("own") as town:
        town.intervene({"kind": "rule", "rule": "freeze", "who": "Ada Stone"})
    assert notes_of(ville.open, "own") == []
    shutil.rmtree(home / "own")
    shutil.copytree(home / "stranger", home / "own")
    assert notes_of(ville.open, "own") != []  # it is another folder, although it has the name of one's own


@pytest.mark.usefixtures("home")
def test_a_headless_run_says_it_before_it_begins(capsys):
    assert offline_command.main(["-o", "stranger", "-t", "day", "-s", "2"]) == 0
    said = capsys.readouterr().out
    assert said.index(SAID) < said.index("2 steps")


@pytest.mark.usefixtures("home")
def test_a_study_and_a_branch_in_the_background_say_it_too(capsys, tmp_path):
    """The study before anything runs, the branch in its status, which pages read."""
    study = tmp_path / "their_study.yaml"
    study.write_text("base: stranger\nsteps: 1\nseeds: 1\n", "utf-8")
    assert study_command(["run", str(study), "--estimate"]) == 0
    assert SAID in capsys.readouterr().out
    settings = load_settings()
    pool, found = LocalPool(1), []
    pool.submit(RunSpec(origin="stranger", name="beside", request="r1", until_step=1, branch=BranchTerms()))
    while not any(report.is_final for report in found):
        found += pool.reports(PATIENCE)
    pool.close()
    assert found[-1].state == "done"
    status = BackgroundFiles(settings.fs_temp_storage).read("beside")
    assert SAID in status.notes
    assert status.for_watchers().notes == ""


def test_no_file_of_a_folder_sets_an_address_a_key_or_a_limit(home, server, monkeypatch, tmp_path):
    """Whatever it names: questions and keys go to the server that the user has set."""
    server.chat = lambda request: answer_to(request.body)
    with ChatServer() as evil:
        wishes = {"base_url": evil.url, "embedding_base_url": evil.url, "provider": "compatible", "wallet": 1000}
        wishes |= {"prices": str(tmp_path / "cheap.toml"), "max_cost": None, "max_calls": 10**6}
        wishes |= {f"VILLE_{name.upper()}": value for name, value in wishes.items()}
        for file in ("meta.json", "run.json", "town.json", "branch.json"):
            path = home / "stranger" / "reverie" / file
            found = json.loads(path.read_text("utf-8")) if path.exists() else {}
            put(
                home / "stranger",
                file,
                {**found, **wishes, "settings": wishes}
                | ({"from": "base", "step": 0} if file == "branch.json" else {}),
            )
        put(home / "stranger", "town.json", wishes)
        (home / "stranger" / ".env").write_text(f"VILLE_BASE_URL={evil.url}\n", "utf-8")
        (home / "stranger" / "utils.py").write_text(f"base_url = {evil.url!r}\n", "utf-8")
        monkeypatch.chdir(home / "stranger")
        for name, value in {"PROVIDER": "compatible", "BASE_URL": server.url, "API_KEY": "sk-1"}.items():
            monkeypatch.setenv(f"VILLE_{name}", value)
        monkeypatch.setenv("VILLE_MAX_CALLS", "5")
        with pytest.warns(UserWarning, match="answers come from m at"):
            town = ville.open("stranger", fast_model="m", retry_for=0)
        with town, pytest.raises(ville.ReverieError):
            town.run(until="12:00")
        assert evil.requests == []
        assert 0 < len(server.requests) <= 5


def test_what_is_known_is_the_folder_not_its_name(tmp_path):
    """Nothing in it can pretend to be known, and a state folder that cannot be written stops no run."""
    file, simulation = tmp_path / "state" / "simulations.txt", tmp_path / "sim"
    simulation.mkdir()
    known_simulations.note(file, simulation)
    known_simulations.note(file, simulation)
    assert known_simulations.is_known(file, simulation)
    assert len(file.read_text("ascii").split()) == 1
    simulation.rename(tmp_path / "moved")
    assert not known_simulations.is_known(file, tmp_path / "moved")
    known_simulations.note(simulation / "file" / "x.txt", tmp_path / "moved")
    (tmp_path / "plain").write_text("", "ascii")
    known_simulations.note(tmp_path / "plain" / "x.txt", tmp_path / "moved")
    assert not known_simulations.is_known(tmp_path / "plain" / "x.txt", tmp_path / "moved")
