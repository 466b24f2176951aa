"""The page of the calls of a run, as a reader uses it: it follows the run, and leads from a call to its moment."""

import re

import pytest
from chat_server import ChatServer, Reply, completion
from compared_runs import write_pair
from default_answers import answer_to
from page_manners import check_width
from playwright.sync_api import expect
from recorded_calls import record_calls
from waiting import until

PEOPLE = ("Isabella Rodriguez", "Klaus Mueller")
DELAY = 0.4
"""Seconds that the slow model takes."""
PHONE = {
    "viewport": {"width": 390, "height": 780}, "locale": "ru-RU", "device_scale_factor": 2, "has_touch": True,
    "color_scheme": "dark",
}  # fmt: skip


@pytest.fixture
def asked(recording, tmp_path, open_house):
    """A house with the run `plain`, in which a model was asked twelve times."""
    root = write_pair(recording, tmp_path)
    record_calls(root / "storage/plain/reverie", PEOPLE, 12)
    return open_house(root)


def test_calls_appear_while_a_run_goes_on_and_lead_to_their_moment(asked, window, pictures):
    """By keyboard: a filter, a call with its marked prompt and its corrections, and the moment in the town."""
    page = window.open(asked.address("/calls/plain/"), ready="calls")
    expect(page.locator(".calls-list tbody tr")).to_have_count(12)
    record_calls(asked.root / "storage/plain/reverie", PEOPLE, 3, first=12)
    expect(page.locator(".calls-list tbody tr")).to_have_count(15)
    expect(page.locator(".calls-sums")).to_contain_text("15 calls")
    expect(page.locator(".calls-curve rect")).not_to_have_count(0)
    page.screenshot(path=pictures / "calls.png", full_page=True)
    page.get_by_label("Person").select_option("Klaus Mueller")
    page.get_by_label("First").select_option("corrected")
    page.get_by_role("button", name="Show").press("Enter")
    page.wait_for_url("**person=Klaus*")
    expect(page.locator(".calls-list tbody tr")).to_have_count(7)
    page.locator(".calls-list tbody th a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("html[data-ready=call]")
    expect(page.locator(".call-text").first).to_contain_text("<script>alert(1)</script>")
    expect(page.get_by_role("heading", name="Answer that was sent back")).to_be_visible()
    expect(page.locator(".call-reading")).to_contain_text(re.compile(r"wake up hour\s*\d+"))
    page.screenshot(path=pictures / "call.png", full_page=True)
    moment = page.locator(".call-facts a[href*=replay]").last
    expect(moment).to_have_attribute("href", re.compile("^/replay/plain/"))


@pytest.fixture
def slow_model(monkeypatch):
    """A model on this machine that takes its time for every answer."""

    def answer(request):
        return Reply(completion(answer_to(request.body), request), delay=DELAY)

    with ChatServer(answer, models=("small",)) as server:
        for name, value in {"PROVIDER": "compatible", "BASE_URL": server.url, "FAST_MODEL": "small"}.items():
            monkeypatch.setenv(f"VILLE_{name}", value)
        yield server


def test_the_curve_follows_a_run_with_a_slow_model(house, slow_model, window, pictures):
    """Calls that wait for an answer are listed as such; sums, rate and bars grow without a reload as answers come."""
    engine = house.engine("recorded", "live")
    engine.type("run 400")
    assert until(lambda: len(slow_model.chats) > 1)
    page = window.open(house.address("/calls/live/"), ready="calls")
    expect(page.locator(".calls-list")).to_contain_text("waits for an answer")
    before = int(page.locator(".calls-list tbody th a").first.text_content())
    page.wait_for_function(
        "(seen) => Number(document.querySelector('.calls-list tbody th a').textContent) > seen + 2", arg=before
    )
    expect(page.locator(".calls-curve rect")).not_to_have_count(0)
    expect(page.locator(".calls-curve polyline")).to_have_count(1)
    expect(page.locator(".calls-curve figcaption")).to_contain_text(re.compile(r"[1-9][\d,]* calls and .* an hour"))
    page.screenshot(path=pictures / "calls_live.png", full_page=True)


def test_a_phone_shows_it_in_russian_and_dark(asked, window, pictures):
    """Nothing but tables, which scroll by themselves, is wider than the screen; a run by the rules says what to do."""
    page = window.open(asked.address("/calls/plain/"), ready="calls", **PHONE)
    expect(page.locator("h1")).to_have_text("Вызовы")
    check_width(page)
    page.screenshot(path=pictures / "calls_phone.png", full_page=True)
    page = window.open(asked.address("/calls/told/?store=compressed"), ready="calls", **PHONE)
    expect(page.locator(".lead")).to_contain_text("правила")
    expect(page.locator(".hint a")).to_have_attribute("href", "/model/")
