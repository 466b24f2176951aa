"""A user of the pages: with a mouse, with fingers on a phone, or with the keyboard alone."""

from collections import deque
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar

from picture_rate import EIGHT_A_SECOND
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from waiting import PATIENCE

Tile = list[int]
COLOURS = 192
WALK, MOST_MISSED = 20_000, 10
"""Milliseconds after which a user presses on another tile, and how often."""
MOST_TABS = 150
"""Presses of Tab until a user gives up."""
KEY_OF = {(-1, 0): "ArrowLeft", (1, 0): "ArrowRight", (0, -1): "ArrowUp", (0, 1): "ArrowDown"}
EYES = """
async (tiles) => {
  const { camera, map, density, element, scene } = window.ville.viewer.town;
  const rests = () => Math.hypot(camera.x - camera.targetX, camera.y - camera.targetY) < 1;
  while (!rests()) await new Promise(requestAnimationFrame);
  const { left, top, width, height } = element.getBoundingClientRect();
  const scale = camera.zoom / density;
  const spots = tiles.map(([x, y]) => [
    left + width / 2 + ((x + 0.5) * map.tile - camera.x) * scale,
    top + height / 2 + ((y + 0.5) * map.tile - camera.y) * scale,
  ]);
  const isMap = (x, y) => document.elementFromPoint(x, y) === scene.game.canvas;
  const around = [[0, 0], [-30, 0], [30, 0], [0, -30], [0, 30]];
  const isSeen = ([x, y]) => around.every(([across, down]) => isMap(x + across, y + down));
  return spots.map((spot) => (isSeen(spot) ? spot : null));
}
"""
"""Where in the window tiles of the town are, once the picture rests; null for those that are out of sight, or too
near to a button for a finger."""
OBJECT = """
async (address) => {
  const places = await window.ville.acting.actor.places();
  return places.spotsOf(places.byAddress.get(address)).map(([x, y]) => [x - 0.5, y - 0.5]);
}
"""
"""The tiles on which an object is drawn."""
WALLS = "async () => (await (await fetch('/places/the_ville/')).json()).walls"
STANDS_AT = "([name, tile]) => String(window.ville.positions[name]) === String(tile)"


class User:
    """Sees a page, and acts on it with a mouse and a keyboard."""

    context: ClassVar[dict[str, Any]] = {"viewport": {"width": 1280, "height": 800}, "locale": "en-US"}

    folder = "desk"

    def __init__(self, browser: Browser, pictures: Path | None) -> None:
        self.pictures = pictures
        self.page: Page = browser.new_context(**self.context).new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.page.add_init_script(EIGHT_A_SECOND)
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda fault: self.complaints.append(str(fault)))

    # What differs from user to user.

    def press(self, what: Locator) -> None:
        """Press a button or a link."""
        what.click()

    def tick(self, box: Locator, *, ticked: bool = True) -> None:
        self.press(box)
        expect(box).to_be_checked(checked=ticked)

    def write(self, field: Locator, words: str) -> None:
        """Type words into a field, in place of what is there."""
        field.click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(words)

    def set_time(self, field: Locator, time: str) -> None:
        field.fill(time)

    def choose(self, field: Locator, value: str) -> None:
        """Choose from a list."""
        field.select_option(value)

    def open_tab(self, name: str) -> None:
        self.press(self.page.locator(f"[role=tab][data-tab={name}]"))

    def point_at(self, x: float, y: float) -> None:
        """Press on a point of the map."""
        self.page.mouse.click(x, y)

    def walk(self, visitor: str, way: list[Tile]) -> None:
        """Go along a way: press on the last tile of it that is in sight, again and again; on one before it if that
        does not lead there, because somebody stands on it.
        """
        missed = 0
        while way:
            spots = self.page.evaluate(EYES, way)
            in_sight = [place for place, spot in enumerate(spots) if spot]
            last = in_sight[-1 - missed % len(in_sight)]
            self.point_at(*spots[last])
            if self._comes_to(visitor, way[last]):
                way, missed = way[last + 1 :], 0
            elif (missed := missed + 1) > MOST_MISSED:
                self.sees_at(visitor, way[last])

    def _comes_to(self, name: str, tile: Tile) -> bool:
        try:
            self.page.wait_for_function(STANDS_AT, arg=[name, tile], polling=100, timeout=WALK)
        except PlaywrightTimeout:
            return False
        return True

    def open_object(self, address: str) -> None:
        """Press on an object on the map; it is in sight."""
        spots = self.page.evaluate(EYES, self.page.evaluate(OBJECT, address))
        self.point_at(*next(spot for spot in spots if spot))

    # What all users see.

    def part(self, name: str) -> Locator:
        return self.page.locator(f"[data-part={name}]")

    def run_button(self, name: str) -> Locator:
        return self.page.locator(f"[data-run={name}]")

    @property
    def dialog(self) -> Locator:
        return self.page.locator("dialog[open]").last

    def goes_to(self, address: str) -> None:
        self.page.goto(address)

    def sees(self, what: Locator, words: str | None = None) -> None:
        """Wait until something is there to be seen; it may have to say something, too."""
        expect(what).to_be_visible()
        if words:
            expect(what).to_contain_text(words)

    def takes_a_picture(self, name: str) -> None:
        """Keep what is on the screen, in few colours, if pictures are wanted."""
        if not self.pictures:
            return
        self.pictures.mkdir(parents=True, exist_ok=True)
        screen = Image.open(BytesIO(self.page.screenshot(animations="disabled"))).convert("RGB")
        screen.quantize(COLOURS, dither=Image.Dither.NONE).save(self.pictures / f"{name}.png", optimize=True)

    def sees_the_town(self) -> None:
        self.page.wait_for_selector("html[data-ready=town]")

    def sees_the_run(self, state: str) -> None:
        """Wait until the town runs, is paused, or waits."""
        expect(self.part("status")).to_have_attribute("data-state", state)

    def sees_done(self, words: str) -> None:
        """Wait for the receipt of what was asked for."""
        self.sees(self.part("receipts").locator("li[data-state=done]", has_text=words))

    def sees_people(self, *names: str) -> None:
        for name in names:
            self.sees(self.person(name))

    def person(self, name: str) -> Locator:
        return self.page.locator(f'[data-part=people] .row[data-name="{name}"]')

    def sees_on_the_map(self, name: str) -> Tile:
        """Wait until a persona is drawn, and return where."""
        self.page.wait_for_function("name => window.ville.positions[name]", arg=name, polling=100)
        tile: Tile = self.page.evaluate("name => window.ville.positions[name]", name)
        return tile

    def sees_at(self, name: str, tile: Tile) -> None:
        self.page.wait_for_function(STANDS_AT, arg=[name, tile], polling=100)

    def sees_a_way(self, start: Tile, goal: Tile) -> list[Tile]:
        """Find the shortest way around the walls, as eyes do."""
        walls = self.page.evaluate(WALLS)
        came: dict[str, Tile] = {str(start): start}
        rest = deque([start])
        while str(goal) not in came:
            x, y = here = rest.popleft()
            for across, down in KEY_OF:
                there = [x + across, y + down]
                if str(there) not in came and walls[there[1]][there[0]] == "0":
                    came[str(there)] = here
                    rest.append(there)
        way = [goal]
        while way[-1] != start:
            way.append(came[str(way[-1])])
        return way[-2::-1]


class PhoneUser(User):
    """Taps with a finger on a small screen, and reads Russian."""

    context: ClassVar[dict[str, Any]] = {
        "viewport": {"width": 390, "height": 844},
        "locale": "ru-RU",
        "has_touch": True,
        "is_mobile": True,
    }
    folder = "phone"

    def press(self, what: Locator) -> None:
        what.tap()

    def write(self, field: Locator, words: str) -> None:
        field.tap()
        field.fill(words)  # as a keyboard on the screen does

    def point_at(self, x: float, y: float) -> None:
        self.page.touchscreen.tap(x, y)

    def open_object(self, address: str) -> None:
        find_object(self, address)


class KeyboardUser(User):
    """Has only keys: Tab to get somewhere, Enter and Space to press, arrows to choose and to walk."""

    folder = "keys"

    def reach(self, what: Locator) -> None:
        """Press Tab until something has the focus."""
        expect(what).to_be_visible()
        keys = self.page.keyboard
        for _ in range(MOST_TABS):
            if what.evaluate("each => each === document.activeElement"):
                return
            keys.press("Tab")
        raise AssertionError(f"Tab does not lead to {what}")

    def press(self, what: Locator) -> None:
        self.reach(what)
        self.page.keyboard.press("Enter")

    def tick(self, box: Locator, *, ticked: bool = True) -> None:
        self.reach(box)
        self.page.keyboard.press("Space")
        expect(box).to_be_checked(checked=ticked)

    def write(self, field: Locator, words: str) -> None:
        self.reach(field)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(words)

    def set_time(self, field: Locator, time: str) -> None:
        self.reach(field)
        hour, minute = map(int, time.split(":"))
        self.page.keyboard.type(f"{hour % 12 or 12:02}{minute:02}{'AM' if hour < 12 else 'PM'}")
        expect(field).to_have_value(time)

    def choose(self, field: Locator, value: str) -> None:
        self.reach(field)
        text = field.locator(f'option[value="{value}"]').inner_text()
        self.page.keyboard.type(text)
        expect(field).to_have_value(value)

    def open_tab(self, name: str) -> None:
        """Tab to the open tab, then go to the other with arrows."""
        self.reach(self.page.locator("[role=tab][aria-selected=true]"))
        wanted = self.page.locator(f"[role=tab][data-tab={name}]")
        for _ in range(3):
            if wanted.get_attribute("aria-selected") == "true":
                return
            self.page.keyboard.press("ArrowRight")

    def open_object(self, address: str) -> None:
        find_object(self, address)

    def walk(self, visitor: str, way: list[Tile]) -> None:
        """Press one arrow key after the other."""
        for to in way:
            here = self.sees_on_the_map(visitor)
            self.page.keyboard.press(KEY_OF[to[0] - here[0], to[1] - here[1]])
            self.sees_at(visitor, to)


def find_object(user: User, address: str) -> None:
    """Look for an object in the list of all, by the words of its address."""
    user.press(user.page.locator("[data-deed=object]"))
    _, *words = address.split(":")
    user.write(user.dialog.locator("input[type=search]"), " ".join(words))
    expect(user.dialog.locator(".objects button")).to_have_count(1)
    user.press(user.dialog.locator(".objects button"))
