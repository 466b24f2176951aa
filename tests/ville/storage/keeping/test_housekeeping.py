"""Laws of renaming, deleting and restoring simulations and recordings."""

import json
import shutil
from datetime import UTC, datetime, timedelta

import pytest

from ville.errors import (
    BadSimulationName,
    CorruptFile,
    SimulationExists,
    SimulationInUse,
    SimulationNeeded,
    SimulationNotFound,
)
from ville.storage import recycle_bin
from ville.storage.files import pretty
from ville.storage.folder import known_simulations
from ville.storage.folder.branches import ancestors, read_branch
from ville.storage.folder.family import family
from ville.storage.folder.replacements import replacement_of
from ville.storage.folder.storage import find, fork, simulations
from ville.storage.keeping.housekeeping import Housekeeping
from ville.storage.records.lock import Lock
from ville.storage.records.title import write_title
from ville.storage.recycle_bin import BIN, STAMP, binned, empty_bin
from ville.storage.studies.study_folder import JobManifest, StudyFolder, StudyNote

MOST_OPERATIONS = 200


@pytest.fixture
def house(storage):
    """A tree of simulations, `base` ← `first` ← `second`, a recording `first`, and one that was made of `second`."""
    for origin, name in (("base", "first"), ("first", "second"), ("second", "third")):
        fork(storage, origin, name)
    root = storage.parent
    for name, meta in (("first", "first"), ("child", "third")):
        (root / "recordings" / name).mkdir(parents=True)
        shutil.copyfile(storage / meta / "reverie/meta.json", root / "recordings" / name / "meta.json")
    return Housekeeping(storage, root / "recordings", root / "studies", root / "temp", root / "known.txt")


def origins(house):
    return {each["sim_code"]: each["from"] for each in family(house.storage)}


def test_branches_name_a_renamed_origin(house, storage, files_below):
    """Nothing else changes in them, also in those that are in the bin or recorded; the former name says what it is."""
    before = files_below(storage / "first")
    house.delete("second")
    house.rename("first", "party")
    house.restore("second")
    assert origins(house) == {"base": None, "party": "base", "second": "party", "third": "second"}
    assert files_below(storage / "party") == before
    assert [root.name for root, _ in ancestors(storage / "third")] == ["second", "party", "base"]
    house.rename("second", "talk")
    assert json.loads((house.recordings / "child/meta.json").read_text())["fork_sim_code"] == "talk"
    assert (house.recordings / "first").is_dir()
    with pytest.raises(SimulationNotFound, match="'party' now"):
        find(storage, "first")
    house.rename("party", "first")
    assert find(storage, "first").name == "first"
    assert read_branch(storage / "talk").origin == "first"


def test_a_recording_is_renamed_alone(house):
    house.rename("first", "morning", "compressed")
    assert (house.recordings / "morning/meta.json").exists()
    assert "first" in simulations(house.storage)
    house.rename("child", "kid")
    assert house.form_of("kid") == "compressed"


def test_what_was_made_here_is_still_known_after_renaming(house, storage):
    """A folder that has another name would count as one from elsewhere."""
    known_simulations.note(house.known, storage / "first")
    house.rename("first", "party")
    house.rename("second", "talk")
    assert known_simulations.is_known(house.known, storage / "party")
    assert not known_simulations.is_known(house.known, storage / "talk")


@pytest.mark.parametrize("new", ["", "a b", "../x", ".hidden", "x" * 101, "con", "base_new", "second", "first"])
def test_names_are_checked(house, storage, files_below, new):
    before = files_below(storage)
    with pytest.raises((BadSimulationName, SimulationExists)):
        house.rename("first", new)
    assert files_below(storage) == before


def test_what_is_open_is_refused(house, storage, files_below):
    """The simulation itself, and for renaming its branches, which would write the former name."""
    before = files_below(storage)
    with Lock(storage / "first"):
        for refused in (lambda: house.rename("first", "party"), lambda: house.delete("first")):
            with pytest.raises(SimulationInUse):
                refused()
    with Lock(storage / "second"), pytest.raises(SimulationInUse, match="'second' is open"):
        house.rename("first", "party")
    with Lock(house.recordings / "first"), pytest.raises(SimulationInUse):
        house.delete("first", "compressed")
    assert files_below(storage) == before


def test_what_is_being_copied_is_not_renamed(house, storage):
    """The copy would name its origin by the former name."""
    partial = storage / ".new.partial"
    shutil.copytree(storage / "second", partial)
    with Lock(partial), pytest.raises(SimulationInUse, match="'new' is being made"):
        house.rename("first", "party")
    house.rename("first", "party")


def test_links_and_folders_of_others_are_left_alone(house, storage, tmp_path):
    """Neither a link nor what it leads to is renamed, deleted, restored or emptied."""
    foreign = tmp_path / "foreign"
    shutil.copytree(storage / "second", foreign)
    (storage / "linked").symlink_to(foreign)
    (storage / "stranger").mkdir()
    for name, error in (("linked", CorruptFile), ("stranger", SimulationNotFound), ("nothing", SimulationNotFound)):
        for refused in (lambda name=name: house.rename(name, "new"), lambda name=name: house.delete(name)):
            with pytest.raises(error):
                refused()
    long_ago = (datetime.now(UTC) - timedelta(days=3)).strftime(STAMP)
    (storage / BIN).mkdir()
    (storage / BIN / f"linked.{long_ago}").symlink_to(foreign)
    (storage / BIN / "stranger").mkdir()
    empty_bin(storage)
    assert (foreign / "reverie/meta.json").exists()
    assert (storage / BIN / "stranger").is_dir()
    shutil.rmtree(storage / BIN)
    (storage / BIN).symlink_to(foreign)
    with pytest.raises(CorruptFile):
        house.delete("first")
    assert house.binned() == []


def test_a_base_stays(house, storage):
    shutil.copytree(storage / "base", storage / "base_town")
    for refused in (lambda: house.rename("base_town", "town"), lambda: house.delete("base_town")):
        with pytest.raises(BadSimulationName):
            refused()


def test_what_is_deleted_can_be_restored_for_a_day(house, storage, files_below, monkeypatch):
    """As it was; afterwards it is removed for good by the next program that looks."""
    before = files_below(storage / "first")
    house.delete("first")
    assert "first" not in simulations(storage)
    assert [(form, entry.name) for form, entry in house.binned()] == [("saved", "first")]
    house.restore("first")
    assert files_below(storage / "first") == before
    assert house.binned() == []
    house.delete("first")
    monkeypatch.setattr(recycle_bin, "KEPT", timedelta(0))
    with pytest.raises(SimulationNotFound):
        house.restore("first")
    fork(storage, "base", "another")
    assert list((storage / BIN).iterdir()) == []


def test_the_last_deleted_of_a_name_is_restored_and_three_are_kept(house, storage):
    for number in range(5):
        if number:
            fork(storage, "base", "first")
        write_title(storage / "first", str(number))
        house.delete("first")
    assert len(binned(storage)) == 3
    house.restore("first")
    assert '"4"' in (storage / "first/reverie/title.json").read_text()
    with pytest.raises(SimulationExists):
        house.restore("first")


def test_what_a_study_or_a_rule_needs_stays(house, storage):
    """Its runs and its bases, under their names; and what a persona of another simulation repeats."""
    study = StudyFolder(house.studies, "talks")
    study.create()
    study.write_note(StudyNote(name="talks", bases=["first@20"]), "")
    study.write_job(
        JobManifest(
            run="a-s1", simulation="second", base="base", arm="a", seed=1, origin="base", first_step=0, until_step=1
        )
    )
    (storage / "second/reverie/interventions.jsonl").write_text('{"kind": "rule", "recording": "third"}\n')
    for name in ("first", "second", "third"):
        for refused in (lambda name=name: house.rename(name, "new"), lambda name=name: house.delete(name)):
            with pytest.raises(SimulationNeeded):
                refused()
    assert simulations(storage) == ["base", "first", "second", "third"]


@pytest.mark.parametrize("deed", ["rename", "bin", "restore"])
def test_a_kill_leaves_the_one_or_the_other(house, storage, files_below, killed, deed):
    """At whichever file operation the program dies: the simulation has one of its names, and its branches that."""
    former, new = files_below(storage / "first"), {"rename": "party", "bin": "", "restore": "first"}[deed]
    if deed == "restore":
        house.delete("first")
    copy = storage.parent / "copy"
    shutil.copytree(storage, copy, symlinks=True)
    for operations in range(MOST_OPERATIONS):
        shutil.rmtree(storage)
        shutil.copytree(copy, storage, symlinks=True)
        died = killed(deed, storage / "first", operations)
        known = simulations(storage)
        there = [name for name in ("first", "party") if name in known]
        assert there in ([["first"], [new]] if new else [["first"], []]) or (deed == "restore" and not there)
        if deed == "rename":
            find(storage, "base")  # any program that looks for a simulation
            named = next(name for name in ("first", "party") if name in simulations(storage))
            assert origins(house)["second"] == named
            assert files_below(storage / named) == former
        elif not there:
            house.restore("first")
            assert files_below(storage / "first") == former
        if not died:
            break
    assert not died


def test_a_name_is_never_without_a_simulation(storage, files_below, killed):
    """At whichever file operation the program dies that replaces one: it is the one or the other, as a whole."""
    old, new = (fork(storage, "base", name).root for name in ("first", "second"))
    write_title(new, "The new one")
    new.replace(replacement_of(old))
    former, later = files_below(old), files_below(replacement_of(old))
    copy = storage.parent / "copy"
    shutil.copytree(storage, copy)
    for operations in range(MOST_OPERATIONS):
        shutil.rmtree(storage)
        shutil.copytree(copy, storage)
        died = killed("replace", old, operations)
        find(storage, "base")
        assert files_below(old) in ([former, later] if died else [later])
        assert not replacement_of(old).exists()
        if not died:
            break
    assert not died
    assert [entry.name for entry in binned(storage)] == ["first"]


def test_two_programs_rename_one_after_the_other(house, storage):
    with Lock(storage / ".renamed"), pytest.raises(SimulationInUse):
        house.rename("first", "party")
    assert simulations(storage) == ["base", "first", "second", "third"]
    (storage / ".renamed.json").write_text(pretty({"renamed": [{"from": 1}]}))
    house.rename("first", "party")
    assert "party" in simulations(storage)
