"""Laws of packed people: the same files as without a pack, in every form of a simulation, and after any kill."""

import itertools
import json
import shutil
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from made_up_lives import chance_of, lived, of_the_save

from ville.errors import CorruptFile
from ville.storage.compressed.compressed_folder import CompressedFolder
from ville.storage.compressed.compression import compress
from ville.storage.compressed.unpacking import unpack
from ville.storage.folder.classic_copy import write_classic
from ville.storage.folder.copying import copy_past
from ville.storage.folder.earlier_save import EarlierSave
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import copy_whole
from ville.storage.past.checkpoints import stems
from ville.storage.records import people_pack
from ville.storage.records.memory_files import NODES, SCRATCH, VECTORS
from ville.storage.records.people_files import PeopleFiles
from ville.storage.records.people_pack import PEOPLE, index_of, packs
from ville.storage.records.persona_files import PersonaState
from ville.storage.records.saved_memories import read_memories

ADA = "personas/Ada Stone"


@pytest.fixture
def both(build, tmp_path):
    """A simulation with people in files of their own, and the same one with packed people."""
    return [build(tmp_path / form / "base") for form in ("loose", "packed")]


def unpacked(root):
    """Return the files of a simulation after `ville steps unpack`, which leaves the simulation as it is."""
    copy = root.with_name("unpacked")
    shutil.copytree(root, copy)
    PeopleFiles(copy).unpack()
    found = {path.relative_to(copy).as_posix(): path.read_bytes() for path in copy.rglob("*") if path.is_file()}
    shutil.rmtree(copy)
    return found


@examples(max_examples=15)
@given(st.integers(0, 10_000), st.booleans())
def test_every_save_and_branch_is_the_same_in_both_forms(tmp_path_factory, build, seed, spare):
    """However memories grow, whichever programs save, and whether a pack is appended to or written anew."""
    folder = tmp_path_factory.mktemp("lives")
    roots = [build(folder / form / "base") for form in ("loose", "packed")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(people_pack, "SPARE", people_pack.SPARE if spare else 0)
        loose, packed = (lived(root, chance_of(seed), 12, packs=root == roots[1]) for root in roots)
    assert loose == packed
    assert unpacked(roots[0]) == unpacked(roots[1])
    if not index_of(roots[1]):
        return
    assert not (roots[1] / "personas").exists()
    there = [stem for stem in stems(roots[1]) if not stem.rows]
    for number, stem in enumerate([*there[:1], *there[-1:]]):
        assert dict(EarlierSave(roots[1], stem).files()) == packed[stem]
        branches = [root.with_name(f"branch_{number}") for root in roots]
        for root, branch in zip(roots, branches, strict=True):
            branch.mkdir()
            copy_past(root, branch, stem, end=stem)
        assert index_of(branches[1])
        assert unpacked(branches[0]) == unpacked(branches[1])


def test_memories_and_vectors_are_appended(build, tmp_path):
    """Nothing that was written of them is written again, also by another program; the pack grows in place."""
    root = build(tmp_path / "base")
    lived(root, chance_of(1), 20, programs=1, packs=True)
    before, content = index_of(root), packs(root)[0].read_bytes()
    lived_on = SimulationFolder(root)
    lived_on.recover()
    states = {name: grown(lived_on, name) for name in lived_on.meta.persona_names}
    lived_on.save(lived_on.meta, states)
    after = index_of(root)
    assert packs(root)[0].read_bytes()[: before.length] == content
    for file, kept in ((NODES, -1), (VECTORS, None)):
        pieces, were = after.files[f"{ADA}/{file}"], before.files[f"{ADA}/{file}"]
        assert len(pieces) == len(were) + 1
        rest = pieces[1:] if kept else pieces[:-1]
        assert [piece[:2] for piece in rest] == [piece[:2] for piece in were]


def grown(folder, name):
    """Return the state of a person with one more memory, and one more vector."""
    people = folder.people
    nodes = people.content(f"{people.folder(name)}/{NODES}").decode()
    files = folder.read_persona(name)
    new = {"fresh": next(row for row in files.embeddings.values() if isinstance(row, bytes))}
    nodes = f'{{"node_{len(files.nodes) + 1}": {{"node_count": 1}}, {nodes[1:]}'
    return PersonaState(files.scratch, files.spatial_memory, nodes, new, files.kw_strength, files.last_accessed)


@pytest.mark.parametrize("is_packed", [False, True], ids=["the first pack", "a pack that is there"])
def test_a_killed_save_has_happened_or_has_not(storage, dying, killed, is_packed):
    """Dying before each file operation of a save in turn, and once more during recovery, leaves before or after."""
    base, after = storage / "base", storage / "after"
    if is_packed:
        PeopleFiles(base).pack()
    dying.recover(base)
    shutil.copytree(base, after)
    dying.save_packed(after)
    dying.recover(after)
    ends = [unpacked(base), unpacked(after)]
    outcomes = []
    for operations in itertools.count():
        crashed = storage / f"crashed_{operations}"
        shutil.copytree(base, crashed)
        died = killed("save_packed", crashed, operations)
        killed("recover", crashed, operations % 7)
        dying.recover(crashed)
        outcomes.append(ends.index(unpacked(crashed)))
        assert len(packs(crashed)) == (is_packed or outcomes[-1])
        assert {path.stat().st_size for path in packs(crashed)} <= {
            index.length for index in [index_of(crashed)] if index
        }
        if not died:
            break
        shutil.rmtree(crashed)
    assert outcomes == sorted(outcomes)
    assert (outcomes[0], outcomes[-1]) == (0, 1)


def test_a_killed_unpacking_loses_nothing(storage, dying, killed):
    """Dying before each file operation: all is there, packed or not, and it can be begun again."""
    base = storage / "base"
    PeopleFiles(base).pack()
    whole = unpacked(base)
    for operations in itertools.count():
        crashed = storage / f"crashed_{operations}"
        shutil.copytree(base, crashed)
        died = killed("unpack", crashed, operations)
        assert unpacked(crashed) == whole
        dying.recover(crashed)
        assert unpacked(crashed) == whole
        if not died:
            break


def test_bytes_after_the_last_save_do_not_count(storage, dying):
    """A pack whose next save was cut anywhere is read, and appended to, as if that had not begun."""
    base = storage / "base"
    PeopleFiles(base).pack()
    before, pack = of_the_save(base), packs(base)[0]
    length = pack.stat().st_size
    shutil.copytree(base, storage / "next")
    dying.save_packed(storage / "next")
    later, after = packs(storage / "next")[0].read_bytes(), of_the_save(storage / "next")
    assert later[:length] == pack.read_bytes()
    for end in range(length, len(later), 7):
        pack.write_bytes(later[:end])
        assert of_the_save(base) == before
    dying.save_packed(base)
    assert of_the_save(base) == after
    assert pack.read_bytes() == later


def test_forks_share_a_pack_until_one_of_them_is_saved(storage, dying):
    """Whichever is first: the others stay as they are."""
    base, first, second = storage / "base", storage / "first", storage / "second"
    PeopleFiles(base).pack()
    for source, target in ((base, first), (first, second)):
        target.mkdir()
        copy_whole(source, target, links=True)
    assert packs(base)[0].stat().st_nlink == 3
    before = of_the_save(second)
    dying.save_packed(first)
    dying.save_packed(base)
    assert {**of_the_save(second), "reverie/meta.json": b""} == {**before, "reverie/meta.json": b""}
    assert read_memories(first, "Ada Stone").scratch == read_memories(base, "Ada Stone").scratch != {}
    assert [len(packs(root)) for root in (base, first, second)] == [1, 1, 1]


def test_who_moves_away_is_remembered_in_the_pack(both, dying):
    """As in files of their own, also in branches from before and after."""
    for root, packs_people in zip(both, (0, 1), strict=True):
        folder = SimulationFolder(root)
        folder.recover()
        folder.packs_people = packs_people
        folder.save(folder.meta, dying.untouched(folder))
        states = dying.untouched(folder)
        gone = {"Ben Reed": states.pop("Ben Reed")}
        folder.save(replace(folder.meta, persona_names=("Ada Stone",)), states, former=gone)
        assert folder.former == ("Ben Reed",)
        folder.check_cast()
    assert unpacked(both[0]) == unpacked(both[1])
    assert PeopleFiles(both[1]).folder("Ben Reed") == "reverie/former/Ben Reed"


def test_copies_for_older_engines_have_files(both, dying, put, files_below):
    """Each person's own, as those of a simulation without a pack."""
    found = []
    for root, deed in zip(both, (dying.save, dying.save_packed), strict=True):
        deed(root)
        put(root / "movement/0.json", '{"persona": {}}')
        write_classic(root, root.with_name("classic"))
        found.append(files_below(root.with_name("classic")))
    assert index_of(both[1])
    assert found[0] == found[1]


def test_a_recording_has_its_people_in_the_form_of_the_simulation(both, dying, put):
    """Its files are the same in both forms, and so are those of the simulation that it is made again."""
    recordings, again = [], []
    for root, packs_people in zip(both, (0, 1), strict=True):
        folder = SimulationFolder(root)
        folder.recover()
        folder.packs_people = packs_people
        states = dying.untouched(folder)
        gone = {"Ben Reed": states.pop("Ben Reed")}
        folder.save(replace(folder.meta, persona_names=("Ada Stone",)), states, former=gone)
        people = {"Ada Stone": {"movement": [1, 1], "pronunciatio": "", "description": "rests @ home", "chat": None}}
        put(root / "movement/0.json", json.dumps({"persona": people}))
        compress(root, root.with_name("recording"))
        recording = CompressedFolder(root.with_name("recording"))
        assert (recording.people.index is not None) == bool(packs_people)
        recording.check_cast()
        assert recording.former == ("Ben Reed",)
        assert recording.read_persona("Ben Reed").scratch == SimulationFolder(root).read_persona("Ben Reed").scratch
        unpack(recording.root, root.with_name("again"))
        assert PeopleFiles(root.with_name("again")).folder("Ben Reed") == "reverie/former/Ben Reed"
        recordings.append(unpacked(recording.root))
        again.append(unpacked(root.with_name("again")))
    assert recordings[0] == recordings[1]
    assert again[0] == again[1]


NAME = f"{ADA}/{SCRATCH}"


def written(pack="people.0.pack", name=NAME, piece=(0, 9, 9)):
    """Return the text of an index."""
    return json.dumps({"pack": pack, "length": 9, "files": {name: [piece]}})


@pytest.mark.parametrize(
    "index",
    [
        "[]",
        "{}",
        written("../../people.0.pack"),
        written("people.7.pack"),
        written(name=f"personas/../../x/{SCRATCH}"),
        written(name=f"{ADA}/notes.txt"),
        written(piece=(0, 10, 9)),
        written(piece=(-1, 9, 9)),
        written(piece=(0, 9)),
        written(piece=(0, 9, 2**40)),
    ],
)
def test_a_damaged_index_is_refused_in_a_line(storage, put, index):
    """Also one that would lead out of the folder."""
    base = storage / "base"
    PeopleFiles(base).pack()
    put(base / PEOPLE, index)
    with pytest.raises(CorruptFile) as fault:
        SimulationFolder(base).read_persona("Ada Stone")
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize("damage", [lambda pack: pack[:20], lambda pack: b"x" * len(pack), lambda pack: b"\0" + pack])
def test_a_damaged_pack_is_refused_in_a_line(storage, damage):
    """Reading and saving: nothing is written then."""
    base = storage / "base"
    PeopleFiles(base).pack()
    pack = packs(base)[0]
    pack.write_bytes(damage(pack.read_bytes()))
    with pytest.raises(CorruptFile, match=r"people\.0\.pack is damaged.*Restore it"):
        [SimulationFolder(base).read_persona(name) for name in ("Ben Reed", "Ada Stone")]
