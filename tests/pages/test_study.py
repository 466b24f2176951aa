"""The page of a study, with files as a running study leaves them: no simulation is run."""

import json
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from ville.storage.study_folder import JobManifest, JobResult, StudyAnswer, StudyFolder, StudyNote

BASES = Path(__file__).resolve().parents[2] / "environment/frontend_server/storage"
BASE = "base_the_ville_isabella_maria_klaus"
PEOPLE = ("Isabella Rodriguez", "Maria Lopez", "Klaus Mueller")
GUESTS = {"plain": {1: 12, 2: 9, 3: 15}, "told": {1: 7, 2: 6, 3: 7}}
STEPS = 40
NASTY = "<b>Nobody</b> comes."


def job(arm, seed, **changes):
    run = f"{arm}-s{seed}"
    plain = JobManifest(
        run=run, simulation=f"party-{run}", base=BASE, arm=arm, seed=seed, origin=BASE, first_step=0, until_step=STEPS
    )
    return plain.model_copy(update=changes)


def done(arm, seed):
    answer = StudyAnswer(ask="Who comes?", when="end", who=PEOPLE[0], answer=NASTY)
    result = JobResult(measures={"guests": float(GUESTS[arm][seed])}, answers=[answer], calls=40, cost=0.1)
    return job(arm, seed, state="done", step=STEPS, result=result)


@pytest.fixture
def party(tmp_path):
    """A study with two arms of three seeds, none of them run; and a short run of the first."""
    for name in ("temp", "compressed"):
        (tmp_path / name).mkdir()
    run = tmp_path / "storage/party-plain-s1"
    shutil.copytree(BASES / BASE, run)
    places = json.loads((run / "environment/0.json").read_text("utf-8"))
    doing = {"pronunciatio": "☕", "description": "drinking coffee", "chat": None}
    people = {who: {"movement": [at["x"], at["y"]], **doing} for who, at in places.items()}
    (run / "movement").mkdir()
    for step in range(STEPS):
        meta = {"curr_time": f"February 13, 2023, 00:{step // 6:02}:{step % 6}0"}
        (run / f"movement/{step}.json").write_text(json.dumps({"persona": people, "meta": meta}), "utf-8")
    meta = json.loads((run / "reverie/meta.json").read_text("utf-8"))
    (run / "reverie/meta.json").write_text(json.dumps({**meta, "step": STEPS}), "utf-8")
    folder = StudyFolder(tmp_path / "studies", "party")
    folder.create()
    runs = [f"{arm}-s{seed}" for arm in GUESTS for seed in (1, 2, 3)]
    note = StudyNote(
        name="party", title="Who comes?", measures=["guests"], arms=list(GUESTS), seeds=[1, 2, 3], runs=runs
    )
    folder.write_note(note, "")
    for arm, values in GUESTS.items():
        for seed in values:
            folder.write_job(job(arm, seed))
    return folder


def test_progress_becomes_a_figure_and_a_dot_leads_to_its_run(party, open_house, window, pictures):
    """Without a reload: runs appear as they end; what failed says why. Arrow keys walk through the dots."""
    house = open_house(party.root.parents[1])
    with party.lock():
        page = window.open(house.address("/study/party/"), ready="study")
        expect(page.locator(".run[data-state=waiting]")).to_have_count(6)
        expect(page.locator("[data-section=measures]")).to_be_hidden()
        party.write_job(job("told", 2, state="running", step=10))
        expect(page.locator(".run[data-state=running]")).to_have_text(re.compile("25%"))
        party.write_job(job("told", 3, state="failed", fault="<i>No such model.</i>"))
        expect(page.locator(".failures")).to_contain_text("<i>No such model.</i>")
        party.write_job(done("plain", 1))
        expect(page.locator(".drawing a .dot")).to_have_count(1)
        page.screenshot(path=pictures / "study_running.png", full_page=True)
        for arm, values in GUESTS.items():
            for seed in values:
                party.write_job(done(arm, seed))
        expect(page.locator("[data-part=state]")).to_have_text(re.compile("6 of 6"))
    expect(page.locator(".measure .dot")).to_have_count(6)
    expect(page.locator(".means tbody tr")).to_have_count(2)
    expect(page.locator("table.answers")).to_contain_text(NASTY)
    page.screenshot(path=pictures / "study_done.png", full_page=True)
    page.locator(".drawing a").first.focus()
    expect(page.locator(".measure .thread.same")).to_have_count(1)
    page.keyboard.press("Enter")
    page.wait_for_url("**/replay/party-plain-s1/0/**")
    page.wait_for_selector("html[data-ready=town]")


def test_a_phone_shows_all_of_it_in_russian(party, open_house, window, pictures):
    """Nothing is wider than the screen, and no text of the page is English."""
    for arm, values in GUESTS.items():
        for seed in values:
            party.write_job(done(arm, seed))
    house = open_house(party.root.parents[1])
    phone = {"viewport": {"width": 390, "height": 780}, "locale": "ru-RU", "device_scale_factor": 2, "has_touch": True}
    page = window.open(house.address("/study/party/"), ready="study", **phone)
    expect(page.locator("h2").first).to_have_text("Прогоны")
    expect(page.locator(".measure svg")).to_contain_text("12,0")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.screenshot(path=pictures / "study_phone.png", full_page=True)
    page.goto(house.address("/study/"))
    expect(page.locator(".sim .button")).to_have_attribute("href", "/study/party/")
