"""No key and no text goes to a provider that the settings do not name: tried with a server in the place of each."""

import asyncio
import re
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from asking import REQUEST
from chat_server import ChatServer, Reply
from hypothesis import HealthCheck, example, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from ville.assembly.client import ClientFactory
from ville.assembly.providers import chat_config, embedding_config, local_embedder
from ville.errors import BadSetting, MissingKey, Refused
from ville.llm.accounting.ledger import Ledger
from ville.llm.wire.providers import PROVIDERS
from ville.settings import load_settings, paths

OWN = ("openai", "openrouter", "gemini")
"""Providers with an address that everybody knows."""
ELSEWHERE = ("azure", "llama", "proxy", "vectors")
"""Servers whose address has to be told."""
NAMES = {"OPENAI_API_KEY": "openai", "OPENROUTER_API_KEY": "openrouter", "GEMINI_API_KEY": "gemini"}
AMBIENT = {
    "OPENAI_ORG_ID": "the-org", "OPENAI_PROJECT_ID": "the-project", "OPENAI_ADMIN_KEY": "the-admin",
    "OPENAI_CUSTOM_HEADERS": "X-Team: the-team\nAuthorization: Bearer the-bearer", "OPENAI_BASE_URL": "http://x.test/v1",
    "AZURE_OPENAI_AD_TOKEN": "the-token",
}  # fmt: skip
STRANGE = re.compile(r"the-\w+")
ENDS = {"completions", "embeddings"}
"""Of the paths of a question and of texts to be compared."""


@pytest.fixture(scope="module")
def servers():
    """One for each, at the addresses that everybody knows, too."""
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        there = {name: stack.enter_context(ChatServer()) for name in (*OWN, *ELSEWHERE)}
        for name in OWN:
            patch.setitem(PROVIDERS, name, replace(PROVIDERS[name], base_url=there[name].url))
        for name, value in AMBIENT.items():
            patch.setenv(name, value)
        patch.setattr("ville.settings.older_names.OPENAI_HOST", "the host of openai")
        yield there


def key_of(name, place):
    return f"key-of-{name}-from-{place}"


def utils_of(kind, servers):
    """A utils.py as its owner has it."""
    address = {"azure": servers["azure"].url.removesuffix("/v1"), "llama": servers["llama"].url}.get(kind)
    lines = [f"key_type = {kind!r}"] if kind in {"openai", "azure", "llama", "gemini"} else []
    lines += [f"openai_api_base = {address or servers['proxy'].url!r}"] if address or kind == "bare" else []
    lines += ["google_api_key = " + repr(key_of("gemini", "utils"))] if kind == "gemini" else []
    return "\n".join([*lines, f"openai_api_key = {key_of(kind, 'utils')!r}", "fast_model = embedding_model = 'm'"])


def environment_of(place, choice, servers):
    """What one of the stronger sources says."""
    keys, provider, address, vectors = choice
    said = {name: key_of(NAMES[name], place) for name in keys}
    said |= {"VILLE_PROVIDER": provider} if provider else {}
    if address:
        said |= {"VILLE_BASE_URL": servers[address].url, "VILLE_API_KEY": key_of(address, place)}
    return said | ({"VILLE_EMBEDDING_BASE_URL": servers["vectors"].url} if vectors else {})


def asked(told):
    """Ask one question and for one vector, if the settings allow it."""

    async def ask(folder):
        factory = ClientFactory(told, Ledger.open(folder))
        try:
            with suppress(BadSetting, MissingKey):
                if who := chat_config(told):
                    await factory.chat(who).complete(REQUEST)
            with suppress(BadSetting, MissingKey):
                who = embedding_config(told)
                await (factory.embedder(who) if who else local_embedder(told)).embed(["tea"])
        finally:
            await factory.close()

    with TemporaryDirectory() as folder:
        asyncio.run(ask(Path(folder)))


def told_by(utils, dotenv, environment, flags, servers):
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(paths, "ROOT", Path(folder))
        patch.setattr(paths, "BACKEND", Path(folder))
        if utils:
            Path(folder, "utils.py").write_text(utils_of(utils, servers), "utf-8")
        Path(folder, ".env").write_text("\n".join(f"{name}={value}" for name, value in dotenv.items()), "utf-8")
        return load_settings(flags, environment)


sources = st.tuples(
    st.sets(st.sampled_from(sorted(NAMES))),
    st.sampled_from(["", "", *OWN, "ollama", "compatible"]),
    st.sampled_from(["", "", "proxy", "llama"]),
    st.booleans(),
)
kinds = st.sampled_from(["", "plain", "bare", "openai", "azure", "llama", "gemini"])
NOTHING = (frozenset(), "", "", False)
EVERY_KEY = (frozenset(NAMES), "", "", False)


@examples(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(kinds, sources, sources, st.sampled_from(["", *OWN, "azure"]))
@example("azure", NOTHING, EVERY_KEY, "")
@example("llama", NOTHING, EVERY_KEY, "")
@example("bare", NOTHING, EVERY_KEY, "")
@example("bare", (frozenset(), "openai", "llama", False), EVERY_KEY, "")
@example("azure", NOTHING, (frozenset(), "", "proxy", False), "")
@example("", (frozenset(), "ollama", "proxy", True), EVERY_KEY, "openai")
@example("plain", (frozenset(), "", "", True), EVERY_KEY, "openai")
def test_no_key_goes_to_anybody_else(servers, utils, first, second, flag):
    """Whatever is named where: a server is sent its own keys, and nothing that the SDK finds in the environment."""
    for server in servers.values():
        server.requests.clear()
    dotenv, environment = environment_of("dotenv", first, servers), environment_of("environment", second, servers)
    dotenv["VILLE_RETRY_FOR"] = "0"
    told = told_by(utils, dotenv, environment, {"provider": flag or None}, servers)
    asked(replace(told, max_concurrency=1))
    ours = {"openai": {"openai", "plain"}, "proxy": {"proxy", "bare"}, "vectors": {"proxy", "llama"}}
    for name, server in servers.items():
        for request in server.requests:
            sent = " ".join(request.headers.values())
            owners = {part.partition("-from-")[0] for part in sent.split("key-of-")[1:]}
            named = ours.get(name, {name}) | _explicit(name, told, servers)
            assert owners <= named, f"{name} was sent {sent}"
            account = {"the-org", "the-project"} if name == "openai" else set()
            assert set(STRANGE.findall(sent)) <= account


def _explicit(name, told, servers):
    """A provider that was named beside an address lends it its key: whoever writes both means it."""
    mine = servers[name].url
    chat = {told.provider} if told.provider and told.base_url == mine else set()
    return chat | ({told.embedder} if told.embedder and told.embedding_base_url == mine else set())


@pytest.mark.parametrize(
    ("utils", "goes_to"),
    [
        ("azure", "azure"), ("llama", "llama"), ("gemini", "gemini"), ("openai", "openai"), ("plain", "openai"),
        ("bare", "proxy"),
    ],
)  # fmt: skip
def test_an_older_file_asks_whom_it_names_and_nobody_else(servers, utils, goes_to):
    """Questions and texts to be compared, with the key of the file, though the environment is full of others."""
    for server in servers.values():
        server.requests.clear()
    everything = {name: "of-the-environment" for name in NAMES if NAMES[name] != goes_to}
    asked(told_by(utils, {}, everything, None, servers))
    assert {name for name, server in servers.items() if server.requests} == {goes_to}
    assert {request.path.rpartition("/")[2].partition("?")[0] for request in servers[goes_to].requests} == ENDS
    for request in servers[goes_to].requests:
        key = request.headers["api-key"] if utils == "azure" else request.headers["authorization"]
        assert key.endswith(key_of(utils, "utils"))


def test_azure_is_asked_as_azure_wants_it(servers):
    """By deployment, in the version that the file names, with its own header."""
    servers["azure"].requests.clear()
    told = told_by("azure", {}, {"VILLE_API_VERSION": "2023-05-15"}, None, servers)
    asked(told)
    chat, *_, vectors = servers["azure"].requests
    assert chat.path == "/openai/deployments/m/chat/completions?api-version=2023-05-15"
    assert vectors.path == "/openai/deployments/m/embeddings?api-version=2023-05-15"
    assert chat.headers["api-key"] == key_of("azure", "utils")


@pytest.mark.parametrize("kind", ["azure", "llama"])
def test_a_file_that_leaves_the_address_open_is_refused(servers, kind):
    """One line that says what to set; nobody is asked meanwhile."""
    utils = f"key_type = {kind!r}\nopenai_api_key = 'k'\nopenai_api_base = '<Your address>'\n"
    told = load_with(utils)
    for server in servers.values():
        server.requests.clear()
    with pytest.raises(BadSetting, match="openai_api_base"):
        chat_config(told)
    assert not [server for server in servers.values() if server.requests]


def load_with(utils):
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(paths, "ROOT", Path(folder))
        patch.setattr(paths, "BACKEND", Path(folder))
        Path(folder, "utils.py").write_text(utils, "utf-8")
        return load_settings(None, {})


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_nothing_follows_a_redirect(servers, dial, status):
    """A server may send its callers elsewhere: neither the key nor the text goes there."""
    servers["proxy"].requests.clear()
    servers["llama"].then(lambda _: Reply(b"", status, {"Location": f"{servers['proxy'].url}/chat/completions"}))
    with pytest.raises(Refused, match="elsewhere"):
        await dial_and_ask(dial, servers["llama"])
    assert not servers["proxy"].requests


async def dial_and_ask(dial, server):
    from ville.llm.wire.openai_wire import OpenAIWire  # noqa: PLC0415 - beside the fixture that connects

    await OpenAIWire(dial(server.url), lambda _: "m", answer_tokens=9).complete(REQUEST)


@pytest.fixture
async def dial():
    """Connects to a server as OpenAI."""
    from ville.llm.wire.openai_wire import Access, Connection  # noqa: PLC0415 - as above

    connections = []

    def connect(url):
        connections.append(Connection(Access(PROVIDERS["openai"], url, "k")))
        return connections[-1]

    yield connect
    for connection in connections:
        await connection.close()


def test_settings_files_of_others_are_not_read(tmp_path, monkeypatch):
    """Neither in the folders above nor in the one where the command was typed."""
    project = tmp_path / "elsewhere" / "project"
    project.mkdir(parents=True)
    for folder in (tmp_path, project.parent):
        (folder / ".env").write_text("OPENAI_API_KEY=another's\nVILLE_SEED=9\n", "utf-8")
        (folder / "utils.py").write_text('openai_api_key = "another\'s"\nseed = 9\n', "utf-8")
    monkeypatch.setattr(paths, "ROOT", project)
    monkeypatch.setattr(paths, "BACKEND", project)
    monkeypatch.chdir(project.parent)
    told = load_settings(None, {})
    assert (told.keys, told.seed) == ({}, None)
