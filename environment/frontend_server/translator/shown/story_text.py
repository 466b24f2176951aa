"""Sentences of the story of a run, in the language of the reader. Recorded words stay as the files have them."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext, gettext_noop

from translator.feed.feed import FeedEntry
from translator.shown.feed_text import FeedWriter
from ville.analysis.story import (
    BROKEN,
    CALLED_OFF,
    COLDER,
    INTERVENTION,
    INVITATION,
    KEPT,
    MEETING,
    QUARREL,
    REFLECTION,
    TITLES,
    WARMER,
    WEIGHTY,
)  # fmt: skip
from ville.json_types import JsonObject
from ville.storage.compressed.cast import Cast

KINDS: Mapping[str, str] = {
    INTERVENTION: gettext_noop("From outside"),
    QUARREL: gettext_noop("Quarrel"),
    INVITATION: gettext_noop("Invitation"),
    MEETING: gettext_noop("First meeting"),
    KEPT: gettext_noop("Appointment"),
    BROKEN: gettext_noop("Appointment"),
    CALLED_OFF: gettext_noop("Appointment"),
    WARMER: gettext_noop("Feeling"),
    COLDER: gettext_noop("Feeling"),
    REFLECTION: gettext_noop("Reflection"),
    WEIGHTY: gettext_noop("Impression"),
}
"""Names of the kinds; others are arrivals and departures."""


class StoryWriter:
    """Words the moments of a story for one reader."""

    def __init__(self, writer: FeedWriter, outside: Iterable[FeedEntry], cast: Cast, *, may_act: bool) -> None:
        """`outside` is what users have changed."""
        self._writer = writer
        self._visitors = {name for name, entry in cast.items() if entry.visitor}
        self._outside = {entry.number: entry for entry in outside if entry.number}
        self._may_act = may_act
        self._since: dict[str, int] = {}
        for entry in self._outside.values():
            for name in entry.names if entry.private else ():
                self._since[name] = min(entry.step, self._since.get(name, entry.step))

    def moment(self, told: Mapping[str, Any]) -> JsonObject:
        """Return a moment, as JSON of `ville story`, as pages get it."""
        may_read = self.may_read(told["names"], told["step"])
        is_shown = told["kind"] == INVITATION or (may_read and not told["number"])
        return {
            "step": told["step"],
            "kind": told["kind"],
            "what": gettext(KINDS.get(told["kind"], gettext_noop("Coming and going"))),
            "names": told["names"],
            "text": self._sentence(told),
            "about": self._writer.shortened(told["about"]) if is_shown else "",
            "words": told["words"] if may_read else "",
        }

    def may_read(self, names: Iterable[str], step: int) -> bool:
        """Return whether the reader may read what people say or think in a step: it may rest on words of a user."""
        private = (name in self._visitors or self._since.get(name, step + 1) <= step for name in names)
        return self._may_act or not any(private)

    def _sentence(self, told: Mapping[str, Any]) -> str:
        entry = self._outside.get(told["number"])
        if told["kind"] == INTERVENTION and entry:
            return str(self._writer.entry(entry)["text"])
        names = told["names"]
        values = {
            "names": self._writer.joined(names),
            "first": self._writer.joined(names[:1]),
            "others": self._writer.joined(names[1:]),
            "about": self._writer.shortened(told["about"]),
            "what": told["about"],
        }
        return gettext(TITLES[told["kind"]]) % values
