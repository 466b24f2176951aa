"""How the two servers of a town are ended."""

from types import SimpleNamespace

import pytest

from ville.launcher import opened_town
from ville.launcher.bind import Bind

OPTIONS = SimpleNamespace(no_browser=True, bind=Bind("127.0.0.1", 8000))


class Server:
    """Stands for either server, and notes when it has ended."""

    address = "http://127.0.0.1:8000"

    def __init__(self, name, ended):
        self.name, self.ended = name, ended

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.name not in self.ended:
            self.ended.append(self.name)

    def wait_until_ready(self):
        return 0

    def run(self):
        raise SystemExit(143)  # as a signal does


def test_pages_are_served_until_the_engine_has_saved(monkeypatch):
    """A step may wait for the positions of a page: without it, a container would be killed before the town is saved."""
    ended = []
    monkeypatch.setattr(opened_town, "EngineProcess", lambda _: Server("engine", ended))
    with pytest.raises(SystemExit):
        opened_town._serve_town(OPTIONS, Server("pages", ended), tuple)
    assert ended == ["engine", "pages"]
