"""Where the pictures are."""

import pytest

from translator.errors import NotFound
from translator.persona_name import PersonaName
from translator.storage.town import maps


def shown(maze_name):
    """The map that pages fetch, without the version in its address."""
    _, _, _, name = maps.map_url(maze_name).split("/", 3)
    return name


def test_a_map_is_found_by_its_town(stage):
    """The file called as the town; else the first one, as people call them anything."""
    assert shown("small") == "assets/small/visuals/small.json"
    stage.put("assets/small/visuals/another.json", "{}")
    assert shown("small") == "assets/small/visuals/small.json"
    stage.put("assets/foreign/visuals/town_jan7.json", "{}")
    assert shown("foreign") == "assets/foreign/visuals/town_jan7.json"


@pytest.mark.parametrize("name", ["the_ville", "old_the_ville"])
def test_the_map_that_classic_pages_drew_is_drawn(stage, name):
    """Older states of it lie beside it; and a user's folder is not mixed with ours of the same name."""
    for file in ("the_ville_jan5.json", "the_ville_jan7.json", f"{name}.json", "a.json"):
        stage.put(f"assets/{name}/visuals/{file}", "{}")
        assert shown(name) == f"assets/{name}/visuals/{file}" or file in {f"{name}.json", "a.json"}
    assert shown(name) == f"assets/{name}/visuals/the_ville_jan7.json"


@pytest.mark.usefixtures("stage")
def test_our_own_map_is_there():
    """The Ville."""
    assert shown("the_ville") == "assets/the_ville/visuals/the_ville.json"


@pytest.mark.parametrize("name", ["nowhere", "../../storage", "/etc", "x" * 300, "a\x00b"])
@pytest.mark.usefixtures("stage")
def test_a_map_that_is_not_there_is_named(name):
    """With the folder to put it into; a name that leads elsewhere leads nowhere."""
    with pytest.raises(NotFound, match="assets"):
        maps.map_url(name)


@pytest.mark.usefixtures("stage")
def test_everybody_looks_like_somebody():
    """Who has a sheet wears it; others borrow one, always the same."""
    assert maps.sprite(PersonaName("Mei Lin")) == "Mei_Lin"
    borrowed = maps.sprite(PersonaName("Ada Stone"))
    assert borrowed in maps.sheets()
    assert maps.sprite(PersonaName("Ada Stone")) == borrowed


def test_a_users_own_sheet_is_worn(stage):
    """It lies among the user's assets."""
    stage.put("assets/characters/Ada_Stone.png", "a picture")
    assert maps.sprite(PersonaName("Ada Stone")) == "Ada_Stone"
