"""The documents tell the truth: links lead somewhere, names exist, commands run, lists are complete.

Commands that take long, need the network or are run by another test are only compared with what their program knows.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from ville.persona.memory_structures.scratch import KEYS as SCRATCH_KEYS
from ville.settings import FIELDS
from ville.simulation.commands.forms import FORMS
from ville.simulation.commands.parse import parse
from ville.storage.files import compact, pretty
from ville.storage.meta import KEYS as META_KEYS

HOUSE = Path(__file__).resolve().parents[2]


@cache
def tracked(*patterns: str) -> list[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    names = subprocess.run(command, cwd=HOUSE, check=True, capture_output=True, text=True).stdout.splitlines()
    return sorted(name for name in names if (HOUSE / name).is_file())


DOCUMENTS = tracked("*.md")
TEXTS = {name: (HOUSE / name).read_text("utf-8") for name in DOCUMENTS}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


def prose(document: str) -> str:
    """A document without its fenced blocks and without the columns that tell of other houses."""
    lines: list[str] = []
    told: set[int] = set()
    for line in FENCE.sub("", TEXTS[document]).splitlines():
        cells = line.strip().strip("|").split("|") if line.startswith("|") else []
        if not cells:
            told = set()
        elif not told and any(cell.strip().startswith("Was") for cell in cells):
            told = {place for place, cell in enumerate(cells) if cell.strip().startswith("Was")}
        lines.append("|".join(cell for place, cell in enumerate(cells) if place not in told) if cells else line)
    return "\n".join(lines)


# Links


def slug(heading: str) -> str:
    """The anchor of a heading, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchors(document: Path) -> set[str]:
    return {slug(heading) for heading in re.findall(r"^#+ (.+)$", document.read_text("utf-8"), re.MULTILINE)}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_leads_somewhere(document):
    """Relative links and pictures are files of the house; their anchors are headings."""
    for target in re.findall(r"\]\(([^)\s]+)\)", TEXTS[document]):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        goal = (HOUSE / document).parent / path if path else HOUSE / document
        assert goal.exists(), target
        assert not anchor or anchor in anchors(goal), target


# Names

LARGE = 300_000
"""Bytes from which on a file is a map."""
ROOTS = (
    "",
    "reverie/backend_server",
    "reverie/backend_server/ville",
    "reverie/backend_server/ville/persona",
    "environment/frontend_server",
)
PLACEHOLDER = re.compile(r"[<>*$…]|\b(?:SIM|NAME|OTHER|BASE|NEW|MAP|FILE|N)\b|\briverside|/\d+\.json")
"""What a reader has to put in, and what belongs to the example."""
PATH = re.compile(r"[\w.<>+-]+(?:/[\w.<>+-]*)+|[\w-]+\.(?:py|md|json|yaml|yml|toml|txt|csv|sqlite3|png|js|html)")
NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\(\))?")


@cache
def sources() -> str:
    """All that programs and settings say, and what their files are called."""
    names = tracked("*.py", "*.toml", "*.yaml", "*.txt", "*.json", "*.js", "*.html", "*.css", "*.example", ".git*")
    names = [name for name in names if name != "tests/house/test_documents.py"]
    small = [name for name in names if (HOUSE / name).stat().st_size < LARGE]
    return "\n".join([*names, *((HOUSE / name).read_text("utf-8") for name in small)])


@cache
def words() -> frozenset[str]:
    return frozenset(re.findall(r"\w+", sources()))


def is_file(token: str, document: str) -> bool:
    """Whether there is such a file; one that only a run makes has to be named in the sources."""
    roots = [HOUSE / root for root in ROOTS] + [(HOUSE / document).parent]
    if any((root / token).exists() for root in roots) or any(name.endswith(f"/{token}") for name in tracked()):
        return True
    return token.rstrip("/").rpartition("/")[2] in sources()


def is_name(token: str) -> bool:
    """Whether the sources use all of its words; variables of the environment are settings in capitals."""
    setting = token.removeprefix("VILLE_").lower() if token.isupper() else token
    return setting in words() or words().issuperset(re.findall(r"\w+", token))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_files_and_names_exist(document):
    """Whatever a document sets as code and what reads as a path or a name is a file or a word of the sources."""
    tokens = [token for token in CODE.findall(prose(document)) if not PLACEHOLDER.search(token)]
    assert not [token for token in tokens if PATH.fullmatch(token) and not is_file(token, document)]
    assert not [token for token in tokens if NAME.fullmatch(token) and not PATH.fullmatch(token) and not is_name(token)]


def test_faults_are_mended_where_it_is_said():
    """In MIGRATION.md, a name that stands behind a file is in that file."""
    places = re.findall(r"`([\w/.]+\.py)` `(\w+)`", prose("MIGRATION.md"))
    assert len(places) > 40
    for path, name in places:
        files = [HOUSE / known for known in tracked("reverie/*.py") if known.endswith(f"/{path}")]
        assert any(re.search(rf"\b{name}\b", file.read_text("utf-8")) for file in files), f"{path} {name}"


def rooms() -> Iterator[Path]:
    """The files and folders that the drawing of the house in ARCHITECTURE.md shows."""
    above: list[str] = []
    for line in FENCE.findall(TEXTS["ARCHITECTURE.md"])[0][1].splitlines():
        drawn = re.match(r"[│├└─ ]*", line)
        depth = len(drawn[0]) // 4 if drawn else 0
        for word in line[4 * depth :].split("  "):
            if not re.fullmatch(r"[\w.]+(?:/|\.\w+)", word):
                break
            above[depth:] = [word]
            yield Path(*above)


def test_every_room_is_there():
    """The drawing of the house shows what is in it."""
    drawn = list(rooms())
    assert Path("reverie/backend_server/ville/llm") in drawn
    assert not [str(room) for room in drawn if not (HOUSE / room).exists()]


# Commands


class Block(NamedTuple):
    """Commands of one fenced block, and what is typed into the last of them. Translations have the same ones."""

    document: str
    commands: list[str]
    typed: str


NOT_RUN = {
    r"git clone .*": "needs the network",
    r"pip install -r requirements\.txt": "needs the network; start.py does it",
    r"python vendor\.py": "needs the network; start.py does it",
    r"python start\.py.*": "sets up the whole house: tests/front_door",
    r"python -m (mypy|ruff|pytest).*": "start.py test does it",
    r"python environment/build_town\.py adopt .*": "tests/town_builder/test_adopting.py",
    r"python environment/build_town\.py build .*": "tests/town_builder/test_committed_town.py",
}
RUN_BY_OTHERS = {"docs/towns.md": "tests/town_builder/test_towns_document.py"}
FEW = 20
"""Steps that a documented run is cut down to."""
READY = 60
"""Seconds within which a server has to answer."""


def blocks() -> Iterator[Block]:
    for document in (name for name in DOCUMENTS if not name.endswith(".ru.md")):
        fences = FENCE.findall(TEXTS[document])
        for (language, text), (following, typed) in zip(fences, [*fences[1:], ("", "")], strict=False):
            if language == "sh" and document not in RUN_BY_OTHERS:
                lines = (line.partition(" #")[0].strip() for line in text.replace("\\\n", " ").splitlines())
                commands = [part.strip() for line in lines if line for part in line.split("&&")]
                yield Block(document, commands, typed if following == "text" else "")


BLOCKS = list(blocks())


def plain(command: str) -> str:
    """With the Python of the house called `python`."""
    return re.sub(r"^(?:\.\./)*\.venv/bin/python", "python", command)


@pytest.fixture(scope="session")
def copy(tmp_path_factory):
    """The house as a clone would be, with everything installed."""
    root = tmp_path_factory.mktemp("clone")
    for name in tracked():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(HOUSE / name, root / name)
    return root


def surroundings(house: Path = HOUSE) -> dict[str, str]:
    """As of somebody who has set nothing, least of all a key, and installed this house; `python` runs this test too."""
    set_here = re.compile(r"(VILLE_|PYTHON|DJANGO|MODEL_).*|.*_API_KEY", re.IGNORECASE)
    kept = {name: value for name, value in os.environ.items() if not set_here.fullmatch(name)}
    path = os.pathsep.join([str(Path(sys.executable).parent), kept["PATH"]])
    installed = {"PYTHONPATH": str(house / "reverie" / "backend_server")}
    return {**kept, **installed, "PATH": path, "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def carry_out(command: str, folder: Path, typed: str, *, house: Path, port: int) -> Path:
    """Run one command as it stands, but not for long; the folder one is in afterwards."""
    program, *arguments = shlex.split(plain(command))
    if program == "cd":
        return (folder / arguments[0]).resolve()
    if program == "cp":
        shutil.copyfile(folder / arguments[0], folder / arguments[1])
    elif "runserver" in arguments:
        serve(folder, arguments, house=house, port=port)
    else:
        assert program == "python", f"{command}: add what to do with it to this test"
        few = [str(min(int(word), FEW)) if before == "-s" else word for before, word in paired(arguments)]
        ended = subprocess.run(
            [sys.executable, *few], cwd=folder, env=surroundings(house), input=typed, capture_output=True, text=True,
            encoding="utf-8", check=False,
        )  # fmt: skip
        assert ended.returncode == 0, f"{command}\n{ended.stdout}\n{ended.stderr}"
    return folder


def paired(words_of_command: list[str]) -> Iterator[tuple[str, str]]:
    return zip(["", *words_of_command], words_of_command, strict=False)


def serve(folder: Path, arguments: list[str], *, house: Path, port: int) -> None:
    """Start the environment server, see its first page, end it."""
    command = [sys.executable, *arguments[:2], f"127.0.0.1:{port}", "--noreload"]
    with subprocess.Popen(
        command, cwd=folder, env=surroundings(house), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as server:
        try:
            assert first_page(f"http://127.0.0.1:{port}/", server) == 200
        finally:
            server.terminate()


def first_page(address: str, server: "subprocess.Popen[bytes]") -> int | None:
    for _ in range(READY * 10):
        try:
            with urllib.request.urlopen(address, timeout=READY) as page:  # noqa: S310 - it is ours
                return int(page.status)
        except urllib.error.HTTPError as refusal:
            return refusal.code
        except OSError:
            if server.poll() is not None:
                return None
            time.sleep(0.1)
    return None


@pytest.mark.slow
@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: f"{block.document}: {block.commands[0]}")
def test_every_command_runs(block, copy, free_port):
    """A reader who copies the commands of a block, line by line, sees none of them fail."""
    folder = copy
    for command in block.commands:
        if not any(re.fullmatch(form, plain(command)) for form in NOT_RUN):
            folder = carry_out(command, folder, block.typed, house=copy, port=free_port())


@cache
def help_of(*command: str) -> str:
    """What a shell says of itself, or of one of the things it does."""
    told = [sys.executable, *command, "--help"]
    return subprocess.run(told, cwd=HOUSE, env=surroundings(), capture_output=True, text=True, check=True).stdout


def whole_help(script: str, rest: list[str]) -> str:
    """With that of the subcommand, if the first word names one."""
    told = help_of(script)
    kinds = re.search(r"\{([\w,]+)\}", told)
    return told + (help_of(script, rest[0]) if kinds and rest[0] in kinds[1].split(",") else "")


SHELLS_IN = ("", "reverie/backend_server/", "reverie/", "environment/frontend_server/")


def script_of(word: str) -> str | None:
    """The shell that a command starts, from the top of the house."""
    return next((f"{root}{word}" for root in SHELLS_IN if (HOUSE / root / word).is_file()), None)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_programs_and_their_flags_are_known(document):
    """Every `python SCRIPT --flag`, in a block or in a sentence, names a script and flags of that script."""
    inline = [token for token in CODE.findall(prose(document)) if token.startswith("python ")]
    fenced = [command for block in BLOCKS if block.document == document for command in block.commands]
    for command in [*inline, *map(plain, fenced)]:
        _, script, *rest = [*shlex.split(command), "", ""]
        if not command.startswith("python ") or script in {"-m", "manage.py"}:
            continue
        shell = script_of(script)
        assert shell, command
        for flag in (word for word in rest if word.startswith("-")):
            assert re.search(rf"(?<![\w-]){flag}\b", whole_help(shell, rest)), f"{command}: {flag}"


NAMES = ("Isabella Rodriguez", "Maria Lopez", "Klaus Mueller")


def test_what_is_typed_is_understood():
    """After the two names, every line that a document has its reader type is a command of the prompt."""
    for block in BLOCKS:
        for line in block.typed.splitlines()[2:]:
            parse(line, NAMES)


SENTENCE = re.compile(r"(?:run|print|call --|estimate) (?!.*(?:\.\.\.|…)).+")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_can_be_typed_is_a_command(document):
    """Whatever a sentence or a table offers to be typed at the prompt is understood by it."""
    offered = [token.replace("NAME", NAMES[0]) for token in CODE.findall(prose(document)) if SENTENCE.fullmatch(token)]
    for line in offered:
        if line not in {form.words for form in FORMS}:
            parse(line, [*NAMES, "Sam Moore"])


# Lists


def first_column(document: str, heading: str) -> list[str]:
    """The names set as code in the first column of the tables below a heading."""
    section = re.split(r"^## ", TEXTS[document].split(f"\n## {heading}\n")[1], flags=re.MULTILINE)[0]
    cells = re.findall(r"^\| (.*?) \|", section, re.MULTILINE)
    return [name for cell in cells for name in CODE.findall(cell)]


def test_the_keys_of_scratch_are_listed():
    """docs/storage.md lists every key of scratch.json in its order, and `relationship` at the end."""
    listed = [name for name in first_column("docs/storage.md", "`scratch.json`") if re.fullmatch(r"\w+", name)]
    assert listed == [*SCRATCH_KEYS, "relationship"]


def test_examples_of_files_are_written_as_files_are():
    """Every JSON example of docs/storage.md has the bytes that the archive would write."""
    examples = [
        text.removesuffix("\n") for language, text in FENCE.findall(TEXTS["docs/storage.md"]) if language == "json"
    ]
    assert len(examples) > 5
    for text in examples:
        assert text in {form(json.loads(text)) for form in (pretty, compact)}


def test_the_keys_of_meta_are_listed():
    """docs/storage.md lists every key of meta.json in its order."""
    assert first_column("docs/storage.md", "`reverie/meta.json`") == list(META_KEYS)


def test_every_setting_is_listed():
    """docs/models.md tells of every setting there is."""
    assert not set(FIELDS) - set(first_column("docs/models.md", "All settings"))


def test_the_faults_are_numbered_without_gaps():
    """Every known fault of the older houses has its row in MIGRATION.md."""
    rows = re.findall(r"^\| (F?\d+) \|", TEXTS["MIGRATION.md"], re.MULTILINE)
    assert rows == [*map(str, range(1, 59)), *(f"F{number}" for number in range(1, 11))]


def test_decisions_are_short_and_numbered():
    """docs/decisions/ is numbered from 1 without gaps; none has more than thirty lines."""
    decisions = [name for name in DOCUMENTS if name.startswith("docs/decisions/")]
    assert [int(Path(name).name[:4]) for name in decisions] == list(range(1, len(decisions) + 1))
    assert all(len(TEXTS[name].splitlines()) <= 30 for name in decisions)


def test_translations_say_the_same():
    """A translated document has the blocks, links and pictures of its original, in the same order."""
    for name in DOCUMENTS:
        if name.endswith(".ru.md"):
            original, translated = TEXTS[name.replace(".ru.md", ".md")], TEXTS[name]
            assert [text for _, text in FENCE.findall(translated)] == [text for _, text in FENCE.findall(original)]
            links = [re.findall(r"\]\(([^)#\s]+)", text) for text in (original, translated)]
            between = [{link.replace(".ru.md", ".md") for link in found} for found in links]
            assert between[0] == between[1]
