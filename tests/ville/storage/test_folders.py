"""The folders of both servers."""

from itertools import product
from pathlib import Path

import pytest

from ville import home
from ville.errors import BadSetting
from ville.settings import load_settings
from ville.storage.folders import Folders, read_folders

NAMES = {"fs_storage": "storage", "fs_temp_storage": "temp_storage", "assets": "assets"}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """An empty project folder, also for the settings of the engine."""
    clone = home.Home(tmp_path, is_clone=True)
    clone.settings_folder.mkdir(parents=True)
    monkeypatch.setattr(home, "HOME", clone)
    return clone


def test_without_settings_the_folders_are_those_of_the_environment_server(project):
    """Compressed simulations are beside the saved ones."""
    frontend = project.root / "environment" / "frontend_server"
    names = ("storage", "temp_storage", "compressed_storage", "studies", "static_dirs/assets")
    assert read_folders({}, project) == Folders(*(frontend / name for name in names))


@pytest.mark.parametrize(("utils", "env_file", "environment"), list(product((None, "given", ""), repeat=3)))
@pytest.mark.parametrize("name", NAMES)
def test_the_folders_are_those_of_the_engine(project, name, utils, env_file, environment):
    """Wherever they are set, and where several sources disagree; empty variables count as not set."""
    if utils:
        classic = "maze_assets_loc" if name == "assets" else name
        (project.settings_folder / "utils.py").write_text(f"{classic} = '/a'", "utf-8")
    if env_file is not None:
        project.env_file.write_text(f"VILLE_{name.upper()}={env_file and '/b'}", "utf-8")
    variables = {} if environment is None else {f"VILLE_{name.upper()}": environment and "/c"}
    found = getattr(read_folders(variables, project), NAMES[name])
    places = [("/c", environment), ("/b", env_file), ("/a", utils)]
    expected = next((Path(folder) for folder, text in places if text), None)
    if expected:
        assert found == expected.resolve() == getattr(load_settings(environment=variables), name)
    else:
        assert found.is_relative_to(project.root)


def test_relative_folders_count_from_the_engine(project):
    """As in the utils.py of the released code; compressed simulations move along."""
    text = "fs_storage = '../../away/storage'\nfs_temp_storage = f'{fs_storage}/../temp'"
    (project.settings_folder / "utils.py").write_text(text, "utf-8")
    found = read_folders({}, project)
    assert (found.storage, found.temp_storage) == (project.root / "away" / "storage", project.root / "away" / "temp")
    assert found.compressed_storage == project.root / "away" / "compressed_storage"


@pytest.mark.parametrize("text", ["fs_storage = open('x').read()", "fs_storage = (", "fs_storage = ['a', 'b']"])
def test_a_utils_file_whose_folders_are_unclear_is_refused(project, text):
    """With its name and line: a guess could show the simulations of another folder."""
    (project.settings_folder / "utils.py").write_text(text, "utf-8")
    with pytest.raises(BadSetting, match=r"utils\.py:"):
        read_folders({}, project)
