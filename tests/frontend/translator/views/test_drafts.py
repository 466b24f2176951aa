"""Town files that are drawn while they are edited."""

from pathlib import Path

import pytest

COTTAGE = Path(__file__).resolve().parents[3] / "town_builder" / "cottage.yaml"


def test_only_town_files_are_offered_and_drawn(stage, client):
    """Those of people lie beside them; nothing outside of the folder is looked at."""
    stage.put("towns/cottage.yaml", COTTAGE.read_text("utf-8"))
    stage.put("towns/people.yaml", "format: cast/1\n")
    stage.put("secret.yaml", COTTAGE.read_text("utf-8"))
    assert client.get("/drafts/").context["drafts"] == ["cottage"]
    assert client.get("/draft/", {"town": "cottage"}).json()["state"] in {"drawing", "drawn"}
    for name in ("people", "nowhere", "cottage.yaml", "../secret", ""):
        for address in ("/draft/", "/draft_picture/"):
            assert client.get(address, {"town": name}).status_code in {400, 404}


@pytest.mark.usefixtures("stage")
def test_a_folder_without_town_files_is_named(client):
    assert "There are none yet." in client.get("/drafts/").content.decode()
