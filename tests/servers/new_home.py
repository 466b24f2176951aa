"""An empty home of a user, as `ville init` marks it."""

from pathlib import Path

from ville.home import MARK, Home


def new_home(folder: Path) -> Home:
    (folder / MARK).mkdir()
    return Home(folder, is_clone=False)
