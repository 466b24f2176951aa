"""Who lives in a town, in words that can be changed, and the looks of those who move in."""

import io
import json
import re

import numpy as np
from PIL import Image

from town_builder.art.people.generated_look import look_for
from town_builder.art.people.sheet import sheet
from translator.storage.town import maps

ADA, BEN = "Ada Stone", "Ben van Reed"
MATRIX = "assets/small/matrix"
BLOCKS = {"world": "1, the Town", "sector": "1, the Town, Mill", "arena": "1, the Town, Mill, loft"}
LOFT = "the Town:Mill:loft"


def furnish(stage, beds):
    """A loft with this many beds, and nothing else."""
    stage.put(f"{MATRIX}/maze_meta_info.json", {"maze_width": beds, "maze_height": 1})
    for layer, line in {**BLOCKS, "game_object": "1, the Town, Mill, loft, bed"}.items():
        stage.put(f"{MATRIX}/special_blocks/{layer}_blocks.csv", f"{line}\n")
        stage.put(f"{MATRIX}/maze/{layer}_maze.csv", ",".join("1" * beds))


def settle(folder, **lines):
    """Let everyone live in the loft, with lines of a character."""
    for who in (ADA, BEN):
        path = folder / "personas" / who / "bootstrap_memory" / "scratch.json"
        path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "living_area": LOFT, **lines}), "utf-8")


def generated(client, words):
    """A look, as the page gets it to begin with."""
    return client.get("/generated_look/", {"like": words}).json()


def test_a_page_shows_the_words_of_everyone_as_they_are(stage, client):
    """Quotes and angle brackets are words, too; a line that is not there is empty. Private lines are not told."""
    folder = stage.save("run", stage.walk(3))
    settle(folder, currently='Ada says "<b>no</b>".', learned=None)
    shown = client.get("/people/run/").content.decode()
    characters = told(shown)["characters"]
    assert {name: lines["currently"] for name, lines in characters.items()} == dict.fromkeys(
        (ADA, BEN), 'Ada says "<b>no</b>".'
    )
    assert {lines["learned"] for lines in characters.values()} == {None}
    assert {*characters[ADA]} == {"innate", "learned", "currently", "lifestyle", "age", "living_area", "home"}
    assert "<b>" not in shown
    assert f'data-who="{ADA}"' in shown


def told(page):
    """Return the data that a page has for its script."""
    return json.loads(re.search(r'<script id="page" type="application/json">(.*?)</script>', page)[1])


def test_homes_with_a_free_bed_are_offered(stage, client):
    """To those who live elsewhere and to newcomers; everyone is told its present home."""
    settle(stage.save("run", stage.walk(3)))
    for beds, offered in ((2, 0), (3, 2)):
        furnish(stage, beds)
        shown = client.get("/people/run/").content.decode()
        assert shown.count(f'<option value="{LOFT}">Mill · loft</option>') == offered
        homes = {(lines["living_area"], lines["home"]) for lines in told(shown)["characters"].values()}
        assert homes == {(LOFT, "Mill · loft")}
        assert ("No bed is free" in shown) == (beds == 2)


def test_a_look_is_drawn_as_those_of_the_town_are(stage, client):
    """Kept once, however often it is sent; another look of the same name does not replace it."""
    looks = [generated(client, words) for words in ("Ada Stone", "someone else")]
    picture = Image.open(io.BytesIO(client.get("/look_picture/", {"look": json.dumps(looks[0])}).content))
    assert picture.size == (288, 96)
    names = [client.tell("/look_kept/", {"name": ADA, "look": look}).json()["look"] for look in (*looks, looks[0])]
    assert names == ["Ada_Stone", "Ada_Stone-2", "Ada_Stone"]
    kept = Image.open(stage.root / "assets/characters/Ada_Stone.png").convert("RGBA")
    assert np.array_equal(np.asarray(kept), sheet(look_for("Ada Stone")).pixels)
    assert {"Ada_Stone", "Ada_Stone-2"} <= {*maps.sheets()}
    for name in names:
        for folder in ("", "profile/", "portraits/"):
            sent = client.get(f"/static/assets/characters/{folder}{name}.png")
            assert b"".join(sent.streaming_content).startswith(b"\x89PNG")


def test_what_is_no_part_of_a_look_is_named_with_what_is(stage, client):
    """In one line; nothing is drawn."""
    before = stage.files()
    look = {**generated(client, "Ada"), "skin": "plaid"}
    for answer in (
        client.tell("/look_kept/", {"name": ADA, "look": look}),
        client.get("/look_picture/", {"look": json.dumps(look)}),
    ):
        reason = answer.json()["error"]
        assert answer.status_code == 400
        assert "'plaid'" in reason
        assert "porcelain" in reason
        assert "\n" not in reason
    assert stage.files() == before


def test_only_who_may_act_sees_and_draws(stage, afar):
    """Watchers of a town have pages of their own."""
    stage.save("run", stage.walk(3))
    page = afar()
    for address in ("/people/run/", "/generated_look/?like=a", "/look_picture/?look={}"):
        assert page.get(address).status_code == 403
