"""stamps.yaml: footprints are read tile by tile, and errors name the entry and the fix."""

from pathlib import Path

import pytest

from town_builder.stamps import OVER, SOLID, STAMPS, UNDER, USE, StampError, load_stamps

ALL = load_stamps()


def test_every_tile_has_one_meaning() -> None:
    """The four kinds of tile partition the footprint."""
    for name in ALL:
        stamp = ALL[name]
        tiles = [tile for kind in (SOLID, USE, OVER, UNDER) for tile in stamp.tiles(kind)]
        assert sorted(tiles) == [(x, y) for x in range(stamp.width) for y in range(stamp.height)], name


def test_offsets_are_columns_then_rows() -> None:
    """An offset is (right, down) from the top left corner: the use tile of a desk is its lower left one."""
    desk = ALL["desk"]
    assert (desk.width, desk.height) == (2, 3)
    assert desk.over == ((0, 0), (1, 0))
    assert desk.solid == ((0, 1), (1, 1))
    assert desk.use == ((0, 2),)


def test_no_stamp_is_defined_twice() -> None:
    """Every entry of the file is a stamp; YAML would silently drop duplicates."""
    lines = STAMPS.read_text(encoding="utf-8").splitlines()
    names = [line.partition(":")[0] for line in lines if line and line[0] not in "# "]
    assert names == list(ALL)


@pytest.mark.parametrize(
    ("entry", "fix"),
    [
        ("{colour: red}", "needs a footprint"),
        ("{footprint: []}", "needs a footprint"),
        ('{footprint: ["##", "#"]}', "same length"),
        ('{footprint: ["#x"]}', "'x'"),
        ('{footprint: ["#"], colour: 7}', "name of a ramp"),
        ('{footprint: ["#"], variants: gold}', "list of names"),
        ('{footprint: ["#"], variants: [7]}', "list of names"),
    ],
)
def test_errors_name_the_entry_and_the_fix(entry: str, fix: str, tmp_path: Path) -> None:
    """An invalid entry gives one line with file, entry and expected form."""
    path = tmp_path / "odd.yaml"
    path.write_text(f"throne: {entry}\n", encoding="utf-8")
    with pytest.raises(StampError, match=fix) as problem:
        load_stamps(path)
    assert "odd.yaml" in str(problem.value)
    assert "'throne'" in str(problem.value)
    assert "\n" not in str(problem.value)
