"""Laws of changing many files at one instant."""

import json
import os
from pathlib import Path
from threading import Thread

import pytest

from ville.errors import CannotWrite, CorruptFile
from ville.storage.records.lock import between_saves
from ville.storage.records.staging import FOLDER, MARKER, Staging, is_torn, recover, recover_held


@pytest.fixture
def root(tmp_path, put):
    put(tmp_path / "simulation/a", "old a")
    put(tmp_path / "simulation/b/c", "old c")
    return tmp_path / "simulation"


def test_committed_files_are_in_place(root, files_below):
    """After the `with`, the new files are there, the others are as they were, and no scaffolding is left."""
    with Staging(root) as staging:
        staging.write("a", "new a")
        for name in ("d/g/e", "d/g/f"):
            staging.write(name, "new e")
        staging.commit()
        assert (files_below(root)["d/g/e"], is_torn(root)) == (b"new e", False)
    assert files_below(root) == {"a": b"new a", "b/c": b"old c", "d/g/e": b"new e", "d/g/f": b"new e"}
    assert sorted(path.name for path in root.iterdir()) == ["a", "b", "d"]


def test_without_commit_nothing_happens(root, files_below):
    """A change that fails or is not committed leaves no trace."""
    before = files_below(root)
    with pytest.raises(CorruptFile), Staging(root) as staging:
        staging.write("a", "new a")
        raise CorruptFile("half way")
    assert files_below(root) == before
    with Staging(root) as staging:
        staging.write("a", "new a")
    assert files_below(root) == before


def test_what_somebody_else_has_cleared_is_not_committed(root, files_below):
    """If another program recovers the folder in the midst of a change, nothing happens rather than half of it."""
    before = files_below(root)
    with pytest.raises(CannotWrite, match="another program"), Staging(root) as staging:
        staging.write("a", "new a")
        recover(root)
        staging.write("b/c", "new c")
        staging.commit()
    assert files_below(root) == before


@pytest.mark.parametrize(
    "names", [["../outside"], ["/outside"], ["a/../../outside"], [7], ["a", "../outside"], "a", {"a": 1}, None]
)
def test_a_change_of_something_else_is_none(root, files_below, names):
    """A marker that came with an archive from elsewhere may name any file, or none: nothing is moved."""
    (root / FOLDER).mkdir()
    (root / FOLDER / "a").write_text("new", "utf-8")
    (root / FOLDER / MARKER).write_text(json.dumps(names), "utf-8")
    (root / "outside").write_text("new", "utf-8")
    before = files_below(root.parent)
    with pytest.raises(CorruptFile, match="commit.json does not list files of this simulation"):
        recover(root)
    assert files_below(root.parent) == before


def test_nothing_to_recover_is_nothing(root, files_below):
    """Recovering where no change was begun touches nothing."""
    before = files_below(root)
    for nothing in (recover, recover_held):
        nothing(root)
        assert files_below(root) == before


@pytest.mark.parametrize("step", ["mkdir", "write_bytes"])
def test_a_full_disk_leaves_what_was(root, files_below, monkeypatch, step):
    """If there is no room for the new files, the old ones stand and the fault says so."""
    before = files_below(root)

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, step, full)
    with pytest.raises(CannotWrite, match="No space left"), Staging(root) as staging:
        staging.write("a", "new a")
        staging.commit()
    assert files_below(root) == before


def interrupted(root, *, moved):
    """Leave a change behind whose program was killed when so many of its two files were in place."""
    change = {"a": "new a", "d/e": "new e"}
    for number, (name, text) in enumerate(change.items()):
        path = root / name if number < moved else root / FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (root / FOLDER).mkdir(exist_ok=True)
    (root / FOLDER / MARKER).write_text(json.dumps(list(change)), "utf-8")


@pytest.mark.parametrize("moved", [0, 1, 2])
def test_a_committed_change_is_finished_by_the_next_program(root, files_below, moved):
    """Wherever the one before was killed; also if the next one only begins a change of its own."""
    for finish in (recover, lambda root: Staging(root).__enter__(), recover_held):
        interrupted(root, moved=moved)
        assert is_torn(root)
        finish(root)
        assert files_below(root) == {"a": b"new a", "b/c": b"old c", "d/e": b"new e"}
        assert not is_torn(root)
        (root / "d/e").unlink()


def test_a_change_is_finished_between_two_saves(root):
    """Not while another program reads all files of the last one."""
    interrupted(root, moved=0)
    finishing = Thread(target=recover, args=[root])
    with between_saves(root):
        finishing.start()
        finishing.join(0.2)
        assert is_torn(root)
    finishing.join()
    assert not is_torn(root)


def test_a_file_of_a_change_is_where_its_new_content_is(root):
    """Until the change is committed; the other files are where they were."""
    with Staging(root) as staging:
        staging.write("d/e", "new e")
        assert (root / FOLDER) in staging.staged("d/e").parents
        assert staging.staged("d/e").read_text("utf-8") == "new e"
        assert staging.staged("a") is None


def test_a_change_of_nothing_changes_nothing(root, files_below):
    """And writes nothing."""
    before = files_below(root), root.stat().st_mtime_ns
    with Staging(root) as staging:
        staging.commit()
    assert (files_below(root), root.stat().st_mtime_ns) == before


@pytest.mark.parametrize("fsync", [False, True])
@pytest.mark.parametrize("cleared", ["a", "b/c"])
def test_a_change_that_has_lost_a_file_is_none(root, files_below, cleared, fsync):
    """Whichever it is."""
    before = files_below(root)
    with pytest.raises(CannotWrite, match="another program"), Staging(root, fsync=fsync) as staging:
        staging.write("a", "new a")
        staging.write("b/c", "new c")
        (root / FOLDER / cleared).unlink()
        staging.commit()
    assert files_below(root) == before


class Disk:
    """Notes what reaches the disk, and what gets or loses a name, in order; files and folders by their numbers."""

    def __init__(self, monkeypatch):
        self.events = []
        sync, replace, unlink = os.fsync, Path.replace, Path.unlink

        def fsync(descriptor):
            self.events.append(("sync", os.fstat(descriptor).st_ino))
            sync(descriptor)

        def named(path, target):
            self.events.append(("name", Path(target).name, path.stat().st_ino))
            return replace(path, target)

        def unnamed(path, *, missing_ok=False):
            self.events.append(("unname", path.name))
            unlink(path, missing_ok=missing_ok)

        monkeypatch.setattr(os, "fsync", fsync)
        monkeypatch.setattr(Path, "replace", named)
        monkeypatch.setattr(Path, "unlink", unnamed)

    def synced(self, first, last):
        return {event[1] for event in self.events[first:last] if event[0] == "sync"}


def number(path):
    return path.stat().st_ino


def test_a_change_is_on_disk_before_it_counts_and_in_place_before_its_marker_goes(root, monkeypatch):
    """So a loss of power at any moment leaves the change undone, or to be carried out."""
    disk = Disk(monkeypatch)
    with Staging(root, fsync=True) as staging:
        staging.write("a", "new a")
        staging.write("d/e", "new e")
        hidden = number(root / FOLDER)
        laid_out = {number(path) for path in (root, *(root / FOLDER).rglob("*"))} | {hidden}
        staging.commit()
        marked = next(place for place, event in enumerate(disk.events) if event[:2] == ("name", MARKER))
        assert laid_out | {disk.events[marked][2]} <= disk.synced(0, marked)
        assert hidden in disk.synced(marked, None)
    moved = max(place for place, event in enumerate(disk.events) if event[0] == "name")
    done = disk.events.index(("unname", MARKER))
    assert {number(root), number(root / "d")} <= disk.synced(moved, done)
    assert number(root.parent) not in disk.synced(0, None)


def test_what_could_not_be_put_in_place_is_at_the_end(root, monkeypatch, files_below):
    """It was committed. It is on disk, too, before the marker goes."""
    disk, replace, faults = Disk(monkeypatch), Path.replace, [OSError(5, "Input/output error")]

    def once(path, target):
        if Path(target) == root / "a" and faults:
            raise faults.pop()
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", once)
    with pytest.raises(CannotWrite, match="Input/output error"), Staging(root, fsync=True) as staging:
        staging.write("a", "new a")
        staging.commit()
    assert files_below(root) == {"a": b"new a", "b/c": b"old c"}
    moved = max(place for place, event in enumerate(disk.events) if event[0] == "name")
    assert number(root) in disk.synced(moved, disk.events.index(("unname", MARKER)))


def test_whoever_does_not_ask_for_it_does_not_wait_for_the_disk(root, monkeypatch):
    """The setting may turn it off."""
    disk = Disk(monkeypatch)
    with Staging(root) as staging:
        staging.write("a", "new a")
        staging.commit()
    for finish in (recover, recover_held):
        interrupted(root, moved=0)
        finish(root)
    assert not disk.synced(0, None)
