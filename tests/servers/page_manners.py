"""What every page owes its readers: contrast, room for fingers, no English between Russian words."""

import re

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
"""What is too small for a finger; links within a sentence are as high as its lines."""
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


def check_contrast(page):
    """Every text has the contrast that WCAG 2 AA requires."""
    if page.locator(".row").count():
        page.locator(".row").first.click()
    page.wait_for_function(SETTLED)
    assert page.evaluate(CONTRAST) == []


def check_russian(page):
    """All words of ours are Russian; names, addresses, commands and what personas say stay as they are."""
    assert page.locator("html").get_attribute("lang") == "ru"
    theirs = (
        "code, pre, .languages, .crumb strong, h3, .row, .card h2, .card .doing, .card .task, .card .where, .lines, "
        ".who h1, dd, .act, .soft, .plan span, .strip, .broad li, .acquaintances, .places, .stream > ol, .track, "
        ".notice, [data-part=feed] option"
    )
    ours = page.evaluate(
        """(theirs) => {
            const copy = document.body.cloneNode(true);
            copy.querySelectorAll(theirs + ', script, style, noscript').forEach((one) => one.remove());
            const said = [...copy.querySelectorAll('[aria-label], [title], [placeholder]')].flatMap((one) =>
                ['aria-label', 'title', 'placeholder'].map((key) => one.getAttribute(key) ?? ''));
            return [copy.textContent, ...said].join('\\n');
        }""",
        theirs,
    )
    known = {"JavaScript", "run", "recorded", "nobody", "start", "path", "tester", "mode", "N"}
    unknown = set(re.findall(r"[A-Za-z]+", ours)) - known
    assert not unknown, unknown
    assert re.search(r"[\u0430-\u044f]", ours)
