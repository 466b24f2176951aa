"""Pure: the steps of a run as tracks, one for each person: where they walk, what they do, and with whom they talk.

A track has only changes, each with the steps since the one before. A day of 25 people takes a tenth of its frames.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ville.analysis.private_talks import SEPARATOR, Transcript, opening
from ville.json_types import Json, JsonObject
from ville.sharing.text_table import TextTable
from ville.storage.steps.frames import Frame, FrameRecord

AWAY = (-1, -1)
"""Tile of those who are not in town."""


@dataclass
class Track:
    """Changes of one person; flat lists of numbers."""

    moves: list[int] = field(default_factory=list)
    """Steps since the last change, column, row."""
    acts: list[int] = field(default_factory=list)
    """Steps since the last change, number of the text, number of the emoji."""
    _moved: int = 0
    _acted: int = 0
    _tile: tuple[int, int] = AWAY
    _doing: tuple[int, int] = AWAY

    def move(self, step: int, tile: tuple[int, int]) -> None:
        if tile != self._tile:
            self.moves += [step - self._moved, *tile]
            self._moved, self._tile = step, tile

    def act(self, step: int, doing: tuple[int, int]) -> None:
        if doing != self._doing:
            self.acts += [step - self._acted, *doing]
            self._acted, self._doing = step, doing


@dataclass
class TalkTrack:
    """A conversation, with the whole of its words."""

    first: int
    last: int
    names: list[str]
    about: str
    transcript: Transcript

    def as_json(self, texts: TextTable) -> JsonObject:
        """Return it with the numbers of its texts."""
        lines: list[Json] = [[speaker, texts.number(words)] for speaker, words in self.transcript]
        about = texts.number(self.about)
        return {"first": self.first, "last": self.last, "names": [*self.names], "about": about, "chat": lines}


class Tracks:
    """Collects the steps of a run. The first one is step 0 of the tracks."""

    def __init__(self, texts: TextTable) -> None:
        self._texts = texts
        self.people: dict[str, Track] = {}
        self.talks: list[TalkTrack] = []
        """In the order of their first steps."""
        self._open: dict[str, TalkTrack] = {}
        """Conversations of the last step, by their first line."""

    def add(self, step: int, frame: Frame) -> None:
        """Add a step."""
        for name, record in frame.items():
            track = self.people.setdefault(name, Track())
            column, row = record["movement"]
            track.move(step, (column, row))
            track.act(step, (self._texts.number(record["description"]), self._texts.number(record["pronunciatio"])))
        for name in self.people.keys() - frame.keys():
            self.people[name].move(step, AWAY)
        self._talk(step, {name: record for name, record in frame.items() if record["chat"]})

    def go_on(self, step: int) -> None:
        """Add a step in which nothing changes."""
        for talk in self._open.values():
            talk.last = step

    def _talk(self, step: int, talking: Mapping[str, FrameRecord]) -> None:
        still: dict[str, TalkTrack] = {}
        for name, record in talking.items():
            transcript = record["chat"] or []
            key = opening(transcript)
            talk = still[key] = still.get(key) or self._open.get(key) or self._begin(step, record)
            talk.last, talk.transcript = step, max(talk.transcript, transcript, key=len)
            talk.names += _new([name, *(speaker for speaker, _ in transcript)], talk.names)
        self._open = still

    def _begin(self, step: int, record: FrameRecord) -> TalkTrack:
        talk = TalkTrack(step, step, [], record["description"].rpartition(SEPARATOR)[0], record["chat"] or [])
        self.talks.append(talk)
        return talk


def _new(names: Iterable[str], known: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(name for name in names if name not in known))
