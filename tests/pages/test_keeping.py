"""Towns are kept in order from the front page, and what was done to one is undone on its page."""

import json
import re
import shutil
from uuid import uuid4

import pytest
from page_manners import PHONE, check_width
from playwright.sync_api import Page, expect


@pytest.fixture
def towns(house):
    """A morning, and nine copies of its first files under other names."""
    for number in range(9):
        shutil.copytree(house.root / "storage/recorded", house.root / f"storage/town_{number}")
    return house


def town(page: Page, name: str):
    return page.locator(f"[data-sim={name}]")


def manage(page: Page, name: str):
    town(page, name).locator("[data-manage]").click()
    return page.get_by_role("dialog")


def test_a_town_is_described_found_renamed_deleted_and_restored(towns, window, pictures):
    """By clicks and keys, without leaving the page; the focus stays where one types."""
    window.expected = ("422",)
    page = window.open(towns.address("/"), ready="front")
    expect(page.locator("[data-sim]")).to_have_count(6)
    expect(page.locator("[data-size]").last).to_have_text(re.compile(r" · [\d.]+ MB"))
    page.get_by_role("link", name="Show 4 more").press("Enter")
    expect(page.locator("[data-sim]")).to_have_count(10)
    form = manage(page, "town_3")
    form.get_by_label("Title").fill("A morning at the mill")
    form.get_by_label("Tags").fill("pilot, spring")
    form.get_by_label("Note").fill("Who buys it?")
    form.get_by_label("Short name").fill("mill")
    page.screenshot(path=pictures / "keeping-dialog.png")
    form.get_by_role("button", name="Save").click()
    expect(page.locator("[data-part=kept]")).to_have_text("Saved.")
    expect(town(page, "mill").locator("h3")).to_contain_text("A morning at the mill")
    search = page.get_by_role("searchbox")
    search.type("#pilot BUYS")
    expect(page.locator("[data-sim]")).to_have_count(1)
    expect(search).to_be_focused()
    search.fill("")
    expect(page.locator("[data-sim]")).to_have_count(6)
    page.get_by_role("link", name="#spring").click()
    expect(page.locator("[data-sim]")).to_have_count(1)
    manage(page, "mill").get_by_role("button", name="Delete").click()
    expect(page.locator("[data-part=kept]")).to_contain_text("restored from the bin for a day")
    assert not (towns.root / "storage/mill").exists()
    page.locator(".bin summary").click()
    page.get_by_role("button", name="Restore A morning at the mill").click()
    expect(page.locator("[data-part=kept]")).to_have_text("Restored.")
    expect(town(page, "mill")).to_be_visible()
    form = manage(page, "mill")
    form.get_by_label("Short name").fill("town_4")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("alert").first).to_contain_text("There is already a simulation 'town_4'")


def test_on_a_phone_in_russian(towns, window, pictures):
    """Nothing is cut off, and what is refused is said in Russian."""
    window.expected = ("422",)
    page = window.open(towns.address("/"), ready="front", **PHONE)
    form = manage(page, "town_3")
    expect(form).to_contain_text("Управление городом")
    form.get_by_label("Короткое имя").fill("town_4")
    form.get_by_role("button", name="Сохранить").click()
    expect(form.get_by_role("alert").first).to_contain_text("Симуляция «town_4» уже есть")
    check_width(page)
    page.screenshot(path=pictures / "keeping-phone.png")


def act(page: Page, name: str, **request: object) -> None:
    """Ask the engine as the scripts of the page do, and wait until it has done so."""
    send = """async ([name, request]) => {
      const headers = { "Content-Type": "application/json" };
      const sent = await fetch(`/act/${name}/`, { method: "POST", headers, body: JSON.stringify(request) });
      const { number } = await sent.json();
      for (;;) {
        const { ack } = await (await fetch(`/acts/${name}/${number}/?wait=4`)).json();
        if (ack && !["done", "applied"].includes(ack.result)) throw new Error(JSON.stringify(ack));
        if (ack) return;
      }
    }"""
    page.evaluate(send, [name, {"id": uuid4().hex, **request}])


def test_the_last_intervention_is_undone_on_the_live_page(house, window, pictures):
    """The town is open again at the moment before it; what it was can be restored."""
    house.serve("--origin", "recorded", "--name", "live")
    page = window.open(house.address("/simulator_home"))
    act(page, "live", request="intervene", kind="whisper", who="Isabella Rodriguez", words="The mill is for sale.")
    act(page, "live", request="save")
    page.locator("[data-run=menu] summary").click()
    page.get_by_role("button", name="Undo the last intervention").click()
    form = page.get_by_role("dialog")
    expect(form).to_contain_text("The mill is for sale.")
    page.screenshot(path=pictures / "keeping-undo.png")
    with page.expect_navigation():
        form.get_by_role("button", name="Undo").click()
    page.wait_for_selector("html[data-ready=town]")
    assert not (house.root / "storage/live/reverie/interventions.jsonl").exists()
    assert [path.name.split(".")[0] for path in (house.root / "storage/.bin").iterdir()] == ["live"]
    page.locator("[data-run=menu] summary").click()
    page.get_by_role("button", name="Undo the last intervention").click()
    expect(page.locator("[data-part=notice]")).to_contain_text("nothing to undo")


def test_moments_are_marked(house, recording, window, pictures):
    """In a recording: marked, listed, jumped to, shown on the slider, removed."""
    shutil.copytree(recording / "compressed/recorded", house.root / "compressed/recorded")
    page = window.open(house.address("/demo/recorded/3000/3/"))
    page.get_by_role("button", name="Pause", exact=True).click()
    page.locator("[data-tab=marks]").click()
    page.get_by_label("Words of the mark").fill("Everyone is up")
    page.get_by_role("button", name="Mark 08:").press("Enter")
    marks = page.get_by_role("list", name="Marks")
    expect(marks.get_by_role("listitem")).to_have_count(1)
    expect(page.locator("[data-control=talks] u")).to_have_attribute("title", "Everyone is up")
    page.screenshot(path=pictures / "keeping-marks.png")
    (step,) = json.loads((house.root / "compressed/recorded/marks.json").read_text("utf-8"))["marks"]
    page.locator("[data-control=slider]").fill("2800")
    marks.get_by_role("button", name="Everyone is up").first.click()
    page.wait_for_function("(step) => ville.step === step", arg=int(step))
    page.get_by_role("button", name="Remove the mark: Everyone is up").click()
    expect(marks.get_by_role("listitem")).to_have_count(0)
