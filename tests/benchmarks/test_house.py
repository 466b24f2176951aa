"""The figures of a package count what is there."""

from pathlib import Path

import pytest
from package_figures import read_javascript, read_python

MODULES = {
    "__init__.py": "from .room import door\n",
    "door.py": "from typing import Any\n\n\ndef open_it(key: Any, far, /, slow, *, by='') -> Any:\n    return key\n",
    "room/__init__.py": "",
    "room/door.py": "class Door:\n    def close(self, key): pass\n",
    "room/hinge.py": "from counted import door\nfrom counted.room.door import (\n    Door,\n)\n",
    "room/frame.py": "from . import hinge\n",
    "tests/test_door.py": "from counted import door\n",
}
SCRIPTS = {
    "main.js": 'import {\n  wall,\n} from "./town/wall.js";\nimport "three";\n// import gone from "./gone.js"\n',
    "town/wall.js": 'export { wall } from "./stone.js";\n',
    "town/stone.js": "export const wall = 1;\n",
}


def write(root: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")


@pytest.fixture
def python(tmp_path):
    write(tmp_path / "counted", MODULES)
    return read_python(tmp_path, "counted")


def test_tests_are_no_files_of_a_package_and_nothing_of_it_runs(python):
    assert sorted(python.files) == sorted(f"counted/{name}" for name in MODULES if "test" not in name)


def test_who_reads_whom(python):
    """Relative and absolute imports, of modules and of what is in them."""
    assert python.imports["counted/room/hinge.py"] == {"counted/door.py", "counted/room/door.py"}
    assert dict(python.read_by_one_neighbor()) == {"counted/room/hinge.py": 4}
    assert python.names_twice() == [("door.py", 2)]
    figures = python.figures()
    assert figures["own modules imported per file"] == round(4 / 6, 1)
    assert figures["import lines, percent"] == round(100 * (1 + 1 + 4 + 1) / (1 + 5 + 2 + 4 + 1), 1)


def test_what_functions_are_like(python):
    """Keyword arguments and `self` need no place to be remembered; the import of Any is no use of it."""
    assert dict(python.signatures()) == {
        "counted/door.py: open_it, line 4": 3,
        "counted/room/door.py: close, line 2": 1,
    }
    assert python.files["counted/door.py"].anys == 2
    assert python.files["counted/door.py"].functions == (2,)


def test_scripts_of_pages(tmp_path):
    write(tmp_path, SCRIPTS)
    found = read_javascript(tmp_path)
    assert found.imports == {
        "main.js": {"town/wall.js"}, "town/wall.js": {"town/stone.js"}, "town/stone.js": frozenset()
    }  # fmt: skip
    assert found.files["main.js"].import_lines == 4
    assert found.read_by_one_neighbor() == [("town/stone.js", 1)]
