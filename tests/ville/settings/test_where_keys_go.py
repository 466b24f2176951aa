"""No key and no text goes to a provider that the settings do not name. Each provider is a server of the test."""

import asyncio
import re
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from chat_server import ChatServer, Reply
from hypothesis import HealthCheck, example, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from new_home import new_home
from sample_requests import REQUEST

from ville import home
from ville.assembly.client import ClientFactory
from ville.assembly.model_choice import announcement, chat_config, embedding_config, local_embedder
from ville.errors import BadSetting, MissingKey, Refused, Unreachable
from ville.llm.accounting.ledger import Ledger
from ville.llm.wire.endpoint import Endpoint
from ville.llm.wire.providers import PROVIDERS
from ville.settings import load_settings

OWN = ("openai", "openrouter", "gemini")
"""Providers with a public address."""
ELSEWHERE = ("azure", "llama", "proxy", "vectors")
"""Servers whose address has to be set."""
NAMES = {"OPENAI_API_KEY": "openai", "OPENROUTER_API_KEY": "openrouter", "GEMINI_API_KEY": "gemini"}
AMBIENT = {
    "OPENAI_ORG_ID": "the-org", "OPENAI_PROJECT_ID": "the-project", "OPENAI_ADMIN_KEY": "the-admin",
    "OPENAI_CUSTOM_HEADERS": "X-Team: the-team\nAuthorization: Bearer the-bearer", "OPENAI_BASE_URL": "http://x.test/v1",
    "AZURE_OPENAI_AD_TOKEN": "the-token",
}  # fmt: skip
STRANGE = re.compile(r"the-\w+")
ENDS = {"completions", "embeddings"}
"""Last parts of the paths of questions and embeddings."""


@pytest.fixture(scope="module")
def servers():
    """A server for each provider, also in place of the public addresses."""
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
    """Return a utils.py of this kind."""
    address = {"azure": servers["azure"].url.removesuffix("/v1"), "llama": servers["llama"].url}.get(kind)
    lines = [f"key_type = {kind!r}"] if kind in {"openai", "azure", "llama", "gemini"} else []
    lines += [f"openai_api_base = {address or servers['proxy'].url!r}"] if address or kind == "bare" else []
    lines += ["google_api_key = " + repr(key_of("gemini", "utils"))] if kind == "gemini" else []
    return "\n".join([*lines, f"openai_api_key = {key_of(kind, 'utils')!r}", "fast_model = embedding_model = 'm'"])


def environment_of(place, choice, servers):
    """Return the variables of .env or of the environment."""
    keys, provider, address, vectors = choice
    said = {name: key_of(NAMES[name], place) for name in keys}
    said |= {"VILLE_PROVIDER": provider} if provider else {}
    if address:
        said |= {"VILLE_BASE_URL": servers[address].url, "VILLE_API_KEY": key_of(address, place)}
    return said | ({"VILLE_EMBEDDING_BASE_URL": servers["vectors"].url} if vectors else {})


def asked(told):
    """Ask one question and for one vector, if the settings allow it and the server can be reached."""

    async def ask(folder):
        factory = ClientFactory(told, Ledger.open(folder))
        try:
            with suppress(BadSetting, MissingKey, Unreachable):
                if who := chat_config(told):
                    await factory.chat(who).complete(REQUEST)
            with suppress(BadSetting, MissingKey, Unreachable):
                who = embedding_config(told)
                await (factory.embedder(who) if who else local_embedder(told)).embed(["tea"])
        finally:
            await factory.close()

    with TemporaryDirectory() as folder:
        asyncio.run(ask(Path(folder)))


def told_by(utils, dotenv, environment, flags, servers):
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(home, "HOME", new_home(Path(folder)))
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


@examples(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(kinds, sources, sources, st.sampled_from(["", *OWN, "azure"]))
@example("azure", NOTHING, EVERY_KEY, "")
@example("llama", NOTHING, EVERY_KEY, "")
@example("bare", NOTHING, EVERY_KEY, "")
@example("bare", (frozenset(), "openai", "llama", False), EVERY_KEY, "")
@example("azure", NOTHING, (frozenset(), "", "proxy", False), "")
@example("", (frozenset(), "ollama", "proxy", True), EVERY_KEY, "openai")
@example("plain", (frozenset(), "", "", True), EVERY_KEY, "openai")
@example("gemini", NOTHING, NOTHING, "openai")
@example("plain", (frozenset(), "ollama", "", False), NOTHING, "")
def test_a_server_receives_only_its_own_keys(servers, utils, first, second, flag):
    """Each server receives its own keys only, and nothing else that the environment has."""
    for server in servers.values():
        server.requests.clear()
    dotenv, environment = environment_of("dotenv", first, servers), environment_of("environment", second, servers)
    dotenv["VILLE_RETRY_FOR"] = "0"
    told = told_by(utils, dotenv, environment, {"provider": flag or None}, servers)
    asked(replace(told, max_concurrency=1))
    ours = {"openai": {"openai", "plain"}, "proxy": {"proxy", "bare"}}
    for name, server in servers.items():
        for request in server.requests:
            sent = " ".join(request.headers.values())
            owners = {part.partition("-from-")[0] for part in sent.split("key-of-")[1:]}
            named = {kind for who in {name, *_explicit(name, told, servers)} for kind in ours.get(who, {who})}
            assert owners <= named, f"{name} was sent {sent}"
            account = {"the-org", "the-project"} if name == "openai" else set()
            assert set(STRANGE.findall(sent)) <= account


def _explicit(name, told, servers):
    """Return the providers that were named together with the address of this server: their key may go there."""
    mine = servers[name].url
    chat = {told.provider} if told.provider and told.base_url == mine else set()
    return chat | ({told.embedder} if told.embedder and told.embedding_base_url == mine else set())


PROXY = {"VILLE_BASE_URL": "{proxy}"}
OPENAI = {"VILLE_PROVIDER": "openai", "OPENAI_API_KEY": "k1"}
BY_NAME = {"VILLE_EMBEDDER": "openai"}
BESIDE = {
    "OPENAI_BASE_URL": ({"OPENAI_BASE_URL": "{proxy}", "OPENAI_API_KEY": "k1"}, {}),
    "VILLE_BASE_URL": (PROXY | {"VILLE_API_KEY": "k1"}, {}),
    "one provider for both": (PROXY | OPENAI | BY_NAME, {}),
    "a key apart": (PROXY, {"VILLE_API_KEY": "k1"}),
    "two keys for one address": (PROXY | OPENAI | {"VILLE_API_KEY": "k2"}, {}),
    "a key apart for both": (PROXY | BY_NAME | {"VILLE_PROVIDER": "openai"}, {"OPENAI_API_KEY": "k1"}),
}
"""Settings in `.env` beside an address for embeddings, and those of the environment: the key is that of the proxy."""
TWO_KEYS = {
    "by name": (
        BY_NAME | {"OPENAI_BASE_URL": "{proxy}", "OPENAI_API_KEY": "k1", "VILLE_OPENAI_API_KEY": "k2"}, {}, "k1",
    ),
    "by address": (PROXY | OPENAI | {"VILLE_EMBEDDER": "compatible", "VILLE_API_KEY": "k2"}, {}, "k1"),
    "vectors only": ({"VILLE_API_KEY": "k2", "VILLE_EMBEDDER": "compatible"}, PROXY, ""),
}  # fmt: skip
"""The same, and the key of the proxy; the embeddings have one of their own."""


def told_with_vectors(servers, case, address):
    """Return the settings of a case with this address for embeddings, which stands in `.env`."""
    dotenv, environment = (
        {name: text.format(proxy=servers["proxy"].url) for name, text in told.items()} for told in case[:2]
    )
    vectors = {"VILLE_FAST_MODEL": "m", "VILLE_EMBEDDING_MODEL": "m", "VILLE_EMBEDDING_BASE_URL": address}
    return told_by("", dotenv | vectors, environment, {}, servers)


@pytest.mark.parametrize(
    ("case", "proxy", "vectors"),
    [(case, "k1", "") for case in BESIDE.values()] + [(case, case[2], "k2") for case in TWO_KEYS.values()],
    ids=[*BESIDE, *TWO_KEYS],
)
def test_a_key_goes_to_one_server_only(servers, case, proxy, vectors):
    """The one whose address it stands beside. Embeddings elsewhere have a key of their own, or none on this machine."""
    for server in servers.values():
        server.requests.clear()
    asked(told_with_vectors(servers, case, servers["vectors"].url))
    for name, key in {"proxy": proxy, "vectors": vectors}.items():
        sent = {request.headers.get("authorization", "").removeprefix("Bearer ") for request in servers[name].requests}
        assert sent, f"{name} was not asked"
        assert {text for text in sent if text.startswith("k")} == ({key} if key else set())


@pytest.mark.parametrize("case", BESIDE.values(), ids=BESIDE)
def test_embeddings_elsewhere_without_a_key_of_their_own_are_refused(servers, case):
    """In one line that says how to set one, and before anything is sent."""
    told = told_with_vectors(servers, case, "https://vectors.test/v1")
    with pytest.raises(MissingKey, match=r"https://vectors\.test.*(VILLE_OPENAI_API_KEY|VILLE_API_KEY)") as refused:
        announcement(told)
    assert "k1" not in str(refused.value)
    assert "\n" not in str(refused.value)


OF_PROXY = {"OPENAI_BASE_URL": "{proxy}", "OPENAI_API_KEY": "k1"}
"""An OpenAI key beside the address of a server of the user's own."""
GEMINI = {"VILLE_PROVIDER": "gemini", "GEMINI_API_KEY": "k-gemini"}
CHOSEN_APART = {
    "a provider beside it": ({}, OF_PROXY | GEMINI, {"gemini": "k-gemini"}),
    "a provider elsewhere": (GEMINI, OF_PROXY, {"gemini": "k-gemini"}),
    "a router": ({}, OF_PROXY | {"VILLE_USE_OPENROUTER": "1", "OPENROUTER_API_KEY": "k2"}, {"openrouter": "k2"}),
    "an address of ours": ({}, OF_PROXY | {"VILLE_BASE_URL": "{llama}"}, {"llama": "none"}),
    "the same address": ({}, OF_PROXY | PROXY, {"proxy": "k1"}),
    "openai with another key": (OPENAI | {"OPENAI_API_KEY": "k-openai"}, OF_PROXY, {"proxy": "k1"}),
    "nothing": ({}, OF_PROXY, {"proxy": "k1"}),
    "openai": ({"VILLE_PROVIDER": "openai"}, OF_PROXY, {"proxy": "k1"}),
}
"""Settings in `.env` and in the environment, and which server is asked with which key."""


@pytest.mark.parametrize(("dotenv", "environment", "expected"), CHOSEN_APART.values(), ids=CHOSEN_APART)
def test_openai_base_url_leads_no_other_key_and_no_other_text_there(servers, dotenv, environment, expected):
    """It may be meant for another program: what is asked of a provider that is named goes to that provider."""
    for server in servers.values():
        server.requests.clear()
    addresses = {name: server.url for name, server in servers.items()}
    dotenv, environment = (
        {name: text.format_map(addresses) for name, text in told.items()} for told in (dotenv, environment)
    )
    asked(told_by("", dotenv | {"VILLE_FAST_MODEL": "m", "VILLE_EMBEDDING_MODEL": "m"}, environment, {}, servers))
    sent = {
        (name, request.headers["authorization"].removeprefix("Bearer "))
        for name, server in servers.items()
        for request in server.requests
    }
    assert sent == set(expected.items())


def test_a_key_stays_with_its_address(servers):
    """A key that a stronger source has without an address does not replace that of a named server, nor go there."""
    for server in servers.values():
        server.requests.clear()
    own = {"VILLE_PROVIDER": "openai", "VILLE_BASE_URL": servers["proxy"].url, "OPENAI_API_KEY": "k1"}
    asked(told_by("", own | {"VILLE_EMBEDDER": "hashing"}, {"OPENAI_API_KEY": "k-of-openai"}, {}, servers))
    assert [request.headers["authorization"] for request in servers["proxy"].requests] == ["Bearer k1"]
    told = told_by("", own, own | {"OPENAI_API_KEY": "k3"}, {}, servers)
    assert chat_config(told).endpoint.key == "k3"
    told = told_by("", own, {}, {"base_url": servers["llama"].url}, servers)
    with pytest.raises(MissingKey, match="another address"):
        announcement(told)
    by_name = own | {"VILLE_PROVIDER": "ollama", "VILLE_API_KEY": "k1", "VILLE_FAST_MODEL": "m"}
    assert not chat_config(told_by("", by_name, {}, {"base_url": servers["llama"].url}, servers)).endpoint.key


@pytest.mark.parametrize(
    ("utils", "goes_to"),
    [
        ("azure", "azure"), ("llama", "llama"), ("gemini", "gemini"), ("openai", "openai"), ("plain", "openai"),
        ("bare", "proxy"),
    ],
)  # fmt: skip
def test_an_older_utils_file_asks_only_the_provider_that_it_names(servers, utils, goes_to):
    """Questions and embeddings go to one server with the key of the file, although the environment has other keys."""
    for server in servers.values():
        server.requests.clear()
    everything = {name: "of-the-environment" for name in NAMES if NAMES[name] != goes_to}
    asked(told_by(utils, {}, everything, None, servers))
    assert {name for name, server in servers.items() if server.requests} == {goes_to}
    assert {request.path.rpartition("/")[2].partition("?")[0] for request in servers[goes_to].requests} == ENDS
    for request in servers[goes_to].requests:
        key = request.headers["api-key"] if utils == "azure" else request.headers["authorization"]
        assert key.endswith(key_of(utils, "utils"))


@pytest.mark.parametrize(
    ("utils", "chat", "vectors"),
    [
        ("azure", "azure", ""), ("llama", "llama", ""), ("bare", "proxy", ""), ("gemini", "gemini", "gemini"),
        ("openai", "openai", "openai"), ("plain", "openai", "openai"),
    ],
)  # fmt: skip
def test_embeddings_without_a_model_go_to_the_named_provider_or_nowhere(servers, utils, chat, vectors):
    """If the provider has no embedding model by default, texts are hashed on this machine, whatever keys there are."""
    for server in servers.values():
        server.requests.clear()
    everything = {name: "of-the-environment" for name in NAMES if NAMES[name] != chat}
    told = told_by(utils, {}, everything, None, servers)
    asked(replace(told, embedding_model=""))
    sent = {
        (name, request.path.partition("?")[0].rpartition("/")[2])
        for name, server in servers.items()
        for request in server.requests
    }
    assert sent == {(chat, "completions")} | ({(vectors, "embeddings")} if vectors else set())


def test_azure_is_called_by_deployment_and_version(servers):
    """In the version that is set, with the header of Azure."""
    servers["azure"].requests.clear()
    told = told_by("azure", {}, {"VILLE_API_VERSION": "2023-05-15"}, None, servers)
    asked(told)
    chat, *_, vectors = servers["azure"].requests
    assert chat.path == "/openai/deployments/m/chat/completions?api-version=2023-05-15"
    assert vectors.path == "/openai/deployments/m/embeddings?api-version=2023-05-15"
    assert chat.headers["api-key"] == key_of("azure", "utils")


@pytest.mark.parametrize("kind", ["azure", "llama"])
def test_a_utils_file_without_an_address_is_refused(servers, kind):
    """One line says what to set, and no server is called."""
    utils = f"key_type = {kind!r}\nopenai_api_key = 'k'\nopenai_api_base = '<Your address>'\n"
    told = load_with(utils)
    for server in servers.values():
        server.requests.clear()
    with pytest.raises(BadSetting, match="openai_api_base"):
        chat_config(told)
    assert not [server for server in servers.values() if server.requests]


def load_with(utils):
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(home, "HOME", new_home(Path(folder)))
        Path(folder, "utils.py").write_text(utils, "utf-8")
        return load_settings(None, {})


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_redirects_are_not_followed(servers, dial, status):
    """Neither the key nor the text goes to another server."""
    servers["proxy"].requests.clear()
    servers["llama"].then(lambda _: Reply(b"", status, {"Location": f"{servers['proxy'].url}/chat/completions"}))
    with pytest.raises(Refused, match="redirects"):
        await dial_and_ask(dial, servers["llama"])
    assert not servers["proxy"].requests


async def dial_and_ask(dial, server):
    from ville.llm.wire.openai_client import OpenAIChat  # noqa: PLC0415 - beside the fixture that connects

    await OpenAIChat(dial(server.url), lambda _: "m", answer_tokens=9).complete(REQUEST)


@pytest.fixture
async def dial():
    """Connects to a server as OpenAI."""
    from ville.llm.wire.openai_client import Connection  # noqa: PLC0415 - as above

    connections = []

    def connect(url):
        connections.append(Connection(Endpoint(PROVIDERS["openai"], url, "k")))
        return connections[-1]

    yield connect
    for connection in connections:
        await connection.close()


def test_settings_files_outside_the_project_are_not_read(tmp_path, monkeypatch):
    """Neither in the folders above nor in the working directory."""
    project = tmp_path / "elsewhere" / "project"
    project.mkdir(parents=True)
    for folder in (tmp_path, project.parent):
        (folder / ".env").write_text("OPENAI_API_KEY=another's\nVILLE_SEED=9\n", "utf-8")
        (folder / "utils.py").write_text('openai_api_key = "another\'s"\nseed = 9\n', "utf-8")
    monkeypatch.setattr(home, "HOME", new_home(project))
    monkeypatch.chdir(project.parent)
    told = load_settings(None, {})
    assert (told.keys, told.seed) == ({}, None)
