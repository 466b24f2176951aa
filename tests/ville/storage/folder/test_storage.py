"""Laws of forking, resuming and ending simulations."""

import json
import shutil
import threading
from dataclasses import replace

import pytest

from ville.errors import BadSimulationName, CannotWrite, CorruptFile, SimulationExists, SimulationNotFound
from ville.storage.folder.branches import read_branch
from ville.storage.folder.family import family
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import check_new, delete, find, fork, resume, simulations
from ville.storage.records import lock
from ville.storage.records.lock import Lock
from ville.storage.records.staging import Staging


def test_a_fork_is_a_copy_that_knows_its_origin(storage, files_below):
    """Everything is copied byte for byte, but for fork_sim_code in meta.json."""
    folder = fork(storage, "base", "first")
    copied, original = files_below(folder.root), files_below(storage / "base")
    meta = json.loads(original.pop("reverie/meta.json")) | {"fork_sim_code": "base"}
    assert copied.pop("reverie/meta.json").decode() == json.dumps(meta, indent=2)
    branch = json.loads(copied.pop("reverie/branch.json"))
    assert (branch["from"], branch["step"], branch["answers"]) == ("base", 0, "fresh")
    assert copied == original
    assert folder.meta.fork_sim_code == "base"


def test_a_fork_by_an_older_engine_has_the_origin_that_its_meta_file_names(storage):
    """Older engines copy the whole folder: the branch.json in it is that of another simulation, and does not count."""
    first = fork(storage, "base", "first").root
    shutil.copytree(first, storage / "second")
    meta = storage / "second/reverie/meta.json"
    meta.write_text(json.dumps(json.loads(meta.read_text()) | {"fork_sim_code": "first"}))
    shutil.copytree(first, storage / "renamed")
    assert read_branch(storage / "second") is None
    origins = {each["sim_code"]: each["from"] for each in family(storage)}
    assert origins == {"base": None, "first": "base", "second": "first", "renamed": "base"}


def test_a_fork_leaves_behind_what_is_not_its_own(storage, put, files_below):
    """Steps after the last save, the telephone's ledger and hidden files stay behind; earlier steps come along."""
    base = find(storage, "base")
    base.recover()
    for file in ("movement/0.json", "environment/1.json", "metrics/7.json", "personas/Ada Stone/9.json"):
        put(base.root / file, "{}")
    base.save(replace(base.meta, step=1), {})
    for file in ("movement/1.json", "environment/2.json", "reverie/ledger.sqlite3", "reverie/ledger.sqlite3-wal"):
        put(base.root / file, "{}")
    put(base.root / "movement/.1.json.tmp", "{")
    copied = files_below(fork(storage, "base", "first").root)
    assert {"movement/0.json", "environment/1.json", "metrics/7.json", "personas/Ada Stone/9.json"} <= set(copied)
    assert {file for file in files_below(base.root) if file not in copied} == {
        "movement/1.json",
        "movement/.1.json.tmp",
        "environment/2.json",
        "reverie/ledger.sqlite3",
        "reverie/ledger.sqlite3-wal",
    }


def test_a_fork_is_of_one_moment(storage, monkeypatch):
    """If an older engine saves the origin while it is copied there is no fork, and a line says what to do."""
    base, copyfile = find(storage, "base"), shutil.copyfile
    monkeypatch.setattr(lock, "LONGEST_SAVE", 0)

    def saved_meanwhile(source, target):
        base.save(replace(base.meta, step=base.meta.step + 1), {})
        return copyfile(source, target)

    monkeypatch.setattr(shutil, "copyfile", saved_meanwhile)
    with pytest.raises(CannotWrite, match="Try again"):
        fork(storage, "base", "first")
    assert simulations(storage) == ["base"]
    assert sorted(path.name for path in storage.iterdir()) == ["base"]


def test_a_fork_does_not_disturb_a_save(storage):
    """While a living backend saves, a fork is of the save before, and the save happens; so it is where one died saving,
    unless that was committed: then the fork is of that.
    """
    base, run = find(storage, "base").root, "reverie/run.json"
    with Lock(base), Staging(base) as saving:
        saving.write(run, "{}")
        assert not (fork(storage, "base", "first").root / run).exists()
        saving.commit()
    assert (base / run).read_text("utf-8") == "{}"
    Staging(base).write(run, "half")
    second = fork(storage, "base", "second").root
    assert (second / run).read_text("utf-8") == "{}"
    assert not (second / ".save").exists()
    (base / ".save/commit.json").write_text(json.dumps([run]), "utf-8")
    assert (fork(storage, "base", "third").root / run).read_text("utf-8") == "half"


def test_a_save_waits_until_a_fork_has_copied_the_one_before(storage, monkeypatch):
    """Also if it saves again and again: the fork is whole, and of one save."""
    base, copyfile, saves = find(storage, "base"), shutil.copyfile, []

    def saved_meanwhile(source, target):
        if not saves:
            saves.append(threading.Thread(target=base.save, args=(replace(base.meta, step=base.meta.step + 1), {})))
            saves[0].start()
            saves[0].join(0.05)
        return copyfile(source, target)

    monkeypatch.setattr(shutil, "copyfile", saved_meanwhile)
    assert fork(storage, "base", "first").meta.step == 0
    saves[0].join()
    assert find(storage, "base").meta.step == 1


def test_an_unknown_name_lists_the_known(storage):
    """For a simulation that does not exist, the error lists those that do; hidden and foreign folders are none."""
    (storage / "public").mkdir()
    (storage / ".half.partial").mkdir()
    assert simulations(storage) == ["base"]
    with pytest.raises(SimulationNotFound, match=r"no simulation 'bose' in .*There are: base\."):
        find(storage, "bose")
    with pytest.raises(SimulationNotFound, match="There are: none"):
        find(storage / "empty", "base")


def test_a_taken_or_impossible_name_is_refused(storage, files_below):
    """A fork never touches what is there, and never gets a name that is a path."""
    before = files_below(storage)
    with pytest.raises(SimulationExists, match="already a simulation 'base'"):
        fork(storage, "base", "base")
    for name in ("", "a/b", "..", "a.b", "a b"):
        with pytest.raises(BadSimulationName, match="letters, digits"):
            check_new(storage, name)
    assert files_below(storage) == before


def test_a_fork_that_fails_leaves_nothing(storage):
    """If the origin cannot be read, no new folder appears."""
    (storage / "base/reverie/meta.json").write_text('{"step": }', "utf-8")
    with pytest.raises(CorruptFile, match=r"meta.json:1 is not JSON"):
        fork(storage, "base", "first")
    assert [path.name for path in storage.iterdir()] == ["base"]


def test_resuming_goes_on_in_place(storage):
    """A resumed simulation is the same folder at its last save, with room for its movement."""
    folder = resume(storage, "base")
    assert isinstance(folder, SimulationFolder)
    assert folder.root == storage / "base"
    assert (folder.root / "movement").is_dir()


def test_a_deleted_simulation_is_gone(storage):
    """Nothing of it is left, and its name is free."""
    delete(fork(storage, "base", "first"))
    assert [path.name for path in storage.iterdir()] == ["base"]
    check_new(storage, "first")
