"""Messages about files, as pages get them."""

import pytest

from translator.told import without_folders

UNCHANGED = [
    "Type: python reverie/compress_sim_storage.py NAME",
    "Open http://localhost:8000/replay/run/5/ instead.",
    "It is 1/2 done, and/or waits; /status/ says so.",
]


def test_files_are_named_from_the_folders_of_the_server_on(stage):
    """Which simulation it is stays clear; where this machine keeps it does not matter to a reader."""
    told = without_folders(f"{stage.storage}/my town/reverie/meta.json:2 is not JSON. See {stage.storage}.")
    assert told == "my town/reverie/meta.json:2 is not JSON. See storage."
    assert without_folders("Cannot read '/srv/ada/past.csv'.") == "Cannot read 'past.csv'."
    assert without_folders(r"Cannot read D:\ada\past.csv.") == "Cannot read past.csv."


@pytest.mark.parametrize("text", UNCHANGED)
def test_commands_and_addresses_stay(stage, text):  # noqa: ARG001 - folders to look for
    """They are what a reader needs."""
    assert without_folders(text) == text


def test_a_refusal_of_the_engine_names_no_folder(stage, client):
    """As it is answered to a request, and as it is reported afterwards."""
    fault = f"{stage.storage}/run/reverie/meta.json is missing."
    stage.put("temp/engine_status.json", {"state": "idle", "fault": fault})
    assert client.get("/status/").json()["engine"]["fault"] == "run/reverie/meta.json is missing."
    inbox = stage.listen(None)
    number = client.tell("/engine/", {"request": "close", "id": "a"}).json()["number"]
    inbox.acknowledge(inbox.read(number), {"id": "a", "result": "refused", "reason": fault})
    assert str(stage.root) not in client.get(f"/engine/{number}/").content.decode()
