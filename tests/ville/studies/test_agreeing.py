"""No command about a study pays for a model before its user has agreed."""

import io
from datetime import date

import pytest
from counting_provider import PRICES
from plausible_provider import PlausibleProvider

from ville.cli.study_command import main
from ville.studies.confirming import confirmations_of
from ville.studies.registering import register

STUDY = """\
base: base
steps: 20
seeds: 1
arms:
  plain: {}
  told: {interventions: [{step: 10, kind: whisper, who: Ada Stone, words: The zebra is closed}]}
measures: [{news: zebra, name: know}]
hypotheses: [{measure: know, arm: told, direction: more}]
primary: know
stop: after one seed
eligible_models: [offline, m]
audit: {only: [placebo]}
"""


@pytest.fixture
def provider(desk, server, monkeypatch):
    """A provider that costs money, and is chosen by the environment from now on."""
    register(desk.read(STUDY), desk.given, date(2026, 11, 28))
    desk.run(STUDY)
    found = PlausibleProvider()
    server.chat, server.embed = found.chat, found.embed
    (desk.root / "prices.toml").write_text(PRICES, "utf-8")
    values = {"PROVIDER": "compatible", "BASE_URL": server.url, "API_KEY": "sk-1", "FAST_MODEL": "m"}
    for name, value in {**values, "PRICES": desk.root / "prices.toml", "EMBEDDER": "hashing"}.items():
        monkeypatch.setenv(f"VILLE_{name}", str(value))
    return found


def test_nothing_is_paid_without_a_yes(desk, provider, monkeypatch, capsys):
    """Without a terminal there is none; what is refused has not begun."""
    flags = ["--fs-storage", desk.given["fs_storage"], "--assets", desk.given["assets"]]
    confirm = ["confirm", "study", "--model", "m", *flags]
    fresh = desk.root / "fresh.yaml"
    fresh.write_text(STUDY, "utf-8")
    for command in (["run", str(fresh), *flags], ["audit", str(desk.file), *flags], confirm):
        monkeypatch.setattr("sys.stdin", io.StringIO("no\n"))
        assert main(command) == 1
        said, fault = capsys.readouterr()
        assert fault == ""
        assert "likely between" in said
        assert "Type yes to pay for it" in said
        assert main([*command, "--estimate"]) == 0
    assert provider.calls == 0
    assert not desk.folder("fresh").is_there
    assert confirmations_of(desk.folder().root.parent, "study") == []
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    assert main(confirm) == 0
    assert provider.calls > 0
