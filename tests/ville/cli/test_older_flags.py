"""Flags of AGA's command lines."""

from pathlib import Path

import pytest

from ville.cli import offline as reverie_offline
from ville.cli import prompt as reverie

MIGRATION = Path(__file__).resolve().parents[3] / "MIGRATION.md"
POLICY = ["--disable_policy", "--disable-policy", "--disable_relationship", "--mind_wandering"]
INTERVIEW = ["-c", "--call", "-q", "--question"]
HEADLESS = ["-o", "-t", "-s", "--step", "--target"]


@pytest.mark.parametrize(
    ("main", "flag", "section"),
    [
        *((reverie_offline.main, flag, 8) for flag in POLICY),
        *((reverie_offline.main, flag, 2) for flag in INTERVIEW),
        *((reverie.main, flag, 8) for flag in POLICY),
        *((reverie.main, flag, 2) for flag in [*INTERVIEW, *HEADLESS]),
    ],
)
@pytest.mark.parametrize("value", [[], ["something"]])
def test_an_unsupported_flag_names_the_section_to_read(capsys, main, flag, section, value):
    """One line, before anything starts, with the section to read."""
    with pytest.raises(SystemExit) as ended:
        main([flag, *value])
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert said.count("\n") == 1
    assert f"{flag} is a flag of" in said
    assert f"MIGRATION.md, section {section}" in said
    chapters = MIGRATION.read_text("utf-8").split("\n## ")
    (chapter,) = (each for each in chapters if each.startswith(f"{section}. "))
    assert "AGA" in chapter


def test_common_flags_are_accepted(capsys):
    """AGA's -o, -t and -s (or --step) mean the same here."""
    assert reverie_offline.main(["-o", "nowhere", "-t", "new", "--step", "5"]) == 1
    assert "nowhere" in capsys.readouterr().err
