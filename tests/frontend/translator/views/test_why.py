"""The page of causes: who is shown them, what is asked for, and that no model is asked by testing."""

import pytest

ADA, BEN = "Ada Stone", "Ben van Reed"
ACT = "who=Ada_Stone&step=3"


@pytest.fixture
def run(stage):
    """A run of six steps."""
    return stage.save("run", stage.walk(6))


def computed(client, address):
    """Ask until it is there."""
    while (answer := client.get(address)).status_code == 202:
        pass
    return answer


@pytest.mark.usefixtures("run")
def test_an_act_has_its_causes(stage, client):
    """From the files of a run whose steps cannot be computed again, which is said; nothing is written to the run."""
    before = stage.files()
    page = client.get(f"/why/run/?{ACT}")
    assert page.context["asked"].who.name == ADA
    chain = computed(client, f"/why_data/run/?{ACT}&wait=5").json()
    assert (chain["act"]["kind"], chain["act"]["who"], chain["act"]["step"]) == ("action", ADA, 3)
    assert chain["first"] in chain["causes"]
    assert chain["missing"]
    assert chain["verdicts"] == []
    assert stage.files() == before


@pytest.mark.usefixtures("run")
def test_without_an_act_one_is_asked_for(client):
    page = client.get("/why/run/")
    assert page.status_code == 200
    assert ADA in page.content.decode()
    assert page.context["page"]["data"] == ""


@pytest.mark.usefixtures("run")
def test_watchers_are_not_shown_causes(afar):
    """Nor led there; the page says so."""
    watcher = afar()
    page = watcher.get(f"/why/run/?{ACT}")
    assert (page.status_code, page.context["page"]["data"], page.context["page"]["test"]) == (200, "", "")
    assert watcher.get("/replay/run/3/").context["page"]["why"] == ""
    for address in ("why_data", "why_test"):
        assert watcher.get(f"/{address}/run/?{ACT}").status_code == 403


def test_a_run_with_a_model_is_tested_in_the_terminal(run, client):
    """The page has the command, and the server refuses: a test would ask the model."""
    (run / "reverie/ledger.sqlite3").write_bytes(b"")
    page = client.get(f"/why/run/?{ACT}&memory=node_2")
    assert page.context["page"]["test"] == ""
    assert page.context["typed"].endswith("run@3 'Ada Stone' --memory=node_2 --test")
    assert client.get(f"/why_test/run/?{ACT}").status_code == 400


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("who=Nobody&step=3", 404), ("who=Ada_Stone&step=99", 404), ("who=Ada_Stone&step=x", 400),
        (f"{ACT}&memory=12", 400), (f"{ACT}&memory=node_2&said=hello", 400), (f"{ACT}&said=%07", 400),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_for_is_refused(client, query, status):
    for page in ("why", "why_data", "why_test"):
        assert client.get(f"/{page}/run/?{query}").status_code == status
