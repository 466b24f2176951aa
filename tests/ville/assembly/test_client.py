"""The telephone as it is put together from the settings."""

import subprocess
import sys
from dataclasses import replace

import pytest
from faults import saying

from ville.assembly.client import ClientFactory
from ville.assembly.providers import chat_config, embedding_config
from ville.assembly.run import announcement, open_simulation
from ville.errors import BadSetting, BudgetSpent, UnusableModel
from ville.llm.accounting.ledger import Ledger
from ville.settings import Secret
from ville.simulation.run import StopRequest, run


@pytest.fixture
def settings(small_town, server):
    """Questions and texts go to the server, as to a local one."""
    return replace(
        small_town.settings, provider="llamacpp", base_url=server.url, fast_model="m", embedder="llamacpp",
        embedding_model="v",
    )  # fmt: skip


@pytest.fixture
def factory(tmp_path):
    """Makes exchanges on one ledger."""
    ledger = Ledger.open(tmp_path)
    yield lambda settings: ClientFactory(settings, ledger)
    ledger.close()


async def advance(simulation, steps):
    await run(simulation, steps, autosave=0, watch=lambda _: None, stop=StopRequest())


async def test_what_runs_at_home_costs_nothing_and_is_counted(settings, server):
    """Every request is a call of the ledger; all of them have a price, which is none."""
    simulation = open_simulation(settings, "base", "new")
    await advance(simulation, 2)
    spend = simulation.services.ledger.spend
    assert (spend.calls, spend.cost, spend.unpriced) == (len(server.requests), 0.0, 0)
    assert spend.tokens > 0
    await simulation.close()


async def test_a_step_report_says_what_was_spent(settings):
    """So that it can be shown while a run goes on; rules spend nothing."""
    simulation = open_simulation(settings, "base", "new")
    report = await simulation.advance()
    assert report.spend == simulation.services.ledger.spend
    await simulation.close()
    rules = open_simulation(replace(settings, provider="offline", embedder="hashing", base_url=""), "base", "rules")
    assert (await rules.advance()).spend is None
    assert not list((settings.fs_storage / "rules/reverie").glob("ledger*"))


async def test_rules_may_compare_memories_by_bought_vectors(settings, server):
    """Then the ledger holds nothing but those."""
    apart = replace(settings, provider="offline", base_url="", embedding_base_url=server.url)
    simulation = open_simulation(apart, "base", "new")
    await advance(simulation, 2)
    assert server.requests
    assert not server.chats
    await simulation.close()


async def test_one_party_has_one_connection_and_one_set_of_lines(settings, factory):
    """Two parties have two; a price that nobody has told is not made up."""
    made = factory(settings)
    made.chat(chat_config(settings))
    made.embedder(embedding_config(settings))
    assert len(made._open) == 1
    apart = replace(settings, embedding_base_url="http://127.0.0.1:9/v1", keys={"llamacpp": Secret("sk-1")})
    two = factory(apart)
    two.chat(chat_config(apart))
    two.embedder(embedding_config(apart))
    assert len(two._open) == 2
    assert made.cost_model(chat_config(settings), embedding_config(settings)).fast.output == 0.0
    assert two.cost_model(chat_config(apart), embedding_config(apart)).fast is None
    for endpoint in (made, two):
        for opened in endpoint._open:
            await opened.connection.close()


async def test_a_wrong_price_list_is_one_line_and_leaves_nothing(settings, tmp_path):
    """It is read before anything is asked."""
    (tmp_path / "prices.toml").write_text('"m" = 1', "utf-8")
    with pytest.raises(BadSetting, match=r"prices.toml: the price of m"):
        open_simulation(replace(settings, prices=tmp_path / "prices.toml"), "base", "new")
    assert not (settings.fs_storage / "new").exists()


@pytest.mark.parametrize(
    ("known", "changes", "names"),
    [
        (("v",), {}, ["m"]),
        (("m",), {}, ["v"]),
        (("m", "v"), {"models": {"plan": "p", "converse/relationship": "q"}}, ["p", "q"]),
        ((), {"advanced_model": "a"}, ["m", "a", "v"]),
        (("m", "v", "p"), {"models": {"plan": "p"}}, []),
    ],
)
async def test_an_unknown_price_is_told_before_anything_is_asked(settings, server, tmp_path, *, known, changes, names):
    """In one line that names every model: refused where money is limited, with nothing left behind, else a warning."""
    prices = tmp_path / "prices.toml"
    prices.write_text("".join(f'"{model}" = {{ input = 1.0 }}\n' for model in known), "utf-8")
    paid = replace(settings, keys={"llamacpp": Secret("sk-1")}, prices=prices, **changes)
    _, *warnings = announcement(paid).splitlines()
    assert [f"The price of {' and of '.join(names)} is unknown" in line for line in warnings] == [True] * bool(names)
    limited = replace(paid, max_cost=5.0)
    if names:
        for begin in (lambda: announcement(limited), lambda: open_simulation(limited, "base", "new")):
            with pytest.raises(BadSetting, match=f"The price of {' and of '.join(names)} is unknown"):
                begin()
        assert not (settings.fs_storage / "new").exists()
    else:
        await open_simulation(limited, "base", "new").close()
    assert not server.requests
    assert len(announcement(replace(limited, keys={})).splitlines()) == 1  # no key, no money


async def test_money_that_is_spent_already_has_a_price_too(settings, tmp_path):
    """A simulation that has asked a model of unknown price is not opened with a limit of money, until it is added."""
    prices = tmp_path / "prices.toml"
    prices.write_text('"other" = { input = 1.0 }', "utf-8")
    paid = replace(settings, keys={"llamacpp": Secret("sk-1")}, prices=prices, embedder="hashing", embedding_model="")
    simulation = open_simulation(paid, "base", "new")
    await advance(simulation, 1)
    await simulation.close()
    later = replace(paid, fast_model="other", max_cost=5.0)
    with pytest.raises(BadSetting, match=r"went to m, at an unknown price"):
        open_simulation(later, "new", "new")
    prices.write_text('"other" = { input = 1.0 }\n"m" = { input = 1.0 }', "utf-8")
    simulation = open_simulation(later, "new", "new")
    assert simulation.services.ledger.spend.cost > 0
    await simulation.close()


async def test_a_budget_is_kept_through_everything(settings, server):
    """Questions and texts count together; what came before the limit is kept."""
    simulation = open_simulation(replace(settings, max_calls=5), "base", "new")
    with pytest.raises(BudgetSpent, match="all 5 calls"):
        await advance(simulation, 9)
    assert len(server.requests) == 5
    assert simulation.folder.meta.step == simulation.clock.step > 0
    await simulation.close()


async def test_a_replay_needs_no_provider(settings, server):
    """Not even a key: what was answered is in the ledger; it is announced as what it is."""
    simulation = open_simulation(settings, "base", "new")
    await advance(simulation, 3)
    await simulation.close()
    asked = len(server.requests)
    nobody = replace(settings, provider="openai", base_url="", keys={}, seed=99)
    assert "nobody is asked" in announcement(nobody, "new")
    again = open_simulation(nobody, "base", "again", recording="new")
    await advance(again, 3)
    assert again.models.seed == simulation.models.seed
    assert len(server.requests) == asked
    await again.close()


async def test_a_useless_model_ends_a_replay_where_it_ended_the_run(settings, server):
    """With the same words and the same files, whatever the number of lines; the replay asks nobody."""
    server.chat = saying("As a language model I cannot have a plan for the day.")
    ends = {}
    for name, recording, lines in (("run", "", 25), ("again", "run", 1)):
        simulation = open_simulation(replace(settings, max_concurrency=lines), "base", name, recording=recording)
        with pytest.raises(UnusableModel) as ended:
            await advance(simulation, 4000)
        ends[name] = (simulation.clock.step, str(ended.value), len(server.requests))
        await simulation.close()
    assert ends["again"] == ends["run"]
    assert "As a language model" not in (settings.fs_storage / "run/reverie/run.json").read_text("utf-8")


def test_rules_never_load_a_providers_kit():
    """Whoever has no key does not wait for an import that costs half a second."""
    code = "import sys, ville.cli.prompt; sys.exit('openai' in sys.modules or 'ville.assembly.client' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
