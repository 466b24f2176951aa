"""Messages of a branch whose program was killed."""

import os

import pytest

from ville.storage.exchange.background_files import FRESH, BackgroundFiles, BackgroundStatus
from ville.storage.new_folder import partial_folder


@pytest.fixture
def left(tmp_path):
    """Return the function that leaves what a killed program does: its file, and what it had of the simulation."""
    storage, files = tmp_path / "storage", BackgroundFiles(tmp_path / "temp")
    storage.mkdir()

    def leave(state, origin="first@8", *, made=False):
        status = BackgroundStatus.model_validate({"sim_code": "new", "from": origin, "id": "1", "state": state})
        files.write(status)
        file = tmp_path / "temp/branches/new.json"
        os.utime(file, (0, file.stat().st_mtime - 10 * FRESH))
        if made:
            (storage / "new").mkdir()
        elif state == "copying":
            partial_folder(storage / "new").mkdir()
            (storage / "..new.partial.lock").touch()
        return storage, files

    return leave


def test_killed_before_it_was_made_there_is_nothing_to_stand(left):
    """Pages say so at once, the next engine too; and nothing hidden stays in the storage."""
    storage, files = left("copying")
    (seen,) = files.all()
    settled = files.settle(storage, "new")
    for status in (seen, settled):
        assert status.state == "failed"
        assert "there is no simulation. Begin it again." in status.fault
    assert list(storage.iterdir()) == []


@pytest.mark.parametrize(("state", "origin"), [("running", "first@8"), ("copying", "new")])
def test_killed_later_what_was_saved_stands(left, state, origin):
    """Also of a saved simulation that was being opened to run on."""
    storage, files = left(state, origin, made=True)
    (seen,) = files.all()
    assert "What was saved stands." in seen.fault
    assert files.settle(storage, "new") == seen


@pytest.mark.parametrize(("origin", "what"), [("first@8", "there is no simulation"), ("new", "Nothing has changed")])
def test_what_waited_when_the_engine_was_killed_was_not_begun(left, origin, what):
    """The next engine says so, and what to do."""
    storage, files = left("waiting", origin, made=origin == "new")
    files.tidy(storage)
    status = files.read("new")
    assert status.state == "failed"
    assert what in status.fault
    assert "Begin it again." in status.fault
