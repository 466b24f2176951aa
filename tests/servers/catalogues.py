"""The Russian catalogues of the pages, as can be read."""

import re
from ast import literal_eval
from functools import cache
from pathlib import Path

FRONTEND = Path(__file__).resolve().parents[2] / "environment" / "frontend_server"
RUSSIAN = FRONTEND / "locale" / "ru" / "LC_MESSAGES"
BLANK = re.compile(r"%\(\w+\)s")


@cache
def catalogue(domain: str) -> dict[str, list[str]]:
    """English text to its Russian forms, as the .po file says."""
    entries: dict[str, list[str]] = {}
    for entry in (RUSSIAN / f"{domain}.po").read_text("utf-8").split("\n\n")[1:]:
        (text,) = re.findall(r'^msgid (".*")$', entry, re.MULTILINE)
        forms = re.findall(r'^msgstr(?:\[\d])? (".*")$', entry, re.MULTILINE)
        entries[literal_eval(text)] = [literal_eval(form) for form in forms]
    return entries
