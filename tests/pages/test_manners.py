"""Good manners of all pages: keyboard, names for what can be pressed, contrast, stillness, two languages, any width."""

import io
import re

import pytest
from page_manners import SETTLED, check_buttons, check_contrast, check_names, check_russian, check_width, shows
from PIL import Image
from playwright.sync_api import expect
from waiting import comes_to, until

STATE = "/replay_persona_state/recorded/3100/Isabella_Rodriguez/"
PAGES = {
    "landing": ("/", "front"),
    "start": ("/simulator_home", "start"),
    "replay": ("/replay/recorded/2990/", "town"),
    "demo": ("/demo/recorded/2990/3/", "town"),
    "state": (STATE, "state"),
    "path_tester": ("/path_tester/", "town"),
    "not_found": ("/replay/nobody/0/", None),
}
SHOWROOM = {
    "compare": ("/compare/plain/told/", "town"),
    "studies": ("/study/", None),
    "study": ("/study/party/", "study"),
    "wallet": ("/wallet/", None),
}
"""Pages that need two runs, a study or a wallet."""
WIDTHS = {"desktop": (1280, 720), "phone": (390, 844)}
HALF_IS_MAP = """() => {
    const { top, bottom, width } = document.querySelector(".town-view").getBoundingClientRect();
    return width * (Math.min(bottom, innerHeight) - Math.max(top, 0)) >= (640 * 400) / 2;
}"""
"""Whether half of a window of 640 × 400 pixels shows the map."""
NAMELESS = """() => [...seen].filter((one) => !one.getAttribute('aria-label') && !one.textContent.trim()
    && !one.labels?.length).map((one) => one.outerHTML)"""
CYRILLIC = re.compile("[\u0400-\u04ff]")
AT_THIS_MOMENT = "В этот момент"  # noqa: RUF001 - Russian
EVERY_PAGE = pytest.mark.parametrize("name", [*PAGES, *SHOWROOM])


@pytest.fixture
def place(request, name):
    """The server that has a page."""
    return request.getfixturevalue("gallery" if name in PAGES else "showroom")


def opened(gallery, window, name, page=None, **context):
    """Open a page, in a given browser page or a new one, and return it once it is complete."""
    path, ready = (PAGES | SHOWROOM)[name]
    window.expected = ("404",)
    if page is None:
        return window.open(gallery.address(path), ready=ready, **context)
    page.goto(gallery.address(path), wait_until="networkidle")
    if ready:
        page.wait_for_selector(f"html[data-ready={ready}]")
    return page


@pytest.mark.slow
@EVERY_PAGE
def test_every_page_on_a_desktop(place, window, pictures, name):
    """A page fits its window, serves keyboard and screen reader, is readable, and loads nothing from others."""
    page = window.watch(window.browser.new_context(viewport={"width": 1280, "height": 720}, locale="en-US").new_page())
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    opened(place, window, name, page)
    check_sources(asked, place)
    check_heading(page)
    check_tab_order(page)
    check_names(page.locator("body"))
    check_contrast(page)
    check_widths(page, pictures, name)


def check_widths(page, pictures, name):
    """No page is wider than its window, on a desktop or a phone; a picture of each is kept in artefacts/pages."""
    for width, (wide, high) in WIDTHS.items():
        page.set_viewport_size({"width": wide, "height": high})
        page.wait_for_function(SETTLED)
        page.screenshot(path=pictures / f"{name}-{width}.png")
        check_width(page)


def check_tab_order(page):
    """Tab goes through all links, buttons and fields, and from tabs to the chosen one; each has a name."""
    wanted = page.evaluate(
        """() => [...document.querySelectorAll('a[href], button, input:not([type=hidden]), summary, .town-view')]
            .filter((one) => one.checkVisibility() && one.offsetParent !== null && one.tabIndex >= 0).length"""
    )
    page.evaluate("document.body.focus(), window.seen = new Set(), 0")
    for _ in range(wanted + 2):
        page.keyboard.press("Tab")
        page.evaluate("document.activeElement !== document.body && seen.add(document.activeElement), 0")
    page.wait_for_function("(wanted) => seen.size >= wanted", arg=wanted)
    shows(page, NAMELESS, [])


def check_heading(page):
    """There is one heading of the first level."""
    expect(page.locator("h1")).to_have_count(1)
    expect(page.locator("h1")).to_have_text(re.compile(r"\S"))


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_every_page_on_a_russian_touch_screen(gallery, window, pictures, name):
    """Buttons have room for fingers, at any width, and no text of ours is English, nor what people do."""
    device = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2, "locale": "ru-RU"}
    page = window.watch(window.browser.new_context(viewport={"width": 390, "height": 844}, **device).new_page())
    opened(gallery, window, name, page)
    if page.locator("[data-part=people] .row").count():
        page.locator("[data-part=people] .row").first.tap()
    page.wait_for_function(SETTLED)
    check_russian(page)
    doings = page.locator(".doing")
    comes_to(lambda: [doing for doing in doings.all_inner_texts() if doing and not CYRILLIC.search(doing)], [])
    for wide in (390, 320, 1024):
        page.set_viewport_size({"width": wide, "height": 844})
        page.wait_for_function(SETTLED)
        page.screenshot(path=pictures / f"{name}-touch-{wide}.png")
        check_buttons(page)
        check_width(page)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["replay", "demo"])
def test_the_map_keeps_half_of_a_small_window(gallery, window, pictures, name):
    """At 200 % zoom of 1280 × 800 the map has half of the window, also where the rest was scrolled to."""
    page = opened(gallery, window, name, viewport={"width": 640, "height": 400})
    page.wait_for_function(SETTLED)
    page.screenshot(path=pictures / f"{name}-640.png")
    page.wait_for_function(HALF_IS_MAP)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.screenshot(path=pictures / f"{name}-640-below.png")
    page.wait_for_function(HALF_IS_MAP)


@pytest.mark.slow
def test_the_map_of_a_live_town_keeps_half_of_a_small_window(house, window, pictures):
    """Also with a person chosen, with all controls unfolded, and where the rest was scrolled to."""
    house.engine("recorded", "live")
    page = window.open(house.address("/simulator_home"), viewport={"width": 640, "height": 400}, device_scale_factor=2)
    unfold = page.locator("[data-run=unfold]")
    for act in (lambda: None, page.locator("[data-name='Isabella Rodriguez']").click, unfold.click):
        act()
        for end in ("0", "document.documentElement.scrollHeight"):
            page.evaluate(f"scrollTo(0, {end})")
            page.wait_for_function(SETTLED)
            page.wait_for_function(HALF_IS_MAP)
    page.screenshot(path=pictures / "live-640.png")


@pytest.mark.slow
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
    assert until(lambda: contrast(picture().getpixel((before.width // 4, 2)), ground) >= 3)


def contrast(one, other):
    """As WCAG 2 has it."""
    upper, lower = sorted(map(luminance, (one, other)), reverse=True)
    return (upper + 0.05) / (lower + 0.05)


def luminance(colour):
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_language_can_be_chosen(gallery, window):
    """The switch changes the language and comes back to the same page."""
    page = opened(gallery, window, "state")
    page.locator(".languages button[lang=ru]").click()
    page.wait_for_selector("html[lang=ru][data-ready=state]")
    expect(page).to_have_url(re.compile(STATE))
    expect(page.locator(".box h2").first).to_have_text(AT_THIS_MOMENT)


def test_who_wants_stillness_gets_it(gallery, window):
    """With reduced motion no one glides between tiles and the view jumps instead of flying."""
    page = opened(gallery, window, "demo", reduced_motion="reduce")
    page.locator(".row[data-name]").last.click()
    page.evaluate(
        """async () => {
            const places = [];
            for (let frame = 0; frame < 40; frame += 1) {
                await new Promise(requestAnimationFrame);
                for (const { place } of ville.viewer.town.people.sprites.values()) places.push(...place);
            }
            const { x, targetX, zoom, targetZoom } = ville.viewer.town.camera;
            const between = places.filter((part) => !Number.isInteger(part)).length;
            const flying = [x - targetX, zoom - targetZoom];
            if (between || flying.some(Boolean)) throw new Error(`${between} between tiles, flying by ${flying}`);
        }"""
    )


@pytest.mark.parametrize("density", [1, 2])
def test_the_front_page_is_light(gallery, window, density):
    """Everything it loads comes within a second and a half at 4 Mbit/s: the picture of the town is not sent in full."""
    page = window.open(gallery.address("/"), ready="front", device_scale_factor=density)
    page.wait_for_load_state("load")
    page.wait_for_function("() => document.querySelector('.painted img').naturalWidth >= 1760")
    page.wait_for_function(
        "(most) => performance.getEntries().reduce((sum, one) => sum + (one.encodedBodySize ?? 0), 0) < most",
        arg=750_000,
    )


def check_sources(asked, gallery):
    """Every request goes to the environment server itself."""
    assert asked
    assert [url for url in asked if not url.startswith((f"http://127.0.0.1:{gallery.port}/", "data:", "blob:"))] == []
