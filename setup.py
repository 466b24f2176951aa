"""Build the package with what a clone holds beside it: pages, maps, people, a recorded day, the map builder.

`pip wheel .` makes the file that others install. pyproject.toml has the rest.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
PAGES = "environment/frontend_server"
SHIPPED = (
    ".env.example",
    "CITATION.cff",
    "environment/build_town.py",
    "environment/town_builder",
    "examples",
    f"{PAGES}/compressed_storage/a_day_of_three",
    f"{PAGES}/frontend_server",
    f"{PAGES}/locale",
    f"{PAGES}/manage.py",
    f"{PAGES}/static_dirs",
    f"{PAGES}/storage/base_the_ville_isabella",
    f"{PAGES}/storage/base_the_ville_isabella_maria_klaus",
    f"{PAGES}/storage/base_the_ville_n25",
    f"{PAGES}/templates",
    f"{PAGES}/translator",
)
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.sqlite3*", ".*")


class WithShipped(build_py):
    """Copies what is shipped into the package, but not when it is installed from a clone that stays."""

    def run(self) -> None:
        if self.editable_mode:
            super().run()
            return
        shutil.rmtree(Path(self.build_lib, "ville"), ignore_errors=True)  # of an earlier build
        super().run()
        subprocess.run([sys.executable, str(ROOT / PAGES / "vendor.py")], check=True)
        for name in SHIPPED:
            source, target = ROOT / name, Path(self.build_lib, "ville", "shipped", name)
            if source.is_dir():
                shutil.copytree(source, target, ignore=LEFT_OUT, dirs_exist_ok=True)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)


setup(cmdclass={"build_py": WithShipped})
