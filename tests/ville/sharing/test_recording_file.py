"""One file that may load nothing, in which words cannot be markup, and of which no byte is private."""

import json
import re
import shutil

import pytest
from drawn_map import draw_map
from shared_contents import data_of, everything_in, hash_in_policy, policy_of

from ville.analysis.comparison.compared_run import find_run
from ville.sharing.recording_file import RecordingFile, initials
from ville.sharing.shared_recording import SharedRecording
from ville.sharing.shared_span import SharedSpan
from ville.storage.files import pretty

NASTY = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


def file_of(town):
    run = find_run(town.settings.fs_storage, town.root / "none", "lived")
    return RecordingFile(SharedRecording(run, SharedSpan.of(run, "09:00", "13:00")), town.settings.assets)


@pytest.fixture(scope="module")
def text(lived):
    draw_map(lived)
    return file_of(lived).text()


def test_no_byte_of_an_interview_is_in_the_file(text, secrets, lived):
    """Nor of a talk with a user, nor a path of this machine: all that is packed is looked at unpacked."""
    whole = everything_in(text)
    assert "Ada Stone" in whole
    assert not [words for words in (*secrets, str(lived.root), "interviews.sqlite3") if words in whole]


def test_a_file_runs_its_own_script_only_and_loads_nothing(text):
    """The policy names the digest of its one script and one style; there is no address but those that hold data."""
    policy = policy_of(text)
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    assert f"script-src {hash_in_policy(script)};" in policy
    assert f"style-src {hash_in_policy(style)};" in policy
    assert policy.startswith("default-src 'none'; img-src data: blob:;")
    markup = text.replace(script, "").replace(style, "")
    assert all(address.startswith("data:") for address in re.findall(r'(?:src|href)="([^"]*)"', markup))
    assert not re.findall(r"url\(|@import", style)


def test_words_are_never_markup(lived, tmp_path):
    """Whatever people say, think, or are called: it is in the data, and nowhere in the markup."""
    town = type(lived)(tmp_path)
    shutil.copytree(lived.root / "storage" / "lived", tmp_path / "storage" / "lived")
    shutil.copytree(lived.root / "assets" / "small" / "matrix", tmp_path / "assets" / "small" / "matrix")
    draw_map(town)
    root = tmp_path / "storage" / "lived"
    nodes = root / "personas/Ada Stone/bootstrap_memory/associative_memory/nodes.json"
    values = json.loads(nodes.read_text("utf-8"))
    values["node_1"]["description"] = NASTY
    nodes.write_text(json.dumps(values), "utf-8")
    (root / "reverie/title.json").write_text(pretty({"title": NASTY[:80]}), "utf-8")
    text = file_of(town).text()
    assert NASTY in data_of(text)["texts"]
    assert "alert(" not in text.replace("&lt;", "").replace("script&gt;alert(1)", "").replace("onerror=alert(2)", "")
    assert text.count("<script") == len(re.findall(r"</script>", text))


def test_pictures_and_places_are_in_the_file(text):
    """The map, the people, and the names that are written on it."""
    assert re.findall(r'<img id="(\w+)"', text) == ["below", "above", "people"]
    places = data_of(text)["places"]
    assert {"Hill Cafe", "Ada's flat"} <= {place["name"] for place in places}
    assert {place["kind"] for place in places} == {"sector", "home", "arena"}


def test_initials_tell_people_apart():
    """As long as letters of their first names do."""
    names = ("Jane Moreno", "Jennifer Moore", "Joe Miller", "Ann")
    assert len({*initials(names).values()}) == len(names)
