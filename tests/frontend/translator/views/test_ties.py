"""Ties and the story of a run are computed once, and given in pages; bad questions are refused with a reason."""

import pytest

ADA, BEN = "Ada_Stone", "Ben_van_Reed"


def computed(client, address):
    """Ask until it is there."""
    address += f"{'&' if '?' in address else '?'}wait=5"
    answer = client.get(address)
    while answer.status_code == 202:
        answer = client.get(address)
    return answer


@pytest.fixture
def runs(stage):
    stage.save("plain", stage.walk(4))
    return stage


def test_the_graph_has_everyone_and_writes_nothing(runs, client):
    """People, their places and the measures of the first and last step; what is between two people; the chapters."""
    before = runs.files()
    found = computed(client, "/ties_data/plain/").json()
    assert len(found["people"]) == len(found["places"]) == 2
    assert [moment["step"] for moment in found["moments"]][:: len(found["moments"]) - 1] == [0, 4]
    evidence = client.get("/ties_between/plain/", {"a": ADA, "b": BEN}).json()
    assert evidence["count"] == len(evidence["evidence"])
    assert all(day["chapters"] for day in computed(client, "/story_data/plain/").json()["days"])
    assert runs.files() == before


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/ties_between/plain/?a=Nobody&b=Ada_Stone", 404), ("/ties_between/plain/", 400),
        (f"/ties_between/plain/?a={ADA}&b={BEN}&step=soon", 400),
        (f"/ties_between/plain/?a={ADA}&b={BEN}&skip=-1", 400),
        ("/story_more/plain/9999/", 404), ("/story_more/plain/first/", 400), ("/ties/nowhere/", 404),
    ],
)  # fmt: skip
def test_bad_questions_are_refused(client, address, status):
    """With a reason, and not with a fault of the server."""
    answer = computed(client, address)
    assert answer.status_code == status
