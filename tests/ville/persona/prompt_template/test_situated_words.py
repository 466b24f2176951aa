"""Laws of the words of situated prompts."""

from datetime import datetime

import pytest

from ville.persona.prompt_template.blanks import NumberedMemories, PlaceOptions, QuotedMemory
from ville.persona.prompt_template.caps import QUOTED
from ville.persona.prompt_template.situated_words import situated_text, with_short_names

ADA, BEN = "Ada Stone", "Ben Reed"
NOON = datetime(2023, 2, 13, 12)  # noqa: DTZ001 - game time has no zone


@pytest.mark.parametrize("kind", [tuple, NumberedMemories])
def test_plans_are_quoted_whole_or_not_at_all(kind):
    """A day that would be cut in half misleads; other memories keep their numbers."""
    plan = f"This is {ADA}'s plan for Monday February 13: {'baking, ' * QUOTED}"
    short = f"This is {ADA}'s plan for Monday February 13: rest."
    memories = (QuotedMemory(NOON, plan, "thought"), QuotedMemory(NOON, short, "thought"))
    shown = situated_text(kind(memories))
    assert "baking" not in shown
    assert short in shown
    assert kind is tuple or shown.startswith("1. ")


def test_an_overheard_talk_says_with_whom():
    """Once: what names both already stays."""
    seen = QuotedMemory(NOON, f"{BEN} is conversing about the fair", partner="Cleo Vance")
    known = QuotedMemory(NOON, f"{BEN} is conversing about Cleo Vance", partner="Cleo Vance")
    assert situated_text((seen,)) == f"- seen: {BEN} is talking with Cleo Vance about the fair"
    assert situated_text((known,)) == f"- seen: {known.text}"


def test_people_are_named_in_full_once():
    """Namesakes, and places that begin with a name, stay."""
    text = f"{ADA} meets {ADA}, at {ADA}'s flat"
    assert with_short_names(text, [ADA]) == f"{ADA} meets Ada, at {ADA}'s flat"
    assert with_short_names(text, [ADA], named=True) == f"Ada meets Ada, at {ADA}'s flat"
    assert with_short_names(f"{ADA}, {ADA} and Ada Reed", [ADA]) == f"{ADA}, {ADA} and Ada Reed"
    assert with_short_names("Ада, Ada", ["Ada"]) == "Ада, Ada"


def test_options_stay_as_they_are():
    """An answer repeats them to the letter."""
    options = PlaceOptions({f"{ADA}'s flat": {"room 7pm": ("bed",)}})
    assert situated_text(options) == f"- {ADA}'s flat > room 7pm: bed"
