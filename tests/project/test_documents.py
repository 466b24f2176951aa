"""Documents are true: links, files, names, settings, programs, flags and prompt commands exist."""

import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest
from documents import BLOCKS, DOCUMENTS, FENCE, ROOT, TEXTS, inline_code, plain, prose, tracked, without_comments
from scripts import run_to_end

import ville
from ville.persona.memory_structures.scratch import KEYS as SCRATCH_KEYS
from ville.persona.memory_structures.scratch import OWN_KEYS
from ville.prompt.commands import COMMANDS, parse
from ville.settings import FIELDS
from ville.settings.sources import NOT_OF_RUNS
from ville.storage.files import compact, pretty
from ville.storage.records.meta import Meta

FOLDERS = (
    "",
    "reverie/backend_server",
    "reverie/backend_server/ville",
    "reverie/backend_server/ville/persona",
    "environment/frontend_server",
)
"""Folders from which documents name files."""
PLACEHOLDER = re.compile(r"[<>*$…]|\b(?:SIM|NAME|OTHER|BASE|NEW|MAP|FILE|N)\b|\briverside|/\d+\.json")
PATH = re.compile(r"[\w.<>+-]+(?:/[\w.<>+-]*)+|[\w-]+\.(?:py|md|json|yaml|yml|toml|txt|csv|sqlite3|png|js|html)")
NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\(\))?")
MAP_SIZE = 300_000
"""Files from this size on are maps and recordings."""
PEOPLE = ("Isabella Rodriguez", "Maria Lopez", "Klaus Mueller", "Sam Moore")


# Links


def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as code hosts make them."""
    headings = re.findall(r"^#+ (.+)$", document.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document):
    """Relative links and pictures are files of the project; their anchors are headings."""
    for target in re.findall(r"\]\(([^)\s]+)\)", TEXTS[document]):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        goal = (ROOT / document).parent / path if path else ROOT / document
        assert goal.exists(), target
        assert not anchor or anchor in anchors(goal), target


def test_translations_have_the_same_blocks_and_links():
    """A translated document has the commands, links and pictures of its original."""
    for name in (name for name in DOCUMENTS if name.endswith(".ru.md")):
        original, translated = TEXTS[name.replace(".ru.md", ".md")], TEXTS[name]
        fences = [[without_comments(text) for _, text in FENCE.findall(each)] for each in (original, translated)]
        assert fences[0] == fences[1]
        links = [re.findall(r"\]\(([^)#\s]+)", text) for text in (original, translated)]
        between = [{link.replace(".ru.md", ".md") for link in found} for found in links]
        assert between[0] == between[1]


# Files and names


@cache
def sources() -> str:
    """Return the names of all files, and the text of all code, settings and templates."""
    names = tracked("*.py", "*.toml", "*.yaml", "*.txt", "*.json", "*.js", "*.html", "*.css", "*.example", ".git*")
    small = [
        name for name in names if (ROOT / name).stat().st_size < MAP_SIZE and not name.startswith("tests/project/")
    ]
    return "\n".join([*tracked(), *((ROOT / name).read_text("utf-8") for name in small)])


@cache
def words() -> frozenset[str]:
    return frozenset(re.findall(r"\w+", sources()))


def is_file(path: str, document: str) -> bool:
    """Check that a file exists; files that only a run makes have to be named in the sources."""
    folders = [ROOT / folder for folder in FOLDERS] + [(ROOT / document).parent]
    if any((folder / path).exists() for folder in folders) or any(name.endswith(f"/{path}") for name in tracked()):
        return True
    return path.rstrip("/").rpartition("/")[2] in sources()


def is_known(name: str) -> bool:
    """Check that the sources use all words of a name; variables of the environment are settings in capitals."""
    return words().issuperset(re.findall(r"\w+", name)) or name.removeprefix("VILLE_").lower() in words()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_files_and_names_exist(document):
    """Paths set as code are files, names set as code are words of the sources."""
    tokens = [token for token in inline_code(document) if not PLACEHOLDER.search(token)]
    paths = [token for token in tokens if PATH.fullmatch(token)]
    names = [token for token in tokens if NAME.fullmatch(token) and token not in paths]
    assert not [path for path in paths if not is_file(path, document)]
    assert not [name for name in names if not is_known(name)]


def test_migration_names_are_in_the_files_it_says():
    """In the pages about older versions, a name that follows a file is in that file."""
    pages = [prose(document) for document in DOCUMENTS if document.startswith("docs/migration/")]
    places = re.findall(r"`([\w/.]+\.py)` `(\w+)`", "\n".join(pages))
    assert len(places) > 40
    for path, name in places:
        files = [ROOT / known for known in tracked("reverie/*.py") if known.endswith(f"/{path}")]
        assert any(re.search(rf"\b{name}\b", file.read_text("utf-8")) for file in files), f"{path} {name}"


def drawn_folders() -> Iterator[Path]:
    """Yield the files and folders in the tree of ARCHITECTURE.md."""
    above: list[str] = []
    tree = next(text for _, text in FENCE.findall(TEXTS["ARCHITECTURE.md"]) if "├──" in text)
    for line in tree.splitlines():
        indent = re.match(r"[│├└─ ]*", line)
        depth = len(indent[0]) // 4 if indent else 0
        for word in line[4 * depth :].split("  "):
            if not re.fullmatch(r"[\w.]+(?:/|\.\w+)", word):
                break
            above[depth:] = [word]
            yield Path(*above)


def test_the_tree_in_architecture_exists():
    drawn = list(drawn_folders())
    assert Path("reverie/backend_server/ville/llm") in drawn
    assert not [str(path) for path in drawn if not (ROOT / path).exists()]


# Settings and file formats


def first_column(document: str, heading: str) -> list[str]:
    """Return the names set as code in the first column of the tables below a heading."""
    section = re.split(r"^## ", TEXTS[document].split(f"\n## {heading}\n")[1], flags=re.MULTILINE)[0]
    cells = re.findall(r"^\| (.*?) \|", section, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def test_settings_exist():
    """Every VILLE_... in a document is a setting, and docs/models.md lists all settings."""
    named = {name.lower() for text in TEXTS.values() for name in re.findall(r"\bVILLE_([A-Z_]*[A-Z])\b", text)}
    keys = {name for name in named if name.endswith("_key")}
    assert not named - keys - set(FIELDS) - set(NOT_OF_RUNS)
    assert not set(FIELDS) - set(first_column("docs/models.md", "All settings"))


def test_the_keys_of_files_are_listed():
    """docs/storage.md lists the keys of scratch.json and meta.json in their order."""
    scratch = [name for name in first_column("docs/storage.md", "`scratch.json`") if re.fullmatch(r"\w+", name)]
    assert scratch == [*SCRATCH_KEYS, *OWN_KEYS]
    assert first_column("docs/storage.md", "`reverie/meta.json`") == [field.name for field in fields(Meta)]


def test_json_examples_are_written_as_files_are():
    """Every JSON example of docs/storage.md has the bytes that a simulation would write."""
    examples = [
        text.removesuffix("\n") for language, text in FENCE.findall(TEXTS["docs/storage.md"]) if language == "json"
    ]
    assert len(examples) > 5
    for text in examples:
        assert text in {write(json.loads(text)) for write in (pretty, compact)}


# Python


def public_calls() -> Iterator[tuple[object, str]]:
    """Yield `ville` or the class of a town, and the name that a document calls on it."""
    holders = {"ville": ville, "town": ville.TownSession}
    for text in TEXTS.values():
        for holder, name in re.findall(r"\b(town|ville)\.(\w+)\(", text):
            yield holders[holder], name


def test_calls_of_the_api_exist():
    """Every `town.NAME(` and `ville.NAME(` in a document can be called."""
    calls = set(public_calls())
    assert len(calls) > 10
    assert not [name for holder, name in calls if not callable(getattr(holder, name, None))]


# Programs and the prompt


@cache
def help_of(*command: str) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("VILLE_")}
    path = {"PYTHONPATH": str(ROOT / "reverie" / "backend_server"), "PYTHONUTF8": "1"}
    arguments = [sys.executable, *command, "--help"]
    ended = run_to_end(arguments, ROOT, clean | path)
    assert ended.code == 0, ended
    return ended.out


def whole_help(script: str, arguments: list[str]) -> str:
    """Return the help of a script, with that of the subcommand if the first argument is one."""
    text = help_of(script)
    subcommands = re.search(r"\{([\w,]+)\}", text)
    is_subcommand = subcommands and arguments[0] in subcommands[1].split(",")
    return text + (help_of(script, arguments[0]) if is_subcommand else "")


def script_of(word: str) -> str | None:
    """Return the path of a script that documents name from one of its usual folders."""
    folders = ("", "reverie/backend_server/", "reverie/", "environment/frontend_server/")
    return next((f"{folder}{word}" for folder in folders if (ROOT / folder / word).is_file()), None)


def python_commands(document: str) -> Iterator[list[str]]:
    """Yield script and arguments of every `python SCRIPT ...` of a document."""
    fenced = [command for block in BLOCKS if block.document == document for command in block.commands]
    for command in map(plain, [*inline_code(document), *fenced]):
        if command.startswith("python "):
            _, *words_of_command = shlex.split(command)
            if words_of_command[0] not in {"-m", "manage.py"}:
                yield words_of_command


@pytest.mark.parametrize("document", DOCUMENTS)
def test_programs_and_flags_exist(document):
    """Every `python SCRIPT --flag` names a script and flags of that script."""
    for word, *arguments in python_commands(document):
        script = script_of(word)
        assert script, word
        for flag in (argument for argument in arguments if argument.startswith("-")):
            assert re.search(rf"(?<![\w-]){flag}\b", whole_help(script, arguments)), f"{script} {flag}"


def typed_lines() -> Iterator[str]:
    """Yield what documents offer to be typed at the prompt, in blocks (after the two names) and in sentences."""
    sentence = re.compile(r"(?:run|print|call --|estimate) (?!.*(?:\.\.\.|…)).+")
    for block in BLOCKS:
        yield from block.typed.splitlines()[2:]
    for document in DOCUMENTS:
        for token in inline_code(document):
            if sentence.fullmatch(token) and token not in {form.words for form in COMMANDS}:
                yield token.replace("NAME", PEOPLE[0])


def test_prompt_commands_exist():
    lines = list(typed_lines())
    assert len(lines) > 20
    for line in lines:
        parse(line, PEOPLE)
