"""The translations of texts of scripts, from the catalogues of the pages: a shared file carries those that it needs."""

import re
from collections.abc import Iterable
from gettext import GNUTranslations
from pathlib import Path

from ville.json_types import Json, JsonObject

SINGLE = re.compile(r'\bgettext\(\s*"((?:[^"\\]|\\.)*)"')
PLURAL = re.compile(r'\bngettext\(\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"')
SAMPLES = range(200)
"""Numbers that tell the plural forms of a language apart."""


def translations(locale: Path, script: str) -> JsonObject:
    """Return the translated texts of a script by language: one text, or a text for each plural form.

    `plural` of a language has, for each number of `SAMPLES`, which form it takes. Texts without translation are left
    out: they stay English.
    """
    return {
        path.parts[-3]: _of_language(path, script) for path in sorted(locale.glob("*/LC_MESSAGES/djangojs.mo"))
    }


def _of_language(path: Path, script: str) -> JsonObject:
    with path.open("rb") as file:
        catalogue = GNUTranslations(file)
    singles = {text: catalogue.gettext(text) for text in map(_plain, SINGLE.findall(script))}
    plurals = {_plain(one): _forms(catalogue, _plain(one), _plain(many)) for one, many in PLURAL.findall(script)}
    texts: dict[str, Json] = {text: found for text, found in singles.items() if found != text}
    plural: list[Json] = [catalogue.plural(number) for number in SAMPLES]
    return {"texts": {**texts, **{one: forms for one, forms in plurals.items() if forms}}, "plural": plural}


def _forms(catalogue: GNUTranslations, one: str, many: str) -> list[Json]:
    """Return the plural forms of a text, in their order."""
    by_form = {catalogue.plural(number): catalogue.ngettext(one, many, number) for number in SAMPLES}
    return _in_order(by_form.items())


def _in_order(forms: Iterable[tuple[int, str]]) -> list[Json]:
    return [text for _, text in sorted(forms)]


def _plain(text: str) -> str:
    """Return a text of a script as it is read."""
    return text.replace('\\"', '"').replace("\\\\", "\\")
