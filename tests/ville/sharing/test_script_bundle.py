"""Scripts of a shared file: those of the pages, in one text, with the translations of their texts."""

import json
import re
import shutil
import subprocess

import pytest

from ville.errors import CorruptFile
from ville.sharing.recording_file import LOCALE, SCRIPTS
from ville.sharing.script_bundle import bundled
from ville.sharing.sky import SKY, sky_at
from ville.sharing.translations import translations

ENTRIES = ("shared_recording.js", "site_index.js", "comparison_report.js", "study_report.js")


def written(folder, **modules):
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text, "utf-8")
    return folder / "entry.js"


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_entry_is_one_whole_script(entry, tmp_path):
    """It imports and exports nothing, needs no server, cannot end its element, and is read by an engine."""
    text = bundled(SCRIPTS / entry)
    assert not re.search(r"^(import|export)\b", text, re.MULTILINE)
    assert not re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|import\(|</script", text)
    node = shutil.which("node")
    if node:
        (tmp_path / "entry.js").write_text(text, "utf-8")
        assert subprocess.run([node, "--check", tmp_path / "entry.js"], check=False).returncode == 0


@pytest.mark.skipif(not shutil.which("node"), reason="there is no node")
def test_modules_are_called_once_in_the_order_of_their_imports(tmp_path):
    """Names that several of them have are their own; renamed imports have their new names."""
    entry = written(
        tmp_path,
        entry='import "./first.js";\nimport { name as other,\n  twice } from "./second.js";\nconst name = "c";\n'
        "console.log(name, other, twice(2));\n",
        first='import { name } from "./second.js";\nconsole.log("first", name);\n',
        second='/** Not code: import { a } from "./b.js"; */\nexport const name = "b";\n'
        'export function twice(number) {\n  return 2 * number;\n}\nconsole.log("second");\n',
    )
    (tmp_path / "all.cjs").write_text(bundled(entry), "utf-8")
    done = subprocess.run([shutil.which("node"), tmp_path / "all.cjs"], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["second", "first b", "c b 4"]


def test_a_circle_of_imports_is_refused(tmp_path):
    """With its way."""
    entry = written(tmp_path, entry='import { b } from "./b.js";\n', b='import { a } from "./entry.js";\n')
    with pytest.raises(CorruptFile, match=r"entry\.js → b\.js → entry\.js"):
        bundled(entry)


def test_texts_come_in_russian_with_their_plural_forms():
    """All that the scripts of a shared recording say, but what is the same in both languages."""
    script = bundled(SCRIPTS / "shared_recording.js")
    words = translations(LOCALE, script)["ru"]
    assert words["Play"] == "Играть" or words["Play"]
    texts = set(re.findall(r'\bgettext\("((?:[^"\\]|\\.)*)"\)', script))
    assert {text for text in texts if text not in words} <= {"%(kind)s: %(who)s"}
    memories = words["%(count)s memory"]
    forms = [memories["forms"][int(memories["takes"][number])] for number in (1, 2, 5, 11, 21, 112)]
    assert forms[0] == forms[4]
    assert forms[2] == forms[3] == forms[5]
    assert len({*forms[:3]}) == 3


def test_pictures_have_the_light_of_the_pages():
    """The table of the sky is that of the scripts."""
    text = (SCRIPTS.parent / "town" / "sky.js").read_text("utf-8")
    table = re.findall(r"const SKY = (\[.*?\n\]);", text, re.DOTALL)[0]
    assert [(hour, tuple(colour)) for hour, colour in json.loads(re.sub(r",\s*\]", "]", table))] == list(SKY)
    assert sky_at(12) == (255, 255, 255)
    assert max(sky_at(2)) < 200
