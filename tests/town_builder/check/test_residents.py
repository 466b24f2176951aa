"""`validate --for`: people find the places they know and start in their own beds."""

import json

import pytest

from town_builder.check.residents import resident_problems
from town_builder.problems import TownError

KNOWN = {"the Valley": {"Ann Lee's house": {"main room": ["bed", "closet"], "bathroom": []}, "the Green": {}}}


@pytest.fixture
def simulation(tmp_path):
    """Return a simulation with Ann in her bed at home."""

    def write(known=KNOWN, home="the Valley:Ann Lee's house:main room", start=(4, 4), step=0, maze="cottage"):
        files = {
            "reverie/meta.json": {"step": step, "maze_name": maze, "persona_names": ["Ann Lee"]},
            f"environment/{step}.json": {"Ann Lee": {"maze": "cottage", "x": start[0], "y": start[1]}},
            "personas/Ann Lee/bootstrap_memory/spatial_memory.json": known,
            "personas/Ann Lee/bootstrap_memory/scratch.json": {"living_area": home},
        }
        for name, content in files.items():
            path = tmp_path / "storage" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(content), encoding="utf-8")
        return tmp_path / "storage"

    return write


def test_valid_residents_cause_no_problem(town, simulation):
    """A person who knows the town and starts in their own bed is counted and not reported."""
    counts, problems = resident_problems(town.compiled().grids, simulation())
    assert not problems
    assert str(counts) == "1 people, 8 of 8 known places are there, 1 of 1 start tiles are right"


@pytest.mark.parametrize(
    "place", [{"sauna": []}, {"main room": ["harp"]}], ids=["an arena that is not there", "an object that is not there"]
)
def test_a_place_that_is_not_there_is_reported(town, simulation, place):
    """The problem names the person, the whole address and the file."""
    counts, (problem,) = resident_problems(
        town.compiled().grids, simulation({"the Valley": {"Ann Lee's house": place}})
    )
    assert problem.message.startswith("Ann Lee knows the Valley:Ann Lee's house:")
    assert "not in the town" in problem.message
    assert problem.where.endswith("spatial_memory.json")
    assert counts.found == counts.known - 1


def test_another_world_is_not_there(town, simulation):
    """An address with another world counts as missing."""
    _, problems = resident_problems(town.compiled().grids, simulation({"the Ville": {}}))
    assert [problem.message for problem in problems] == ["Ann Lee knows the Ville, which is not in the town"]


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ((3, 2), "solid or outside the map"),
        ((99, 2), "solid or outside the map"),
        ((1, 11), "is in the street, not in Ann Lee's house:main room"),
        ((10, 5), "is in Ann Lee's house:bathroom, not in Ann Lee's house:main room"),
        ((6, 6), "is not a bed"),
    ],
    ids=["a wall", "outside the map", "the street", "another room", "the floor"],
)
def test_a_wrong_start_tile_is_reported(town, simulation, start, expected):
    """At step 0 people must start on a walkable bed tile at home; the problem expected where they are."""
    counts, (problem,) = resident_problems(town.compiled().grids, simulation(start=start))
    assert expected in problem.message
    assert counts.started == 0


def test_later_people_may_be_anywhere(town, simulation):
    """After step 0 people may be in the street, but not in a wall."""
    assert not resident_problems(town.compiled().grids, simulation(start=(1, 11), step=7))[1]
    assert len(resident_problems(town.compiled().grids, simulation(start=(3, 2), step=7))[1]) == 1


def test_a_folder_without_a_simulation_is_refused(town, tmp_path):
    """The first missing file is named."""
    with pytest.raises(TownError, match=r"meta\.json: cannot be read"):
        resident_problems(town.compiled().grids, tmp_path)


def test_a_broken_simulation_is_refused(town, simulation):
    """Missing content gives one line with the folder instead of a traceback."""
    folder = simulation()
    (folder / "reverie/meta.json").write_text("{}", encoding="utf-8")
    with pytest.raises(TownError, match="is not a stored simulation"):
        resident_problems(town.compiled().grids, folder)


@pytest.mark.parametrize("wrong", [{"start": ("four", 4)}, {"start": (None, 4)}, {"step": "0"}], ids=str)
def test_text_instead_of_a_number_is_refused(town, simulation, wrong):
    """Text instead of a number gives one line with the folder."""
    with pytest.raises(TownError, match="is not a whole number"):
        resident_problems(town.compiled().grids, simulation(**wrong))


def test_a_simulation_of_another_town_is_reported(town, simulation):
    """A simulation of another maze gives a warning that names the maze."""
    _, (problem,) = resident_problems(town.compiled().grids, simulation(maze="the_ville"))
    assert problem.warning
    assert problem.message == "uses the maze 'the_ville', but this is 'cottage'"
