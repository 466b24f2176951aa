"""A tab of the side panel is one file: a script in the folder of tabs, which pages find by itself."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

PAGES = Path(__file__).resolve().parents[2] / "environment" / "frontend_server"
WEATHER = """
/** The tab "Weather". */

import { element, setText } from "../dom.js";
import { registerTab } from "../panel/tabs.js";
import { timeText } from "../playback/clock.js";
import { gettext } from "../translation.js";

registerTab({
  name: "weather",
  order: 1.5,
  title: () => gettext("Weather"),
  key: "y",
  count: ({ frame }) => Object.keys(frame ?? {}).length - 20,
  draw: (box) => new Weather(box),
});

class Weather {
  constructor(box) {
    this.words = element("p", { "data-part": "forecast" });
    this.visits = 0;
    box.append(this.words);
  }

  opened() {
    this.visits += 1;
  }

  show({ moment, chosen }) {
    setText(this.words, `${timeText(moment)}: sunny for ${chosen ?? "all"}, looked at ${this.visits} times`);
  }
}
"""


@pytest.fixture
def copy(recording, tmp_path, open_house):
    """A server of a copy of the pages, with one more file, over the recording."""
    pages = tmp_path / "environment" / "frontend_server"
    leave_out = shutil.ignore_patterns("__pycache__")
    for part in ("frontend_server", "translator", "templates", "locale", "static_dirs"):
        shutil.copytree(PAGES / part, pages / part, ignore=leave_out)
    for script in ("manage.py", "vendor.py", "package.json", "package-lock.json"):
        shutil.copy(PAGES / script, pages)
    (pages / "static_dirs/js/tabs/weather.js").write_text(WEATHER, "utf-8")
    return open_house(recording, pages)


def test_a_tab_that_is_added_is_shown(copy, window):
    """Between the others, opened by its letter, which the list of keys names; what it draws follows the page."""
    page = window.open(copy.address("/replay/recorded/3000/"))
    page.get_by_role("tab", name="Weather 5").wait_for()
    expect(page.locator("[role=tab]:visible")).to_have_text(["People 25", "Weather 5", "Feed", "Marks"])
    page.keyboard.press("?")
    key = page.locator("[data-part=keys-sheet] dt", has_text=re.compile("^y$"))
    expect(key.locator("+ dd")).to_have_text("Weather")
    page.keyboard.press("Escape")
    page.locator("[data-part=keys-sheet]").wait_for(state="hidden")
    page.keyboard.press("y")
    panel = page.get_by_role("tabpanel", name="Weather")
    panel.get_by_text("looked at 1 times").wait_for()
    expect(page.locator("[data-part=people]")).not_to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.locator("[data-part=people] .row", has_text="Isabella Rodriguez").click()
    page.keyboard.press("y")
    panel.get_by_text("sunny for Isabella Rodriguez, looked at 2 times").wait_for()
    expect(page.locator("[data-tab=weather]")).to_have_attribute("aria-selected", "true")
