"""A simulation gets vectors of the embedder at hand; users pay for them only if they have agreed, and lose none."""

import json
from dataclasses import replace

import pytest
from chat_server import ChatServer

from ville.assembly import run as assembly
from ville.assembly.forking import Beginning
from ville.assembly.run import open_at, open_simulation
from ville.errors import BadSetting, Unreachable
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.records.kept_vectors import KEPT, kept_file, kept_rows
from ville.storage.records.staging import FOLDER, MARKER
from ville.storage.records.vector_rows import as_listed

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
    """As the released code has them."""
    found = SimulationFolder(folder).vectors.read("Ada Stone")
    return {text: as_listed(vector) for text, vector in found.items()}


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
    new, store = base.parent / "new", f"{STREAM}/vectors.f32"
    (new / FOLDER / store).parent.mkdir(parents=True)
    (new / store).rename(new / FOLDER / store)
    remember(new, {})
    (new / "reverie" / "run.json").write_text(json.dumps({"embedder": f"openai:{PRICED}"}), "utf-8")
    (new / FOLDER / MARKER).write_text(json.dumps([store]), "utf-8")
    await (await open_at(bought, "new", "new")).close()
    assert {len(vector) for vector in vectors(new).values()} == {32}


async def test_vectors_that_were_paid_for_are_not_lost_by_a_missing_key(small_town, base, bought, server):
    """Continued in place by the rules, a simulation keeps them beside its own, and so does a fork of it."""
    await (await open_at(replace(bought, re_embed=True), "base", "paid")).close()
    paid = vectors(base.parent / "paid")
    (line,) = (simulation := await open_at(small_town.settings, "paid", "paid")).notes
    await simulation.close()
    assert f"those of openai:{PRICED} are kept" in line
    assert {len(vector) for vector in vectors(base.parent / "paid").values()} == {1536}
    await (await open_at(small_town.settings, "paid", "forked")).close()
    asked = len(server.requests)
    for name in ("paid", "forked"):
        await (await open_at(bought, name, name)).close()
        assert vectors(base.parent / name) == paid
    assert len(server.requests) == asked


async def test_back_and_forth_each_text_is_paid_for_once(small_town, base, bought, server):
    """From the rules to a provider, back, and there again: only what was remembered in between is asked for and priced,
    and the rules make no vector twice either.
    """
    await (await open_at(small_town.settings, "base", "new")).close()
    by_rules = vectors(new := base.parent / "new")
    with pytest.raises(BadSetting, match=r"Making 1 by openai.*about \$4\.00"):
        await open_at(bought, "new", "new")
    await (await open_at(replace(bought, re_embed=True), "new", "new")).close()
    by_provider = vectors(new)
    await (await open_at(small_town.settings, "new", "new")).close()
    assert vectors(new) == by_rules
    remember(new, by_rules | {"rain": [1.0] * 512 + [0.0] * 1024})
    asked = len(server.requests)
    with pytest.raises(BadSetting, match=r"Making 1 by .* costs about \$1\.00; 1 vector of .* again\. .* are kept"):
        await open_at(bought, "new", "new")
    (line,) = (simulation := await open_at(replace(bought, re_embed=True), "new", "new")).notes
    await simulation.close()
    assert [request.body["input"] for request in server.requests[asked:]][-1] == ["rain"]
    assert "1 vector was made" in line
    assert vectors(new) == by_provider | {"rain": vectors(new)["rain"]}


async def test_one_embedder_keeps_no_vectors_beside_its_own(small_town, base):
    """A simulation that was never opened with another one has the files that it always had."""
    remember(base, {})
    for origin in ("base", "new"):
        await (await open_at(small_town.settings, origin, "new")).close()
    assert not (base.parent / "new" / KEPT).exists()


@pytest.mark.parametrize(
    "torn", ["", "[1]", "VILLEF32\1\0\0\0\1\0\0\0\1\0\0\0a\0\0\0", "VILLEF32\1\0\0\0\1\0\0\0\1\0\0\0a\0\0\0bcde"]
)
async def test_kept_vectors_that_are_damaged_are_made_anew_if_the_user_agrees(small_town, base, bought, torn):
    """One line names the file."""
    await (await open_at(replace(bought, re_embed=True), "base", "new")).close()
    await (await open_at(small_town.settings, "new", "new")).close()
    new, file = base.parent / "new", kept_rows(kept_file(f"openai:{PRICED}", "Ada Stone"))
    (new / file).write_text(torn, "utf-8")
    with pytest.raises(BadSetting) as raised:
        await open_at(bought, "new", "new")
    assert f"{file} is damaged" in str(raised.value)
    assert "Making 1 by" in str(raised.value)
    await (await open_at(replace(bought, re_embed=True), "new", "new")).close()
    assert {len(vector) for vector in vectors(new).values()} == {32}


async def test_a_moment_of_another_embedder_can_still_be_reached(small_town, base, bought):
    """Its vectors are those that were in use then."""
    simulation = await open_at(small_town.settings, "base", "new")
    await simulation.advance()
    simulation.save()
    await simulation.close()
    by_rules = vectors(base.parent / "new")
    await (simulation := await open_at(replace(bought, re_embed=True), "new", "new")).advance()
    simulation.save()
    await simulation.close()
    await (await open_at(small_town.settings, "new@1", "past")).close()
    assert vectors(base.parent / "past") == by_rules


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
