"""Good manners of all pages: keyboard, names for what can be pressed, contrast, stillness, two languages, any width."""

import io
import re

import pytest
from PIL import Image

STATE = "/replay_persona_state/recorded/3100/Isabella_Rodriguez/"
PAGES = {
    "landing": ("/", None),
    "start": ("/simulator_home", None),
    "replay": ("/replay/recorded/2990/", "town"),
    "demo": ("/demo/recorded/2990/3/", "town"),
    "state": (STATE, "state"),
    "path_tester": ("/path_tester/", "town"),
    "not_found": ("/replay/nobody/0/", None),
}
WIDTHS = {"desktop": (1280, 720, 1), "sharp": (1280, 720, 2), "phone": (390, 844, 2)}
AT_THIS_MOMENT = "В этот момент"  # noqa: RUF001 - Russian
EVERY_PAGE = pytest.mark.parametrize("name", PAGES)


def opened(gallery, window, name, **context):
    path, ready = PAGES[name]
    window.expected = ("404",)
    return window.open(gallery.address(path), ready=ready, **context)


@EVERY_PAGE
@pytest.mark.parametrize("width", WIDTHS)
def test_every_page_fits_its_window(gallery, window, pictures, name, width):
    """No page is wider than its window, at a desk or on a phone; a picture of each is kept in artefacts/pages."""
    wide, high, sharp = WIDTHS[width]
    page = opened(gallery, window, name, viewport={"width": wide, "height": high}, device_scale_factor=sharp)
    page.wait_for_timeout(600)
    page.screenshot(path=pictures / f"{name}-{width}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= wide


@EVERY_PAGE
def test_whatever_can_be_pressed_is_reached_by_tab_and_has_a_name(gallery, window, name):
    """Tab goes through all links, buttons and fields; each says what it is."""
    page = opened(gallery, window, name)
    wanted = page.evaluate(
        """() => [...document.querySelectorAll('a[href], button, input:not([type=hidden]), summary, .town-view')]
            .filter((one) => one.checkVisibility() && one.offsetParent !== null).length"""
    )
    page.evaluate("document.body.focus()")
    seen = page.evaluate("window.seen = new Set(); 0")
    for _ in range(wanted + 2):
        page.keyboard.press("Tab")
        seen = page.evaluate("document.activeElement !== document.body && seen.add(document.activeElement), seen.size")
    assert seen >= wanted
    nameless = page.evaluate(
        """() => [...seen].filter((one) => !one.getAttribute('aria-label') && !one.textContent.trim()
            && !one.labels?.length).map((one) => one.outerHTML)"""
    )
    assert nameless == []


@EVERY_PAGE
def test_every_page_has_one_heading_of_the_first_level(gallery, window, name):
    """Screen readers begin there."""
    page = opened(gallery, window, name)
    assert page.locator("h1").count() == 1
    assert page.locator("h1").inner_text().strip()


SMALL = """(least) => [...document.querySelectorAll("a[href], button, input:not([type=hidden]), summary, label")]
    .filter((one) => one.checkVisibility() && !one.closest(".skip, p:not(.doors) > a:not(.button), code"))
    .filter((one) => !(one.type === "checkbox" && one.closest("label")))
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, { width, height }]) => width < least - 0.01 || height < least - 0.01)
    .map(([one, { width, height }]) => `${width.toFixed()} x ${height.toFixed()}: ${one.outerHTML.slice(0, 120)}`)"""
"""What is too small for a finger; links within a sentence are as high as its lines."""
CUT_OFF = """() => [...document.querySelectorAll("[data-part=controls] button")].filter((one) => {
    const [inner, outer] = [one, one.parentElement].map((box) => box.getBoundingClientRect());
    return one.checkVisibility() && (inner.left < outer.left - 0.01 || inner.right > outer.right + 0.01);
}).map((one) => one.outerHTML)"""


@EVERY_PAGE
@pytest.mark.parametrize("wide", [320, 390, 1024])
def test_fingers_find_room(gallery, window, pictures, name, wide):
    """Where fingers point, whatever can be pressed is at least 40 pixels wide and high, and the page still fits."""
    device = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2, "locale": "ru-RU"}
    page = opened(gallery, window, name, viewport={"width": wide, "height": 844}, **device)
    if page.locator("[data-part=people] .row").count():
        page.locator("[data-part=people] .row").first.tap()
    page.wait_for_timeout(300)
    page.screenshot(path=pictures / f"{name}-touch-{wide}.png")
    assert page.evaluate(SMALL, 40) == []
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= wide


def test_the_slider_is_seen_in_the_readers_own_colours(gallery, window, pictures):
    """With forced colours track, thumb and focus stand out from the ground, each from the other."""
    page = opened(gallery, window, "replay", forced_colors="active")
    slider = page.locator("[data-control=slider]")
    page.locator(".town-view").focus()
    page.screenshot(path=pictures / "replay-forced-colours.png")
    box = slider.bounding_box()
    clip = {key: box[key] + more for key, more in {"x": -6, "y": -6, "width": 12, "height": 12}.items()}

    def picture():
        return Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")

    before = picture()
    middle = before.height // 2
    seen = [before.getpixel((across, middle)) for across in range(before.width)]
    ground, track = before.getpixel((before.width // 4, 1)), seen[before.width // 4]
    thumb = int(before.width * 2990 / 3199)
    assert contrast(track, ground) >= 3
    assert max(contrast(colour, track) for colour in seen[thumb - 12 : thumb + 12]) >= 3
    slider.focus()
    page.keyboard.press("ArrowLeft")
    edge = picture().getpixel((before.width // 4, 2))
    assert contrast(edge, ground) >= 3


def contrast(one, other):
    """As WCAG 2 has it."""
    upper, lower = sorted(map(luminance, (one, other)), reverse=True)
    return (upper + 0.05) / (lower + 0.05)


def luminance(colour):
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


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


@EVERY_PAGE
def test_text_stands_out_from_its_ground(gallery, window, name):
    """Every text has the contrast that WCAG 2 AA asks for."""
    page = opened(gallery, window, name)
    page.wait_for_timeout(300)
    if page.locator(".row").count():
        page.locator(".row").first.click()
    assert page.evaluate(CONTRAST) == []


@EVERY_PAGE
def test_no_english_is_left_on_a_russian_page(gallery, window, name):
    """All words of ours are Russian; names, addresses, commands and what minds say stay as they are."""
    page = opened(gallery, window, name, locale="ru-RU")
    page.wait_for_timeout(500)
    assert page.locator("html").get_attribute("lang") == "ru"
    if page.locator(".row").count():
        page.locator(".row").first.click()
    theirs = (
        "code, pre, .languages, .crumb strong, h3, .row, .card h2, .card .doing, .card .task, .card .where, .lines, "
        ".who h1, dd, .act, .soft, .plan span, .strip, .broad li, .acquaintances, .places, .stream > ol, .track, "
        ".notice"
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
    assert set(re.findall(r"[A-Za-z]+", ours)) <= known
    assert re.search(r"[\u0430-\u044f]", ours)


def test_the_language_can_be_chosen(gallery, window):
    """The switch changes the language and comes back to the same page."""
    page = opened(gallery, window, "state")
    page.locator(".languages button[lang=ru]").click()
    page.wait_for_selector("html[lang=ru][data-ready=state]")
    assert STATE in page.url
    assert page.locator(".box h2").first.inner_text() == AT_THIS_MOMENT


def test_who_wants_stillness_gets_it(gallery, window):
    """With reduced motion nobody glides between tiles and the view jumps instead of flying."""
    page = opened(gallery, window, "demo", reduced_motion="reduce")
    page.locator(".row").nth(4).click()
    found = page.evaluate(
        """async () => {
            const places = [];
            for (let frame = 0; frame < 40; frame += 1) {
                await new Promise(requestAnimationFrame);
                for (const { place } of ville.viewer.town.people.sprites.values()) places.push(...place);
            }
            const { x, targetX, zoom, targetZoom } = ville.viewer.town.camera;
            const between = places.filter((part) => !Number.isInteger(part)).length;
            return { between, flying: [x - targetX, zoom - targetZoom] };
        }"""
    )
    assert found == {"between": 0, "flying": [0, 0]}


@EVERY_PAGE
def test_nothing_comes_from_elsewhere(gallery, window, name):
    """Every request of every page goes to the environment server itself."""
    page = opened(gallery, window, name)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload(wait_until="networkidle")
    assert asked
    assert [url for url in asked if not url.startswith((f"http://127.0.0.1:{gallery.port}/", "data:", "blob:"))] == []
