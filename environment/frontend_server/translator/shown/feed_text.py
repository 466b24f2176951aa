"""Sentences about what happened, in the language of the reader. Descriptions stay as the files have them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from translator.feed.feed import UNKNOWN, FeedEntry, FeedKind, told_of
from translator.persona_name import PersonaName
from ville.json_types import JsonObject
from ville.storage.compressed.cast import Cast, CastEntry

MOST_NAMED = 3
"""People whom a sentence names."""


class FeedWriter:
    """Words the entries of one run for one reader."""

    def __init__(self, people: Iterable[str], cast: Cast, *, may_act: bool) -> None:
        """`people` are all who appear in the run."""
        first = {name: PersonaName(name).first for name in (*people, *cast)}
        count = Counter(first.values())
        self._short = {name: short if count[short] == 1 else name for name, short in first.items()}
        self._cast = cast
        self._may_act = may_act

    def entry(self, entry: FeedEntry) -> JsonObject:
        """Return an entry as pages get it."""
        kind = self._kind(entry)
        given = {"what": entry.what} if kind is FeedKind.INTERVENTION else {}
        values = self._values(entry)
        text = self._sentence(entry, kind, values)
        recorded = _recorded(entry, values, text)
        told = {"names": [*entry.names], "text": text, "recorded": recorded, "place": entry.place}
        return {"step": entry.step, "kind": kind, **told, "id": entry.id, **given}

    def _kind(self, entry: FeedEntry) -> FeedKind:
        """Visitors come and go like residents, but are not told as such."""
        comes_or_goes = entry.kind in {FeedKind.MOVES_IN, FeedKind.MOVES_OUT}
        is_visitor = comes_or_goes and self._cast.get(entry.names[0], CastEntry()).visitor
        return FeedKind.VISITOR if is_visitor else entry.kind

    def _sentence(self, entry: FeedEntry, kind: FeedKind, values: Mapping[str, str]) -> str:
        if kind is FeedKind.INTERVENTION:
            return _intervention(entry, values, told=bool(entry.private) and self._may_act)
        if kind is FeedKind.STATE_ENDS:
            return _state_ends(entry) % values
        if kind in {FeedKind.TALK_BEGINS, FeedKind.BEGINS}:
            return _activity(entry) % values
        return _movement(entry, kind) % values

    def _values(self, entry: FeedEntry) -> Mapping[str, str]:
        return {
            "names": self.joined(entry.names),
            "first": self.joined(entry.names[:1]),
            "others": self.joined(entry.names[1:]),
            "about": self.shortened(entry.about),
            "place": entry.place,
            "what": _capital(entry.what),
            "words": entry.private,
        }

    def joined(self, names: Sequence[str]) -> str:
        """Return names in a row: `Ada`, `Ada and Ben`, `Ada, Ben and 3 others`."""
        shown = [self._short.get(name, name) for name in names]
        if len(shown) > MOST_NAMED:
            rest = len(shown) - MOST_NAMED + 1
            shown = [*shown[: MOST_NAMED - 1], ngettext("%(count)s other", "%(count)s others", rest) % {"count": rest}]
        if len(shown) < 2:  # noqa: PLR2004 - nothing to join
            return "".join(shown)
        return _("%(names)s and %(last)s") % {"names": ", ".join(shown[:-1]), "last": shown[-1]}

    def shortened(self, text: str) -> str:
        """Return a text with the short names of people, where it has the full ones."""
        for name, short in self._short.items():
            text = text.replace(name, short)
        return text


def _recorded(entry: FeedEntry, values: Mapping[str, str], text: str) -> Sequence[str]:
    """Return the parts of a sentence that stand in the files as they are."""
    thing = values["what"] if entry.kind is FeedKind.STATE_ENDS else ""
    parts = (values["about"], _capital(values["about"]), values["place"], thing)
    return [*dict.fromkeys(part for part in parts if part and part in text)]


def _movement(entry: FeedEntry, kind: FeedKind) -> str:
    number = min(len(entry.names), 2)
    if kind is FeedKind.VISITOR:
        return _("%(names)s comes to visit.") if entry.what == "in" else _("%(names)s leaves the town.")
    sentences: Mapping[FeedKind, str] = {
        FeedKind.TALK_ENDS: ngettext("%(names)s ends the conversation.", "%(names)s end their conversation.", number),
        FeedKind.ARRIVES: ngettext("%(names)s arrives at %(place)s.", "%(names)s arrive at %(place)s.", number),
        FeedKind.WAKES: ngettext("%(names)s wakes up.", "%(names)s wake up.", number),
        FeedKind.SLEEPS: ngettext("%(names)s goes to sleep.", "%(names)s go to sleep.", number),
        FeedKind.MOVES_IN: _("%(names)s moves in."),
        FeedKind.MOVES_OUT: _("%(names)s moves away."),
    }
    return sentences[kind]


def _activity(entry: FeedEntry) -> str:
    """Return the sentence of a talk or another activity."""
    if entry.kind is FeedKind.BEGINS:
        one_does = entry.about.split(" ", 1)[0].endswith("ing")
        number = min(len(entry.names), 2)
        starts = ngettext("%(names)s starts %(about)s.", "%(names)s start %(about)s.", number)
        return starts if one_does else _("%(names)s: %(about)s.")
    if entry.what == "invitation":
        return _("%(first)s invites %(others)s to the %(about)s.")
    return _("%(names)s talk about %(about)s.") if entry.about else _("%(names)s talk.")


def _state_ends(entry: FeedEntry) -> str:
    if not entry.about:
        return _("%(what)s is as before.")
    return (
        _("%(what)s is no longer %(about)s, thanks to %(names)s.")
        if entry.names
        else _("%(what)s is no longer %(about)s.")
    )


def _intervention(entry: FeedEntry, values: Mapping[str, str], *, told: bool) -> str:
    """Return the sentence of an intervention. Private words are only in it if they may be `told`."""
    if entry.about:
        return f"{_capital(values['about'])}."
    how = told_of(entry.what) or UNKNOWN
    return _(how.actors if told and how.actors else how.anyone) % values


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
