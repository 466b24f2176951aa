"""An older project is brought over from its page: plan, copy and proof, by the command of the engine."""

import shutil
from pathlib import Path

import pytest
from new_home import new_home
from page_manners import (
    PHONE,
    check_on_phone,
)
from playwright.sync_api import expect
from waiting import comes_to

from ville.home import OUR_ASSETS, PAGES

BASE, JULY = "base_the_ville_isabella_maria_klaus", "July1_the_ville"


@pytest.fixture
def house(tmp_path, open_house, monkeypatch):
    """A home of its own, without towns; its environment names no provider, so that settings can be brought over."""
    root = tmp_path / "house"
    for shelf in ("storage", "temp", "compressed"):
        (root / shelf).mkdir(parents=True)
    for name in ("VILLE_PROVIDER", "VILLE_EMBEDDER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("VILLE_HOME", str(new_home(root).root))
    monkeypatch.setenv("VILLE_ASSETS", str(OUR_ASSETS))
    return open_house(root, PAGES)


@pytest.fixture
def old(tmp_path) -> Path:
    """A project of 2023 with a simulation, settings with a key, and a name that would be markup."""
    pages = tmp_path / "old" / "environment" / "frontend_server"
    shutil.copytree(PAGES / "storage" / BASE, pages / "storage" / JULY)
    shutil.copytree(PAGES / "storage" / BASE, pages / "storage" / "<b>torn")
    (pages / "storage" / "<b>torn" / "reverie" / "meta.json").unlink()
    (pages / "storage" / "<b>torn" / "movement").mkdir(exist_ok=True)
    backend = tmp_path / "old" / "reverie" / "backend_server"
    backend.mkdir(parents=True)
    (backend / "reverie.py").touch()
    (backend / "utils.py").write_text('openai_api_key = "sk-old-secret"\n', "utf-8")
    return tmp_path / "old"


def part(page, name):
    return page.locator(f"[data-part={name}]")


def files_of(root):
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_project_is_brought_over_by_keyboard(house, old, window, pictures):
    """A wrong path is one line; the plan is shown first; the proof at the end; the old folder stays as it was."""
    window.expected = ("422",)
    before = files_of(old)
    page = window.open(house.address("/"), ready="front")
    page.get_by_role("link", name="Bring over an older project").press("Enter")
    page.wait_for_selector("html[data-ready=migrate]")
    field = page.get_by_label("Folder of the old project")
    field.fill(str(house.root / "nowhere"))
    page.keyboard.press("Enter")
    expect(part(page, "error")).to_contain_text("nowhere does not exist")
    field.fill(str(old))
    page.keyboard.press("Enter")
    plan = part(page, "plan")
    expect(plan).to_be_focused()
    expect(plan.get_by_role("row").filter(has_text=JULY)).to_contain_text("town")
    expect(plan).to_contain_text("<b>torn")
    expect(plan).to_contain_text("OPENAI_API_KEY=…")
    comes_to(lambda: "sk-old-secret" in page.content(), wanted=False)
    assert not (house.root / "storage" / JULY).exists()
    page.screenshot(path=pictures / "migrate-plan.png", full_page=True)
    part(page, "bring").press("Enter")
    proof = part(page, "proof")
    expect(proof.get_by_role("heading")).to_have_text("1 thing needs attention")
    row = proof.get_by_role("row").filter(has_text=JULY)
    expect(row).to_contain_text("no steps yet")
    expect(row.locator(".fault")).to_have_count(0)
    page.screenshot(path=pictures / "migrate-proof.png", full_page=True)
    assert (house.root / "storage" / JULY / "reverie" / "brought.json").exists()
    assert not (house.root / ".env").exists()
    assert files_of(old) == before
    page.get_by_role("link", name="To your towns").press("Enter")
    page.wait_for_selector("html[data-ready=front]")


@pytest.mark.slow
def test_a_russian_phone_sees_plan_and_proof_in_order(house, old, window, pictures):
    """No English of ours, nothing cut off, room for fingers, names and contrast, and no barrier that axe finds."""
    page = window.open(house.address("/migrate/"), ready="migrate", **PHONE)
    page.locator("[name=path]").fill(str(old))
    part(page, "look").click()
    for name, shown in (("plan", part(page, "bring")), ("proof", part(page, "proof").get_by_role("link"))):
        expect(shown).to_be_visible()
        check_on_phone(page)
        page.screenshot(path=pictures / f"migrate-{name}-phone.png", full_page=True)
        if name == "plan":
            part(page, "bring").click()
