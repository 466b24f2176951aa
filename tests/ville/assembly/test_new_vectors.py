"""A fork gets vectors of the embedder at hand; users pay for them, or lose some, only if they have agreed."""

import json
from dataclasses import replace

import pytest
from chat_server import ChatServer

from ville.assembly import run as assembly
from ville.assembly.forking import Beginning
from ville.assembly.run import open_at, open_simulation
from ville.errors import BadSetting, Unreachable
from ville.storage.records.staging import FOLDER, MARKER

STREAM = "personas/Ada Stone/bootstrap_memory/associative_memory"
ADA_002 = "openai:text-embedding-ada-002"
NODE = {
    "node_count": 1, "type_count": 1, "type": "thought", "depth": 1, "created": "2023-02-12 08:00:00",
    "expiration": None, "subject": "Ada Stone", "predicate": "likes", "object": "tea", "description": "Ada likes tea",
    "embedding_key": "Ada likes tea", "poignancy": 3, "keywords": ["tea"], "filling": None,
}  # fmt: skip
PRICED = "gpt-embed"


@pytest.fixture
def base(small_town):
    """Ada remembers one thing, with a vector of the original."""
    base = small_town.root / "storage" / "base"
    (base / STREAM / "nodes.json").write_text(json.dumps({"node_1": NODE}), "utf-8")
    remember(base, {"Ada likes tea": [1.0] * 1536})
    return base


def remember(base, store):
    (base / STREAM / "embeddings.json").write_text(json.dumps(store), "utf-8")


def vectors(folder):
    return json.loads((folder / STREAM / "embeddings.json").read_text("utf-8"))


@pytest.fixture
def bought(small_town, server):
    """Settings with an embedder that has a price."""
    prices = small_town.root / "prices.toml"
    prices.write_text(f'"{PRICED}" = {{ input = 1000000 }}', "utf-8")
    return replace(
        small_town.settings, embedder="openai", embedding_model=PRICED, embedding_base_url=server.url, prices=prices,
        keys={"openai": "sk-1"}, provider="offline",
    )  # fmt: skip


@pytest.mark.parametrize(
    "store",
    [
        {"Ada likes tea": [1.0] * 1536},
        {"Ada likes tea": [1.0] * 384},
        {"Ada likes tea": [1.0] * 512 + [0.0] * 1024, "b": [1.0] * 1536},
        {"Ada likes tea": [1.0, 2.0], "other": [1.0]},
        {"Ada likes tea": "?"},
        {"Ada likes tea": [1, "x"]},
        {"Ada likes tea": []},
        {},
        None,
        "",
        '{"Ada likes tea": [1.0, 0.',
        "[]",
        "\xff",
    ],
    ids=[
        "ada-002",
        "another size",
        "two embedders",
        "two sizes",
        "no list",
        "no numbers",
        "no length",
        "empty",
        "absent",
        "no bytes",
        "torn",
        "no object",
        "no text",
    ],
)
async def test_a_fork_by_the_rules_gets_new_vectors_by_itself(small_town, base, store):
    """Whatever is there instead of vectors that fit. The origin is untouched, and one line says what was done."""
    if store is None:
        (base / STREAM / "embeddings.json").unlink()
    elif isinstance(store, str):
        (base / STREAM / "embeddings.json").write_text(store, "latin-1")
    else:
        remember(base, store)
    before = small_town.files("base")
    simulation = await open_at(small_town.settings, "base", "new")
    (line,) = simulation.notes
    assert "hashing-512" in line
    assert simulation.persona("Ada Stone").mind.stream.vectors.size == 512
    await simulation.advance()
    simulation.save()
    await simulation.close()
    assert {len(vector) for vector in vectors(base.parent / "new").values()} == {1536}
    assert small_town.files("base") == before
    again = await open_at(small_town.settings, "new", "new")
    assert not again.notes
    await again.close()


async def test_new_vectors_are_announced_before_anything_is_copied(small_town, base, monkeypatch):
    """In one line: why, how many, by which embedder, and that they cost nothing."""
    (base / STREAM / "embeddings.json").write_text('{"Ada likes tea": [1.0, 0.', "utf-8")
    said = []
    monkeypatch.setattr(assembly, "make_branch", lambda *_, **_more: pytest.fail(" ".join(said)))
    with pytest.raises(pytest.fail.Exception, match="base have no vectors.*1 by hashing-512 costs nothing"):
        await open_at(small_town.settings, "base", "new", say=said.append)
    assert len(said) == 1


async def test_a_torn_file_beside_whole_ones_is_noticed(small_town, base):
    """Also where run.json names this embedder, and the first person has all vectors."""
    await (await open_at(small_town.settings, "base", "new")).close()
    new = base.parent / "new"
    store = new / STREAM.replace("Ada Stone", "Ben Reed") / "embeddings.json"
    (store.parent / "nodes.json").write_text(json.dumps({"node_1": NODE}), "utf-8")
    for torn in ("", '{"Ada likes tea": [1.0, 0.'):
        store.write_text(torn, "utf-8")
        (line,) = (await open_at(small_town.settings, "new", f"fork{len(torn)}")).notes
        assert "1 vector was made by hashing-512" in line


@pytest.mark.parametrize("torn", ["", '{"a": [0.1', "[1, 2]", "\0" * 9])
async def test_a_torn_file_of_a_persona_without_memories_keeps_no_fork_from_being_made(small_town, base, torn):
    """There is nothing to make vectors of, and nothing is lost."""
    file = base / STREAM.replace("Ada Stone", "Ben Reed") / "embeddings.json"
    file.write_text(torn, "utf-8")
    await (await open_at(small_town.settings, "base", "new")).close()
    assert json.loads((base.parent / "new" / file.relative_to(base)).read_text("utf-8")) == {}
    assert file.read_text("utf-8") == torn


async def test_money_is_agreed_on_before_anything_is_copied(base, bought, server, monkeypatch):
    """Without consent the price is said, and how to agree; nothing is copied, and no vector is asked for."""
    told = []

    async def refuse(question):
        told.append(question)
        return False

    monkeypatch.setattr(assembly, "make_branch", lambda *_, **_more: pytest.fail("it was copied first"))
    for agree in (None, refuse):
        with pytest.raises(BadSetting, match="--re-embed") as raised:
            await open_at(bought, "base", "new", agree=agree)
        assert "\n" not in str(raised.value)
    for said in (*told, str(raised.value)):
        for words in (ADA_002, f"openai:{PRICED}", "about $4.00"):  # 13 letters are four tokens
            assert words in said
    assert len(told) == 1
    with pytest.raises(BadSetting, match="re_embed=True"):
        open_simulation(bought, "base", "new")
    assert not server.requests
    assert not (base.parent / "new").exists()


@pytest.mark.parametrize("asked", [True, False])
async def test_who_agrees_gets_them(base, bought, server, asked):
    """At the question, or by the setting. Texts are sent once."""

    async def agree(_question):
        return True

    settings = bought if asked else replace(bought, re_embed=True)
    await (await open_at(settings, "base", "new", agree=agree if asked else None)).close()
    assert [text for request in server.requests for text in request.body["input"]].count("Ada likes tea") == 1
    assert {len(vector) for vector in vectors(base.parent / "new").values()} == {32}


async def test_a_save_that_was_cut_off_is_finished_before_vectors_are_missed(base, bought):
    """Killed between the memories and their vectors of one save, a simulation is resumed without a question."""
    await (await open_at(replace(bought, re_embed=True), "base", "new")).close()
    new, store = base.parent / "new", f"{STREAM}/embeddings.json"
    (new / FOLDER / store).parent.mkdir(parents=True)
    (new / store).rename(new / FOLDER / store)
    remember(new, {})
    (new / "reverie" / "run.json").write_text(json.dumps({"embedder": f"openai:{PRICED}"}), "utf-8")
    (new / FOLDER / MARKER).write_text(json.dumps([store]), "utf-8")
    await (await open_at(bought, "new", "new")).close()
    assert {len(vector) for vector in vectors(new).values()} == {32}


async def test_vectors_that_were_paid_for_are_not_lost_by_a_missing_key(small_town, base, bought):
    """Continued in place by the rules, a simulation keeps its vectors unless the user agrees; a fork has its own."""
    await (await open_at(replace(bought, re_embed=True), "base", "paid")).close()
    kept = small_town.files("paid")
    with pytest.raises(BadSetting, match="are lost") as raised:
        await open_at(small_town.settings, "paid", "paid")
    for words in ("--re-embed", "fork it", f"set embedder and embedding_model to openai:{PRICED}"):
        assert words in str(raised.value)
    assert small_town.files("paid") == kept
    await (await open_at(small_town.settings, "paid", "forked")).close()
    await (await open_at(replace(small_town.settings, re_embed=True), "paid", "paid")).close()
    assert {len(vector) for vector in vectors(base.parent / "paid").values()} == {1536}


async def test_a_name_that_does_not_fit_the_vectors_is_ignored(small_town, base):
    """An older engine keeps run.json as it is, and adds vectors of its own; their size tells."""
    (base / "reverie/run.json").write_text(json.dumps({"embedder": "hashing-512"}), "utf-8")
    (line,) = (await open_at(small_town.settings, "base", "new")).notes
    assert ADA_002 in line


async def test_the_same_size_is_not_the_same_embedder(small_town, base):
    remember(base, {"Ada likes tea": [1.0] * 512})
    (base / "reverie/run.json").write_text(json.dumps({"embedder": "elsewhere"}), "utf-8")
    (line,) = (await open_at(small_town.settings, "base", "new")).notes
    assert "elsewhere" in line


async def test_a_fork_whose_vectors_cannot_be_made_is_deleted(bought, base):
    with ChatServer() as gone:
        dead = replace(bought, embedding_base_url=gone.url, retry_for=0.0, re_embed=True)
    with pytest.raises(Unreachable, match="cannot be reached"):
        await open_at(dead, "base", "new")
    assert not (base.parent / "new").exists()


async def test_a_replay_has_the_vectors_of_its_recording(small_town, base, bought, server):
    """They come from the ledger, without asking anybody."""
    simulation = await open_at(
        replace(bought, provider="openai", base_url=server.url, re_embed=True), "base", "recorded"
    )
    await simulation.advance()
    simulation.save()
    await simulation.close()
    asked = len(server.requests)
    replay = await open_at(small_town.settings, "base", "again", beginning=Beginning(recording="recorded"))
    await replay.advance()
    replay.save()
    await replay.close()
    assert len(server.requests) == asked
    assert vectors(base.parent / "again") == vectors(base.parent / "recorded")
