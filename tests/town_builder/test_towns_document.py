"""docs/towns.md is correct: its example builds with its commands, and its lists are complete."""

import re
import shlex
from pathlib import Path

import pytest
import yaml

import build_people
import build_town
from town_builder.art.buildings.facades import FACADES
from town_builder.art.buildings.floors import FLOORS
from town_builder.art.buildings.wallpapers import WALLPAPERS
from town_builder.art.ground.ground import TERRAINS
from town_builder.art.palette import RAMPS
from town_builder.cast.cast_file import IN_BASE, NEEDED, OPTIONAL, TOP
from town_builder.plan import town_file
from town_builder.stamps import load_stamps

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs/towns.md").read_text(encoding="utf-8")
SHELLS = {"environment/build_town.py": build_town.main, "environment/build_people.py": build_people.main}
TOWNS, STAGE = "environment/town_builder/towns", "environment/frontend_server"
CATALOGUES = {
    "Grounds": TERRAINS,
    "Floors": FLOORS,
    "Walls": WALLPAPERS,
    "Facades": FACADES,
    "Colours": RAMPS,
    "Stamps": load_stamps(),
    "Variants": [word for name, stamp in load_stamps().items() if stamp.variants for word in (name, *stamp.variants)],
}


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL)


def words_of(command, folder):
    """Return the words after `python`, with the document's folders replaced by those of the test."""
    words = [
        word.replace(TOWNS, f"{folder}/towns").replace(STAGE, f"{folder}/stage") for word in shlex.split(command)[1:]
    ]
    if words[1] == "build":
        words += ["--out", f"{folder}/stage" + ("/static_dirs/assets" if "town" in words[0] else "")]
    return words


def test_the_example_builds_with_its_own_commands(tmp_path, capsys):
    """Both example files with all commands give no error and no warning."""
    (tmp_path / "towns").mkdir()
    names = re.findall(rf"^`{TOWNS}/(.*?)`:$", DOCUMENT, re.MULTILINE)
    for name, text in zip(names, blocks("yaml"), strict=False):
        (tmp_path / "towns" / name).write_text(text, encoding="utf-8")
    for command in blocks("sh")[0].splitlines():
        shell, *words = words_of(command, tmp_path)
        assert SHELLS[shell](words) == 0, command
        assert ": warning:" not in capsys.readouterr().out
    maze = tmp_path / "stage/static_dirs/assets/riverside"
    visuals = {path.name for path in (maze / "visuals").iterdir()}
    assert visuals == {"riverside.json", "preview.png", "overview.webp", "front.webp", "front_large.webp", "tilesets"}
    assert (tmp_path / "stage/storage/base_riverside/reverie/meta.json").is_file()


def test_every_snippet_is_yaml():
    """All examples of the file format can be parsed."""
    for text in blocks("yaml"):
        for part in [text] if "\n- " in text or not text.startswith("{") else text.splitlines():
            assert yaml.safe_load(part)


def test_every_key_is_explained():
    """Every key of town files and people files occurs in the document."""
    for key in sorted({*TOP, *NEEDED, *OPTIONAL, *IN_BASE, *town_file.KEYS}):
        assert re.search(rf"(`|^ *|\{{)(\*\*)?`?{key}(`|:)", DOCUMENT, re.MULTILINE), key


@pytest.mark.parametrize("title", CATALOGUES)
def test_every_name_is_listed(title):
    """The document lists exactly the names that town files may use, in the same order."""
    listed = DOCUMENT.split(f"**{title}**")[1].split("\n\n")[1]
    assert re.findall(r"`(.*?)`", listed.replace("\n", " ")) == list(CATALOGUES[title])
