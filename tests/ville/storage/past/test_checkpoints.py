"""Laws of checkpoints: every save that is kept can be put together again, byte for byte, whatever came later."""

import itertools
import json
import shutil

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from made_up_lives import Life, chance_of, lived

from ville.errors import BadMoment, CorruptFile
from ville.storage.folder.earlier_save import EarlierSave
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.past.checkpoint_writer import COMPLETE_EVERY, SaveOrigin
from ville.storage.past.checkpoints import Stem, read_checkpoint, stems
from ville.storage.past.moments import find_moment, find_route


@examples(max_examples=30)
@given(st.integers(0, 10_000), st.sampled_from([None, None, 1, 3, 20]), st.booleans())
@pytest.mark.slow
def test_every_kept_save_can_be_restored(tmp_path_factory, build, seed, keep, packs):
    """However memories grow, and whichever programs save: the files of each checkpoint are those that were saved. The
    last one is always there, and no more than asked for.
    """
    root = build(tmp_path_factory.mktemp("life") / "base")
    chance = chance_of(seed)
    saves = lived(root, chance, chance.randrange(1, 50), keep=keep, packs=packs)
    there = stems(root)
    assert there[-1] == max(saves)
    assert len(there) <= (keep or len(saves))
    for stem in there:
        assert dict(EarlierSave(root, stem).files()) == saves[stem], stem


def test_times_of_access_are_stored_as_changes(build, tmp_path):
    """Every sixteenth checkpoint has all of them, the others only what has changed since the one before."""
    root = build(tmp_path / "base")
    lived(root, chance_of(4), 120, programs=1)
    links = [read_checkpoint(root, stem).links for stem in stems(root)]
    assert len(links) > COMPLETE_EVERY
    assert links == [number % COMPLETE_EVERY for number in range(len(links))]


@pytest.mark.slow
def test_killed_while_it_prunes_every_checkpoint_can_be_restored(build, tmp_path, dying, killed):
    """Dying before each file operation of a save that keeps two: what is there is whole, and the next save prunes."""
    base = build(tmp_path / "base")
    lived(base, chance_of(2), 9, programs=1)
    saves = {stem: dict(EarlierSave(base, stem).files()) for stem in stems(base)}
    for operations in itertools.count():
        crashed = tmp_path / f"crashed_{operations}" / "base"
        shutil.copytree(base, crashed)
        died = killed("keep_two", crashed, operations)
        dying.recover(crashed)
        for stem in stems(crashed):
            files = dict(EarlierSave(crashed, stem).files())
            assert files == saves.setdefault(stem, files), (operations, stem)
        assert stems(crashed)[-1].step == SimulationFolder(crashed).meta.step
        dying.keep_two(crashed)
        assert len(stems(crashed)) == 2
        if not died:
            break
    assert operations > 10


def test_killed_while_it_is_copied_there_is_no_branch(build, tmp_path, dying, killed, files_below):
    """Dying before each file operation: no simulation or a complete one, and in the end nothing beside it."""
    root = build(tmp_path / "base")
    lived(root, chance_of(2), 9, programs=1)
    dying.branch(root)
    whole = files_below(tmp_path / "branch")
    shutil.rmtree(tmp_path / "branch")
    for operations in itertools.count():
        died = killed("branch", root, operations)
        there = (tmp_path / "branch").exists()
        assert there or died
        assert not there or files_below(tmp_path / "branch") == whole
        if not died:
            break
        shutil.rmtree(tmp_path / "branch", ignore_errors=True)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_changed_past_is_refused(build, tmp_path):
    """If another program has replaced vectors or memories, a line says so; a damaged checkpoint is no obstacle for the
    next save.
    """
    root = build(tmp_path / "base")
    lived(root, chance_of(2), 9, programs=1)
    first, last = stems(root)[0], stems(root)[-1]
    vectors = root / "personas/Ada Stone/bootstrap_memory/associative_memory/embeddings.json"
    whole = vectors.read_text("utf-8")
    vectors.write_text(whole.replace("0", "1"), "utf-8")
    with pytest.raises(CorruptFile, match="has been replaced since"):
        dict(EarlierSave(root, last).files())
    vectors.write_text(whole, "utf-8")
    nodes = vectors.with_name("nodes.json")
    remembered = nodes.read_text("utf-8")
    nodes.write_text(remembered.replace("tea", "pea"), "utf-8")
    with pytest.raises(CorruptFile, match="changed by another program"):
        dict(EarlierSave(root, last).files())
    for later in ("7", '{"node_count": []}', '{"node_count": 999, "type": "event"}'):
        nodes.write_text(f'{{"later": {later}, {remembered[1:]}', "utf-8")
        with pytest.raises(CorruptFile, match="changed by another program"):
            dict(EarlierSave(root, last).files())
    nodes.write_text(remembered, "utf-8")
    for path in (nodes, vectors):
        path.unlink()
        with pytest.raises(CorruptFile, match=f"{path.name} is missing"):
            dict(EarlierSave(root, last).files())
        path.mkdir()
        with pytest.raises(CorruptFile, match=f"{path.name} is a folder"):
            dict(EarlierSave(root, last).files())
        path.rmdir()
        path.write_text(remembered if path == nodes else whole, "utf-8")
    (root / first.file).write_bytes(b"damaged")
    with pytest.raises(CorruptFile, match="is not a checkpoint"):
        read_checkpoint(root, first)
    (root / last.file).write_bytes(b"")
    folder = SimulationFolder(root)
    states = {name: Life(name, chance_of(1)).state() for name in folder.meta.persona_names}
    folder.save(folder.meta, states, origin=SaveOrigin(0, 0, since=last, made_by=[]))


@pytest.mark.parametrize(
    ("said", "step"),
    [("0", 0), ("77", 77), ("00:00", 0), ("00:01", 6), ("00:01:01", 7), ("February 13, 2023, 00:02:00", 12)],
)
def test_a_moment_is_the_step_that_comes_next(build, tmp_path, said, step):
    """A number is that step, and a time the first step that begins then or later."""
    root = build(tmp_path / "base", 100)
    assert find_moment(root, said) == (step, 0)
    assert find_moment(root, "end") == (100, 0)


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ("101", "has been saved at step 100, before step 101"),
        ("23:00", "23:00 is not within base, which goes from February 13, 2023, 00:00:00 to"),
        ("February 14, 2023, 00:00:00", "is not within base"),
        ("noon", "'noon' is not a moment of base. Write a step .8000., a time .18:00"),
        ("25:00", "'25:00' is not a moment of base"),
        ("", "'' is not a moment of base"),
        ("i3", "base has 0 interventions, so there is no i3"),
    ],
)
def test_an_impossible_moment_is_one_line(build, tmp_path, said, says):
    """It says what is wrong, and what can be written."""
    with pytest.raises(BadMoment, match=says):
        find_moment(build(tmp_path / "base", 100), said)


def test_a_time_that_comes_twice_is_listed_in_full(build, tmp_path):
    """So that one of them can be copied."""
    root = build(tmp_path / "base", 2 * 8640)
    meta = json.loads((root / "reverie/meta.json").read_text("utf-8")) | {"curr_time": "February 15, 2023, 00:00:00"}
    (root / "reverie/meta.json").write_text(json.dumps(meta), "utf-8")
    listed = "February 13, 2023, 18:00:00; February 14, 2023, 18:00:00"
    with pytest.raises(BadMoment, match=f"18:00 comes 2 times in base. Write one of them in full: {listed}"):
        find_moment(root, "18:00")


def test_what_cannot_be_reached_says_what_is_nearest(build, tmp_path):
    """Without checkpoints that is the last save; else those before and after."""
    root = build(tmp_path / "base", 60)
    assert find_route(root, Stem(60)).start is None
    with pytest.raises(BadMoment, match=r"has no checkpoints.*: the moment 'end'"):
        find_route(root, Stem(30))
    lived(root, chance_of(3), 30, programs=1)
    there = stems(root)
    for stem in there[1:-1]:
        (root / stem.file).unlink()
    with pytest.raises(BadMoment, match=f"Nearest: step {there[0].step} and step {there[-1].step}"):
        find_route(root, Stem(there[-1].step - 1))
