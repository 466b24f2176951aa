"""Two backends on one simulation: the second is refused, readers are not."""

import signal

import pytest


@pytest.fixture
def first(storage):
    """A backend at its prompt, with the simulation `mine`."""
    assert storage.run("reverie_offline", "-o", "base", "-t", "mine", "-s", 5)[0] == 0
    process = storage.start("reverie", "--origin", "mine", "--name", "mine")
    while "help" not in (line := process.stdout.readline()):
        assert line, process.communicate()
    yield process
    process.kill()
    process.communicate()


MINE = ("reverie_offline", "-o", "mine", "-t", "mine", "-s", 5)


@pytest.mark.slow
def test_the_second_is_refused_and_changes_nothing(storage, first):
    """One line that says who has it; forks and replays of what was saved are still made."""
    before = storage.files("mine")
    ended = storage.finish(*MINE)
    assert (ended.code, len(ended.err.splitlines())) == (1, 1), ended
    assert f"'mine' is open in process {first.pid}" in ended.err
    assert storage.files("mine") == before
    assert storage.run("reverie_offline", "-o", "mine", "-t", "fork", "-s", 1)[0] == 0
    compressing = storage.run("../compress_sim_storage", "mine")
    assert compressing[0] == 0, compressing
    assert not [file for file in (storage.root / "compressed_storage/mine").rglob("*") if "lock" in file.name]


@pytest.mark.slow
def test_fin_lets_the_next_one_in(storage, first):
    """And leaves nothing beside the simulation."""
    first.communicate("fin\n")
    assert storage.run(*MINE)[0] == 0
    assert sorted(path.name for path in (storage.root / "storage").iterdir()) == ["base", "mine"]


@pytest.mark.slow
@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_backend_lets_the_next_one_in(storage, first, blow):
    """Nothing has to be tidied up by hand."""
    first.send_signal(blow)
    first.communicate()
    assert storage.run(*MINE)[0] == 0
    assert sorted(path.name for path in (storage.root / "storage").iterdir()) == ["base", "mine"]
