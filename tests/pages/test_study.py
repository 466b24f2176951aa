"""The page of a study, with files as a running study leaves them: no simulation is run."""

import json
import re
import shutil
from pathlib import Path

import pytest
from page_manners import check_width
from playwright.sync_api import expect
from study_files import BASE, GUESTS, NASTY, done, job, write_party

ROOT = Path(__file__).resolve().parents[2]
BACKEND, FRONTEND = ROOT / "reverie/backend_server", ROOT / "environment/frontend_server"
THOUGHT = "The party at Hobbs Cafe is cancelled"


@pytest.fixture
def party(tmp_path):
    """A study with two arms of three seeds, none of them run; and a short run of the first."""
    return write_party(tmp_path)


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
        expect(page.locator("header .failures")).to_contain_text("<i>No such model.</i>")
        party.write_job(done("plain", 1))
        expect(page.locator(".drawing a .dot")).to_have_count(1)
        page.screenshot(path=pictures / "study_running.png", full_page=True)
        for arm, values in GUESTS.items():
            for seed in values:
                party.write_job(done(arm, seed))
        expect(page.locator("[data-part=state]")).to_have_text(re.compile("6 of 6"))
    expect(page.locator(".measure .dot")).to_have_count(6)
    expect(page.locator(".means tbody tr")).to_have_count(2)
    expect(page.locator(".means tbody tr").last).to_contain_text("0.250")
    expect(page.locator("[data-part=means] .caution")).to_contain_text("at least 6 seeds")
    expect(page.locator("table.answers")).to_contain_text(NASTY)
    page.screenshot(path=pictures / "study_done.png", full_page=True)
    page.locator(".drawing a").first.focus()
    expect(page.locator(".measure .thread.same")).to_have_count(1)
    page.keyboard.press("Enter")
    page.wait_for_url("**/replay/party-plain-s1/0/**")
    page.wait_for_selector("html[data-ready=town]")


def test_runs_of_many_seeds_are_turned_over(party, open_house, window):
    """A part at a time, by the keyboard, too; the study is told as a whole."""
    note = party.note()
    more = {"seeds": [*range(1, 251)], "runs": [*note.runs, "plain-s120"]}
    party.write_note(note.model_copy(update=more), "")
    party.write_job(job("plain", 120))
    page = window.open(open_house(party.root.parents[1]).address("/study/party/"), ready="study")
    expect(page.locator(".run")).to_have_count(6)
    expect(page.locator(".seed-pager")).to_contain_text("Seeds 1 to 100: part 1 of 3")
    page.get_by_role("button", name="Later seeds").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".seed-pager")).to_contain_text("Seeds 101 to 200: part 2 of 3")
    expect(page.locator(".run")).to_have_count(1)
    expect(page.get_by_role("button", name="Later seeds")).to_be_focused()
    expect(page.locator("[data-part=state]")).to_have_text(re.compile("0 of 7"))
    page.get_by_role("button", name="Earlier seeds").click()
    expect(page.locator(".run")).to_have_count(6)
    earlier = page.get_by_role("button", name="Earlier seeds")
    expect(earlier).to_have_attribute("aria-disabled", "true")
    expect(earlier).to_be_focused()
    check_width(page)


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
    check_width(page)
    page.screenshot(path=pictures / "study_phone.png", full_page=True)
    page.goto(house.address("/study/"))
    expect(page.locator(".sim .button")).to_have_attribute("href", "/study/party/")


@pytest.fixture
def empty(tmp_path, open_house):
    """A house with a base of three people, of which nothing was run."""
    root = tmp_path / "house"
    for shelf in ("temp", "compressed"):
        (root / shelf).mkdir(parents=True)
    shutil.copytree(FRONTEND / "storage" / BASE, root / "storage" / BASE)
    return open_house(root)


@pytest.fixture
def pair(empty):
    """Two runs of three people, one of which has heard a whisper, and an engine that has opened nothing."""
    house, root = empty, empty.root
    row = {"step": 12, "kind": "whisper", "who": "Isabella Rodriguez", "words": THOUGHT}
    (root / "told.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    for name, more in (("plain", ()), ("told", ("--interventions", root / "told.jsonl"))):
        run = house.start(BACKEND, "reverie_offline.py", "-o", BASE, "-t", name, "-s", 40, *more)
        run.communicate()
        assert run.returncode == 0, (root / "reverie_offline.log").read_text("utf-8")
    house.serve()
    return house


def test_what_is_paid_for_stands_on_the_button_that_pays(empty, window):
    """With its range beside it; runs that cost nothing are only started."""
    empty.serve()
    page = window.open(empty.address("/new_study/"), ready="new_study")
    paid = {"calls": 900, "tokens": 1_000_000, "paid": True, "range": [0.5, 4.0]}

    def answer_with(**price):
        def answer(route):
            found = route.fetch()
            told = found.json()
            if estimate := (told.get("ack") or told).get("estimate"):
                estimate |= paid | price
            route.fulfill(response=found, json=told)

        page.unroute_all()
        page.route("**/engine/**", answer)

    answer_with(dollars=2.0)
    arm = page.get_by_role("group", name="Arm 2")
    page.get_by_label("Runs begin with").select_option(BASE)
    arm.get_by_role("button", name="Whisper …").click()
    page.get_by_role("button", name="Isabella Rodriguez").last.click()
    page.locator("dialog[open] textarea").fill(THOUGHT)
    page.locator("dialog[open] [type=submit]").click()
    expect(page.get_by_role("button", name="Start and pay about $2.00", exact=True)).to_be_enabled()
    expect(page.locator(".estimate")).to_contain_text("likely $1.00 to $8.00")
    answer_with(dollars=None)
    page.get_by_label("Seeds").fill("3")
    expect(page.get_by_role("button", name="Start and pay for about 900 calls", exact=True)).to_be_enabled()
    expect(page.locator(".estimate")).to_contain_text("likely 500,000 to 4,000,000 tokens")
    page.unroute_all()
    page.get_by_label("Seeds").fill("2")
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_enabled()


@pytest.mark.slow
def test_from_a_comparison_to_a_study_without_a_terminal(pair, window, pictures):
    """The button under the noise: its form says what it will take and shows the file; the study runs to its end."""
    page = window.open(pair.address("/compare/plain/told/"))
    page.wait_for_selector("html[data-compared]")
    page.get_by_role("button", name="Repeat this comparison with ten seeds").click()
    form = page.get_by_role("dialog", name="Repeat this comparison")
    seeds = form.get_by_label("Seeds")
    expect(seeds).to_have_value("10")
    seeds.fill("2")
    expect(form.locator(".estimate")).to_contain_text("4 runs to do · no calls")
    form.get_by_text("The study file").click()
    expect(form.locator("pre")).to_contain_text(THOUGHT)
    page.screenshot(path=pictures / "study_repeated.png")
    form.get_by_role("button", name="Start").click()
    page.wait_for_url("**/study/plain-told/**")
    expect(page.locator("[data-part=state]")).to_have_text(re.compile("4 of 4"))
    expect(page.locator(".measure").first).to_be_visible()
    expect(page.get_by_role("button", name="Go on …")).to_be_hidden()
    rows = (pair.root / "studies/plain-told/runs.csv").read_text("utf-8").splitlines()
    assert len(rows) == 1 + 4
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the study as a file").click()
    assert download.value.suggested_filename == "plain-told.html"


@pytest.mark.slow
def test_a_new_study_is_filled_in_stopped_and_goes_on(pair, window, pictures):
    """A fault is shown beside its field; a whisper is planned as for a branch; stop and go on are buttons.

    Nothing can be started before it is known what it takes.
    """
    page = window.open(pair.address("/new_study/"), ready="new_study")
    page.get_by_label("Title").fill("Who hears of it?")
    expect(page.get_by_label("Name of the study")).to_have_value("who_hears_of_it")
    page.get_by_label("Runs begin with").select_option(BASE)
    here = page.locator(".fault.here")
    for few in ("0", "-3", ""):
        page.get_by_label("Seeds").fill(few)
        expect(here).to_have_text("A whole number from 1 to 200.")
    page.get_by_label("Seeds").fill("2")
    page.get_by_label("How long").fill("9")
    expect(here).to_contain_text("untouched and changed do not differ")
    page.get_by_label("At", exact=True).fill("noon")
    expect(page.locator("[data-path=moment] .fault")).to_contain_text("Write a step (8000)")
    page.get_by_label("At", exact=True).fill("")
    arm = page.get_by_role("group", name="Arm 2")
    arm.get_by_role("button", name="Whisper …").click()
    page.get_by_role("button", name="Isabella Rodriguez").last.click()
    page.locator("dialog[open] textarea").fill(THOUGHT)
    page.locator("dialog[open] [type=submit]").click()
    arm.get_by_label("at", exact=True).fill("noon")
    expect(arm.locator(".fault")).to_contain_text("noon")
    arm.get_by_label("at", exact=True).fill("08:00")
    page.get_by_label("Questions to everyone").fill("Is there a party?")
    page.get_by_label("Answered").select_option("with yes or no")
    page.get_by_label("Also asked at the start").check()
    expect(page.locator(".estimate")).to_contain_text("4 runs to do")
    expect(page.locator(".fault.here")).to_have_count(0)
    page.screenshot(path=pictures / "study_new.png", full_page=True)
    held = []

    def hold(request):
        held.append(request)

    page.route("**/engine/", hold)
    page.get_by_label("Seeds").fill("3")
    expect(page.get_by_role("button", name="Start")).to_be_disabled()
    page.unroute("**/engine/")
    page.get_by_label("Seeds").fill("2")
    for request in held:
        request.continue_()
    expect(page.locator(".estimate")).to_contain_text("4 runs to do")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/study/who_hears_of_it/**")
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Go on …").click()
    page.get_by_role("dialog", name="Go on with the study").get_by_role("button", name="Go on", exact=True).click()
    expect(page.locator("[data-part=state]")).to_have_text(re.compile("4 of 4"))
    log = pair.root / "storage/who_hears_of_it-changed-s1/reverie/interventions.jsonl"
    rows = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert (rows[-1]["words"], rows[-1]["step"]) == (THOUGHT, 8 * 360)
