"""The page that brings over an older project: it reads folders of the machine, so it is for those who sit there."""

import json
from pathlib import Path

import pytest

from translator.storage.computed import computations, migrations

ASKED = {"id": "1", "path": "/srv/old", "bring": False, "settings": False}
PHRASE = "the ferryman hums at noon"
ENDLESS = "import threading\nthreading.Event().wait()\n"
HERE = "http://localhost:8000"


@pytest.fixture
def commands(monkeypatch):
    """The commands that were run, instead of running them: each writes a report."""
    begun = []

    def command(words, _timeout, _stop):
        begun.append(words)
        Path(words[-1]).write_text(json.dumps({"done": "--yes" in words}), "utf-8")
        return "" if "refused" not in str(words) else "It holds nothing."

    monkeypatch.setattr(migrations, "_migrations", computations.Computations())
    monkeypatch.setattr(computations, "run_command", command)
    return begun


def told(client, **given):
    """The answer once it is done."""
    while (answer := client.tell("/migration/", ASKED | given)).status_code == 202:
        pass
    return answer


def words_of(command):
    return [word for word in command if word in {"--dry-run", "--yes", "--settings"}]


@pytest.mark.usefixtures("stage")
def test_a_folder_is_looked_into_before_it_is_brought_over(client, commands):
    """Settings, with their keys, only if they are asked for. The same request is carried out once."""
    assert told(client).json() == told(client).json() == {"report": {"done": False}}
    assert told(client, id="2", bring=True).json() == {"report": {"done": True}}
    told(client, id="3", bring=True, settings=True)
    assert list(map(words_of, commands)) == [["--dry-run"], ["--yes"], ["--yes", "--settings"]]
    assert all(command[3] == ASKED["path"] for command in commands)
    refused = told(client, id="4", path="/srv/refused")
    assert (refused.status_code, refused.json()["error"]) == (422, "It holds nothing.")


@pytest.mark.usefixtures("stage")
@pytest.mark.parametrize("path", ["", "old", "../old", "--yes", "/srv/a\nb", "/srv/\x00", "~no_such_user/old"])
def test_a_path_that_is_not_whole_is_refused(client, commands, path):
    """In one line, and nothing is run: a flag of the command is no path either."""
    answer = client.tell("/migration/", ASKED | {"path": path})
    assert (answer.status_code, "\n" in answer.json()["error"]) == (400, False)
    assert not commands


@pytest.mark.usefixtures("stage", "commands")
def test_only_who_sits_at_the_machine_may(client, settings):
    """Whatever may be done from elsewhere with the pass phrase."""
    assert client.get("/migrate/").status_code == 200
    assert "/migrate/" in client.get("/").content.decode()
    for far in ({"REMOTE_ADDR": "192.168.1.9"}, {"HTTP_X_FORWARDED_FOR": "127.0.0.1"}):
        assert client.get("/migrate/", **far).status_code == 403
        assert "/migrate/" not in client.get("/", **far).content.decode()
        sent = client.post(
            "/migration/", json.dumps(ASKED), content_type="application/json", headers={"Origin": HERE}, **far
        )
        assert sent.status_code == 403
    assert client.tell("/migration/", ASKED, Origin="http://elsewhere.example").status_code == 403
    settings.PASS = PHRASE
    assert client.get("/migrate/").status_code == 403


@pytest.mark.usefixtures("stage")
def test_a_search_is_stopped_and_another_one_begins(client, monkeypatch, tmp_path):
    """One that would take for ever holds up no other: neither while it runs, nor one that waits behind it."""
    (tmp_path / "endless.py").write_text(ENDLESS, "utf-8")
    monkeypatch.setattr(migrations, "_migrations", computations.Computations())
    monkeypatch.setattr(migrations, "VILLE", (str(tmp_path / "endless.py"),))
    for each in ("first", "second"):
        assert client.tell("/migration/", ASKED | {"id": each}).status_code == 202
    for each in ("second", "first"):
        assert client.tell("/migration/stop/", ASKED | {"id": each}).status_code == 204
    for each in ("first", "second"):
        answer = told(client, id=each)
        assert (answer.status_code, answer.json()["error"]) == (422, "This was stopped. Nothing is left half done.")
    assert client.tell("/migration/stop/", ASKED | {"id": "never"}).status_code == 204
