"""Static files: kept for ever, sent small, and replaced by users."""

import gzip
import http.client
import io
import re
from contextlib import closing

import pytest
from django.templatetags.static import static
from PIL import Image, ImageChops

from translator.static.page_modules import imported_modules
from translator.storage.static import static_copies
from translator.storage.static.static_files import listing

SCRIPT = "const words = 'The quick brown fox';\n" * 100


@pytest.fixture
def house(stage, settings, tmp_path):
    """Our files, and the assets of a user before them."""
    stage.put("ours/js/fox.js", SCRIPT)
    stage.put("ours/assets/small/note.txt", "ours")
    settings.STATICFILES_DIRS = [("assets", tmp_path / "assets"), tmp_path / "ours"]
    settings.STATIC_CACHE = tmp_path / "copies"
    return stage


def body(response):
    return b"".join(response.streaming_content)


@pytest.mark.usefixtures("house")
def test_an_address_with_the_version_is_kept_for_ever(client):
    """One without, or with another, still leads to the file, but is asked for again each time."""
    lasting = client.get(static("js/fox.js"))
    assert (body(lasting), "immutable" in lasting["Cache-Control"]) == (SCRIPT.encode(), True)
    for address in ("/static/js/fox.js", "/static/0123456789ab/js/fox.js"):
        response = client.get(address)
        assert body(response) == SCRIPT.encode()
        assert response["Cache-Control"] == "no-cache"
        assert client.get(address, headers={"If-None-Match": response["ETag"]}).status_code == 304


def test_a_changed_file_has_another_address(house, client):
    """At the latest a second later; what is behind the old one is what the file says now, and not kept."""
    before = static("js/fox.js")
    house.put("ours/js/fox.js", "changed")
    response = client.get(before)
    assert (body(response), response["Cache-Control"]) == (b"changed", "no-cache")
    assert static("js/fox.js") != before
    house.put("ours/js/hound.js", "new")
    assert "hound" not in before
    assert listing(fresh=True).version not in before


def test_the_assets_of_a_user_come_first(house, client):
    """Also those that are added while the server runs."""
    address = "/static/assets/small/note.txt"
    assert body(client.get(address)) == b"ours"
    house.put("assets/small/note.txt", "yours")
    listing(fresh=True)
    assert body(client.get(address)) == b"yours"


@pytest.mark.parametrize("link", ["assets/small/secret.txt", "assets/small/elsewhere"])
def test_links_that_lead_out_of_the_assets_are_not_served(house, client, tmp_path, link):
    """A map from elsewhere may have one, to a file or a folder of this machine."""
    house.put("secret/secret.txt", "a key")
    house.put("assets/small/note.txt", "yours")
    target = tmp_path / ("secret/secret.txt" if link.endswith(".txt") else "secret")
    (tmp_path / link).symlink_to(target)
    listing(fresh=True)
    address = link if link.endswith(".txt") else f"{link}/secret.txt"
    assert client.get(f"/static/{address}").status_code == 404
    assert body(client.get("/static/assets/small/note.txt")) == b"yours"


@pytest.mark.usefixtures("house")
def test_text_is_sent_compressed(client):
    """To whom accepts it, with the same content; caches in between are told."""
    plain = client.get(static("js/fox.js"))
    small = client.get(static("js/fox.js"), headers={"Accept-Encoding": "gzip, br"})
    assert small["Content-Encoding"] == "gzip"
    assert gzip.decompress(body(small)) == body(plain) == SCRIPT.encode()
    assert int(small["Content-Length"]) < int(plain["Content-Length"]) / 4
    assert "Accept-Encoding" in small["Vary"]
    assert "Accept-Encoding" in plain["Vary"]


def test_pictures_are_sent_as_webp_with_the_same_pixels(house, client):
    """Once they are made, and to whom accepts it; a broken picture is sent as it is."""
    (house.root / "assets" / "small").mkdir(exist_ok=True)
    drawn = Image.effect_noise((64, 64), 40).convert("RGBA")
    drawn.putpixel((3, 3), (255, 0, 0, 0))
    drawn.save(house.root / "assets" / "small" / "drawn.png")
    house.put("assets/small/broken.png", "not a picture " * 100)
    listing(fresh=True)
    static_copies.prepare()
    address = static("assets/small/drawn.png")
    png = client.get(address, headers={"Accept": "image/png"})
    webp = client.get(address, headers={"Accept": "image/avif,image/webp,*/*"})
    assert [one["Content-Type"] for one in (png, webp)] == ["image/png", "image/webp"]
    assert png["Vary"] == webp["Vary"] == "Accept"
    shown = [Image.open(io.BytesIO(body(one))).convert("RGBA") for one in (png, webp)]
    visible = [Image.composite(one, Image.new("RGBA", one.size), one.getchannel("A")) for one in shown]
    assert ImageChops.difference(*visible).getbbox(alpha_only=False) is None
    broken = client.get(static("assets/small/broken.png"), headers={"Accept": "image/webp"})
    assert (body(broken)[:3], broken["Content-Type"]) == (b"not", "image/png")


def test_without_a_place_for_copies_files_are_sent_as_they_are(house, client, settings):
    """A folder that cannot be written costs time only."""
    house.put("file", "")
    settings.STATIC_CACHE = house.root / "file" / "copies"
    static_copies.prepare()
    assert body(client.get(static("js/fox.js"), headers={"Accept-Encoding": "gzip"})) == SCRIPT.encode()


def test_a_page_names_every_module_that_its_script_needs(stage, client):
    """So that none waits for another: the closure of all imports, each with the version."""
    stage.save("run", stage.walk(8))
    page = client.get("/replay/run/2/").content.decode()
    needed = imported_modules("js/pages/recording.js")
    assert len(needed) > 20
    for name in needed:
        found = re.findall(
            r"""^(?:import|\} from|export)\b.*["']\./([^"']+)""", listing().files[name].read().decode(), re.MULTILINE
        )
        folder = name.rpartition("/")[0]
        assert {f"{folder}/{module}" for module in found} <= set(needed)
    for name in needed[1:]:
        assert f'<link rel="modulepreload" href="{static(name)}">' in page


def test_everything_that_a_page_names_is_lasting_and_small(stage, port):
    """A real server: each static address in the pages, as a browser asks for it."""
    stage.save("run", stage.walk(8))
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=300)) as line:
        for page in ("/", "/replay/run/2/", "/replay_persona_state/run/2/Ada_Stone/", "/nowhere"):
            _, text = ask(line, page)
            addresses = set(re.findall(r"/static/[^\"\s]+\.\w+", gzip.decompress(text).decode()))
            assert addresses
            for address in addresses:
                headers, _ = ask(line, address)
                assert "immutable" in headers["Cache-Control"], address
                if address.endswith((".js", ".css")) and int(headers["Content-Length"]) > static_copies.SMALLEST:
                    assert headers["Content-Encoding"] == "gzip", address


def ask(line, address):
    """Headers and body of an answer, as a browser asks."""
    line.request("GET", address, headers={"Accept-Encoding": "gzip", "Accept": "image/webp,*/*"})
    answer = line.getresponse()
    return answer.headers, answer.read()
