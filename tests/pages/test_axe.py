"""Pages as axe-core judges them: WCAG 2 and good practice, as far as a program can tell."""

from urllib.parse import urlsplit

import pytest
from django.urls import reverse
from page_manners import SETTLED, axe_faults, shows
from playwright.sync_api import expect

from translator.urls import urlpatterns

EXAMPLES = {
    "sim": "plain",
    "form": "saved",
    "step": "30",
    "play_speed": "1",
    "a": "plain",
    "b": "told",
    "study": "party",
    "evaluation": "party",
    "file": "runs.csv",
    "name": "Isabella_Rodriguez",
    "number": "1",
    "maze": "the_ville",
    "first": "0",
    "last": "9",
}
"""Values in the showroom for each argument of an address."""
OTHERS = {"demo": {"sim": "told"}}
QUERIES = {"compare_choice": "?a=plain&b=told"}
COMPLETE = {"compare": "html[data-compared]", "compare_moments": "html[data-compared]", "study": ".measure .dot"}
"""Parts that appear only once the script of a page has fetched them."""
COMPUTED = {
    *("asked", "share", "share_comparison", "share_study", "study_report"),
    *("shared_file", "shared_comparison", "shared_study", "report_file"),
}
"""Routes that have something computed for long, and are no pages; those that ask them are looked at."""
MORE = {
    "rating": "/rate/party/?rater=Ada",
    "compare_moments": "/compare/plain@20/plain@30/",
    "not_found": "/replay/nobody/0/",
    "bad_request": "/compare/plain@never/told/",
}
"""Further addresses whose pages differ."""
LOADED = (
    """() => document.querySelector("script[type=module]") === null || document.querySelector("html[data-ready]")"""
)
DEVICES = {
    "desktop": {"viewport": {"width": 1280, "height": 720}, "locale": "en-US"},
    "phone": {"viewport": {"width": 390, "height": 844}, "locale": "ru-RU", "has_touch": True, "is_mobile": True},
}


def addresses():
    """Every address of the server, by name, with arguments that are there."""
    routes = {each.name: each.pattern.converters for each in urlpatterns if each.name and each.name not in COMPUTED}
    found = {}
    for name, arguments in routes.items():
        given = {each: OTHERS.get(name, EXAMPLES).get(each, EXAMPLES[each]) for each in arguments}
        found[name] = reverse(name, kwargs=given) + QUERIES.get(name, "")
    return found | MORE


def pages(house, page):
    """Names and addresses of those that answer with a page; one to which several lead is there once."""
    found = {}
    for name, address in addresses().items():
        response = page.request.get(house.address(address))
        shown = urlsplit(response.url).path
        is_page = response.headers.get("content-type", "").startswith("text/html")
        if is_page and (shown == address or shown not in found):
            found[shown] = name
    return {name: address for address, name in found.items()}


@pytest.mark.parametrize("device", ["desktop", pytest.param("phone", marks=pytest.mark.slow)])
def test_axe_finds_no_fault_in_any_page(showroom, window, device):
    """Whatever the server answers with a page, as it is when it is complete; on a phone it is in Russian."""
    window.expected = ("404", "400")
    page = window.watch(window.browser.new_context(**DEVICES[device]).new_page())
    faults = {}
    for name, address in pages(showroom, page).items():
        page.goto(showroom.address(address))
        page.wait_for_function(LOADED)
        expect(page.locator(COMPLETE.get(name, "main"))).not_to_have_count(0)
        page.wait_for_function(SETTLED)
        faults[name] = axe_faults(page)
    assert {name: found for name, found in faults.items() if found} == {}
    assert {"landing", "home", "replay", "demo", "compare", "study", "wallet", "path_tester"} <= {*faults}


@pytest.mark.parametrize("device", DEVICES)
def test_axe_finds_no_fault_where_one_signs_in(open_house, window, tmp_path, monkeypatch, device):
    """Also after a wrong pass phrase; who may only watch has pages of their own."""
    monkeypatch.setenv("VILLE_PASS", "open sesame")
    (tmp_path / "storage").mkdir()
    window.expected = ("403",)
    house = open_house(tmp_path)
    page = window.open(house.address("/sign_in/"), ready=None, **DEVICES[device])
    assert axe_faults(page) == []
    page.locator("#phrase").fill("open barley")
    page.locator("#phrase").press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    assert axe_faults(page) == []
    page.goto(house.address("/"))
    page.wait_for_function(LOADED)
    assert axe_faults(page) == []


UNMARKED = """() => [...document.querySelectorAll("dialog[open] .field")].filter((field) => {
    const [control, mark] = [field.querySelector("input, textarea, select"), field.querySelector(".mark")];
    return control.required !== Boolean(mark?.checkVisibility());
}).map((field) => field.textContent)"""
"""Fields of the open form whose mark does not say whether they are required."""


@pytest.mark.slow
def test_axe_finds_no_fault_in_a_live_town_and_its_forms(house, window, pictures):
    """In all tabs, and in every form that a person or the town offers. What must be filled in is marked."""
    house.engine("recorded", "live")
    page = window.open(house.address("/simulator_home"), **DEVICES["desktop"])
    page.locator("[data-tab=do]:not([hidden])").wait_for()
    faults = {"live": axe_faults(page)}
    page.locator(".row[data-name='Isabella Rodriguez']").click()
    page.locator("[data-deed=ask]").wait_for()
    for tab in ("people", "feed", "do"):
        page.locator(f"[data-tab={tab}]").click()
        page.wait_for_function(SETTLED)
        faults[tab] = axe_faults(page)
    for deed in ("ask", "talk", "whisper", "memory", "character", "away", "event", "object", "join", "move-in"):
        expect(page.locator(f"[data-deed={deed}]")).to_be_visible()
    for deed in page.locator("[data-deed]:visible").evaluate_all("(all) => all.map((one) => one.dataset.deed)"):
        page.locator(f"[data-deed={deed}]").click()
        dialog = page.locator("dialog[open]")
        dialog.wait_for()
        page.wait_for_function(SETTLED)
        page.screenshot(path=pictures / f"form-{deed}.png")
        faults[deed] = axe_faults(page)
        shows(page, UNMARKED, [])
        expect(dialog.locator(".needed")).to_have_count(1 if dialog.locator(".mark").count() else 0)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
    assert {name: found for name, found in faults.items() if found} == {}
