"""The map of a town file is drawn again when the file is saved, in a real browser."""

import shutil
from pathlib import Path

import pytest
from new_home import new_home
from page_manners import PHONE, SETTLED, axe_faults, check_on_phone
from playwright.sync_api import expect

from ville.home import OUR_ASSETS

COTTAGE = Path(__file__).parents[1] / "town_builder" / "cottage.yaml"


@pytest.fixture
def home(tmp_path, open_house, monkeypatch):
    """A home with a town file."""
    root = tmp_path / "house"
    for shelf in ("storage", "temp", "compressed", "towns"):
        (root / shelf).mkdir(parents=True)
    shutil.copy(COTTAGE, root / "towns" / "cottage.yaml")
    monkeypatch.setenv("VILLE_HOME", str(new_home(root).root))
    monkeypatch.setenv("VILLE_ASSETS", str(OUR_ASSETS))
    return open_house(root)


def test_the_map_follows_the_file(home, window, pictures):
    """A mistake is one line with its number, over the last map; once it is corrected, the map is another."""
    file = home.root / "towns" / "cottage.yaml"
    text = file.read_text("utf-8")
    page = window.open(home.address("/drafts/"), ready="drafts")
    drawn, fault = page.locator("[data-part=map]"), page.locator("[data-part=fault]")
    expect(drawn).to_be_visible()
    page.wait_for_function("() => document.querySelector('[data-part=map]').naturalWidth > 0")
    first = drawn.get_attribute("src")
    file.write_text(text.replace("stamp: wardrobe", "stamp: wardrob"), "utf-8")
    number = text[: text.index("stamp: wardrobe")].count("\n") + 1
    expect(fault).to_contain_text(f"cottage.yaml:{number}: no stamp is called 'wardrob'")
    expect(fault).not_to_contain_text(str(home.root))
    expect(drawn).to_have_attribute("src", first)
    page.screenshot(path=pictures / "drafts.png")
    file.write_text(f"{text}\n# mended\n", "utf-8")
    expect(fault).to_be_hidden()
    expect(drawn).not_to_have_attribute("src", first)
    page.wait_for_function(SETTLED)
    assert axe_faults(page) == []
    phone = window.open(home.address("/drafts/"), ready="drafts", **PHONE)
    expect(phone.locator("[data-part=map]")).to_be_visible()
    check_on_phone(phone)
