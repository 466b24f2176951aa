"""The modules that a page's script imports, so that a browser can fetch them at once instead of one after another."""

import posixpath
import re
from functools import lru_cache

from translator.storage.static.static_files import StaticListing, listing

IMPORT = re.compile(r"""^\s*(?:import|export)\b[^;"']*["'](\.{1,2}/[^"']+)["']""", re.MULTILINE)


def scripts(name: str) -> list[str]:
    """Return the scripts in a folder, whose name ends in `/`; of a script, only that."""
    if not name.endswith("/"):
        return [name]
    return sorted(file for file in listing().files if posixpath.dirname(file) == name[:-1] and file.endswith(".js"))


def imported_modules(script: str) -> tuple[str, ...]:
    """Return the names of all modules that a script needs, itself first, nearest first."""
    return _imported(listing().version, script)


@lru_cache(maxsize=64)
def _imported(version: str, script: str) -> tuple[str, ...]:  # noqa: ARG001 - the version is a key
    known = listing()
    found = [script]
    for name in found:
        found += [module for module in _direct(known, name) if module not in found]
    return tuple(found)


def _direct(known: StaticListing, name: str) -> list[str]:
    if name not in known.files:
        return []
    found = IMPORT.findall(known.files[name].read().decode("utf-8"))
    folder = posixpath.dirname(name)
    return list(dict.fromkeys(posixpath.normpath(posixpath.join(folder, module)) for module in found))
