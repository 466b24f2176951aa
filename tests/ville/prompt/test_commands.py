"""A command at the prompt is one row of a table, which parsing, help, completion and documents follow."""

from pathlib import Path

import pytest
from changed_copy import ChangedCopy

from ville.prompt.commands import COMMANDS

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "README.md"
ROW = """COMMANDS = (
    Phrase("print neighbors", Shows(lambda of, name: f"{name}: {len(of.town.personas) - 1}"), "others here", PERSONA),
"""
SESSION = """
import io, json, sys
from ville.cli import prompt_command
from ville.prompt.commands import COMMANDS
from ville.prompt.commands import completions

out, sys.stdout = sys.stdout, io.StringIO()
sys.stdin = io.StringIO("base\\nfirst\\nhelp\\nprint neighbors ada\\nrun 2\\nsave\\nprint neighbors Ben @1\\nexit\\n")
code = prompt_command.main([])
offered = [*completions("print nei", []), *completions("print neighbors A", ["Ada Stone"])]
row = [COMMANDS[0].words, COMMANDS[0].notation, COMMANDS[0].description]
print(json.dumps({"code": code, "said": sys.stdout.getvalue(), "offered": offered, "row": row}), file=out)
"""


def test_a_command_that_is_added_is_known_everywhere(tmp_path, small_town):
    """It is listed, completed, carried out for a persona, also as of an earlier moment, and wanted by the documents."""
    copy = ChangedCopy.of_package(tmp_path / "copy", "prompt/commands.py", "COMMANDS = (\n", ROW)
    folders = {"VILLE_FS_STORAGE": "storage", "VILLE_FS_TEMP_STORAGE": "temp", "VILLE_ASSETS": "assets"}
    told = copy.tells(SESSION, **{name: str(small_town.root / folder) for name, folder in folders.items()})
    assert told["code"] == 0
    assert "Enter option: print neighbors NAME  " in told["said"]
    assert "Ada Stone: 2\n" in told["said"]
    assert "first@1: February 13, 2023, 00:01:00\nBen Reed: 2\n" in told["said"]
    assert told["offered"] == ["print neighbors ", "print neighbors Ada Stone"]
    assert told["row"] == ["print neighbors", "NAME", "others here"]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.words)
def test_documents_list_the_commands_of_the_table(command):
    """docs/README.md has a row for each."""
    notation = command.notation.replace("|", "\\|")
    assert f"| `{command.words}` | {notation} | {command.description} |\n" in DOCUMENT.read_text("utf-8")
