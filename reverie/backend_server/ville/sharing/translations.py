"""The translations of texts of scripts, from the catalogues of the pages: a shared file carries those that it needs."""

import re
from collections.abc import Mapping, Sequence
from gettext import GNUTranslations
from pathlib import Path

from ville.json_types import JsonObject

SINGLE = re.compile(r'\bgettext\(\s*"((?:[^"\\]|\\.)*)"')
PLURAL = re.compile(r'\bngettext\(\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"')
DOINGS = "toldDoing"
"""Name in scripts that translate what people do."""
SAMPLES = range(200)
"""Numbers that tell the plural forms of a language apart."""


class _Doings(GNUTranslations):
    """Catalogue of what people may do, with the templates for it."""

    _catalog: Mapping[str, str]

    @property
    def texts(self) -> Mapping[str, str]:
        return {text: found for text, found in self._catalog.items() if text}


def translations(locale: Path, script: str) -> JsonObject:
    """Return the translated texts of a script by language: one text, or what it is for each number of `SAMPLES`.

    The latter are `forms`, and the number of a form for each sample in `takes`. Texts without translation are left out:
    they stay English.
    """
    return {path.parts[-3]: _of_language(path, script) for path in sorted(locale.glob("*/LC_MESSAGES/djangojs.mo"))}


def _of_language(path: Path, script: str) -> JsonObject:
    with path.open("rb") as file:
        catalogue = GNUTranslations(file)
    singles = {text: catalogue.gettext(text) for text in map(_plain, SINGLE.findall(script))}
    if DOINGS in script:
        with path.with_name("doings.mo").open("rb") as file:
            singles |= _Doings(file).texts
    plurals = {_plain(one): _plain(many) for one, many in PLURAL.findall(script)}
    return {
        **{text: found for text, found in singles.items() if found != text},
        **{one: _forms([catalogue.ngettext(one, many, number) for number in SAMPLES]) for one, many in plurals.items()},
    }


def _forms(texts: Sequence[str]) -> JsonObject:
    forms = list(dict.fromkeys(texts))
    return {"forms": [*forms], "takes": "".join(str(forms.index(text)) for text in texts)}


def _plain(text: str) -> str:
    """Return a text of a script as it is read."""
    return text.replace('\\"', '"').replace("\\\\", "\\")
