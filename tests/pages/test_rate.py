"""Two people rank answers: one by keys alone, one by touch on a phone in Russian."""

# ruff: noqa: RUF001 - Russian

import json
import re

import pytest
from evaluation_files import CONDITIONS, TELLS, best_first, write_evaluation
from playwright.sync_api import expect

from ville.believability.agreement import agreement
from ville.storage.evaluations.ranking_sheet import read_sheet
from ville.storage.evaluations.rating_files import all_ratings

PHONE = {"viewport": {"width": 390, "height": 844}, "locale": "ru-RU", "has_touch": True, "is_mobile": True}
TASKS = 2


@pytest.fixture
def party(tmp_path):
    """An evaluation with a question to each of two people."""
    return write_evaluation(tmp_path / "studies", questions=1)


def places_of(page):
    """Return the place of each card on the page, as somebody gives it who tells the trees apart."""
    shown = page.locator(".rate-card blockquote").all_inner_texts()
    trees = list(TELLS.values())
    return [trees.index(text.split()[4]) + 1 for text in shown]


def test_two_people_rank_answers(party, open_house, window, pictures):
    """Unfinished work is kept and gone on with; no condition is on the page; both agree, and so says kappa."""
    house = open_house(party.root.parents[1])
    page = window.open(house.address("/rate/party/"), ready=None)
    page.keyboard.type("Ada B.")
    page.keyboard.press("Enter")
    page.wait_for_selector("html[data-ready=rate]")
    expect(page.locator("[data-part=state]")).to_have_text(re.compile("1 of 2; 0 finished"))
    expect(page.locator("[data-part=memories]")).to_contain_text("<b>trees</b>")
    expect(page.locator("[data-part=keep]")).to_be_disabled()
    page.locator("[data-part=asked]").focus()
    first, *others = places_of(page)
    page.keyboard.press("Tab")
    with page.expect_response("**/rated/party/"):
        page.keyboard.press(str(first))
    page.reload()
    page.wait_for_selector("html[data-ready=rate]")
    expect(page.locator(f".rate-card input[value='{first}']:checked")).to_have_count(1)
    page.locator(".rate-card input:checked").focus()
    for place in others:
        page.keyboard.press("Tab")
        page.keyboard.press(str(place))
    page.screenshot(path=pictures / "rate.png")
    page.keyboard.press("Enter")
    expect(page.locator("[data-part=state]")).to_have_text(re.compile("2 of 2; 1 finished"))
    sent = page.request.get(house.address("/rate_task/party/?rater=Ada")).text()
    for name in CONDITIONS[1:3]:
        page.wait_for_function("(name) => !document.documentElement.outerHTML.includes(name)", arg=name)
        assert name not in sent

    phone = window.open(house.address("/rate/party/?rater=Мария К."), ready="rate", **PHONE)
    for number in range(1, TASKS + 1):
        expect(phone.locator("[data-part=state]")).to_have_text(re.compile(f"{number} из 2"))
        for card, place in enumerate(places_of(phone)):
            phone.locator(".rate-card").nth(card).locator("label").nth(place - 1).tap()
        phone.locator("[data-part=keep]").tap()
    expect(phone.locator("[data-part=all-done]")).to_be_visible()
    phone.screenshot(path=pictures / "rate_phone.png")
    phone.wait_for_function("document.documentElement.scrollWidth <= innerWidth")

    table = page.request.get(house.address("/ratings_file/party/?rater=Ada B.")).text()
    assert not any(json.dumps(name) in table or f",{name}" in table for name in CONDITIONS)
    assert len(table.splitlines()) == 1 + len(CONDITIONS)
    ratings = [rating for rating in all_ratings(party) if rating.done]
    assert sorted(rating.rater for rating in ratings) == ["Ada B.", "Мария К.", "Мария К."]
    for rating in ratings:
        assert sorted(rating.places, key=rating.places.get) == best_first(party, rating.task)
    found = agreement(read_sheet(party), ratings)
    assert (found.tasks, found.kappa, found.concordance) == (1, 1.0, pytest.approx(1.0))


def test_who_may_only_watch_does_not_rate(party, open_house, window, monkeypatch):
    """Raters read memories, so that they have to know the pass phrase, if there is one."""
    monkeypatch.setenv("VILLE_PASS", "a long pass phrase")
    house = open_house(party.root.parents[1])
    window.expected = ("403",)
    page = window.open(house.address("/rate/party/?rater=Ada"), ready=None)
    expect(page.locator("main")).to_contain_text("Sign in")
    answer = page.request.get(house.address("/rate_task/party/?rater=Ada"))
    assert answer.status == 403
    assert all_ratings(party) == []
