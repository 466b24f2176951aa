"""Requirements of every page: contrast, room for fingers, no English between Russian words."""

import re
from contextlib import contextmanager

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect
from waiting import comes_to

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "locale": "ru-RU"}
"""A Russian phone, as a browser context."""
SETTLED = """() => {
    const before = window.sizeBefore;
    window.sizeBefore = [innerWidth, document.body.scrollWidth, document.body.scrollHeight].join();
    return window.sizeBefore === before && document.getAnimations().every((one) => one.playState !== 'running');
}"""
"""Whether the layout has not changed since the last frame, and will not."""
SMALL = """(least) => [...document.querySelectorAll("a[href], button, input:not([type=hidden]), summary, label")]
    .filter((one) => one.checkVisibility() && !one.closest(".skip, p:not(.doors) > a:not(.button), code"))
    .filter((one) => !(["checkbox", "radio"].includes(one.type) && one.closest("label")))
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, { width, height }]) => width < least - 0.01 || height < least - 0.01)
    .map(([one, { width, height }]) => `${width.toFixed()} x ${height.toFixed()}: ${one.outerHTML.slice(0, 120)}`)"""
"""Finds elements too small for a finger; links within a sentence are as high as its lines."""
CUT_OFF = """() => [...document.querySelectorAll(".controls button, .run button")].filter((one) => {
    const [inner, outer] = [one, one.parentElement].map((box) => box.getBoundingClientRect());
    return one.checkVisibility() && (inner.left < outer.left - 0.01 || inner.right > outer.right + 0.01);
}).map((one) => one.outerHTML)"""
CONTRAST = """
() => {
  const light = (part) => ((part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const parse = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const ground = (one) => {
    for (let box = one; box; box = box.parentElement) {
      const colour = parse(getComputedStyle(box).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !one.checkVisibility()) continue;
    if (one.closest('.unseen, .skip, script, noscript, [aria-hidden=true]')) continue;
    const style = getComputedStyle(one);
    const [upper, lower] = [luminance(parse(style.color)), luminance(ground(one))].sort((x, y) => y - x);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.7 && style.fontWeight >= 600);
    const ratio = (upper + 0.05) / (lower + 0.05);
    if (ratio < (large ? 3 : 4.5)) faint.push(`${ratio.toFixed(2)} ${one.className} ${walker.currentNode.data.trim()}`);
  }
  return faint;
}
"""


FITS = "(wide) => document.documentElement.scrollWidth <= wide"
AXE = """async (rules) => {
    const { violations } = await axe.run({ resultTypes: ["violations"], ...rules });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}"""


def shows(page, expression, wanted, arg=None):
    """Wait until an expression in JavaScript has a value on a page."""
    comes_to(lambda: page.evaluate(expression, arg), wanted)


def check_width(page):
    """Nothing sticks out at the side of the window."""
    page.wait_for_function(FITS, arg=page.viewport_size["width"])


def check_buttons(page):
    """Fingers have room, and no button is cut off."""
    shows(page, SMALL, [], 40)
    shows(page, CUT_OFF, [])


def axe_faults(page):
    """Return the faults that axe-core finds in a page, also against its best practices: a line for each element.

    The contrast is looked at in both themes.
    """
    page.wait_for_function(SETTLED)
    page.evaluate(AXE_SCRIPT)
    found = page.evaluate(AXE, {})
    with in_the_dark(page):
        return [*found, *page.evaluate(AXE, {"runOnly": ["color-contrast"]})]


@contextmanager
def in_the_dark(page):
    """For a system with dark colours; what follows is for one with light colours."""
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(SETTLED)
    yield
    page.emulate_media(color_scheme="light")


SPOKEN = (
    "application|button|checkbox|combobox|dialog|img|link|log|radio|region|searchbox|slider|spinbutton|"
    "tab|tabpanel|textbox"
)
"""Roles that say nothing without a name."""


def check_names(part):
    """Whatever a screen reader announces in a part of a page has a name."""
    comes_to(lambda: re.findall(rf"^ *- (?:{SPOKEN})(?= \[|:|$).*", part.aria_snapshot(), re.MULTILINE), [])


def check_contrast(page):
    """Every text has the contrast that WCAG 2 AA requires, in both themes."""
    if page.locator(".row").count():
        page.locator(".row").first.click()
    page.wait_for_function(SETTLED)
    shows(page, CONTRAST, [])
    with in_the_dark(page):
        shows(page, CONTRAST, [])


OURS = """() => {
    const theirs = 'code, pre, .languages, .crumb strong, .sim h3, .choice .name, option, [lang]:not([lang=ru])';
    const copy = document.body.cloneNode(true);
    copy.querySelectorAll(theirs + ', script, style, noscript').forEach((one) => one.remove());
    const said = [...copy.querySelectorAll('*')].flatMap((one) =>
        ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt'].map((key) => one.getAttribute(key) ?? ''));
    const page = JSON.parse(document.getElementById('page')?.textContent ?? '{}');
    const people = [...(page.personas ?? []), ...(page.persona ? [page.persona] : [])];
    const names = [...people.flatMap(({ name, initials }) => [name, initials]), page.sim_code ?? '', page.title ?? ''];
    const others = [...document.querySelectorAll('.acquaintances a')].map((one) => one.textContent);
    const texts = [];
    for (const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT); walker.nextNode();)
        texts.push(walker.currentNode.data);
    return [[...texts, ...said].join('\\n'), [...names, ...others].join(' ')];
}"""
"""The words of a page that are in its own language, and the names on it. Recorded words are marked with a language."""


def check_russian(page):
    """All words of ours are Russian; names, addresses, commands and recorded words stay as they are."""
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    comes_to(lambda: _english(page), set())


def _english(page):
    """Words of ours on a page that are not Russian; all of them where none is."""
    ours, names = page.evaluate(OURS)
    known = {
        "JavaScript",
        "run",
        "recorded",
        "start",
        "path",
        "tester",
        "mode",
        "nobody",
        "python",
        "py",
        "N",  # keys
        "T",
        "B",
        "f",
        "A",  # the sides of a comparison are A and B
        *words_of(names),
    }
    return words_of(ours) - (known if re.search(r"[\u0430-\u044f]", ours) else set())


def check_on_phone(page):
    """Nothing is wider than a phone or cut off, fingers have room, and texts, names and contrast are in order."""
    page.wait_for_function(SETTLED)
    check_buttons(page)
    check_width(page)
    check_russian(page)
    check_names(page.locator("body"))
    check_contrast(page)
    comes_to(lambda: axe_faults(page), [])


def words_of(text):
    """English words of a text."""
    return set(re.findall(r"[A-Za-z]+", text))
