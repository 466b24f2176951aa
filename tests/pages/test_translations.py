"""The Russian catalogues: whole, compiled from what can be read, with the same blanks as the English texts."""

import gettext
import re

import pytest
from catalogues import BLANK, FRONTEND, RUSSIAN, catalogue

TEXT = r'"((?:[^"\\]|\\.)*)"'
SOURCES = {
    "django": (
        (FRONTEND / "templates", "*.html", [rf"{{% trans {TEXT}", r"{% trans '([^']*)'"]),
        (FRONTEND / "translator", "*.py", [rf"\b_\({TEXT}\)"]),
    ),
    "djangojs": ((FRONTEND / "static_dirs" / "js", "*.js", [rf"\bgettext\({TEXT}\)", rf"\bngettext\({TEXT}"]),),
}

DOMAINS = (*SOURCES, "doings")


@pytest.mark.parametrize("domain", SOURCES)
def test_every_text_of_the_pages_is_translated(domain):
    """Texts marked in templates, views and scripts are in the catalogue, with no empty form."""
    found = set()
    for folder, pattern, marks in SOURCES[domain]:
        for file in folder.rglob(pattern):
            for mark in marks:
                found |= set(re.findall(mark, file.read_text("utf-8")))
    assert len(found) > 20
    assert {text for text in found if not all(catalogue(domain).get(text, [""]))} == set()


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_compiled_catalogue_is_that_of_the_readable_one(domain):
    """The .mo file, which a user's machine cannot make, says what the .po file says."""
    with (RUSSIAN / f"{domain}.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for text, forms in catalogue(domain).items():
        if len(forms) == 1:
            assert compiled.gettext(text) == forms[0]
        else:
            assert [compiled.ngettext(text, text, number) for number in (1, 2, 5)] == forms[:3]


@pytest.mark.parametrize("domain", DOMAINS)
def test_translations_have_the_blanks_of_their_texts(domain):
    """Values filled into a text are filled into its translation."""
    for text, forms in catalogue(domain).items():
        for form in forms:
            assert set(BLANK.findall(form)) == set(BLANK.findall(text)), text
