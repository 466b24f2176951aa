"""Lines of the engine are translated, with what they are about."""

import re
from pathlib import Path

import pytest
from django.utils import translation

from translator.shown.engine_lines import SENTENCES, engine_line
from ville.analysis.measures import NewsTopic
from ville.errors import BadArgument

ENGINE = Path(__file__).parents[4] / "reverie/backend_server/ville"
BLANK = re.compile(r"%\(\w+\)s")
VALUE = "the_run-1"


@pytest.fixture(scope="module")
def sources():
    """All that the engine says, without the quotation marks between the lines of a text."""
    texts = "".join(path.read_text("utf-8") for path in ENGINE.rglob("*.py"))
    return re.sub(r'"\s*\n\s*f?"', "", texts)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_of_the_engine_is_said_in_russian_with_its_values(sentence, sources):
    """Its words between the blanks stand in the engine; in Russian the values are the same."""
    assert all(part.strip(" '") in sources for part in re.split(r"%\(\w+\)s|[.;] ", sentence) if len(part) > 9)
    with translation.override("ru"):
        said = engine_line(BLANK.sub(VALUE, sentence))
    assert said.count(VALUE) == len(BLANK.findall(sentence))
    assert re.search("[\u0430-\u044f]{3}", said)


def test_a_fault_is_translated_and_other_lines_stay():
    with pytest.raises(BadArgument) as fault:
        NewsTopic.matching("(unclosed")
    with translation.override("ru"):
        assert engine_line(str(fault.value)).startswith("«(unclosed» — не регулярное выражение")
        assert engine_line("What nobody has translated.") == "What nobody has translated."
        assert engine_line("") == ""


def test_what_a_refusal_is_about_stands_before_its_translation():
    """Also with the reason within it."""
    with translation.override("ru"):
        said = engine_line("resident_in: home: 'the Ville:inn:attic' has no free bed. Free homes are: none.")
        assert said == "resident_in: home: «the Ville:inn:attic»: нет свободной кровати. Свободны: none."
        assert engine_line("Ada is asleep, and cannot talk now. Run some steps, for example: run until 09:00") == (
            "Ada спит; поговорить сейчас нельзя. Сделайте несколько шагов, например: run until 09:00"
        )
