"""Files from another machine end in the folder of their simulation, or are refused, and then nothing has changed."""

import asyncio
import io
import shutil
import sqlite3
import tarfile
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import CorruptFile
from ville.jobs.ray.carried_files import Change, ChangedFiles, files_below, packed, unpack
from ville.jobs.ray.driver_storage import DriverStorage, SentJob
from ville.llm.accounting.ledger import Ledger

JOB = SentJob("w", "town", "base", "")
NAMES = st.text("ab./\\ ", min_size=1, max_size=9)


def archive_of(*members):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for member in members:
            archive.addfile(member, io.BytesIO(b"x" * member.size))
    return buffer.getvalue()


def member(name, **more):
    found = tarfile.TarInfo(name)
    found.size = 1
    for key, value in more.items():
        setattr(found, key, value)
    return found


BAD = [
    member("../outside"),
    member("/outside"),
    member("reverie/../../outside"),
    member(".save/commit.json"),
    member("reverie/.hidden"),
    member("..\\outside"),
    member("link", type=tarfile.SYMTYPE, linkname="/etc/passwd", size=0),
    member("link", type=tarfile.LNKTYPE, linkname="reverie/meta.json", size=0),
    member("pipe", type=tarfile.FIFOTYPE, size=0),
    member("folder", type=tarfile.DIRTYPE, size=0),
]


@pytest.fixture
def town(tmp_path):
    """A simulation of one file in a storage, and a folder beside it."""
    (tmp_path / "storage" / "town" / "reverie").mkdir(parents=True)
    (tmp_path / "storage" / "town" / "reverie" / "meta.json").write_text("{}")
    return tmp_path / "storage" / "town"


def take(town, change):
    storage = DriverStorage(town.parent)

    async def taken():
        await storage.begin("town", "w")
        await storage.take(JOB, change)

    asyncio.run(taken())


def everything(folder):
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.name)
@pytest.mark.parametrize("new", [False, True], ids=["known", "new"])
def test_what_is_not_a_file_of_the_simulation_is_refused(town, bad, new):
    """Also after a good file, and for a simulation that is not there yet."""
    if new:
        (town / "reverie" / "meta.json").unlink()
        (town / "reverie").rmdir()
        town.rmdir()
    before = everything(town.parents[1])
    with pytest.raises(CorruptFile):
        take(town, Change(archive_of(member("good"), bad), ()))
    assert everything(town.parents[1]) == before


@pytest.mark.parametrize("name", ["../storage/town/reverie/meta.json", "/outside", ".lock", ""])
def test_only_files_of_the_simulation_are_removed(town, name):
    before = everything(town.parents[1])
    with pytest.raises(CorruptFile):
        take(town, Change(archive_of(), (name,)))
    assert everything(town.parents[1]) == before


@pytest.mark.parametrize("cut", [0, 1, 20, 200])
def test_a_damaged_archive_changes_nothing(town, cut):
    before = everything(town)
    with pytest.raises(CorruptFile):
        take(town, Change(archive_of(*(member(f"{number}") for number in range(99)))[:cut], ()))
    assert everything(town) == before


CONTENT = st.dictionaries(st.sampled_from(["a.json", "reverie/b", "movement/1.json", "movement/2.json"]), st.binary())


@given(st.lists(CONTENT, min_size=1, max_size=4))
def test_changes_lead_to_the_same_files(tmp_path_factory, states):
    """However files come, grow and go, a folder that gets each change has the same ones."""
    here, there = tmp_path_factory.mktemp("here"), tmp_path_factory.mktemp("there") / "town"
    there.mkdir()
    changed = ChangedFiles(here)
    for state in states:
        for path in list(files_below(here).values()):
            path.unlink()
        for name, content in state.items():
            (here / name).parent.mkdir(exist_ok=True)
            (here / name).write_bytes(content)
        take(there, changed.change())
        assert {name: path.read_bytes() for name, path in files_below(there).items()} == state


def test_an_open_database_is_whole(tmp_path):
    """With what was written last."""
    path = tmp_path / "ledger.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE calls (number)")
        changed = ChangedFiles(tmp_path)
        connection.execute("INSERT INTO calls VALUES (7)")
        assert set(files_below(tmp_path)) == {path.name}
        archive = changed.change().archive
    assert archive != packed({})
    (tmp_path / "copy").mkdir()
    unpack(archive, tmp_path / "copy")
    with closing(sqlite3.connect(tmp_path / "copy" / path.name)) as copy:
        assert copy.execute("SELECT * FROM calls").fetchall() == [(7,)]


def test_a_worker_is_sent_the_ledgers_of_the_runs_whose_answers_it_takes(small_town, tmp_path):
    """Of those nothing else but what names them; one that asked no model sends nothing."""
    base = small_town.root / "storage" / "base"
    for name in ("town", "plain", "rules", "stranger"):
        shutil.copytree(base, base.with_name(name))
    for name in ("plain", "stranger"):
        Ledger.open(base.with_name(name) / "reverie").close()
    storage = DriverStorage(base.parent)

    async def sent():
        await storage.begin("town", "w", ["plain", "rules"])
        return await storage.send(JOB)

    unpack(asyncio.run(sent()), tmp_path / "there")
    assert {path.name for path in (tmp_path / "there").iterdir()} == {"town", "plain"}
    assert {path.name for path in (tmp_path / "there" / "plain").rglob("*.*")} == {"meta.json", "ledger.sqlite3"}
