"""Flags of AGA's command lines."""

from pathlib import Path

import pytest

from ville.cli import offline_command as reverie_offline
from ville.cli import prompt_command as reverie
from ville.settings import load_settings
from ville.settings.older_names import SWITCHES

MIGRATION = Path(__file__).resolve().parents[3] / "MIGRATION.md"
INTERVIEW = ["-c", "--call", "-q", "--question"]
HEADLESS = ["-o", "-t", "-s", "--step", "--target"]


@pytest.mark.parametrize("flag", [*INTERVIEW, *HEADLESS])
@pytest.mark.parametrize("value", [[], ["something"]])
def test_a_flag_of_the_other_command_names_the_section_to_read(capsys, flag, value):
    """One line, before anything starts, with the section to read."""
    with pytest.raises(SystemExit) as ended:
        reverie.main([flag, *value])
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert said.count("\n") == 1
    assert f"{flag} is a flag of" in said
    assert "MIGRATION.md, section 2" in said
    chapters = MIGRATION.read_text("utf-8").split("\n## ")
    (chapter,) = (each for each in chapters if each.startswith("2. "))
    assert "AGA" in chapter


@pytest.mark.parametrize("command", [reverie_offline, reverie])
@pytest.mark.parametrize(
    ("flag", "settings"),
    [
        ("--disable_policy", {"policy_store": "none", "social_memory": True}),
        ("--disable-policy", {"policy_store": "none", "social_memory": True}),
        ("--disable_relationship", {"policy_store": "public", "impressions": False, "social_memory": False}),
        ("--mind_wandering", {"mind_wandering": True}),
    ],
)
def test_a_flag_changes_the_defaults_of_aga(command, flag, settings):
    """One thing is switched, and the rest stays as AGA has it."""
    given = vars(command._parser().parse_args(["--preset", "aga", flag]))
    found = load_settings({name: given[name] for name in (*command.FLAGS, *SWITCHES)}, {})
    assert {name: getattr(found, name) for name in settings} == settings


@pytest.mark.parametrize("steps", ["-s", "--step", "--steps"])
def test_common_flags_are_accepted(capsys, steps):
    """AGA's -o, -t and -s (or --step) mean the same here."""
    assert reverie_offline.main(["-o", "nowhere", "-t", "new", steps, "5"]) == 1
    assert "nowhere" in capsys.readouterr().err


@pytest.mark.parametrize(("given", "says"), [(["-t", "new"], "-s or --until"), (["-s", "5"], "-t ")])
def test_what_is_missing_is_one_line(capsys, given, says):
    """AGA forked to a folder called None, and failed after a step."""
    assert reverie_offline.main(["-o", "base_the_ville_isabella_maria_klaus", *given]) == 1
    said = capsys.readouterr().err
    assert (said.count("\n"), says in said) == (1, True)


def test_three_people_are_the_default(tmp_path, monkeypatch):
    """A run without an origin forks the base of three."""
    folder = Path(__file__).resolve().parents[3] / "environment/frontend_server/storage"
    name = reverie_offline.BASE
    (tmp_path / "storage").mkdir()
    (tmp_path / "storage" / name).symlink_to(folder / name)
    monkeypatch.setenv("VILLE_FS_STORAGE", str(tmp_path / "storage"))
    assert reverie_offline.main(["-t", "new", "-s", "1"]) == 0
    assert len(list((tmp_path / "storage/new/personas").iterdir())) == 3
