"""Set up the Ville in this folder, then open the town.

  python start.py          run a town from your browser
  python start.py demo     watch two recorded days in your browser
  python start.py test     run all checks; add --quick, or paths and options of pytest, to run some of them

Uses only the standard library, because it runs before anything is installed.
"""

from __future__ import annotations

import sys

try:
    import hashlib
    import os
    import signal
    import subprocess
    import venv
    from pathlib import Path

    ROOT = Path(__file__).resolve().parent
    sys.path.insert(0, str(ROOT / "reverie" / "backend_server"))

    from ville.console import run_shell
    from ville.launcher.children import OURS, StartError, environment, exit_on_signals, run_tied
    from ville.launcher.options import DEMO, LIVE, parse_options
except KeyboardInterrupt:
    sys.exit(130)

VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
VENDOR = ROOT / "environment" / "frontend_server" / "vendor.py"
TEST = "test"
DEPENDENCY_FILES = ("requirements.txt", "pyproject.toml")


def main() -> int:
    arguments = sys.argv[1:]
    testing = arguments[:1] == [TEST]
    options = parse_options(arguments[:1] if testing else arguments, (LIVE, DEMO, TEST), str(__doc__))
    exit_on_signals()
    try:
        install("requirements-dev.txt" if testing else "requirements.txt")
        if testing:
            return run_script(ROOT / "tests" / "suite.py", *arguments[1:])
        if not options.headless and run_script(VENDOR):
            return 1
        return become([str(PYTHON), *OURS, "start", *arguments])
    except StartError as error:
        print(error, file=sys.stderr)
        return 1
    except PermissionError as error:
        print(f"No permission to write {error.filename}. Change its permissions, or clone elsewhere.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print()
        return 130


def install(requirements: str) -> None:
    """Install a requirements file into .venv, unless it is installed already."""
    stamp = VENV / f"{requirements}.sha256"
    if PYTHON.exists() and stamp.exists() and stamp.read_text("utf-8") == install_digest(requirements):
        return
    print(f"Installing {requirements} into .venv (once, about half a minute) ...", flush=True)
    if not venv_works():
        create_venv()
    command = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements]
    if subprocess.run([PYTHON, *command], cwd=ROOT, check=False).returncode:
        raise StartError(f"pip could not install {requirements}; see its message above. Is the network available?")
    stamp.write_text(install_digest(requirements), "utf-8")


def install_digest(requirements: str) -> str:
    """Return a digest of the dependencies and of this folder: the package is installed by its path."""
    files = [(ROOT / name).read_bytes() for name in (*DEPENDENCY_FILES, requirements)]
    return hashlib.sha256(b"".join([*files, os.fsencode(ROOT)])).hexdigest()


def venv_works() -> bool:
    """Check that .venv has a Python with pip. It may be incomplete after an interruption."""
    ask_pip = ["-m", "pip", "--version"]
    return PYTHON.exists() and subprocess.run([PYTHON, *ask_pip], check=False, capture_output=True).returncode == 0


def create_venv() -> None:
    try:
        venv.create(VENV, clear=True, with_pip=True)
    except subprocess.CalledProcessError as error:
        raise StartError(
            "This Python cannot create virtual environments. Install its venv module (Debian, Ubuntu: apt install "
            "python3-venv) and try again."
        ) from error


def run_script(script: Path, *arguments: str) -> int:
    """Run a script of this project in its own folder. Return its exit code (negative: ended by a signal)."""
    command = [str(script), *arguments]
    return run_tied(command, script.parent, python=str(PYTHON), variables=environment())


def become(command: list[str]) -> int:
    """Go on as another program, which takes the place of this one; on Windows, wait for it and return its exit code."""
    variables = {**os.environ, "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"}
    if os.name == "nt":
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        return subprocess.run(command, env=variables, check=False).returncode
    sys.stdout.flush()
    os.execve(command[0], command, variables)  # noqa: S606
    raise AssertionError


if __name__ == "__main__":
    try:
        run_shell(main)
    except KeyboardInterrupt:
        sys.exit(130)
