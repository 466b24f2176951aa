"""The commands in documents run: a reader who copies a block, line by line, sees none of them fail."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from documents import BLOCKS, ROOT, plain, tracked

NOT_RUN = {
    r"git clone .*": "needs the network",
    r"git (tag|push) .*": "changes what others have",
    r"python -m pip wheel .*": "tests/front_door/test_installed.py",
    r"pip install -r requirements\.txt": "needs the network; start.py does it",
    r"pip install the-ville(\[.*\])?": "needs the network",
    r"(mkdir|cd) my_town|ville( \w+)?": "tests/front_door/test_installed.py",
    r"docker (build|run) .*": "needs a container engine",
    r"python vendor\.py": "needs the network; start.py does it",
    r"npm ci": "needs the network; tests/project/test_scripts.py does it",
    r"npm run check": "tests/project/test_scripts.py",
    r"python start\.py.*": "installs everything: tests/front_door",
    r"VILLE_MODEL_FILE=.* python start\.py": "needs a model file: tests/story/test_model_file.py",
    r"python -m (mypy|ruff|pytest).*": "start.py test does it",
    r"python benchmarks/mutations\.py .*": "takes long, and changes the sources: tests/benchmarks/test_mutations.py",
    r"msg(merge|fmt) .*": "needs gettext",
    r"python environment/build_town\.py adopt .*": "tests/town_builder/test_adopting.py",
    r"python reverie/believability\.py rate .*": "shows pages until it is ended: tests/pages/test_rate.py",
    r"python reverie/migrate\.py .*": "tests/ville/migration",
    r"python environment/build_town\.py build .*": "tests/town_builder/test_committed_town.py",
}
MAX_STEPS = 20
"""Steps that a documented run is shortened to."""
SERVER_TIMEOUT = 300


def runs(command: str) -> bool:
    return not any(re.fullmatch(form, plain(command)) for form in NOT_RUN)


RUNNABLE = [block for block in BLOCKS if any(runs(command) for command in block.commands)]


@pytest.fixture(scope="session")
def clone(tmp_path_factory):
    """A copy of the project, as after `git clone`."""
    root = tmp_path_factory.mktemp("clone")
    for name in tracked():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, root / name)
    return root


def environment(clone: Path) -> dict[str, str]:
    """Return the environment of a user without settings and keys, with the clone's package installed."""
    settings = re.compile(r"(VILLE_|PYTHON|DJANGO|MODEL_).*|.*_API_KEY", re.IGNORECASE)
    kept = {name: value for name, value in os.environ.items() if not settings.fullmatch(name)}
    path = os.pathsep.join([str(Path(sys.executable).parent), kept["PATH"]])
    package = str(clone / "reverie" / "backend_server")
    return {**kept, "PYTHONPATH": package, "PATH": path, "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def carry_out(command: str, folder: Path, typed: str, *, clone: Path, port: int) -> Path:
    """Run one command, shortened. Return the folder that the shell is in afterwards."""
    program, *arguments = shlex.split(plain(command))
    if program == "cd":
        return (folder / arguments[0]).resolve()
    if program == "cp":
        shutil.copyfile(folder / arguments[0], folder / arguments[1])
    elif "runserver" in arguments:
        serve(folder, arguments, clone=clone, port=port)
    else:
        assert program == "python", f"{command}: this test does not know how to run it"
        result = subprocess.run(
            [sys.executable, *shortened(arguments)], cwd=folder, env=environment(clone), input=typed,
            capture_output=True, text=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return folder


def shortened(arguments: list[str]) -> list[str]:
    """Return arguments with the number after `-s` lowered to MAX_STEPS, and with moments at the end of such a run."""
    pairs = zip(["", *arguments], arguments, strict=False)
    lowered = [str(min(int(word), MAX_STEPS)) if before == "-s" else word for before, word in pairs]
    return [re.sub(r"^([\w-]+)@\d.*", r"\1@end", word) for word in lowered]


def serve(folder: Path, arguments: list[str], *, clone: Path, port: int) -> None:
    """Start the environment server, load its first page, and stop it."""
    command = [sys.executable, *arguments[:2], f"127.0.0.1:{port}", "--noreload"]
    with subprocess.Popen(
        command, cwd=folder, env=environment(clone), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        try:
            assert first_page(f"http://127.0.0.1:{port}/", server) == 200
        finally:
            server.terminate()


def first_page(address: str, server: "subprocess.Popen[bytes]") -> int | None:
    """Return the status of a page once the server answers, None if it ends before."""
    for _ in range(SERVER_TIMEOUT * 10):
        try:
            with urllib.request.urlopen(address, timeout=SERVER_TIMEOUT) as page:  # noqa: S310 - our own address
                return int(page.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            if server.poll() is not None:
                return None
            time.sleep(0.1)
    return None


@pytest.mark.slow
@pytest.mark.parametrize("block", RUNNABLE, ids=lambda block: f"{block.document}: {block.commands[0]}")
def test_commands_run(block, clone, free_port):
    """The commands of a block run one after the other, in the folders that its `cd` lines lead to."""
    folder = clone
    for command in filter(runs, block.commands):
        folder = carry_out(command, folder, block.typed, clone=clone, port=free_port())
