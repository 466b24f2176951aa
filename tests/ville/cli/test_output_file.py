"""Files for results of commands, as users name them."""

from ville.cli import compare_command, ledger_command, measure_command, story_command, ties_command, why_command


def _places(town):
    return ["--storage", str(town.root / "storage"), "--compressed", str(town.root / "compressed")]


def _commands(where):
    yield measure_command, ["new", *where]
    yield ties_command, ["new", *where]
    yield story_command, ["new", *where]
    yield why_command, ["new", "Ada Stone", *where]
    yield compare_command, ["new", "new", "--no-trace", *where]


def test_every_command_asks_before_it_replaces_a_file(town_after, tmp_path, capsys):
    """In one line; `--replace` agrees, `-` prints the same."""
    path = tmp_path / "found.json"
    where = _places(town_after(3))
    for command, arguments in _commands(where):
        path.write_text("my notes", "utf-8")
        assert command.main([*arguments, "--json", str(path)]) == 1
        refused = capsys.readouterr().err.splitlines()
        assert (len(refused), "--replace" in refused[0]) == (1, True), command
        assert path.read_text("utf-8") == "my notes"
        assert command.main([*arguments, "--json", str(path), "--replace"]) == 0, capsys.readouterr().err
        capsys.readouterr()
        assert command.main([*arguments, "--json", "-"]) == 0
        assert capsys.readouterr().out.strip() == path.read_text("utf-8")
    assert ledger_command.main(["new", *where[:2], "--json", str(path)]) == 1
    assert "--replace" in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["found.json"]
