"""Clients built from settings."""

from dataclasses import replace

import pytest
from faults import saying

from ville.assembly.client import ClientFactory
from ville.assembly.cost_model import cost_model
from ville.assembly.model_choice import chat_config, embedding_config
from ville.assembly.reading import read_for_interviews
from ville.assembly.run import announcement, open_simulation
from ville.errors import BadSetting, BudgetSpent, UnusableModel
from ville.llm.accounting.ledger import Ledger
from ville.settings import Secret
from ville.simulation.running.run_loop import StopRequest, run


@pytest.fixture
def settings(small_town, server):
    """Settings that send questions and texts to the server as to a local one."""
    return replace(
        small_town.settings, provider="llamacpp", base_url=server.url, fast_model="m", embedder="llamacpp",
        embedding_model="v",
    )  # fmt: skip


@pytest.fixture
def factory(tmp_path):
    """Make client factories on one ledger."""
    ledger = Ledger.open(tmp_path)
    yield lambda settings: ClientFactory(settings, ledger)
    ledger.close()


async def advance(simulation, steps):
    await run(simulation, steps, autosave=0, watch=lambda _: None, stop=StopRequest())


async def test_a_local_server_is_free_and_counted(settings, server):
    """Every request is a call in the ledger with a cost of 0."""
    simulation = open_simulation(settings, "base", "new")
    await advance(simulation, 2)
    spend = simulation.services.ledger.spend
    assert (spend.calls, spend.cost, spend.unpriced) == (len(server.requests), 0.0, 0)
    assert spend.tokens > 0
    await simulation.close()


async def test_a_step_report_has_the_spend(settings):
    """The offline rules spend nothing and have no ledger."""
    simulation = open_simulation(settings, "base", "new")
    report = await simulation.advance()
    assert report.spend == simulation.services.ledger.spend
    await simulation.close()
    rules = open_simulation(replace(settings, provider="offline", embedder="hashing", base_url=""), "base", "rules")
    assert (await rules.advance()).spend is None
    assert not list((settings.fs_storage / "rules/reverie").glob("ledger*"))


async def test_offline_rules_can_use_embeddings_of_a_provider(settings, server):
    """Then the ledger holds nothing else."""
    apart = replace(settings, provider="offline", base_url="", embedding_base_url=server.url)
    simulation = open_simulation(apart, "base", "new")
    await advance(simulation, 2)
    assert server.requests
    assert not server.chats
    await simulation.close()


async def test_clients_of_one_endpoint_share_a_connection(settings, factory):
    """Two endpoints have two; a price that is not listed is unknown."""
    made = factory(settings)
    made.chat(chat_config(settings))
    made.embedder(embedding_config(settings))
    assert len(made._shared) == 1
    apart = replace(settings, embedding_base_url="http://127.0.0.1:9/v1", keys={"llamacpp": Secret("sk-1")})
    two = factory(apart)
    two.chat(chat_config(apart))
    two.embedder(embedding_config(apart))
    assert len(two._shared) == 2
    assert cost_model(settings).fast.output == 0.0
    assert cost_model(apart).fast is None
    for clients in (made, two):
        for shared in clients._shared:
            await shared.connection.close()


async def test_an_invalid_price_list_leaves_no_simulation(settings, tmp_path):
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
async def test_an_unknown_price_is_reported_before_the_first_call(settings, server, tmp_path, *, known, changes, names):
    """In one line with all models: an error if cost is limited, else a warning."""
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


async def test_a_cost_limit_needs_the_prices_of_swapped_models(settings, server, tmp_path):
    """Those that a saved rule gives to one person: at opening, before the first call, and for interviews too."""
    prices = tmp_path / "prices.toml"
    prices.write_text('"m" = { input = 1.0 }', "utf-8")
    paid = replace(settings, keys={"llamacpp": Secret("sk-1")}, prices=prices, embedder="hashing", embedding_model="")
    simulation = open_simulation(paid, "base", "swapped")
    simulation.town.obey(simulation.town.rules.with_model("Ada Stone", "secretly-dear"))
    simulation.save()
    await simulation.close()
    limited, asked = replace(paid, max_cost=5.0), len(server.requests)
    for name in ("swapped", "fork"):
        with pytest.raises(BadSetting, match=r"price of secretly-dear is unknown"):
            open_simulation(limited, "swapped", name)
    with pytest.raises(BadSetting, match=r"price of secretly-dear is unknown"):
        await read_for_interviews(limited, "swapped")
    assert (len(server.requests), (settings.fs_storage / "fork").exists()) == (asked, False)
    prices.write_text('"m" = { input = 1.0 }\n"secretly-dear" = { input = 9.0 }', "utf-8")
    await open_simulation(limited, "swapped", "swapped").close()


async def test_a_cost_limit_needs_the_prices_of_earlier_calls(settings, tmp_path):
    prices = tmp_path / "prices.toml"
    prices.write_text('"other" = { input = 1.0 }', "utf-8")
    paid = replace(settings, keys={"llamacpp": Secret("sk-1")}, prices=prices, embedder="hashing", embedding_model="")
    simulation = open_simulation(paid, "base", "new")
    await advance(simulation, 1)
    await simulation.close()
    later = replace(paid, fast_model="other", max_cost=5.0)
    with pytest.raises(BadSetting, match=r"used m, whose price is unknown"):
        open_simulation(later, "new", "new")
    prices.write_text('"other" = { input = 1.0 }\n"m" = { input = 1.0 }', "utf-8")
    simulation = open_simulation(later, "new", "new")
    assert simulation.services.ledger.spend.cost > 0
    await simulation.close()


async def test_a_budget_covers_questions_and_texts(settings, server):
    """The state before the limit is saved."""
    simulation = open_simulation(replace(settings, max_calls=5), "base", "new")
    with pytest.raises(BudgetSpent, match="all 5 calls"):
        await advance(simulation, 9)
    assert len(server.requests) == 5
    assert simulation.folder.meta.step == simulation.clock.step > 0
    await simulation.close()


async def test_a_replay_needs_no_provider(settings, server):
    """Nor a key; it is announced as a replay."""
    simulation = open_simulation(settings, "base", "new")
    await advance(simulation, 3)
    await simulation.close()
    asked = len(server.requests)
    offline = replace(settings, provider="openai", base_url="", keys={}, seed=99)
    assert "No model is called" in announcement(offline, "new")
    again = open_simulation(offline, "base", "again", recording="new")
    await advance(again, 3)
    assert again.models.seed == simulation.models.seed
    assert len(server.requests) == asked
    await again.close()


async def test_a_useless_model_ends_a_replay_where_it_ended_the_run(settings, server):
    """With the same message and files, at any concurrency, without calls."""
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
