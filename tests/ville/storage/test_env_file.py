"""A .env file in which variables are changed: nothing else changes, and no one else can read it."""

import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import BadSetting, CannotWrite
from ville.storage.env_file import change_env_file
from ville.storage.folders import read_env_file

LINES = (
    "# a remark",
    "",
    "SEED=7",
    "export LAB='a b' # of mine",
    'FOLDER="C:\\towns\\new"',
    "EMPTY=",
    'TWO="first\nsecond"',
    "  INDENTED = yes",
)
"""Lines of others."""
NAME = "OPENAI_API_KEY"
OURS = ("OPENAI_API_KEY=sk-old", "export OPENAI_API_KEY=sk-older # theirs", "OPENAI_API_KEY=", "openai_api_key='x'")
VALUES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1).filter(
    lambda text: "${" not in text
)


@given(st.lists(st.sampled_from([*LINES, *OURS])), st.sampled_from(["\n", "\r\n"]), st.booleans(), VALUES)
def test_the_variable_has_its_value_and_all_other_lines_are_as_they_were(tmp_path_factory, lines, ending, ends, value):
    """In their order, whatever they are; however often the variable was there, and in whichever letters. Removed again,
    nothing of it is left.
    """
    file = tmp_path_factory.mktemp("project") / ".env"
    file.write_bytes((ending.join(lines) + ending * ends).encode())
    before = read_env_file(file)
    change_env_file(file, {"OPENAI_API_KEY": value})
    after = read_env_file(file)
    assert [found for name, found in after.items() if name.upper() == NAME and found] == [value]
    assert _others(after) == _others(before)
    assert _lines_of_others(file) == [part for line in lines if line not in OURS for part in line.split("\n") if part]
    change_env_file(file, {"OPENAI_API_KEY": ""})
    assert not any(found for name, found in read_env_file(file).items() if name.upper() == NAME)
    assert _lines_of_others(file) == [part for line in lines if line not in OURS for part in line.split("\n") if part]


def _lines_of_others(file):
    lines = file.read_bytes().decode().splitlines()
    return [line for line in lines if line and NAME not in line.partition("=")[0].upper()]


def _others(variables):
    return {name: value for name, value in variables.items() if name.upper() != NAME}


def test_only_its_owner_can_read_it_from_the_first_byte_on(tmp_path, monkeypatch):
    """Also where the old one could be read by all; the draft, too."""
    file = tmp_path / ".env"
    file.write_text("SEED=7\n", "utf-8")
    file.chmod(0o644)
    modes = []
    replace = type(file).replace
    monkeypatch.setattr(type(file), "replace", lambda draft, to: (modes.append(_mode(draft)), replace(draft, to))[1])
    change_env_file(file, {"KEY": "sk-1"})
    assert [*modes, _mode(file)] == [0o600, 0o600]


def _mode(file):
    return stat.S_IMODE(file.stat().st_mode)


def test_what_cannot_be_written_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    """A full disk. What a program left that was killed while it wrote, with a key in it, goes at the next change."""
    file = tmp_path / ".env"
    change_env_file(file, {"KEY": "sk-1"})
    with monkeypatch.context() as patch:
        patch.setattr(type(file), "replace", full_disk)
        with pytest.raises(CannotWrite, match="No space"):
            change_env_file(file, {"KEY": "sk-2"})
    assert read_env_file(file) == {"KEY": "sk-1"}
    (tmp_path / "..env.12.34.tmp").write_text("KEY=sk-3", "utf-8")
    change_env_file(file, {"KEY": "sk-2"})
    assert {each.name for each in tmp_path.iterdir()} == {".env", ".env.lock"}


def full_disk(*_):
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("value", ["${HOME}", "a${SEED}b"])
def test_a_value_that_would_be_read_as_another_one_is_refused(tmp_path, value):
    file = tmp_path / ".env"
    file.write_text("SEED=7\n", "utf-8")
    with pytest.raises(BadSetting, match="KEY"):
        change_env_file(file, {"KEY": value})
    assert file.read_text("utf-8") == "SEED=7\n"


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_stays_one(tmp_path):
    (tmp_path / "shared").write_text("SEED=7\n", "utf-8")
    (tmp_path / ".env").symlink_to("shared")
    change_env_file(tmp_path / ".env", {"KEY": "sk-1"})
    assert (tmp_path / ".env").is_symlink()
    assert read_env_file(tmp_path / "shared") == {"SEED": "7", "KEY": "sk-1"}
