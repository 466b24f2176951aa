"""A morning in the small town in which users talked, too; and a picture of its map."""

from dataclasses import replace

import pytest

from ville.api.town_session import TownSession
from ville.errors import ReverieError
from ville.persona.cognitive_modules import react
from ville.storage.compressed.compression import compress
from ville.storage.folder.storage import find

ADA, BEN = "Ada Stone", "Ben Reed"
ASKED, SAID, IN_A_ROLE, AS_BEN = "a zebra in pyjamas", "forty violet umbrellas", "the marzipan lighthouse", "brass owls"


@pytest.fixture(scope="session")
def secrets():
    """Words of an interview, of a visitor, and of two talks of a user."""
    return ASKED, SAID, IN_A_ROLE, AS_BEN


@pytest.fixture(scope="session")
def lived(write_small_town, tmp_path_factory):
    """A morning with an interview, a visitor, and two talks of a user: one in a role, one for a resident."""
    small = write_small_town(tmp_path_factory.mktemp("lived"))
    with pytest.MonkeyPatch.context() as patch, TownSession(replace(small.settings, seed=1), "base", "lived") as town:
        patch.setattr(react, "talks", lambda *_: True)
        town.run(until="09:30")
        town.interview(ADA, f"What do you think of {ASKED}?")
        nora = town.visitor("Nora", look="visitor 3", about="a painter", at=ADA)
        town.run(steps=2)
        nora.say(ADA, f"I have {SAID}.")
        town.run(steps=3)
        nora.leave()
        town.run(until="11:00")
        for role, words in (("a news reporter", IN_A_ROLE), (BEN, AS_BEN)):
            _talk(town, role, words)
            town.run(steps=90)
    ledger = small.settings.fs_storage / "lived/reverie/interviews.sqlite3"
    ledger.write_bytes(f"What do you think of {ASKED}?".encode())  # as of a model
    compress(find(small.settings.fs_storage, "lived").root, small.root / "compressed" / "lived")
    return small


def _talk(town, role, words):
    """Say something as soon as both are free."""
    for _ in range(200):
        try:
            with town.talk(ADA, f"Have you seen {words}?", role=role):
                return
        except ReverieError:  # busy
            town.run(steps=5)
    pytest.fail("they were never free")
