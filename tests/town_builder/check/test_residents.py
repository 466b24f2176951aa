"""Laws of `validate --for`: people find what they know and begin in their own beds."""

import json

import pytest

from town_builder.check.residents import resident_problems
from town_builder.problems import TownError

KNOWN = {"the Valley": {"Ann Lee's house": {"main room": ["bed", "closet"], "bathroom": []}, "the Green": {}}}


@pytest.fixture
def simulation(tmp_path):
    """Ann at home in her bed."""

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


def test_everybody_at_home_is_no_fault(town, simulation):
    """Who knows the town and starts in their own bed is counted and not mentioned."""
    counts, problems = resident_problems(town.compiled().grids, simulation())
    assert not problems
    assert str(counts) == "1 people, 8 of 8 known places are there, 1 of 1 start tiles are right"


@pytest.mark.parametrize(
    "place", [{"sauna": []}, {"main room": ["harp"]}], ids=["an arena that is not there", "an object that is not there"]
)
def test_a_place_that_is_not_there_is_told(town, simulation, place):
    """The fault names the person, the whole address and the file that knows it."""
    counts, (problem,) = resident_problems(
        town.compiled().grids, simulation({"the Valley": {"Ann Lee's house": place}})
    )
    assert problem.message.startswith("Ann Lee knows the Valley:Ann Lee's house:")
    assert "not in the town" in problem.message
    assert problem.where.endswith("spatial_memory.json")
    assert counts.found == counts.known - 1


def test_another_world_is_not_there(town, simulation):
    """Addresses begin with the world; one that has the wrong world is nowhere."""
    _, problems = resident_problems(town.compiled().grids, simulation({"the Ville": {}}))
    assert [problem.message for problem in problems] == ["Ann Lee knows the Ville, which is not in the town"]


@pytest.mark.parametrize(
    ("start", "says"),
    [
        ((3, 2), "solid or outside the map"),
        ((99, 2), "solid or outside the map"),
        ((1, 11), "lies in the street, not in Ann Lee's house:main room"),
        ((10, 5), "lies in Ann Lee's house:bathroom, not in Ann Lee's house:main room"),
        ((6, 6), "is no bed"),
    ],
    ids=["a wall", "outside the map", "the street", "another room", "the floor"],
)
def test_a_wrong_start_tile_is_told(town, simulation, start, says):
    """At step 0 people start on a walkable bed tile of their living area; the fault says what is there instead."""
    counts, (problem,) = resident_problems(town.compiled().grids, simulation(start=start))
    assert says in problem.message
    assert counts.started == 0


def test_later_people_may_be_anywhere(town, simulation):
    """A simulation that was saved by day may go on in the street, but not in a wall."""
    assert not resident_problems(town.compiled().grids, simulation(start=(1, 11), step=7))[1]
    assert len(resident_problems(town.compiled().grids, simulation(start=(3, 2), step=7))[1]) == 1


def test_a_folder_that_is_no_simulation_is_refused(town, tmp_path):
    """The first missing file is named."""
    with pytest.raises(TownError, match=r"meta\.json: cannot be read"):
        resident_problems(town.compiled().grids, tmp_path)


def test_a_broken_simulation_is_refused(town, simulation):
    """A file that lacks what every simulation has is told with the folder, not with a stack of calls."""
    folder = simulation()
    (folder / "reverie/meta.json").write_text("{}", encoding="utf-8")
    with pytest.raises(TownError, match="is no stored simulation"):
        resident_problems(town.compiled().grids, folder)


@pytest.mark.parametrize("wrong", [{"start": ("four", 4)}, {"start": (None, 4)}, {"step": "0"}], ids=str)
def test_a_number_that_is_none_is_refused(town, simulation, wrong):
    """Words where numbers belong are told with the folder, too."""
    with pytest.raises(TownError, match="is no whole number"):
        resident_problems(town.compiled().grids, simulation(**wrong))


def test_a_simulation_of_another_town_is_told(town, simulation):
    """Who plays elsewhere may fit by chance: a warning says which maze it is."""
    _, (problem,) = resident_problems(town.compiled().grids, simulation(maze="the_ville"))
    assert problem.warning
    assert problem.message == "plays in the maze 'the_ville', and this is 'cottage'"
