"""Where what is made lies: in a clone, or in a folder of the user."""

import os

import pytest
from new_home import new_home

from ville import home
from ville.cli.init_command import FOLDERS, begin_home, make_home
from ville.command_lines import COMMANDS, typed
from ville.errors import BadSetting
from ville.settings import load_settings


@pytest.fixture
def installed(monkeypatch):
    """The package as it is when it does not lie in a clone."""
    monkeypatch.setattr(home, "IN_CLONE", False)


def test_a_clone_is_its_own_home_wherever_one_types(tmp_path):
    assert home.found_home({}, tmp_path) == home.Home(home.SHIPPED, is_clone=True)


def test_the_home_that_is_named_wins(tmp_path):
    """Also over a clone; relative to the present folder."""
    assert home.found_home({"VILLE_HOME": "town"}, tmp_path) == home.Home(tmp_path / "town", is_clone=False)


@pytest.mark.usefixtures("installed")
def test_an_installed_package_looks_for_the_nearest_home(tmp_path):
    """As git looks for a repository; without one, the present folder would become it."""
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert home.found_home({}, below).root == below
    new_home(tmp_path)
    assert home.found_home({}, below).root == tmp_path
    new_home(tmp_path / "a")
    assert home.found_home({}, below).root == tmp_path / "a"


@pytest.mark.usefixtures("installed")
def test_the_home_of_somebody_else_is_not_found_from_below(tmp_path, monkeypatch):
    """On a shared machine: its settings would say where texts go."""
    below = tmp_path / "mine"
    below.mkdir()
    new_home(tmp_path)
    own = os.geteuid()
    monkeypatch.setattr(home.os, "geteuid", lambda: own + 1)
    assert home.found_home({}, below).root == below
    assert home.found_home({"VILLE_HOME": str(tmp_path)}, below).root == tmp_path


def test_what_is_not_a_home_yet_is_refused_with_what_to_type(tmp_path, monkeypatch):
    """Nothing is silently empty."""
    monkeypatch.setattr(home, "HOME", home.Home(tmp_path, is_clone=False))
    with pytest.raises(BadSetting, match="ville init"):
        load_settings(environment={})
    assert not list(tmp_path.iterdir())


def test_a_home_has_what_a_town_needs_and_keeps_what_a_user_changed(tmp_path):
    """Made again after an update, it gets what is missing, and nothing else changes."""
    make_home(tmp_path)
    assert (tmp_path / "storage" / "base_the_ville_n25" / "reverie" / "meta.json").is_file()
    assert (tmp_path / "assets" / "the_ville" / "matrix").is_dir()
    assert (tmp_path / "compressed_storage" / "a_day_of_three").is_dir()
    assert (tmp_path / "examples" / "many_runs.ipynb").is_file()
    changed = tmp_path / "storage" / "base_the_ville_isabella" / "reverie" / "meta.json"
    changed.write_text("mine", "utf-8")
    (tmp_path / ".env").write_text("VILLE_SEED=7\n", "utf-8")
    new = tmp_path / "storage" / "base_the_ville_n25"
    new.rename(tmp_path / "elsewhere")
    make_home(tmp_path)
    assert changed.read_text("utf-8") == "mine"
    assert (tmp_path / ".env").read_text("utf-8") == "VILLE_SEED=7\n"
    assert new.is_dir()


@pytest.mark.parametrize("there", ["thesis.docx", ".secrets", "storage"])
def test_a_folder_with_something_in_it_is_not_made_a_home_unasked(tmp_path, there):
    """It may be of another program; the line names what is there, and the command."""
    (tmp_path / there).mkdir()
    with pytest.raises(BadSetting, match=rf"\({there}\).*ville init"):
        begin_home(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == [there]


def test_an_empty_folder_is_made_a_home(tmp_path, capsys):
    """A virtual environment or a repository in it does not count."""
    (tmp_path / ".venv").mkdir()
    begin_home(tmp_path)
    assert str(tmp_path) in capsys.readouterr().out
    assert {*FOLDERS, home.MARK, ".env"} <= {each.name for each in tmp_path.iterdir()}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_named_as_the_user_can_type_it(name):
    """A script of a clone is there; what is installed begins with the one installed command."""
    program, *rest = typed(name, "a name").split()
    assert program == "python" and (home.SHIPPED / rest[0]).is_file() if COMMANDS[name].script else program == "ville"
    assert typed(name, "a name", in_clone=False).startswith("ville")
    assert typed(name, "a name").endswith("'a name'")
