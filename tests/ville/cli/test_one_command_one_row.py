"""A command line is a module and a row of a table, which scripts, installed commands and documents agree with."""

import re
import tomllib
from pathlib import Path

import pytest
from changed_copy import ChangedCopy

from ville.cli.start_command import main
from ville.command_lines import COMMANDS, START, typed
from ville.version import VERSION

ROOT = Path(__file__).resolve().parents[3]
ROW = """COMMANDS: Mapping[str, ShellCommand] = {
    "count": ShellCommand("reverie/count.py", "how many words there are"),"""
COUNT = '''"""Count words."""
import argparse, json

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("words", nargs="+")
    print(json.dumps({"program": parser.prog, "words": len(parser.parse_args().words)}))
    return 0
'''


def test_a_command_that_is_added_runs(tmp_path):
    """As `ville count` and by the function that its script and its installed command import."""
    copy = ChangedCopy.of_package(tmp_path, "command_lines.py", "COMMANDS: Mapping[str, ShellCommand] = {", ROW)
    (tmp_path / "ville/cli/count_command.py").write_text(COUNT, "utf-8")
    told = copy.tells("from ville.cli.entry_points import start; start()", "count", "a", "b")
    assert told == {"program": "-c count", "words": 2}
    assert copy.tells("from ville.cli.entry_points import count; count()", "a")["words"] == 1


def test_scripts_and_installed_commands_are_those_of_the_table():
    """Each script runs the command of its row; pip installs one command, which has the others as words."""
    for name, command in COMMANDS.items():
        if command.script and name != START:
            assert re.search(rf"\b{name}\(\)", (ROOT / command.script).read_text("utf-8")), command.script
    installed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    assert installed == {"ville": f"ville.cli.entry_points:{START}"}


def test_documents_list_the_commands_of_the_table():
    """docs/README.md has the rows, in this order."""
    rows = [
        f"| `{typed(name, in_clone=False)}` | {f'`{command.script}`' if command.script else ''} | {command.does} |\n"
        for name, command in COMMANDS.items()
    ]
    assert "".join(rows) in (ROOT / "docs/README.md").read_text("utf-8")


def test_help_says_what_each_command_does(capsys):
    """`ville --help`, a line each."""
    with pytest.raises(SystemExit):
        main(["--help"])
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert {f"ville {name} {command.does}" for name, command in COMMANDS.items() if name != START} <= {*lines}


def test_the_version_is_told(capsys):
    """Whoever reports a fault can say which one they have."""
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"The Ville {VERSION}\n"
