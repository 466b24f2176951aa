"""Branches begun from the pages, in the background, and compared."""

import json
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect
from waiting import until

from ville.storage.exchange.background_files import BackgroundFiles, BackgroundStatus

FRONTEND = Path(__file__).resolve().parents[2] / "environment" / "frontend_server"
DEMO = "a_day_of_twenty_five"
HALF_PAST_TWELVE = 4500
THOUGHT = "The party at Hobbs Cafe is cancelled"


@pytest.fixture
def demo(house):
    """The bundled day of twenty-five people, and a served engine that has opened nothing."""
    shutil.copytree(FRONTEND / "compressed_storage" / DEMO, house.root / "compressed" / DEMO)
    house.serve()
    return house


@pytest.mark.slow
def test_a_recorded_day_takes_another_way(demo, window, pictures):
    """From the demo, at half past twelve: a whisper, an untouched branch beside it, and the first difference."""
    page = window.open(demo.address(f"/demo/{DEMO}/{HALF_PAST_TWELVE}/1/"))
    page.keyboard.press("Space")
    page.evaluate("(step) => ville.player.seek(step)", HALF_PAST_TWELVE)
    page.wait_for_function("(step) => ville.step === step", arg=HALF_PAST_TWELVE)
    page.locator("[data-control=branch]").click()
    form = page.locator("dialog[open]").first
    expect(form.locator(".note").first).to_contain_text("12:30, step 4,500")
    form.get_by_role("button", name="Whisper …").click()
    page.get_by_role("button", name="Isabella Rodriguez").last.click()
    page.locator("dialog[open] textarea").fill(THOUGHT)
    page.locator("dialog[open]").last.locator("[type=submit]").click()
    expect(form.locator(".differences li")).to_contain_text(THOUGHT)
    form.locator("[name=until]").select_option(str(HALF_PAST_TWELVE + 360))
    form.locator("[name=title]").fill("No party")
    page.screenshot(path=pictures / "branching.png")
    form.locator("[type=submit]").click()
    branch, twin = (page.locator(f"[data-branch={name}]") for name in ("no_party", "no_party_untouched"))
    expect(branch).to_contain_text("from Mon, Feb 13, 12:30, step 4,500")
    expect(branch).to_contain_text("done")
    expect(twin).to_contain_text("done")
    page.screenshot(path=pictures / "branches.png")
    assert demo.movement("no_party", HALF_PAST_TWELVE - 1) == demo.movement(DEMO, HALF_PAST_TWELVE - 1)
    whispers = (demo.root / "storage/no_party/reverie/interventions.jsonl").read_text("utf-8")
    assert THOUGHT in whispers
    branch.get_by_role("link", name="Compare with the untouched branch").click()
    expect(page.locator("html[data-compared]")).to_be_attached()
    verdict = page.locator("[data-part=summary]")
    expect(verdict).to_contain_text(f"step {HALF_PAST_TWELVE}")
    expect(verdict).to_contain_text("whisper to Isabella Rodriguez")
    first = page.locator(".differences .row").first
    expect(first).to_contain_text("Isabella Rodriguez")
    expect(first).to_contain_text(THOUGHT)
    expect(page.locator("[data-section=prompts]")).to_contain_text(THOUGHT)
    first.click()
    page.wait_for_function("(step) => ville.step === step", arg=HALF_PAST_TWELVE)
    page.screenshot(path=pictures / "branch_compared.png")


def test_branches_have_titles_and_failures_can_be_dismissed(open_house, window, tmp_path):
    """A failed branch shows the reason below its title until it is dismissed, also after a reload; a new failure is
    shown again.
    """
    (tmp_path / "storage").mkdir()
    files = BackgroundFiles(tmp_path / "temp")
    failed = {"sim_code": "no_party", "from": "origin@10", "id": "1", "title": "No party", "state": "failed"}
    files.write(BackgroundStatus.model_validate({**failed, "step": 20, "fault": "The disk is full."}))
    page = window.open(open_house(tmp_path).address("/"), ready="front")
    branch = page.locator("[data-branch=no_party]")
    expect(branch.locator(".title strong")).to_have_text("No party")
    expect(branch).to_contain_text("The disk is full.")
    branch.get_by_role("button", name="Dismiss").click()
    expect(branch).to_have_count(0)
    page.reload()
    page.wait_for_selector("html[data-ready=front]")
    files.write(BackgroundStatus.model_validate({**failed, "sim_code": "another", "fault": "So is this one."}))
    expect(page.locator("[data-branch=another]")).to_be_visible()
    expect(branch).to_have_count(0)
    files.write(BackgroundStatus.model_validate({**failed, "step": 30, "fault": "The disk is full."}))
    expect(branch).to_be_visible()


def test_everything_that_can_be_planned_can_be_different(house, window):
    """A character, who lives in the town, a rule: each from its form; the engine begins one branch with them all."""
    house.serve("--origin", "recorded", "--name", "live")
    page = window.open(house.address("/simulator_home"))
    page.locator("[data-run=menu] summary").click()
    page.locator("[data-run=branch]").click()
    form = page.locator("dialog[open]").first

    def add(offer, *, who=""):
        form.get_by_role("button", name=offer).click()
        if who:
            page.locator("dialog[open]").last.get_by_role("button", name=who).click()
        return page.locator("dialog[open]").last

    def done(dialog):
        dialog.locator("[type=submit]").click()
        expect(page.locator("dialog[open]")).to_have_count(1)

    character = add("Edit a character …", who="Klaus Mueller")
    character.locator("[name=currently]").fill("Klaus Mueller is learning to fly.")
    done(character)
    done(add("Someone moves away …", who="Maria Lopez"))
    rule = add("A rule …")
    expect(rule.locator("[name=other]")).to_be_visible()
    rule.locator("[name=rule]").select_option("freeze")
    expect(rule.locator("[name=other]")).not_to_be_visible()
    rule.locator("[name=who]").select_option("Isabella Rodriguez")
    done(rule)
    expect(form.locator(".differences li")).to_have_count(3)
    form.locator("[name=title]").fill("Otherwise")
    form.locator("[type=submit]").click()
    expect(page.locator("[data-branch=otherwise]")).to_be_visible()
    assert until(lambda: kinds_of(house, "otherwise") == ["trait", "resident_out", "rule"])


def kinds_of(house, name):
    log = house.root / "storage" / name / "reverie" / "interventions.jsonl"
    return [json.loads(line)["kind"] for line in log.read_text("utf-8").splitlines()] if log.exists() else []
