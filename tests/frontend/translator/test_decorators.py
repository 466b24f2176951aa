"""How a fault is told."""

import pytest


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_fault_of_ours_is_told_as_one(stage, client, language):
    """A damaged file: the page and the data say which, and do not break."""
    stage.save("run", stage.walk(2))
    stage.put("storage/run/reverie/meta.json", "{")
    page = client.get("/replay/run/0/", headers={"Accept-Language": language})
    data = client.get("/timeline/run/", headers={"Accept-Language": language})
    assert (page.status_code, data.status_code) == (422, 422)
    assert "run/reverie/meta.json" in page.context["reason"]
    assert "run/reverie/meta.json" in data.json()["error"]


def test_reasons_cannot_carry_a_script(client):
    """Values of the request come back as text."""
    answer = client.get("/replay/%3Cscript%3Ealert(1)%3C%2Fscript%3E/0/")
    assert "<script>alert" not in answer.content.decode()


def test_a_link_from_another_site_leads_here(client):
    """To look is free: only what is posted has to come from a page of ours."""
    assert client.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200
    assert client.get("/status/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200
