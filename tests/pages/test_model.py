"""A model is chosen on its page: with a real engine, a real .env, and a provider of the tests over HTTP."""

import shutil
import subprocess
import sys

import pytest
from chat_server import ChatServer
from new_home import new_home
from page_manners import (
    PHONE,
    check_on_phone,
)
from playwright.sync_api import expect
from waiting import comes_to

from ville.home import OUR_ASSETS, PAGES
from ville.storage.folders import read_env_file

KEY, WRONG = "sk-right-0123456789abcdef", "sk-wrong-0123456789abcdef"
BASE = "base_the_ville_isabella_maria_klaus"


@pytest.fixture
def project(tmp_path, open_house, monkeypatch):
    """A home of its own, whose .env may be written; its environment names no provider."""
    root = tmp_path / "house"
    for shelf in ("temp", "compressed"):
        (root / shelf).mkdir(parents=True)
    shutil.copytree(PAGES / "storage" / BASE, root / "storage" / BASE)
    for name in ("VILLE_PROVIDER", "VILLE_EMBEDDER"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("VILLE_HOME", str(new_home(root).root))
    monkeypatch.setenv("VILLE_ASSETS", str(OUR_ASSETS))
    house = open_house(root, PAGES)
    command = [sys.executable, "-P", "-m", "ville", "prompt", "--serve"]
    with (root / "engine.log").open("wb") as log:
        engine = subprocess.Popen(
            command, cwd=root, env=house.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
    try:
        yield house
    finally:
        engine.terminate()
        engine.wait()


@pytest.fixture
def provider():
    with ChatServer(key=KEY, models=("small",), embeds=False) as server:
        yield server


def part(page, name):
    return page.locator(f"[data-part={name}]")


def opened(window, project, **context):
    page = window.open(project.address("/model/"), ready="model", **context)
    expect(part(page, "now")).to_have_text("Rules, without a model" if not context else "Правила, без модели")
    return page


def env_of(project):
    return read_env_file(project.root / ".env")


def test_a_model_is_chosen_tried_and_left_again_by_keyboard(project, provider, window, pictures):
    """A wrong key is one line, the right one brings an answer; they are kept in .env, and never on the page again."""
    window.expected = ("400",)
    page = opened(window, project)
    page.get_by_role("radio", name="Rules").focus()
    page.get_by_role("radio", name="Another server").focus()
    page.keyboard.press("Space")
    for label, text in (("Address", provider.url), ("Key", "no key\u00e9"), ("Model", "small")):
        page.get_by_label(label, exact=True).focus()
        page.keyboard.type(text)
    page.keyboard.press("Enter")
    expect(part(page, "choice-error")).to_contain_text("This is not a key")
    assert env_of(project) == {}
    chosen = {"VILLE_PROVIDER": "compatible", "VILLE_BASE_URL": provider.url, "VILLE_FAST_MODEL": "small"}
    for key, says in ((WRONG, "does not accept the API key"), (KEY, "Ada gets up at 6:00.")):
        page.get_by_label("Key", exact=True).fill(key)
        page.keyboard.press("Enter")
        expect(part(page, "saved")).to_have_text("Saved.")
        expect(part(page, "now")).to_have_text("small at another server")
        assert env_of(project) == {**chosen, "VILLE_API_KEY": key}
        part(page, "test").press("Enter")
        expect(part(page, "answers")).to_contain_text(says)
    expect(part(page, "answers")).to_contain_text("small ·")
    expect(part(page, "cost")).to_contain_text("The price is not known")
    expect(part(page, "key-state")).to_have_text("A key is set. Leave this empty to keep it.")
    page.screenshot(path=pictures / "model.png", full_page=True)
    page.reload()
    expect(page.get_by_role("radio", name="Another server")).to_be_checked()
    expect(page.get_by_label("Address")).to_have_value(provider.url)
    expect(page.get_by_label("Key", exact=True)).to_have_value("")
    comes_to(lambda: KEY[-8:] in page.content(), wanted=False)
    page.get_by_role("button", name="Remove it").press("Enter")
    expect(part(page, "saved")).to_have_text("The key is removed.")
    assert env_of(project) == chosen
    page.get_by_role("radio", name="Rules").check()
    page.get_by_role("button", name="Save").press("Enter")
    expect(part(page, "now")).to_have_text("Rules, without a model")
    expect(part(page, "cost")).to_have_text("Nothing: rules are free.")
    assert env_of(project) == {"VILLE_PROVIDER": "offline"}


def test_a_town_that_is_opened_thinks_with_the_choice_and_one_that_is_open_with_its_own(project, provider, window):
    """The page says so of the one that is open."""
    page = opened(window, project)
    page.get_by_role("radio", name="Another server").check()
    page.get_by_label("Address").fill(provider.url)
    page.get_by_label("Model", exact=True).fill("small")
    page.get_by_label("Key", exact=True).fill(KEY)
    page.get_by_role("button", name="Save").click()
    expect(part(page, "now")).to_have_text("small at another server")
    front = window.open(project.address("/"), ready="front")
    expect(part(front, "begin-hint")).to_contain_text("small at an OpenAI-compatible server")
    part(front, "begin").click()
    front.wait_for_selector("html[data-ready=town]")
    lesson = window.open(project.address("/lesson/"), ready="lesson")
    first = lesson.locator("[data-step=town]")
    expect(first).to_contain_text("small at an OpenAI-compatible server, which may cost money.")
    expect(first.get_by_role("button", name="Start a town for the lesson")).to_have_count(0)
    page.get_by_role("radio", name="Rules").check()
    page.get_by_role("button", name="Save").click()
    expect(part(page, "now")).to_have_text("Rules, without a model")
    expect(part(page, "notices")).to_contain_text("is open, and goes on with small at an OpenAI-compatible server.")


@pytest.mark.slow
def test_a_russian_phone_chooses_and_every_form_is_in_order(project, window, pictures):
    """No English of ours, nothing cut off, room for fingers, names and contrast, whichever provider is chosen."""
    page = opened(window, project, **PHONE)
    for provider in page.locator("[name=provider]").evaluate_all("(all) => all.map((one) => one.value)"):
        page.locator(f"[value={provider}]").check()
        check_on_phone(page)
    page.screenshot(path=pictures / "model-phone.png", full_page=True)
